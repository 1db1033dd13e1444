// Named tokens: created, listed, rotated and revoked for the pages and commands, and looked up for requests. Only their hashes are stored.
import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { noteChange } from '../core/change.ts'
import { withoutDeadline } from '../core/deadline.ts'
import { invalidParams } from '../core/errors.ts'
import type { Principal } from '../core/principal.ts'
import { isScope, type Scope, scopeNames } from '../core/scopes.ts'
import type { Database } from '../db/connect.ts'
import { creatingTable } from '../db/migrate.ts'
import { isAny } from '../db/repository.ts'
import { databaseTime } from '../db/time.ts'
import { foreignJson } from '../json/untrusted.ts'
import { cachedQuery } from './cached-query.ts'
import { type Overlap, type RotatedToken, rotateStored } from './token-rotation.ts'

/** A named token as lists show it, without the token. Times are Unix seconds. */
export interface NamedToken {
  name: string
  scopes: Scope[]
  createdAt: number
  /** Undefined if it never expires. */
  expiresAt: number | undefined
  isExpired: boolean
  /** At most a minute late; undefined if it was never used. */
  lastUsedAt: number | undefined
}

export interface NewToken {
  /** 1 to 64 visible ASCII characters, with spaces between them; unique. */
  name: string
  scopes: readonly string[]
  /** Unix seconds, in the future. */
  expiresAt?: number | undefined
}

/** Most tokens of one installation. Concurrent creations may exceed it a little. */
const maxTokens = 200
/** Seconds between two updates of the time of the last use. */
const useInterval = 60

/** How named tokens look, which distinguishes them from the token of the installation and from tokens of the host. */
const tokenPattern = /^svct_[0-9a-f]{64}$/
/** Whether the text has the form of a named token; it need not exist. */
export const isNamedToken = (presented: string) => presented.length === 69 && tokenPattern.test(presented)

/** What the cache has of a token. */
interface CachedToken {
  /** Whom a request with the token acts for. */
  principal: Principal
  /** Unix seconds; Infinity if it never expires. */
  expiresAt: number
  /** Unix seconds; 0 if it was never used. */
  lastUsedAt: number
}

/** All tokens, as they were read at one time. */
interface CachedTokens {
  /** By the SHA-256 of the token. */
  byHash: ReadonlyMap<string, CachedToken>
  /** Unix seconds by the clock of the database when they were read. */
  readAt: number
  /** `performance.now()` of this process when they were read. */
  since: number
}

/** The current Unix seconds by the clock of the database, which has set the times of tokens: that of the host may differ. */
const databaseNow = ({ readAt, since }: CachedTokens) => readAt + (performance.now() - since) / 1000

export type NamedTokens = ReturnType<typeof namedTokens>

/** The named tokens of one installation. Without their table there are none; the first `create` makes it. */
export function namedTokens(database: Database) {
  const { db, t, dialect, transaction } = database
  /** All stored tokens, by name; none if the table is missing. `now` is the time of the database. The limit bounds what other writers stored. */
  async function rows() {
    try {
      return await db
        .selectFrom(t.api_tokens)
        .selectAll()
        .select(dialect.now.as('now'))
        .orderBy('name')
        .limit(5 * maxTokens)
        .execute()
    } catch (error) {
      if (dialect.isMissingTable(error)) return []
      throw error
    }
  }

  const cached = cachedQuery(async (): Promise<CachedTokens> => {
    const since = performance.now()
    const stored = await rows()
    const entries = stored.map((row): [string, CachedToken] => [
      row.token_hash,
      {
        principal: Object.freeze({ kind: 'scoped_token', name: row.name, scopes: scopesOf(row.scopes) }),
        expiresAt: Number(row.expires_at) || Number.POSITIVE_INFINITY,
        lastUsedAt: Number(row.last_used_at),
      },
    ])
    return { byHash: new Map(entries), readAt: Number(stored[0]?.now ?? 0), since }
  })

  /** When this process last stored a use of each token, in Unix seconds, by hash. */
  const storedUses = new Map<string, number>()

  /** Stores the time of the use in the background, at most once a minute; a failure has no effect. */
  function storeUse(tokenHash: string, { lastUsedAt }: CachedToken, now: number): void {
    if (now - Math.max(lastUsedAt, storedUses.get(tokenHash) ?? 0) < useInterval) return
    if (storedUses.size > maxTokens) storedUses.clear()
    storedUses.set(tokenHash, now)
    void withoutDeadline(() =>
      db
        .updateTable(t.api_tokens)
        .set({ last_used_at: dialect.now })
        .where('token_hash', '=', tokenHash)
        .where('last_used_at', '<=', sql<number>`${dialect.now} - ${useInterval / 2}`)
        .execute()
        .catch(() => {}),
    )
  }

  /** Whom a request with this token acts for; undefined if the token is unknown or expired. Stores the use. */
  function find(tokens: CachedTokens, presented: string): Principal | undefined {
    const tokenHash = hash('sha256', presented)
    const entry = tokens.byHash.get(tokenHash)
    const now = databaseNow(tokens)
    if (!entry || entry.expiresAt <= now) return undefined
    storeUse(tokenHash, entry, now)
    return entry.principal
  }

  const isStored = (name: string) =>
    isAny(db.selectFrom(t.api_tokens).select('name').where('name', '=', name))

  const insert = ({ name, scopes, expiresAt = 0 }: NewToken, token: string) =>
    transaction(
      async (trx) => {
        await trx
          .insertInto(t.api_tokens)
          .values({
            name,
            token_hash: hash('sha256', token),
            scopes: JSON.stringify(scopes),
            created_at: dialect.now,
            expires_at: expiresAt,
            last_used_at: 0,
          })
          .execute()
        noteChange(trx, { resource: 'named_token', action: 'created', id: name })
      },
      () => isStored(name),
    )

  return {
    // `fresh`, `read` and `forget`: the gate calls `find` with the tokens of `fresh`, or of `read` if these are too old.
    ...cached,
    find,

    /** All tokens by name, expired ones too. */
    async list(): Promise<NamedToken[]> {
      return (await rows()).map((row) => {
        const expiresAt = Number(row.expires_at) || undefined
        return {
          name: row.name,
          scopes: scopesOf(row.scopes),
          createdAt: Number(row.created_at),
          expiresAt,
          isExpired: expiresAt !== undefined && expiresAt <= Number(row.now),
          lastUsedAt: Number(row.last_used_at) || undefined,
        }
      })
    },

    /**
     * Makes a token, and the table where it is missing.
     * @returns the token, which cannot be read again
     * @throws SvcError 400 for an invalid or taken name, unknown scopes, or an expiry in the past; 500 if the table is
     *   missing and cannot be created
     */
    async create(request: NewToken): Promise<string> {
      const normalized: NewToken = {
        ...request,
        scopes: scopeNames.filter((scope) => request.scopes.includes(scope)),
      }
      assertValid(request, await databaseTime(database))
      if ((await rows()).length >= maxTokens) throw tooManyTokens()
      const token = generatedToken()
      try {
        await creatingTable(database, 'api_tokens', () => insert(normalized, token))
      } catch (error) {
        if (dialect.isUnique(error)) throw invalidParams({ name: 'is the name of another token' })
        throw error
      }
      cached.forget()
      return token
    },

    /**
     * Replaces a token by a new one with its name, scopes and lifetime; see `rotateStored`.
     * @returns undefined if there is no token with this name
     * @throws SvcError 400 if there are too many tokens; 412 if the token changes meanwhile
     */
    async rotate(name: string, overlap: Overlap): Promise<RotatedToken | undefined> {
      const stored = await rows()
      const old = stored.find((row) => row.name === name)
      if (!old) return undefined
      if (overlap !== 'now' && stored.length >= maxTokens) throw tooManyTokens()
      const names = new Set(stored.map((row) => row.name))
      const rotated = await rotateStored(database, old, { token: generatedToken(), overlap, names })
      cached.forget()
      return rotated
    },

    /** Deletes a token; false if there is none with this name. */
    async revoke(name: string): Promise<boolean> {
      try {
        const isRevoked = await transaction(
          async (trx) => {
            const { numDeletedRows } = await trx
              .deleteFrom(t.api_tokens)
              .where('name', '=', name)
              .executeTakeFirstOrThrow()
            if (numDeletedRows > 0n) noteChange(trx, { resource: 'named_token', action: 'deleted', id: name })
            return numDeletedRows > 0n
          },
          async () => !(await isStored(name)),
        )
        cached.forget()
        return isRevoked
      } catch (error) {
        if (dialect.isMissingTable(error)) return false
        throw error
      }
    },
  }
}

const generatedToken = () => `svct_${randomBytes(32).toString('hex')}`

const tooManyTokens = () =>
  invalidParams({
    name: `cannot be added: there are ${maxTokens} tokens already; revoke some of them first`,
  })

/** The stored scopes. Unknown ones, such as those of a later version, grant nothing. */
function scopesOf(stored: string | null): Scope[] {
  const scopes = foreignJson(stored ?? '')
  return Array.isArray(scopes) ? scopes.filter(isScope) : []
}

function assertValid({ name, scopes, expiresAt }: NewToken, now: number): void {
  const problems: Record<string, string> = {}
  if (!/^[!-~](?:[ -~]{0,62}[!-~])?$/.test(name))
    problems.name = 'must be 1 to 64 ASCII characters, without spaces at its ends'
  const unknown = scopes.filter((scope) => !isScope(scope))
  if (unknown.length > 0) problems.scopes = `must be of ${scopeNames.join(', ')}`
  else if (scopes.length === 0) problems.scopes = 'must name at least one scope'
  if (expiresAt !== undefined && !(Number.isSafeInteger(expiresAt) && expiresAt > now))
    problems.expires = 'must be in the future'
  if (Object.keys(problems).length > 0) throw invalidParams(problems)
}
