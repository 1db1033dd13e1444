// Requests with an Idempotency-Key: what each made or why it was refused, written together with what it made.
import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'
import { beforeCommit, retried } from '../db/transaction.ts'
import { outsideRequest } from '../deadline.ts'
import { type ErrorCode, SvcError } from '../errors.ts'

export interface KeyedRequest {
  keyHash: string
  operation: string
  /** Hash of the request as it was understood: another text of the same request is the same request. */
  requestHash: string
  /** Seconds after which the work is given up, even if its process still lives. */
  longest: number
}

/** Seconds without a sign of life after which another process may take over. */
const lease = 8
/** Milliseconds between two signs of life. */
const beat = 2000

/** Seconds that answers are remembered. */
const lifetime = 24 * 60 * 60

export type Idempotency = ReturnType<typeof idempotencyRepository>

export function idempotencyRepository({ db, t, dialect }: Database) {
  let sweptAt = Number.NEGATIVE_INFINITY

  /** Old rows go at most once an hour and process. */
  async function sweep(now: number): Promise<void> {
    if (now - sweptAt < 3600) return
    sweptAt = now
    await db.deleteFrom(t.idempotency).where('expires_at', '<', now).execute()
  }

  async function clock(): Promise<number> {
    const row = await db.selectNoFrom(dialect.now.as('now')).executeTakeFirstOrThrow()
    return Number(row.now)
  }

  /** Takes the key for this request, or answers with what is known of it. */
  async function reserve({ keyHash, operation, requestHash }: KeyedRequest, owner: string) {
    const now = await clock()
    await sweep(now)
    const row = {
      operation,
      request_hash: requestHash,
      owner,
      running_until: now + lease,
      expires_at: now + lifetime,
      made: null,
      refusal: null,
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
    const known = await db
      .selectFrom(t.idempotency)
      .selectAll()
      .where('key_hash', '=', keyHash)
      .executeTakeFirst()
    if (!known) throw running(1)
    const isOver = known.expires_at <= now
    if (!isOver) {
      if (known.operation !== operation || known.request_hash !== requestHash)
        throw new SvcError('svc_idempotency_key_reused')
      if (known.made !== null || known.refusal !== null) return known
      if (known.running_until > now) throw running(known.running_until - now)
    }
    // Expired, or left behind by a process that died: whoever changes the owner first goes on.
    const taken = await db
      .updateTable(t.idempotency)
      .set(row)
      .where('key_hash', '=', keyHash)
      .where('owner', '=', known.owner)
      .executeTakeFirst()
    if (taken.numUpdatedRows === 0n) throw running(lease)
    return undefined
  }

  /** @param seconds until the first request has shown another sign of life, or the key is free */
  const running = (seconds: number) =>
    new SvcError('svc_idempotency_key_running', { headers: { 'retry-after': String(seconds) } })

  /** Keeps the key while this process works on the request; ends with the function that it gives. */
  function keepAlive({ keyHash, longest }: KeyedRequest, owner: string): () => void {
    const end = performance.now() + longest * 1000
    const show = () =>
      db
        .updateTable(t.idempotency)
        .set({ running_until: sql<number>`${dialect.now} + ${lease}` })
        .where('key_hash', '=', keyHash)
        .where('owner', '=', owner)
        .execute()
    const timer = outsideRequest(() =>
      setInterval(() => {
        if (performance.now() > end) clearInterval(timer)
        // The next one may work; where none does, another process may take over, and this one cannot finish.
        else show().catch(() => {})
      }, beat).unref(),
    )
    return () => clearInterval(timer)
  }

  async function finish(
    executor: Kysely<Tables>,
    keyHash: string,
    owner: string,
    outcome: { made: string } | { refusal: string },
  ) {
    const result = await executor
      .updateTable(t.idempotency)
      .set(outcome)
      .where('key_hash', '=', keyHash)
      .where('owner', '=', owner)
      .executeTakeFirst()
    // Another process has taken over meanwhile: this one must not write a second time.
    if (result.numUpdatedRows === 0n) throw running(lease)
  }

  /** Frees a key, unless something was made under it after all: its transaction may have been committed unseen. */
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
     * Runs `make` once per key. Its answer is remembered in the transaction of the write itself, so that both exist or
     * neither; a refusal (4xx) is remembered, too, a failure (5xx) never.
     * @param again finds what the first request made
     * @throws SvcError 422 when the key stands for another request, 409 while the first one runs
     */
    async once<T, By = number>(
      request: KeyedRequest,
      make: () => Promise<T>,
      again: (by: By) => Promise<T>,
    ): Promise<{ made: T; replayed: boolean }> {
      const owner = randomUUID()
      const known = await retried(dialect, () => reserve(request, owner))
      if (known?.refusal) throw refusalOf(known.refusal)
      if (known) return { made: await again(JSON.parse(known.made ?? 'null') as By), replayed: true }
      const end = keepAlive(request, owner)
      try {
        let isFinished = false
        const remember = async (executor: Kysely<Tables>, result: unknown) => {
          const by = foundBy(result)
          if (by === undefined) return
          await finish(executor, request.keyHash, owner, { made: JSON.stringify(by) })
          isFinished = true
        }
        const made = await beforeCommit.run(remember, make)
        if (made === undefined) await release(request.keyHash, owner)
        // What is no row of ours was made without a transaction.
        else if (!isFinished) await remember(db, made)
        return { made, replayed: false }
      } catch (error) {
        if (error instanceof SvcError && error.statusCode < 500) {
          await finish(db, request.keyHash, owner, { refusal: refusalText(error) })
        } else {
          // Where even this fails, the key is free when the lease is over.
          await release(request.keyHash, owner).catch(() => {})
        }
        throw error
      } finally {
        end()
      }
    },
  }
}

/** By what it is found again: the id of a resource, or what the route names itself. */
function foundBy(result: unknown): unknown {
  const made = Object(result)
  return Reflect.get(made, 'found_by') ?? Reflect.get(Object(Reflect.get(made, 'resource')), 'id')
}

function refusalText({ code, message, data, errors }: SvcError): string {
  return JSON.stringify({ code, message, data, errors })
}

function refusalOf(text: string): SvcError {
  const { code, ...details } = JSON.parse(text) as {
    code: ErrorCode
    message: string
    data: Record<string, unknown>
    errors?: string[]
  }
  return new SvcError(code, { ...details, headers: { 'idempotency-replayed': 'true' } })
}
