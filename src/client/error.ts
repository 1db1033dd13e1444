// The error with which a call of the client rejects.
import type { Error as ErrorOfApi } from './resources.ts'

/** Why a 503 `svc_unavailable`, a 507 `svc_storage_full` or a 502 `svc_storage_unavailable` happened. */
export type UnavailableReason = NonNullable<ErrorOfApi['data']['reason']>

/** A response with a status of 400 or more, a response that is not of this API, or none at all (status 0). */
export class SvcApiError extends Error {
  override readonly name = 'SvcApiError'
  /** HTTP status; 0 if no response came. */
  readonly status: number
  /** Such as `svc_product_not_found`; `network` if no response came, `not_this_api` if another server responded. */
  readonly code: string
  /** Details, for example `params` of a 400. */
  readonly data: Record<string, unknown>
  /** Why the API is unavailable, or cannot store files; undefined for other codes. */
  readonly reason: UnavailableReason | undefined
  /** All problems, where the API reports several. */
  readonly errors: readonly string[]
  /** Id of the request in the server's log. */
  readonly requestId: string | undefined
  /** Seconds to wait before the next try. */
  readonly retryAfter: number | undefined

  constructor(message: string, status: number, body: ErrorBody, headers?: Headers, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = body.code ?? 'unknown'
    this.data = body.data ?? {}
    this.reason = this.data.reason as UnavailableReason | undefined
    this.errors = body.errors ?? []
    this.requestId = headers?.get('x-request-id') ?? undefined
    const seconds = Number(headers?.get('retry-after') ?? Number.NaN)
    this.retryAfter = Number.isFinite(seconds) ? seconds : undefined
  }
}

/** The body of an error, as far as it is one of this API. */
export interface ErrorBody {
  code?: string
  message?: string
  data?: Record<string, unknown>
  errors?: string[]
}
