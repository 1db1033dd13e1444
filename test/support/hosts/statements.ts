// A database whose statements a test can read, passed to the API as the host's own Kysely instance.
import { CompiledQuery, Kysely, MysqlDialect, MysqlQueryCompiler } from 'kysely'
import { createPool } from 'mysql2'
import type { Test } from 'tap'
import { nodeSqlite } from '../../../src/db/sqlite.ts'
import { type BuildOptions, build, freshAddress, type TestHost } from './build.ts'

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

export interface WatchedHost extends TestHost {
  /** The statements that the API sent while it started. */
  atStart: string[]
  /** The statements on our tables that the API sent during `work`, in order, with their parameters. */
  statementsOf(work: () => Promise<unknown>): Promise<Statement[]>
}

/** A host on a database that records its statements. */
export async function watched(
  t: Test,
  { engine = 'SQLite', address: existing, ...options }: BuildOptions = {},
): Promise<WatchedHost> {
  const address = existing ?? (await freshAddress(t, engine))
  let seen: Statement[] = []
  const database = new Kysely({
    dialect:
      engine === 'SQLite'
        ? nodeSqlite(address.slice('sqlite:'.length))
        : new MysqlDialect({ pool: createPool({ uri: address, charset: 'utf8mb4' }) }),
    log: ({ query }) => {
      seen.push(engine === 'SQLite' ? query : asCompiled(query))
    },
  })
  t.teardown(() => database.destroy())
  const host = await build(t, { ...options, engine, address, database })
  return {
    ...host,
    atStart: seen.map(({ sql }) => sql),
    async statementsOf(work) {
      seen = []
      await work()
      // The token and the toggles are read at most once a second, so these statements may or may not occur.
      return seen.filter(({ sql }) => !sql.includes(host.t.options))
    },
  }
}

/** The statement as it was before values that a driver would escape were written into it. */
export function asCompiled({ sql, parameters, query, queryId }: CompiledQuery): Statement {
  const compiled = new MysqlQueryCompiler().compileQuery(query, queryId)
  return parameters.length < compiled.parameters.length ? compiled : { sql, parameters }
}

/** Rows of tables and indexes that the statement reads, also of temporary ones. Servers count them, SQLite does not. */
export async function rowsRead(
  host: TestHost,
  text: string,
  parameters: readonly unknown[],
): Promise<number> {
  return host.db.connection().execute(async (connection) => {
    const status = async () => {
      const { rows } = await connection.executeQuery<{ Value: string }>(
        CompiledQuery.raw("show session status like 'Handler_read%'"),
      )
      return rows.reduce((sum, row) => sum + Number(row.Value), 0)
    }
    const before = await status()
    await connection.executeQuery(CompiledQuery.raw(text, [...parameters]))
    return (await status()) - before
  })
}
