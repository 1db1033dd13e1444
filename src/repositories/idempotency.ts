// Requests with an Idempotency-Key: what each made or why it was refused, written together with what it made.
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'
import { beforeCommit, retried } from '../db/transaction.ts'
import { type ErrorCode, SvcError } from '../errors.ts'

export interface KeyedRequest {
  keyHash: string
  operation: string
  /** Hash of the request as it was understood: another text of the same request is the same request. */
  requestHash: string
}

/** Ids of what routes make. */
type Made = { resource: { id: number } } | undefined

/** Seconds that answers are remembered, and that a process may take before another may take over. */
const lifetime = 24 * 60 * 60
const lease = 30

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
      object_id: 0,
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
    if (!known) throw running()
    const isOver = known.expires_at <= now
    if (!isOver) {
      if (known.operation !== operation || known.request_hash !== requestHash)
        throw new SvcError('svc_idempotency_key_reused')
      if (known.object_id > 0 || known.refusal !== null) return known
      if (known.running_until > now) throw running()
    }
    // Expired, or left behind by a process that died: whoever changes the owner first goes on.
    const taken = await db
      .updateTable(t.idempotency)
      .set(row)
      .where('key_hash', '=', keyHash)
      .where('owner', '=', known.owner)
      .executeTakeFirst()
    if (taken.numUpdatedRows === 0n) throw running()
    return undefined
  }

  const running = () => new SvcError('svc_idempotency_key_running', { headers: { 'retry-after': '2' } })

  async function finish(
    executor: Kysely<Tables>,
    keyHash: string,
    owner: string,
    outcome: { object_id: number } | { refusal: string },
  ) {
    const result = await executor
      .updateTable(t.idempotency)
      .set(outcome)
      .where('key_hash', '=', keyHash)
      .where('owner', '=', owner)
      .executeTakeFirst()
    // Another process has taken over meanwhile: this one must not write a second time.
    if (result.numUpdatedRows === 0n) throw running()
  }

  /** Frees a key, unless something was made under it after all: its transaction may have been committed unseen. */
  async function release(keyHash: string, owner: string): Promise<void> {
    await db
      .deleteFrom(t.idempotency)
      .where('key_hash', '=', keyHash)
      .where('owner', '=', owner)
      .where('object_id', '=', 0)
      .execute()
  }

  return {
    /**
     * Runs `make` once per key. Its answer is remembered in the transaction of the write itself, so that both exist or
     * neither; a refusal (4xx) is remembered, too, a failure (5xx) never.
     * @param again finds what the first request made
     * @throws SvcError 422 when the key stands for another request, 409 while the first one runs
     */
    async once<T extends Made>(
      request: KeyedRequest,
      make: () => Promise<T>,
      again: (id: number) => Promise<T>,
    ): Promise<{ made: T; replayed: boolean }> {
      const owner = randomUUID()
      const known = await retried(dialect, () => reserve(request, owner))
      if (known?.refusal) throw refusalOf(known.refusal)
      if (known) return { made: await again(known.object_id), replayed: true }
      try {
        const made = await beforeCommit.run(async (trx, result) => {
          const id = (result as Made)?.resource?.id
          if (id !== undefined) await finish(trx, request.keyHash, owner, { object_id: id })
        }, make)
        if (made === undefined) await release(request.keyHash, owner)
        return { made, replayed: false }
      } catch (error) {
        if (error instanceof SvcError && error.statusCode < 500) {
          await finish(db, request.keyHash, owner, { refusal: refusalText(error) })
        } else {
          // Where even this fails, the key is free when the lease is over.
          await release(request.keyHash, owner).catch(() => {})
        }
        throw error
      }
    },
  }
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
