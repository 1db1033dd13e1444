// Transactions on a mysql2 connection, with as few round trips as the server allows.
import type { QueryResult } from 'kysely'
import type { PoolConnection } from 'mysql2'
import {
  carriesLong,
  compoundHead,
  type Done,
  isMariadb,
  mayBeTold,
  notPreparable,
  runOn,
  type ServerStatements,
  timed,
} from './mysql-statement.ts'
import { type Executor, inTurn, type Statement, shownAs, statementsOf } from './together.ts'

/** Errors of a server that does not know compound statements, or cannot prepare them. */
const unknownCompound = [1064, notPreparable]
/** The packet of a statement that was not sent. */
const nothing = { affectedRows: 0, insertId: 0 }

const begin: Statement = { sql: 'begin', parameters: [] }

/** Runs the statements of one connection at a time. */
export function transactionOn(connection: PoolConnection, statements: ServerStatements) {
  /** The transaction begins with its first statement. */
  let isBeginning = false

  // By promises, because callbacks of mysql2 come in the context of the request that opened the connection, with its deadline.
  const ran = (text: string, values: readonly unknown[], kept?: ServerStatements, shown?: string) =>
    new Promise<unknown>((resolve, reject) => {
      const done: Done = (error, result) => (error ? reject(error) : resolve(result))
      runOn(connection, text, values, done, kept, shown)
    })

  const oneByOne = (parts: readonly Statement[]): Promise<unknown> =>
    inTurn(parts, async (part) => {
      const result = await ran(part.sql, part.parameters).catch((error: unknown) => {
        isBeginning = part === begin
        throw error
      })
      return { result, numAffectedRows: affectedBy(result) }
    }).then(({ result, numAffectedRows }) =>
      Array.isArray(result) ? result : Object.assign(Object(result), { affectedRows: numAffectedRows }),
    )

  async function asCompound(parts: readonly Statement[]): Promise<unknown> {
    const isEnd = parts.at(-1)?.sql === 'commit'
    const compound = compoundOf(parts)
    const values = parts.flatMap(({ parameters }) => parameters)
    try {
      // A commit that its caller has given up must not happen later.
      const result = await ran(isEnd ? timed(compound) : compound, values, statements, shownAs(parts))
      // With a select it is the rows and a packet, whose number is that of all rows that were affected.
      return Array.isArray(result) ? result[0] : result
    } catch (error) {
      if (!unknownCompound.includes(Number(Reflect.get(Object(error), 'errno')))) throw error
      statements.knowsCompounds = false
      return oneByOne(parts)
    }
  }

  const mayJoin = (parts: readonly Statement[]): boolean =>
    statements.knowsCompounds &&
    isMariadb(connection) &&
    !parts.some(({ parameters }) => carriesLong(parameters)) &&
    (parts.at(-1)?.sql !== 'commit' || mayBeTold(connection))

  /** @param areHot whether each of their texts occurs again */
  async function run(queries: readonly Statement[], areHot: boolean): Promise<unknown> {
    const [{ sql, parameters } = begin] = queries
    const isEnd = sql === 'commit' || sql === 'rollback'
    if (sql === begin.sql || (isEnd && isBeginning)) {
      isBeginning = !isEnd
      return nothing
    }
    const parts = isBeginning ? [begin, ...queries] : queries
    isBeginning = false
    if (parts.length === 1) return ran(sql, parameters, areHot && !isEnd ? statements : undefined)
    return areHot && mayJoin(parts) ? asCompound(parts) : oneByOne(parts)
  }

  const runHot = async <R>(queries: readonly Statement[]): Promise<QueryResult<R>> => {
    const result = await run(queries, true)
    if (!Array.isArray(result)) return { rows: [], numAffectedRows: affectedBy(result) }
    return { rows: result }
  }

  return {
    /** As Kysely calls a connection. */
    query(sql: string, parameters: readonly unknown[], done: Done): void {
      const own = statementsOf({ parameters })
      run(own ?? [{ sql, parameters }], own !== undefined).then((result) => done(null, result), done)
    },

    /** The way past Kysely. */
    executor: { executeQuery: (query: Statement) => runHot([query]), together: runHot } as Executor,

    /** For the next one who gets the connection. */
    reset(): void {
      isBeginning = false
    },
  }
}

/** Rows that a write has matched or changed, of its packet. */
export const affectedBy = (packet: unknown): bigint =>
  BigInt(Reflect.get(Object(packet), 'affectedRows') ?? 0)

/** Texts without parameters of their own, so that each occurs again. */
function compoundOf(parts: readonly Statement[]): string {
  const texts = parts.map(({ sql, ifMatched }, index) => {
    const opens = ifMatched && !parts[index - 1]?.ifMatched
    const closes = ifMatched && !parts[index + 1]?.ifMatched
    return `${opens ? 'if row_count() > 0 then ' : ''}${sql === 'begin' ? 'start transaction' : sql};${closes ? ' end if;' : ''}`
  })
  return `${compoundHead}${texts.join(' ')} end`
}
