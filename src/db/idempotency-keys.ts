// Requests with an Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): a row for each key stores what its request created, so
// that a repeated request returns that instead of creating it again.
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import type { Created, Creation } from '../core/resource.ts'
import { fromJson } from '../json/parse.ts'
import type { Database } from './connect.ts'
import type { NewRow, Tables } from './tables.ts'
import { databaseTime } from './time.ts'
import { retried } from './transaction.ts'

/** A request with a key. */
interface KeyedRequest {
  /** Hash of the key and of the sender. */
  keyHash: string
  /** The `operationId` of the route. */
  operation: string
  /** Hash of the parsed request: white space and escapes do not count, the order of properties does. */
  requestHash: string
  /** Seconds after which another request with the key may start, whether or not the first process is still alive. */
  maxSeconds: number
}

/** Seconds for which what finds the result is stored. */
const lifetime = 24 * 60 * 60

export type Idempotency = ReturnType<typeof idempotencyRepository>

/** The keys of one database. Each attempt has a random `owner`, so that an attempt that lost its key writes nothing. */
export function idempotencyRepository({ db, t, dialect }: Database) {
  /** Unix seconds. */
  let sweptAt = Number.NEGATIVE_INFINITY

  /** Deletes expired rows, at most once an hour per process. */
  async function sweep(now: number): Promise<void> {
    if (now - sweptAt < 3600) return
    sweptAt = now
    await db.deleteFrom(t.idempotency).where('expires_at', '<', now).execute()
  }

  /** Stores a row for the key. @returns false if there is one already */
  async function inserted(row: NewRow<'idempotency'>): Promise<boolean> {
    try {
      await db.insertInto(t.idempotency).values(row).execute()
      return true
    } catch (error) {
      if (!dialect.isUnique(error)) throw error
      return false
    }
  }

  /**
   * Reserves the key for this attempt.
   * @returns what finds the result of an earlier request, as JSON; undefined if the key is reserved now
   * @throws SvcError 422 when the key belongs to another request, 409 while an earlier one runs
   */
  async function reserve(
    { keyHash, operation, requestHash, maxSeconds }: KeyedRequest,
    owner: string,
  ): Promise<string | undefined> {
    const now = await databaseTime({ db, dialect })
    await sweep(now)
    const row = {
      operation,
      request_hash: requestHash,
      owner,
      running_until: now + maxSeconds,
      expires_at: now + lifetime,
      made: null,
    }
    if (await inserted({ key_hash: keyHash, ...row })) return undefined
    const stored = await db
      .selectFrom(t.idempotency)
      .selectAll()
      .where('key_hash', '=', keyHash)
      .executeTakeFirst()
    // It was released between both statements.
    if (!stored) throw running(1)
    const isExpired = stored.expires_at <= now
    if (!isExpired) {
      if (stored.operation !== operation || stored.request_hash !== requestHash)
        throw new SvcError('svc_idempotency_key_reused')
      if (stored.made !== null) return stored.made
      if (stored.running_until > now) throw running(stored.running_until - now)
    }
    // The row has expired, or its process has died. The first request that changes the owner takes over.
    const takeover = await db
      .updateTable(t.idempotency)
      .set(row)
      .where('key_hash', '=', keyHash)
      .where('owner', '=', stored.owner)
      .executeTakeFirst()
    if (takeover.numUpdatedRows === 0n) throw running(maxSeconds)
    return undefined
  }

  /** The error while the first request runs. @param seconds until the key is free; most requests end much earlier */
  const running = (seconds: number) =>
    new SvcError('svc_idempotency_key_running', { headers: { 'retry-after': String(Math.min(5, seconds)) } })

  /** Stores under the key what finds the result, as JSON. @throws SvcError 409 if another request has taken over */
  async function finish(executor: Kysely<Tables>, keyHash: string, owner: string, made: string) {
    const result = await executor
      .updateTable(t.idempotency)
      .set({ made })
      .where('key_hash', '=', keyHash)
      .where('owner', '=', owner)
      .executeTakeFirst()
    // The transaction of the write fails with this error, so that nothing is created twice.
    if (result.numUpdatedRows === 0n) throw running(1)
  }

  /** Frees the key, unless it has a result: the transaction may have been committed although its COMMIT failed. */
  async function release(keyHash: string, owner: string): Promise<void> {
    await db
      .deleteFrom(t.idempotency)
      .where('key_hash', '=', keyHash)
      .where('owner', '=', owner)
      .where('made', 'is', null)
      .execute()
  }

  return {
    /**
     * Runs `make` once per key; a repeated request gets what `findAgain` finds. If `make` throws, the key is free again.
     * @returns the result, and whether it is that of an earlier request
     * @throws SvcError as `reserve`; 409 also if another request took the key over after `maxSeconds`; what `make` and `findAgain` throw
     */
    async runOnce<T extends Created<By>, By = number>(
      request: KeyedRequest,
      { make, findAgain, mayRemember }: Creation<T, By>,
    ): Promise<{ result: T; replayed: boolean }> {
      const owner = randomUUID()
      const storedKey = await retried(dialect, () => reserve(request, owner))
      if (storedKey !== undefined)
        return { result: await findAgain(fromJson(storedKey) as By), replayed: true }
      try {
        let isFinished = false
        /** May be called again, because the transaction of the write may be retried. */
        const remember = async (executor: Kysely<Tables>, by: By) => {
          await finish(executor, request.keyHash, owner, JSON.stringify(by))
          isFinished = true
        }
        const result = await make({ remember })
        const isRemembered = result !== undefined && result !== null && (mayRemember?.(result) ?? true)
        if (!isRemembered) await release(request.keyHash, owner)
        else if (!isFinished) await remember(db, findKey(result) as By)
        return { result, replayed: false }
      } catch (error) {
        // If this fails too, the key is free after `maxSeconds`.
        await release(request.keyHash, owner).catch(() => {})
        throw error
      }
    },
  }
}

/** The value that finds the result again: its `found_by`, its id, or the id of its resource. */
function findKey(result: unknown): unknown {
  const { found_by, resource, id = membersOf(resource).id } = membersOf(result)
  return found_by ?? id
}
