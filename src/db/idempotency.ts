// Requests with an Idempotency-Key: what each created, stored together with it.
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { SvcError } from '../core/errors.ts'
import type { Remembers } from '../core/resource.ts'
import { fromJson } from '../json/parse.ts'
import type { Database } from './connect.ts'
import type { Tables } from './tables.ts'
import { retried } from './transaction.ts'

interface KeyedRequest {
  keyHash: string
  operation: string
  /** Hash of the parsed request: white space and escapes do not count, the order of properties does. */
  requestHash: string
  /** Seconds after which the key is given up, whether or not its process is still alive. */
  maxSeconds: number
}

/** Seconds for which outcomes are remembered. */
const lifetime = 24 * 60 * 60

export type Idempotency = ReturnType<typeof idempotencyRepository>

export function idempotencyRepository({ db, t, dialect }: Database) {
  let sweptAt = Number.NEGATIVE_INFINITY

  /** Deletes expired rows, at most once an hour per process. */
  async function sweep(now: number): Promise<void> {
    if (now - sweptAt < 3600) return
    sweptAt = now
    await db.deleteFrom(t.idempotency).where('expires_at', '<', now).execute()
  }

  async function clock(): Promise<number> {
    const row = await db.selectNoFrom(dialect.now.as('now')).executeTakeFirstOrThrow()
    return Number(row.now)
  }

  /** Reserves the key for this request, or returns the outcome that is stored under it. */
  async function reserve({ keyHash, operation, requestHash, maxSeconds }: KeyedRequest, owner: string) {
    const now = await clock()
    await sweep(now)
    const row = {
      operation,
      request_hash: requestHash,
      owner,
      running_until: now + maxSeconds,
      expires_at: now + lifetime,
      made: null,
    }
    try {
      await db
        .insertInto(t.idempotency)
        .values({ key_hash: keyHash, ...row })
        .execute()
      return undefined
    } catch (error) {
      if (!dialect.isUnique(error)) throw error
    }
    const stored = await db
      .selectFrom(t.idempotency)
      .selectAll()
      .where('key_hash', '=', keyHash)
      .executeTakeFirst()
    if (!stored) throw running(1)
    const isOver = stored.expires_at <= now
    if (!isOver) {
      if (stored.operation !== operation || stored.request_hash !== requestHash)
        throw new SvcError('svc_idempotency_key_reused')
      if (stored.made !== null) return stored.made
      if (stored.running_until > now) throw running(stored.running_until - now)
    }
    // Expired, or left behind by a process that died: the first one to change the owner takes over.
    const taken = await db
      .updateTable(t.idempotency)
      .set(row)
      .where('key_hash', '=', keyHash)
      .where('owner', '=', stored.owner)
      .executeTakeFirst()
    if (taken.numUpdatedRows === 0n) throw running(maxSeconds)
    return undefined
  }

  /** @param seconds until the key is free; most requests end much earlier */
  const running = (seconds: number) =>
    new SvcError('svc_idempotency_key_running', { headers: { 'retry-after': String(Math.min(5, seconds)) } })

  async function finish(executor: Kysely<Tables>, keyHash: string, owner: string, outcome: string) {
    const result = await executor
      .updateTable(t.idempotency)
      .set({ made: outcome })
      .where('key_hash', '=', keyHash)
      .where('owner', '=', owner)
      .executeTakeFirst()
    // Another process has taken over: this one must not write a second time.
    if (result.numUpdatedRows === 0n) throw running(1)
  }

  /** Frees the key, unless something was created under it: the transaction may have been committed without our notice. */
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
     * Runs `make` once per key. A refusal or failure leaves the key free.
     * @param make calls `remember` in the transaction of the write, so that both exist or neither; otherwise what finds the
     *   result is stored afterwards
     * @param again finds what the first request created
     * @throws SvcError 422 when the key belongs to another request, 409 while the first one runs
     */
    async once<T, By = number>(
      request: KeyedRequest,
      make: (options: Remembers<By>) => Promise<T>,
      again: (by: By) => Promise<T>,
    ): Promise<{ result: T; replayed: boolean }> {
      const owner = randomUUID()
      const storedOutcome = await retried(dialect, () => reserve(request, owner))
      if (storedOutcome !== undefined)
        return { result: await again(fromJson(storedOutcome) as By), replayed: true }
      try {
        let isFinished = false
        const remember = async (executor: Kysely<Tables>, by: By) => {
          // The transaction may be retried.
          await finish(executor, request.keyHash, owner, JSON.stringify(by))
          isFinished = true
        }
        const result = await make({ remember })
        if (result === undefined) await release(request.keyHash, owner)
        else if (!isFinished) await remember(db, foundBy(result) as By)
        return { result, replayed: false }
      } catch (error) {
        // If this fails too, the key is free once its time is over.
        await release(request.keyHash, owner).catch(() => {})
        throw error
      }
    },
  }
}

/** What finds the result again: its id, that of its resource, or the value that the route names itself. */
function foundBy(result: unknown): unknown {
  const { found_by, resource, id = Object(resource).id } = Object(result)
  return found_by ?? id
}
