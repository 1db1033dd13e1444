// The two ways in which an uploaded file fails: it is at fault itself, or the check could not be made.

export type RejectionCode = 'svc_upload_type_not_allowed' | 'svc_upload_type_mismatch' | 'svc_upload_rejected'

/** The file is at fault; sending it again gives the same answer. The message is a sentence for the client (422). */
export class FileRejected extends Error {
  override readonly name = 'FileRejected'
  readonly code: RejectionCode

  constructor(message: string, code: RejectionCode = 'svc_upload_rejected') {
    super(message)
    this.code = code
  }
}

/** The check itself broke off (its thread died, or too many files wait); the same file may pass a moment later (503). */
export class FileCheckFailed extends Error {
  override readonly name = 'FileCheckFailed'
  readonly code = 'svc_unavailable'
}
