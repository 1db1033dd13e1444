// Makes named tokens and sends requests with them.
import { runningContext } from '../../../src/http/running-apis.ts'
import type { TestHost } from './build.ts'

type App = Pick<TestHost, 'app'>

/** @returns the token */
export const makeToken = ({ app }: App, name: string, scopes: readonly string[], expiresAt?: number) =>
  runningContext(app).namedTokens.create({ name, scopes, expiresAt })

export const revokeToken = ({ app }: App, name: string) => runningContext(app).namedTokens.revoke(name)

/** The host's `call` with another token, or with none. */
export function as({ call }: TestHost, token: string | undefined): TestHost['call'] {
  const authorization = token === undefined ? undefined : `Bearer ${token}`
  return (method, path, body, headers) => call(method, path, body, { authorization, ...headers })
}
