// A server that is set to another sql_mode while the host runs: values stay values on every connection that is opened then.
import { type Connection, createConnection } from 'mysql2/promise'
import t, { type Test } from 'tap'
import { build, freshAddress, ownServer } from '../../support/hosts/build.ts'
import { hostPool, type Kind, onEachPool } from '../../support/hosts/faults.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'
import { type DatabaseServer, otherSessions } from '../../support/peers/database-server.ts'

const kinds: Kind[] = ['an address', 'a mysql2 pool of the host', "the host's Kysely"]
const attack = "zz\\' or 1=1 -- "

/** A host on a database of its own, whose sessions end when the server gets its new mode. */
async function hostOn(t: Test, server: DatabaseServer, root: Connection, kind: Kind) {
  const name = `shop_${kinds.indexOf(kind)}`
  await root.query('set global sql_mode = default')
  await root.query(`create database ${name} character set utf8mb4`)
  const address = server.url(name)
  const database = kind === 'an address' ? address : hostPool(t, kind, address).database
  const host = await build(t, { address, database })
  await host.call('POST', '/products', { title: 'Mug' })
  await host.call('POST', '/products/1/views', { title: 'Front' })
  const job = { guid: 'a-job', details: '{}', data: null, status: 'completed' }
  await host.db.insertInto(host.t.print_jobs).values(job).execute()
  await root.query("set global sql_mode = 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES'")
  await root.query(`use ${name}`)
  for (const { Id } of await otherSessions(root)) await root.query(`kill ${Id}`)
  return host
}

onServers('no value becomes SQL when backslashes do not escape any more', async (t, engine) => {
  const server = await ownServer(t, engine)
  const root = await createConnection(server.url())
  t.teardown(() => root.end())
  for (const kind of kinds) {
    await t.test(kind, async (t) => {
      const { app, call, db, t: names } = await hostOn(t, server, root, kind)
      while ((await call('GET', '/products')).status !== 200);
      const search = await call('GET', `/products?search=${encodeURIComponent(attack)}`)
      t.match(search, { status: 200, body: { data: [], meta: { total: 0 } } })
      t.equal((await call('GET', `/print-jobs/${encodeURIComponent(attack)}`)).status, 404)
      t.equal((await call('DELETE', `/print-jobs/${encodeURIComponent(attack)}`)).status, 404)
      // The webhook needs no token.
      const guid = `x${attack}`
      const url = `/wp-json/svc-export/v1.0/print_job/${encodeURIComponent(guid)}`
      const file_url = 'https://files.example/x.pdf'
      for (const payload of [{ file_url }, { file_url, print_job_id: guid }]) {
        const response = await app.inject({ method: 'POST', url, payload })
        t.match(response.json(), { code: 'svc_print_job_not_found' })
      }
      const rows = await db
        .selectFrom(names.print_jobs)
        .select(['guid', 'status', 'details', 'data'])
        .execute()
      t.same(rows, [{ guid: 'a-job', status: 'completed', details: '{}', data: null }])
      const elements = [{ title: `\\ ' " \\\\' \n ${attack}` }]
      for (const body of [{ title: attack }, { elements }, { options: { [attack]: attack } }])
        t.equal((await call('PATCH', '/views/1', body)).status, 200)
      t.match((await call('GET', '/views/1')).body.data, {
        title: attack,
        elements,
        options: { [attack]: attack },
      })
      const long = [{ title: attack.repeat(30_000) }]
      t.equal((await call('PATCH', '/views/1', { elements: long })).status, 200)
      t.same((await call('GET', '/views/1')).body.data.elements, long)
    })
  }
})

t.test('no value becomes SQL in a session whose mode the host changes between two requests', (t) =>
  onEachPool(t, async (t, kind, engine) => {
    const address = await freshAddress(t, engine)
    const { pool, database } = hostPool(t, kind, address, 1)
    const { call } = await build(t, { address, database })
    t.equal((await call('POST', '/products', { title: 'Mug' })).status, 201)
    for (const mode of ['NO_BACKSLASH_ESCAPES,ANSI_QUOTES', '', 'NO_BACKSLASH_ESCAPES']) {
      await pool.promise().query(`set session sql_mode = '${mode}'`)
      const search = await call('GET', `/products?search=${encodeURIComponent(attack)}`)
      t.match(search, { status: 200, body: { meta: { total: 0 } } })
      const options = { [attack]: `\\ ' " \n ${attack}` }
      const changed = await call('PATCH', '/products/1', { title: attack, options })
      t.match(changed, { status: 200, body: { data: { title: attack, options } } })
      t.equal((await call('PATCH', '/products/1', { title: 'Mug' })).status, 200)
    }
  }),
)
