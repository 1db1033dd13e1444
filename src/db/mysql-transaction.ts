// Transactions on a mysql2 connection, with as few round trips as the server allows.
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
import { inTurn, type Statement, statementsOf } from './together.ts'

/** Errors of a server that does not know compound statements, or cannot prepare them. */
const unknownCompound = [1064, notPreparable]
/** The packet of a statement that was not sent. */
const nothing = { affectedRows: 0, insertId: 0 }

const begin: Statement = { sql: 'begin', parameters: [] }
const rollback: Statement = { sql: 'rollback', parameters: [] }
const commit: Statement = { sql: 'commit', parameters: [] }

/** Runs the statements of one connection at a time. */
export function transactionOn(connection: PoolConnection, statements: ServerStatements) {
  /** The transaction begins with its first statement. */
  let isBeginning = false

  // By promises, because callbacks of mysql2 come in the context of the request that opened the connection, with its deadline.
  const ran = (text: string, values: readonly unknown[], kept?: ServerStatements) =>
    new Promise<unknown>((resolve, reject) =>
      runOn(connection, text, values, (error, result) => (error ? reject(error) : resolve(result)), kept),
    )

  const oneByOne = (parts: readonly Statement[]): Promise<unknown> =>
    inTurn(parts, async ({ sql, parameters }) => {
      const result = await ran(sql, parameters)
      return { result, numAffectedRows: BigInt(Reflect.get(Object(result), 'affectedRows') ?? 0) }
    }).then(({ result, numAffectedRows }) =>
      Array.isArray(result) ? result : Object.assign(Object(result), { affectedRows: numAffectedRows }),
    )

  async function asCompound(parts: readonly Statement[]): Promise<unknown> {
    const isEnd = parts.at(-1)?.sql === 'commit'
    const compound = compoundOf(parts)
    const values = parts.flatMap(({ parameters }) => parameters)
    try {
      // A commit that its caller has given up must not happen later.
      const result = await ran(isEnd ? timed(compound) : compound, values, statements)
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

  async function run(text: string, values: readonly unknown[]): Promise<unknown> {
    const isEnd = text === 'commit' || text === 'rollback'
    if (text === begin.sql || (isEnd && isBeginning)) {
      isBeginning = !isEnd
      return nothing
    }
    const own = statementsOf({ parameters: values })
    const parts = [...(isBeginning ? [begin] : []), ...(own ?? [{ sql: text, parameters: values }])]
    isBeginning = false
    if (parts.length === 1) return ran(text, values, own && statements)
    return own ? all(parts) : oneByOne(parts)
  }

  const all = (parts: readonly Statement[]) => (mayJoin(parts) ? asCompound(parts) : oneByOne(parts))

  return {
    /** A transaction of its own. @returns the packet of a write, with the number of all rows that were affected */
    async whole(parts: readonly Statement[]): Promise<unknown> {
      try {
        return await all([begin, ...parts, commit])
      } catch (error) {
        await oneByOne([rollback]).catch(() => {})
        throw error
      }
    },

    run: (text: string, values: readonly unknown[], done: Done): void => {
      run(text, values).then((result) => done(null, result), done)
    },

    /** For the next one who gets the connection. */
    reset(): void {
      isBeginning = false
    },
  }
}

/** Texts without parameters of their own, so that each occurs again. */
function compoundOf(parts: readonly Statement[]): string {
  const texts = parts.map(({ sql, ifMatched }, index) => {
    const opens = ifMatched && !parts[index - 1]?.ifMatched
    const closes = ifMatched && !parts[index + 1]?.ifMatched
    return `${opens ? 'if row_count() > 0 then ' : ''}${sql === 'begin' ? 'start transaction' : sql};${closes ? ' end if;' : ''}`
  })
  return `${compoundHead}${texts.join(' ')} end`
}
