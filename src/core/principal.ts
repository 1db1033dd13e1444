// The sender of a request and the scopes that it has.
import type { Scope } from './scopes.ts'

/** Who sends a request, and what they may do. */
export interface Principal {
  /** `token`: the API token of the installation. `scoped_token`: a named token. `host`: a login of the host. */
  kind: 'token' | 'scoped_token' | 'host'
  /** For logs and change events: the name of the token or of the host's user. */
  name: string
  /** `all`, or the scopes that were granted: `read`, `write`, or single groups such as `products:read`. */
  scopes: 'all' | readonly Scope[]
}

/** The sender of a request with the API token of the installation, who may do everything. */
export const tokenPrincipal: Principal = Object.freeze({ kind: 'token', name: 'token', scopes: 'all' })
