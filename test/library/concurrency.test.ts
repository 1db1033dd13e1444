// The rules of the library that span rows, held against two processes that write at the same moment.
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { build, type Engine, onEachEngine, token } from '../support/hosts/build.ts'
import type { PeerRequest } from '../support/hosts/peer.ts'
import { type Peer, sendConcurrently, servingPeers } from '../support/hosts/process.ts'

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

async function world(t: Test, engine: Engine) {
  const host = await build(t, { engine })
  const peers = await servingPeers(t, host.address, token)
  return { ...host, peers, responses: (requests: PeerRequest[]) => statuses(peers, requests) }
}

/** Sends all at once and counts the responses by status. */
async function statuses(peers: Peer[], requests: PeerRequest[]): Promise<Record<number, number>> {
  const groups = Map.groupBy(await sendConcurrently(peers, requests), ({ status }) => status)
  return Object.fromEntries([...groups].map(([status, list]) => [status, list.length]))
}

onEachEngine(t, async (t, engine) => {
  const { call, db, t: names, responses } = await world(t, engine)

  const masters = async () =>
    (await db.selectFrom(names.print_profiles).select(['ID', 'is_master']).execute()).filter(
      (row) => Number(row.is_master) === 1,
    ).length
  const defaults = async () =>
    (await db.selectFrom(names.user_interfaces).select(['ID', 'is_default']).execute()).filter(
      (row) => Number(row.is_default) === 1,
    ).length

  await t.test(
    '50 sets, duplicates and deletes at once never leave two masters, nor none after a set',
    async (t) => {
      for (const i of times(12, (i) => i))
        await call('POST', '/print-profiles', { name: `P${i}`, is_master: i === 0 })
      const found = await responses(
        times(50, (i): PeerRequest => {
          const path = `/print-profiles/${(i % 12) + 1}`
          if (i % 5 === 0) return { method: 'POST', path: `${path}/duplicate`, body: { name: `Copy ${i}` } }
          if (i % 5 === 1) return { method: 'DELETE', path: `/print-profiles/${(i % 3) + 10}` }
          if (i % 5 === 2) return { method: 'PATCH', path, body: { is_master: true } }
          return { method: 'POST', path: `${path}/master`, body: {} }
        }),
      )
      t.strictSame(
        Object.keys(found).filter((status) => !['200', '201', '404', '409'].includes(status)),
        [],
      )
      t.equal(await masters(), 1)
    },
  )

  await t.test('while 50 sets run, whoever looks sees exactly one master', async (t) => {
    const ids = (await call('GET', '/print-profiles')).body.data.map(({ id }: { id: number }) => id)
    const sets = responses(
      times(50, (i) => ({ method: 'POST', path: `/print-profiles/${ids[i % ids.length]}/master` })),
    )
    const seen: number[] = []
    let running = true
    const done = sets.finally(() => {
      running = false
    })
    while (running) {
      seen.push(await masters())
      // The embedded database responds at once: without this nothing else would run.
      await setImmediate()
    }
    t.strictSame(await done, { 200: 50 })
    t.ok(seen.length > 0)
    t.strictSame([...new Set(seen)], [1])
  })

  await t.test('the master is not deleted by whoever comes while it becomes the master', async (t) => {
    for (const round of times(10, (i) => i)) {
      const { id } = (await call('POST', '/print-profiles', { name: `Race ${round}` })).body.data
      const found = await responses([
        { method: 'POST', path: `/print-profiles/${id}/master` },
        { method: 'DELETE', path: `/print-profiles/${id}` },
      ])
      // Set first: the delete is refused. Deleted first: there is nothing to set.
      t.ok(found[409] === 1 || found[404] === 1)
      t.equal(await masters(), 1)
    }
  })

  await t.test('50 layouts made, made default and deleted at once leave exactly one default', async (t) => {
    const found = await responses(
      times(50, (i): PeerRequest => {
        if (i % 4 === 0) return { method: 'GET', path: '/user-interfaces/default' }
        if (i % 4 === 1)
          return {
            method: 'POST',
            path: '/user-interfaces',
            body: { name: `L${i}`, is_default: i % 8 === 1 },
          }
        if (i % 4 === 2)
          return { method: 'PATCH', path: `/user-interfaces/${(i % 9) + 1}`, body: { is_default: true } }
        return { method: 'DELETE', path: `/user-interfaces/${(i % 9) + 1}` }
      }),
    )
    t.strictSame(
      Object.keys(found).filter((status) => !['200', '201', '404', '409'].includes(status)),
      [],
    )
    t.equal(await defaults(), 1)
  })

  await t.test('40 moves at once between categories never close a circle', async (t) => {
    const ids: number[] = []
    for (const i of times(8, (i) => i))
      ids.push((await call('POST', '/design-categories', { title: `C${i}` })).body.data.category_data.id)
    const found = await responses(
      times(40, (i) => ({
        method: 'PATCH',
        path: `/design-categories/${ids[i % 8]}`,
        body: { parent_id: ids[(i * 3 + 1 + Math.floor(i / 8)) % 8] },
      })),
    )
    t.strictSame(
      Object.keys(found).filter((status) => !['200', '400'].includes(status)),
      [],
    )
    const rows = await db.selectFrom(names.designs).select(['ID', 'parent_id']).execute()
    const parents = new Map(rows.map((row) => [row.ID, row.parent_id]))
    for (const id of ids) {
      let steps = 0
      for (let at = id; at !== 0 && steps <= 8; steps++) at = parents.get(at) ?? 0
      t.ok(steps <= 8, `category ${id} reaches a root`)
    }
  })

  await t.test(
    'categories made below one that is deleted at the same moment never hang below nothing',
    async (t) => {
      for (const round of times(5, (i) => i)) {
        const top = (await call('POST', '/design-categories', { title: `Top ${round}` })).body.data
          .category_data.id
        const found = await responses([
          ...times(4, (i) => ({
            method: 'POST',
            path: '/design-categories',
            body: { title: `${round}.${i}`, parent_id: top },
          })),
          { method: 'DELETE', path: `/design-categories/${top}` },
        ])
        t.strictSame(
          Object.keys(found).filter((status) => !['200', '201', '400'].includes(status)),
          [],
        )
      }
      const rows = await db.selectFrom(names.designs).select(['ID', 'parent_id']).execute()
      const known = new Set([0, ...rows.map((row) => row.ID)])
      t.strictSame(
        rows.filter((row) => !known.has(row.parent_id ?? 0)),
        [],
      )
    },
  )

  await t.test(
    'of 60 changes of one rule under the same If-Match, one is done and the others give 412',
    async (t) => {
      const { headers, body } = await call('POST', '/pricing-rules', { name: 'R', data: {} })
      const path = `/pricing-rules/${body.data.id}`
      const changes = await Promise.all(
        times(60, (i) => call('PATCH', path, { data: { i } }, { 'if-match': headers.etag })),
      )
      t.equal(changes.filter(({ status }) => status === 200).length, 1)
      t.equal(changes.filter(({ status }) => status === 412).length, 59)
      const won = changes.find(({ status }) => status === 200)
      t.strictSame((await call('GET', path)).body, won?.body)
    },
  )
})
