// The state of one request that all code working for it can read (AsyncLocalStorage). Its properties are declared beside the functions
// that read and set them: the deadline in `core/deadline.ts`, the author and the changes of the running transaction in
// `core/change.ts`, the sender of a request that this process sends itself in `http/principal.ts`.
import { AsyncLocalStorage } from 'node:async_hooks'

/** The properties of the scope; each file named above adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: declaration merging fills it.
export interface RequestScope {}

const scopes = new AsyncLocalStorage<Readonly<RequestScope>>()

const none: RequestScope = {}

/** The scope of the request that the caller works for; empty outside of requests. */
export const requestScope = (): Readonly<RequestScope> => scopes.getStore() ?? none

/** Runs `work` with other properties of the scope. */
export const withScope = <T>(properties: RequestScope, work: () => T): T =>
  scopes.run({ ...scopes.getStore(), ...properties }, work)

/** Runs `work` outside of any request: without the deadline, the author and the other state of the request that starts it. */
export const withoutScope = <T>(work: () => T): T => scopes.exit(work)
