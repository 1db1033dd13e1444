// Values that are written into a statement mean the same in every sql_mode, on both servers.
import fc from 'fast-check'
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'
import t, { type Test } from 'tap'
import { sqlText, withoutEscapes } from '../../../src/db/sql-text.ts'
import { freshAddress } from '../../support/hosts/build.ts'

const modes = ['', 'NO_BACKSLASH_ESCAPES', 'ANSI_QUOTES,PIPES_AS_CONCAT', 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES']

const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom('\\', "'", '"', '`', '?', '%', '_', '!', ' ', '-', '#', ';', 'ä', '😀', 'x'),
  }),
  fc.string({
    unit: fc.constantFrom('\\', "'", ...Array.from({ length: 32 }, (_, i) => String.fromCharCode(i))),
  }),
  fc.constantFrom("zz\\' or 1=1 -- ", '\\', "\\\\'", '\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008\\'),
)

async function connected(t: Test, engine: 'MariaDB' | 'MySQL'): Promise<Connection> {
  const connection = await createConnection({ uri: await freshAddress(t, engine), charset: 'utf8mb4' })
  t.teardown(() => connection.end())
  await connection.query(
    'create table notes (id int, a text character set utf8mb4, b varchar(200) character set utf8mb3 collate utf8mb3_bin)',
  )
  return connection
}

for (const engine of ['MariaDB', 'MySQL'] as const) {
  t.test(`${engine} reads what was written, in every sql_mode`, async (t) => {
    const connection = await connected(t, engine)
    const rowsOf = async (sql: string) => (await connection.query<RowDataPacket[]>(sql))[0]
    for (const mode of modes) {
      await connection.query(`set sql_mode = '${mode}'`)
      await fc.assert(
        fc.asyncProperty(text, text, async (a, b) => {
          const isNarrow = !/[\ud800-\udfff]/.test(b)
          await connection.query('delete from notes')
          const values = [1, a, isNarrow ? b : null]
          await connection.query(
            sqlText("insert into notes (id, a, b) values (?, concat('?', ?), ?)", values),
          )
          const found = await rowsOf(
            sqlText(`select a, b from notes where a = ? and a like ? escape '!' and '?' <> ?`, [
              `?${a}`,
              `?${a.replace(/[!%_]/g, '!$&')}`,
              'other',
            ]),
          )
          t.same(found, [{ a: `?${a}`, b: isNarrow ? b : null }])
          const { sql, parameters } = withoutEscapes('select ? as a, ? as n, ? as b', [a, 5, b])
          t.same((await connection.query<RowDataPacket[]>(sql, [...parameters]))[0], [{ a, n: 5, b }])
        }),
        { numRuns: 60, seed: 7 },
      )
    }
  })

  t.test(`${engine} reads other values as they are`, async (t) => {
    const connection = await connected(t, engine)
    const bytes = Buffer.from([0, 39, 92, 255])
    const sql = sqlText('select ? as a, ? as b, ? as c, ? as d, ? as e, ? as `?`', [
      1.5,
      -2,
      null,
      bytes,
      true,
      3n,
    ])
    const [rows] = await connection.query<RowDataPacket[]>(sql)
    t.same(rows[0], { a: '1.5', b: -2, c: null, d: bytes, e: 1, '?': 3 })
  })
}
