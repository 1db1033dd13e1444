// Why a request cannot be served at the moment: `data.reason` of a 503 `svc_unavailable`, a 507 `svc_storage_full` and a 502
// `svc_storage_unavailable`.

/** The reasons of a 503 `svc_unavailable` with their descriptions. */
export const unavailableReasons = {
  'database-unreachable': 'The database cannot be reached or is not ready.',
  'database-read-only': 'The database takes no writes at the moment; reads go on.',
  'database-full': 'The disk or a table of the database is full.',
  'database-failed': 'The database could not read or write a file of its own.',
  'database-engines':
    'The database refuses writes while some tables have no transactions; the message says how to convert them.',
  busy: 'The database is busy with other writers.',
  deadline: 'The request ran out of time before the database was done.',
  'outcome-unknown': 'The database did not confirm a write, which may be saved; `data.outcome` is `unknown`.',
  'print-jobs': 'The print jobs of a large shop are being assigned to their orders for the first time.',
  orders: 'The orders of a large shop are being indexed for the first time.',
  'order-changed': 'The order was changed while it was read.',
  storage: 'The disk that files are stored on did not respond in time.',
  login: 'The host could not say in time who sends the request.',
  host: 'A hook of the host failed with 503.',
  uploads: 'Too many uploaded files are waiting to be checked.',
  check: 'The check of an uploaded file was interrupted.',
  responses: 'Clients leave too many large responses unread.',
  notifications: 'Too many notifications about print files are being processed.',
  pages: 'Too many pages of the desk are live.',
  closing: 'The server is closing; another one, or the same after its start, serves the request.',
} as const satisfies Record<string, string>

/** A reason of a 503 `svc_unavailable`. */
export type UnavailableReason = keyof typeof unavailableReasons

/** The reasons of a 507 `svc_storage_full` with their descriptions. */
export const fullReasons = {
  'uploads-full': 'The disk of the uploads folder or of temporary files, or its quota, is full.',
  'uploads-read-only': 'The disk of the uploads folder or of temporary files is read-only.',
} as const satisfies Record<string, string>

/** A reason of a 507 `svc_storage_full`. */
export type FullReason = keyof typeof fullReasons

/** The reasons of a 502 `svc_storage_unavailable` with their descriptions. */
export const storageReasons = {
  'storage-timeout': 'The remote storage did not respond, or did not take the file, in time.',
  'storage-failed': 'The remote storage could not be reached, or refused the request.',
} as const satisfies Record<string, string>

/** A reason of a 502 `svc_storage_unavailable`. */
export type StorageReason = keyof typeof storageReasons
