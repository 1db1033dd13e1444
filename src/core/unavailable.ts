// Errors of a server that cannot serve a request at the moment, each with its reason: 503 `svc_unavailable`, 507 `svc_storage_full`
// and 502 `svc_storage_unavailable`.
import { SvcError } from './errors.ts'
import { errorCode } from './foreign.ts'
import type { FullReason, StorageReason, UnavailableReason } from './unavailable-reasons.ts'

interface Details {
  reason: UnavailableReason
  /** One full sentence. */
  message: string
  /** Seconds after which the client may try again. */
  seconds: number
  data?: Record<string, unknown>
  cause?: unknown
}

/** A 503. */
export const tryAgain = ({ reason, message, seconds, data, cause }: Details): SvcError =>
  new SvcError('svc_unavailable', {
    message,
    data: { reason, ...data },
    headers: { 'retry-after': String(seconds) },
    cause,
  })

/** 503 for a write of which it is unknown whether it was saved. `data.outcome` is `unknown`. */
export const outcomeUnknown = (cause?: unknown): SvcError =>
  tryAgain({
    reason: 'outcome-unknown',
    message:
      'The database did not confirm the write: it is unknown whether it was saved. Read the resource before you repeat the request, or repeat it with the same Idempotency-Key or If-Match.',
    seconds: 2,
    data: { outcome: 'unknown' },
    cause,
  })

/** 503 for a write that the server refuses while some tables have no transactions. */
export function mixedEngines(tables: readonly string[], cause?: unknown): SvcError {
  const changes = tables.map((table) => `ALTER TABLE ${table} ENGINE=InnoDB`).join('; ')
  const message = `The database refuses this write because some tables have no transactions (enforce_gtid_consistency). The operator of the shop has to convert them: ${changes}.`
  return tryAgain({ reason: 'database-engines', message, seconds: 60, cause })
}

/** Messages by reason. */
const messages = {
  'database-unreachable': 'The database cannot be reached; try again later.',
  'database-read-only':
    'The database takes no writes at the moment because it is read-only; try again later. Reads go on.',
  'database-full': 'The database has no room for this write: its disk or the table is full.',
  'database-failed':
    'The database could not read or write a file of its own; try again later, or look into its log.',
  busy: 'The database is busy with other writers; try again later.',
  deadline: 'The request ran out of time before the database was done; try again later.',
} as const

/** Retry-After by reason; 2 seconds for the others. */
const secondsFor: Partial<Record<UnavailableReason, number>> = {
  'database-full': 60,
  'database-read-only': 5,
}

/** 503 because of the database. */
export const unavailable = (reason: keyof typeof messages, cause?: unknown): SvcError =>
  tryAgain({ reason, message: messages[reason], seconds: secondsFor[reason] ?? 2, cause })

/** Reason and beginning of the message, by the code of an error of the file system. */
const fullDisks: Record<string, [reason: FullReason, problem: string]> = {
  ENOSPC: ['uploads-full', 'The disk for uploads and temporary files is full'],
  EDQUOT: ['uploads-full', 'The quota of the disk for uploads and temporary files is used up'],
  EROFS: ['uploads-read-only', 'The disk for uploads and temporary files is read-only'],
}

/** 507 for the error of a disk that is full or read-only; undefined for any other error. */
export function storageFull(error: unknown): SvcError | undefined {
  const code = errorCode(error) ?? ''
  const [reason, problem] = (Object.hasOwn(fullDisks, code) && fullDisks[code]) || []
  if (reason === undefined) return undefined
  return new SvcError('svc_storage_full', {
    message: `${problem}; nothing was stored. The operator of the server has to make room, or make it writable.`,
    data: { reason },
    headers: { 'retry-after': '60' },
    cause: error,
  })
}

/** 502 of a remote storage that did not respond in time. */
export function storageSilent(cause?: unknown): SvcError {
  const reason: StorageReason = 'storage-timeout'
  const message = 'The file storage did not respond in time; try again later.'
  return new SvcError('svc_storage_unavailable', { message, data: { reason }, cause })
}
