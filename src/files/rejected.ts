// The two ways in which an uploaded file fails: it is at fault itself, or the check could not be made.
import { SvcError } from '../errors.ts'

export type RejectionCode = 'svc_upload_type_not_allowed' | 'svc_upload_type_mismatch' | 'svc_upload_rejected'

/**
 * The file is at fault; sending it again gets the same response. The message is a sentence for the client (422), the cause is
 * for the log alone.
 */
export class FileRejected extends SvcError {
  override readonly name = 'FileRejected'
  declare code: RejectionCode

  constructor(message: string, code: RejectionCode = 'svc_upload_rejected', { cause }: ErrorOptions = {}) {
    super(code, { message, cause })
  }
}

/** The check itself broke off (its thread died, or too many files wait); the same file may pass a moment later (503). */
export class FileCheckFailed extends SvcError {
  override readonly name = 'FileCheckFailed'

  constructor(message: string, { cause }: ErrorOptions = {}) {
    super('svc_unavailable', { message, headers: { 'retry-after': '2' }, cause })
  }
}
