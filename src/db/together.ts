// Several statements of a transaction in one round trip, where the driver knows how.
import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import { assertInTime } from '../deadline.ts'
import type { Tables } from './tables.ts'

export interface Statement extends Pick<CompiledQuery, 'sql' | 'parameters'> {
  /** It is left out if the statements before it affected no row. */
  ifMatched?: true
}

type Queries<R> = readonly [...others: (CompiledQuery & Statement)[], last: CompiledQuery<R> & Statement]

/** A Kysely instance, or a way past it. */
export interface Executor {
  executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>>
  getExecutor?(): { adapter: object }
  together?<R>(queries: Queries<R>): Promise<QueryResult<R>>
}

/** The adapters of drivers that look for such statements. */
const capable = new WeakSet<object>()
/** The statements by the parameters under which they travel through Kysely. */
const travelling = new WeakMap<readonly unknown[], readonly Statement[]>()

/** Longer statements recur less and take longer to parse, which costs more than the round trips. */
const maxParameters = 32

/** Says that the driver of this instance looks at `statementsOf`. */
export const runsTogether = (db: Kysely<Tables>): unknown => capable.add(db.getExecutor().adapter)

/** The statements of a query that `together` has made; undefined for any other. */
export const statementsOf = ({
  parameters,
}: Pick<Statement, 'parameters'>): readonly Statement[] | undefined => travelling.get(parameters)

/**
 * Runs statements of a transaction one after another, of which only the last may be a select.
 * @returns the rows of the last; `numAffectedRows` is 0 only if all writes together changed or matched nothing
 */
export async function together<R>(executor: Executor, queries: Queries<R>): Promise<QueryResult<R>> {
  if (executor.together) return executor.together(queries)
  const parameters = queries.flatMap((query) => query.parameters)
  const last = queries.at(-1) as CompiledQuery<R>
  if (isCapable(executor) && parameters.length <= maxParameters) {
    travelling.set(parameters, queries)
    const sql = queries.map((query) => query.sql).join('; ')
    return executor.executeQuery<R>({ ...last, sql, parameters })
  }
  return inTurn(queries, (query) => executor.executeQuery<R>(query))
}

function isCapable(executor: Executor): boolean {
  const adapter = executor.getExecutor?.().adapter
  return adapter !== undefined && capable.has(adapter)
}

/** The same one by one. @throws DeadlineExceeded instead of a commit after the deadline */
export async function inTurn<S extends Statement, R extends { numAffectedRows?: bigint }>(
  statements: readonly S[],
  run: (statement: S) => Promise<R>,
): Promise<R> {
  let last: R | undefined
  let affected = 0n
  for (const statement of statements) {
    if (statement.ifMatched && affected === 0n) continue
    // Those before it may have taken until the deadline.
    if (statement.sql === 'commit') assertInTime()
    last = await run(statement)
    affected += isControl(statement) ? 0n : (last.numAffectedRows ?? 0n)
  }
  return { ...(last as R), numAffectedRows: affected }
}

/** Begins or ends a transaction. Drivers may report rows that an earlier statement affected. */
export const isControl = ({ sql }: Statement): boolean => /^(?:begin|commit|rollback)\b/.test(sql)

/** What monitoring tools see of statements that travel together: those that do not just begin or end a transaction. */
export function shownAs(statements: readonly Statement[]): string {
  const others = statements.filter((statement) => !isControl(statement))
  return (others.length > 0 ? others : statements).map(({ sql }) => sql).join('; ')
}
