// What the lists of the library cost: a number of statements that does not grow with the rows.
import t from 'tap'
import { onEachEngine } from '../support/hosts/build.ts'
import { type WatchedHost, watched } from '../support/hosts/statements.ts'

const lists = {
  // One more for the signatures of the lists of designs: only changed ones are counted again.
  '/design-categories?limit=-1': 3,
  '/design-categories?search=a&only_roots=1': 3,
  '/design-categories?fields=id,title,children_count': 1,
  // One more where the total is counted anew.
  '/pricing-rules': 1,
  '/pricing-rules?search=a&order_by=name%20ASC': 2,
  '/print-profiles': 2,
  '/print-profiles?include_data=true': 2,
  '/user-interfaces': 2,
  '/user-interfaces?include_data=true': 2,
}

async function fill({ call }: WatchedHost, rows: number): Promise<void> {
  for (let i = 0; i < rows; i++) {
    await call('POST', '/design-categories', { title: `a${i}`, designs: [{ title: 'x', image: 'y' }] })
    await call('POST', '/pricing-rules', { name: `a${i}`, data: {} })
    await call('POST', '/print-profiles', { name: `a${i}` })
    await call('POST', '/user-interfaces', { name: `a${i}` })
  }
}

t.test('a list sends as many statements for twelve rows as for two', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await watched(t, { engine })
    for (const rows of [2, 10]) {
      await fill(host, rows)
      for (const [path, count] of Object.entries(lists)) {
        await host.call('GET', path)
        const statements = await host.statementsOf(() => host.call('GET', path))
        t.equal(statements.length, count, path)
      }
    }
  }),
)

t.test('columns that are not wanted are not read', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await watched(t, { engine })
    await fill(host, 2)
    for (const [path, column] of [
      ['/design-categories?fields=id,title', '`options`'],
      ['/pricing-rules?fields=name', '`data`'],
      ['/print-profiles', '`data`'],
      ['/user-interfaces?fields=name', '`data`'],
    ] as const) {
      const statements = await host.statementsOf(() => host.call('GET', path))
      t.notOk(
        statements.some(({ sql }) => new RegExp(column.replaceAll('`', '[`"]')).test(sql)),
        path,
      )
    }
  }),
)
