// Replaces a named token by a new one, while the previous one still works for a chosen time.
import { hash } from 'node:crypto'
import { noteChange } from '../core/change.ts'
import { SvcError } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import { isAny } from '../db/repository.ts'

/** A rotated token: the new one, which cannot be read again, and what became of the previous one. Times are Unix seconds. */
export interface RotatedToken {
  token: string
  /** Undefined if the new token never expires. */
  expiresAt: number | undefined
  /** The name that the previous token has until it expires; undefined if it was revoked at once. */
  previous: { name: string; expiresAt: number } | undefined
}

/** How long the previous token still works, in seconds. */
export const overlaps = { now: 0, '1h': 3600, '1d': 86_400, '7d': 604_800 } as const
export type Overlap = keyof typeof overlaps
/** Whether the text, from a form or a command, is one of `overlaps`. */
export const isOverlap = (text: string): text is Overlap => Object.hasOwn(overlaps, text)

/** A row of `api_tokens`. Times are Unix seconds; some drivers give numbers as text. */
interface StoredToken {
  name: string
  token_hash: string
  scopes: string | null
  created_at: number | string
  /** 0 if it never expires. */
  expires_at: number | string
  /** The time of the database when the row was read. */
  now: number | string
}

/**
 * Stores a new token with the name, scopes and lifetime of the old one. The old one gets another name and expires after the
 * overlap, or is deleted without one.
 * @param token the new token
 * @param overlap how long the old one still works
 * @param names the names of all tokens
 * @throws SvcError 412 if the old token was changed since it was read
 */
export async function rotateStored(
  { db, t, dialect, transaction }: Database,
  old: StoredToken,
  { token, overlap, names }: { token: string; overlap: Overlap; names: ReadonlySet<string> },
): Promise<RotatedToken> {
  const { name, scopes, token_hash: oldHash } = old
  const now = Number(old.now)
  const created = Number(old.created_at)
  const expires = Number(old.expires_at)
  const expiresAt = expires === 0 ? 0 : now + Math.max(expires - created, 1)
  const overlapEnd = now + overlaps[overlap]
  const previous =
    overlap === 'now'
      ? undefined
      : { name: nameOfPrevious(name, names), expiresAt: Math.min(expires || overlapEnd, overlapEnd) }
  const token_hash = hash('sha256', token)
  try {
    await transaction(
      async (trx) => {
        if (previous) {
          const values = { name: previous.name, expires_at: previous.expiresAt }
          const { numUpdatedRows } = await trx
            .updateTable(t.api_tokens)
            .set(values)
            .where('token_hash', '=', oldHash)
            .where('name', '=', name)
            .executeTakeFirstOrThrow()
          if (numUpdatedRows === 0n) throw changedMeanwhile()
          noteChange(trx, { resource: 'named_token', action: 'updated', id: previous.name })
        } else {
          const { numDeletedRows } = await trx
            .deleteFrom(t.api_tokens)
            .where('token_hash', '=', oldHash)
            .where('name', '=', name)
            .executeTakeFirstOrThrow()
          if (numDeletedRows === 0n) throw changedMeanwhile()
          noteChange(trx, { resource: 'named_token', action: 'deleted', id: name })
        }
        const row = { name, token_hash, scopes, created_at: now, expires_at: expiresAt, last_used_at: 0 }
        await trx.insertInto(t.api_tokens).values(row).execute()
        noteChange(trx, { resource: 'named_token', action: 'created', id: name })
      },
      () => isAny(db.selectFrom(t.api_tokens).select('name').where('token_hash', '=', token_hash)),
    )
  } catch (error) {
    // Another rotation of this token has stored its new one first.
    if (dialect.isUnique(error)) throw changedMeanwhile()
    throw error
  }
  return { token, expiresAt: expiresAt || undefined, previous }
}

const changedMeanwhile = () =>
  new SvcError('svc_precondition_failed', {
    message: 'This token has been rotated or revoked meanwhile. Nothing was changed.',
  })

/** A name that no token has, such as `agent (replaced 2)`. */
function nameOfPrevious(name: string, names: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? ' (replaced)' : ` (replaced ${count})`
    const free = name.slice(0, 64 - suffix.length) + suffix
    if (!names.has(free)) return free
  }
}
