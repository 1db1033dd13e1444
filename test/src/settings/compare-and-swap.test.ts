// The option rows that the CMS writes, too: nothing of what others wrote is lost, and each row keeps what is not ours.
import type { Kysely } from 'kysely'
import t, { type Test } from 'tap'
import { connect, type Database, databaseOn } from '../../../src/db/connect.ts'
import type { Tables } from '../../../src/db/tables.ts'
import { optionsStore } from '../../../src/settings/option-rows.ts'
import { migrate } from '../../../src/upkeep/set-up.ts'
import { run } from '../../support/fixtures/schema.ts'
import { type Engine, freshAddress, onEachEngine } from '../../support/hosts/build.ts'

const key = 'svc_test'

async function open(t: Test, engine: Engine) {
  const address = await freshAddress(t, engine)
  await migrate({ database: address })
  const database = await databaseOn(await connect({ database: address }))
  t.teardown(() => database.close())
  const changed: string[][] = []
  const store = optionsStore(database, (keys) => changed.push(keys))
  const rows = () => database.db.selectFrom(database.t.options).selectAll().orderBy('option_id').execute()
  const put = (option_value: string, autoload = 'yes', option_name = key) =>
    database.db.insertInto(database.t.options).values({ option_name, option_value, autoload }).execute()
  const set = async (values: Record<string, string>) => {
    await database.transaction((trx) => store.put(trx, values))
    await store.announce(Object.keys(values))
  }
  return { database, store, changed, rows, put, set }
}

/** The same database, where `interfere` runs after the first read of an option and before anything is written. */
function disturbed(database: Database, interfere: () => Promise<unknown>): Database {
  let reads = 0
  const db: Kysely<Tables> = database.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (result.rows.length > 0 && reads++ === 0) await interfere()
      return result
    },
  })
  return { ...database, db }
}

// Each pair is equal to a collation that folds case or accents, or that ignores trailing whitespace.
const lookalikes = [
  ['token', 'TOKEN'],
  ['resume', 'résumé'],
  ['a', 'a '],
  ['a\u0308', 'ä'],
  ['ß', 'ss'],
  ['', ' '],
  ['0', '00'],
  ['1', '1.0'],
  ['🖌', '🖍'],
]

t.test(
  'optionsStore: a value that others changed between reading and writing is never overwritten, however alike it looks',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { database, put, rows } = await open(t, engine)
      await put('')
      for (const [read = '', meanwhile = ''] of lookalikes) {
        const set = (option_value: string) =>
          database.db
            .updateTable(database.t.options)
            .set({ option_value })
            .where('option_name', '=', key)
            .execute()
        await set(read)
        const seen: (string | undefined)[] = []
        const store = optionsStore(
          disturbed(database, () => set(meanwhile)),
          () => {},
        )
        const result = await store.update(key, (stored) => {
          seen.push(stored)
          return `${stored}, mine`
        })
        t.strictSame(seen, [read, meanwhile])
        t.equal(result, `${meanwhile}, mine`)
        t.equal((await rows())[0]?.option_value, `${meanwhile}, mine`)
      }
    }),
)

t.test('optionsStore: a row that others make or remove meanwhile counts as a change, too', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { database, put, rows } = await open(t, engine)
    await put('x')
    const remove = () => database.db.deleteFrom(database.t.options).where('option_name', '=', key).execute()
    await optionsStore(disturbed(database, remove), () => {}).update(key, (stored) => `${stored}, mine`)
    t.equal((await rows())[0]?.option_value, 'undefined, mine')
  }),
)

t.test('optionsStore: 50 first writes of one option at once make one row and lose nothing', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { store, rows } = await open(t, engine)
    const marks = Array.from({ length: 50 }, (_, i) => `m${i}`)
    await Promise.all(marks.map((mark) => store.update(key, (stored) => `${stored ?? ''}${mark},`)))
    t.equal((await rows()).length, 1)
    t.strictSame((await store.get(key))?.split(',').filter(Boolean).toSorted(), marks.toSorted())
  }),
)

t.test('optionsStore: many first sets of the same options at once all succeed and make one row each', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { rows, set } = await open(t, engine)
    await Promise.all(Array.from({ length: 10 }, (_, i) => set({ svc_a: `${i}`, svc_b: `${i}` })))
    const stored = await rows()
    t.strictSame(stored.map((row) => row.option_name).toSorted(), ['svc_a', 'svc_b'])
    t.equal(stored[0]?.option_value, stored[1]?.option_value)
  }),
)

t.test('optionsStore: a set that fails writes none of its options', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { rows, put, database, changed, set } = await open(t, engine)
    await put('old')
    const refuse =
      engine === 'SQLite'
        ? `CREATE TRIGGER no BEFORE INSERT ON ${database.t.options} BEGIN SELECT RAISE(ABORT, 'no'); END`
        : `CREATE TRIGGER no BEFORE INSERT ON ${database.t.options} FOR EACH ROW SIGNAL SQLSTATE '45000'`
    await run(database.db, refuse)
    await t.rejects(set({ [key]: 'new', svc_other: 'x' }))
    t.match(await rows(), [{ option_value: 'old' }])
    t.strictSame(changed, [])
  }),
)

t.test('optionsStore: each row keeps its autoload value', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { store, rows, put, set } = await open(t, engine)
    const values = ['yes', 'no', 'on', 'off', 'auto', 'auto-on', 'auto-off']
    for (const value of values) await put('old', value, `svc_${value}`)
    for (const value of values.slice(0, 4)) await store.update(`svc_${value}`, () => 'new')
    await set(Object.fromEntries(values.slice(4).map((value) => [`svc_${value}`, 'new'])))
    const stored = await rows()
    t.strictSame(
      stored.map((row) => row.autoload),
      values,
    )
    t.ok(stored.every((row) => row.option_value === 'new'))
  }),
)

t.test('optionsStore: a new row gets an autoload value that the installation uses already', async (t) => {
  const installations: [string[], string][] = [
    [[], 'yes'],
    [['yes', 'no'], 'yes'],
    [['on', 'off'], 'on'],
    [['auto', 'on', 'off', 'yes'], 'auto'],
  ]
  for (const [used, expected] of installations) {
    const { store, rows, put } = await open(t, 'SQLite')
    for (const value of used) await put('', value, `other_${value}`)
    await store.update(key, () => 'x')
    t.equal((await rows()).at(-1)?.autoload, expected)
  }
})

t.test('optionsStore: listeners hear once of each write that changed something, after it is stored', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { store, changed, set } = await open(t, engine)
    await store.update(key, () => 'x')
    await store.update(key, () => 'x')
    await store.update(key, () => undefined)
    await set({ svc_a: '1', svc_b: '2' })
    t.strictSame(changed, [[key], ['svc_a', 'svc_b']])
  }),
)

t.test("names that are not ours are never written, and names in other case are another option's", (t) =>
  onEachEngine(t, async (t, engine) => {
    const { store, rows, put, set } = await open(t, engine)
    for (const name of ['siteurl', 'SVC_x', 'svc_', ' svc_x', 'default_role', '_svc_x']) {
      await t.rejects(
        store.update(name, () => 'x'),
        { message: /must not be written by this API/ },
      )
      await t.rejects(set({ [name]: 'x' }), { message: /must not be written by this API/ })
    }
    t.strictSame(await rows(), [])
    await put('theirs', 'yes', 'SVC_TEST')
    t.equal(await store.get(key), undefined)
    t.strictSame(await store.getMany([key, 'svc%', 'svc_tes_']), new Map())
  }),
)
