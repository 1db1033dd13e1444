// The two errors of the checks of uploaded files: the file is bad, or the check could not be completed.
import { SvcError } from '../core/errors.ts'
import type { UnavailableReason } from '../core/unavailable-reasons.ts'

/** Error codes of a bad file: a wrong extension, content of another type, or content that is refused. */
export type RejectionCode = 'svc_upload_type_not_allowed' | 'svc_upload_type_mismatch' | 'svc_upload_rejected'

/**
 * The file is bad; sending it again gets the same response (422). The message is a sentence for the client, the cause is only
 * for the log.
 */
export class FileRejected extends SvcError {
  override readonly name = 'FileRejected'
  declare code: RejectionCode

  constructor(message: string, code: RejectionCode = 'svc_upload_rejected', { cause }: ErrorOptions = {}) {
    super(code, { message, cause })
  }
}

/** The check did not complete, because another process killed its child; the same file may pass on retry (503). */
export class FileCheckFailed extends SvcError {
  override readonly name = 'FileCheckFailed'

  constructor(message: string, { cause }: ErrorOptions = {}) {
    const data = { reason: 'check' satisfies UnavailableReason }
    super('svc_unavailable', { message, data, headers: { 'retry-after': '2' }, cause })
  }
}
