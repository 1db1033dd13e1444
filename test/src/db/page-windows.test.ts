// Pages far from both ends of a list, found by windows of ids, are those that an offset alone would find.
import t, { type Test } from 'tap'
import { nearOffset, pageWindows } from '../../../src/db/page-windows.ts'
import { build, type Engine, onEachEngine, type TestHost } from '../../support/hosts/build.ts'

/** Print jobs with these ids. */
async function addJobs({ db, t }: TestHost, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += 2000) {
    const rows = ids
      .slice(at, at + 2000)
      .map((ID) => ({ ID, guid: `${ID}`, status: ID % 3 ? 'completed' : 'failed' }))
    await db.insertInto(t.print_jobs).values(rows).execute()
  }
}

async function jobsHost(t: Test, engine: Engine) {
  const host = await build(t, { engine })
  // Gaps of some ids, and one that is wider than any window.
  const ids = Array.from({ length: 12_000 }, (_, i) => i * 2 + 1 + (i > 3000 ? 2_000_000 : 0))
  await addJobs(host, ids)
  const windows = pageWindows(host.db)
  const rows = () => host.db.selectFrom(`${host.t.print_jobs} as p`).where('p.status', '=', 'completed')
  const list = (order: 'asc' | 'desc') => ({ name: 'jobs', rows: rows(), id: 'p.ID', order })
  const page = async (order: 'asc' | 'desc', offset: number) => {
    const start = await windows.start(list(order), offset, 3)
    const found = await rows()
      .select('p.ID')
      .$if(start.end !== undefined, (q) => q.where('p.ID', order === 'asc' ? '<' : '>=', start.end ?? 0))
      .$if(start.bound !== undefined, (q) => q.where('p.ID', order === 'asc' ? '>=' : '<', start.bound ?? 0))
      .orderBy('p.ID', order)
      .limit(3)
      .offset(start.offset)
      .execute()
    return { ids: found.map(({ ID }) => ID), skipped: start.offset }
  }
  const all = async (order: 'asc' | 'desc') =>
    (await rows().select('p.ID').orderBy('p.ID', order).execute()).map(({ ID }) => ID)
  return { host, windows, list, page, all, count: (offset: number) => windows.count(list('desc'), offset) }
}

t.test(
  'pageWindows().start: begins every page where an offset alone would, and skips one window at most',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const { page, all, count } = await jobsHost(t, engine)
      for (const order of ['asc', 'desc'] as const) {
        const ids = await all(order)
        t.equal(await count(nearOffset + 1), ids.length)
        for (const offset of [0, nearOffset, nearOffset + 1, 6000, 7000, ids.length - 1, ids.length, 9000]) {
          const found = await page(order, offset)
          t.same(found.ids, ids.slice(offset, offset + 3), `${order} ${offset}`)
          if (offset > nearOffset && offset < ids.length) t.ok(found.skipped < 4096, `${order} ${offset}`)
        }
      }
    }),
)

t.test('pageWindows().count: forgets its windows when rows before them were deleted', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, page, all, count } = await jobsHost(t, engine)
    await page('desc', 6000)
    await host.db.deleteFrom(host.t.print_jobs).where('ID', '<', 1000).execute()
    const ids = await all('desc')
    t.equal(await count(6000), ids.length)
    t.same((await page('desc', 6000)).ids, ids.slice(6000, 6003))
    const ascending = await all('asc')
    t.same((await page('asc', 6000)).ids, ascending.slice(6000, 6003))
  }),
)

t.test('pageWindows().count: counts rows that were added behind its windows', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, page, all, count } = await jobsHost(t, engine)
    await page('desc', 6000)
    await addJobs(
      host,
      Array.from({ length: 500 }, (_, i) => 3_000_000 + i),
    )
    const ids = await all('desc')
    t.equal(await count(6000), ids.length)
    t.same((await page('desc', 6000)).ids, ids.slice(6000, 6003))
  }),
)
