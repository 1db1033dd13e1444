// Print jobs: listed, read by id and GUID, deleted with their files.
import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import t from 'tap'
import { migrate } from '../../plugins/index.ts'
import { insertMany } from '../support/fixtures/key-layouts.ts'
import { onEachEngine, onEachServer } from '../support/hosts/build.ts'
import { type PrintHost, printHost } from '../support/hosts/print.ts'
import { rowsRead, watched } from '../support/hosts/statements.ts'

/** A row as PHP writes it. */
async function phpJob(
  host: PrintHost,
  row: { guid: string; status?: string; details?: string | null; data?: string | null },
) {
  const values = { status: 'pending', details: null, data: null, ...row }
  const { insertId } = await host.db.insertInto(host.t.print_jobs).values(values).executeTakeFirstOrThrow()
  return Number(insertId)
}

t.test('jobs are listed newest first, with their exact total, by status', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await printHost(t, { engine })
    const ids = []
    for (const status of ['completed', 'pending', 'Completed', 'completed']) {
      ids.push(await phpJob(host, { guid: `5f3a9c1b2d4e${ids.length}`, status }))
    }
    const all = await host.call('GET', '/print-jobs?limit=2&offset=1')
    t.same(
      all.body.data.map((job: { id: number }) => job.id),
      [ids[2], ids[1]],
    )
    t.same(all.body.meta, { limit: 2, offset: 1, total: 4 })
    t.equal(all.headers['x-wp-total'], '4')
    const done = await host.call('GET', '/print-jobs?status=completed')
    t.same(
      done.body.data.map((job: { id: number }) => job.id),
      [ids[3], ids[0]],
    )
    t.equal(done.body.meta.total, 2)
    t.same((await host.call('GET', "/print-jobs?status=' OR 1=1")).body.data, [])
    const some = await host.call('GET', `/print-jobs?include=${ids[0]},999&fields=id,guid`)
    t.same(some.body.data, [{ id: ids[0], guid: '5f3a9c1b2d4e0' }])
    const whole = await host.call('GET', '/print-jobs?limit=0&offset=1')
    t.same(
      whole.body.data.map((job: { id: number }) => job.id),
      [ids[2], ids[1], ids[0]],
    )
    t.same(whole.body.meta, { limit: 10_000, offset: 1, total: 4 })
    t.match(whole.headers, { 'x-wp-total': '4', 'x-wp-totalpages': '1', link: /offset=0>; rel="prev"$/ })
    for (const query of ['limit=101', 'offset=-1', 'limit=x']) {
      t.equal((await host.call('GET', `/print-jobs?${query}`)).status, 400, query)
    }
  })
})

t.test('a GUID wins over an id, and both name the job', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await printHost(t, { engine })
    const first = await phpJob(host, { guid: '5f3a9c1b2d4e1' })
    const digits = await phpJob(host, { guid: `${first}` })
    t.equal((await host.job('5f3a9c1b2d4e1')).id, first)
    t.equal((await host.job(`${first}`)).id, digits, 'a GUID of digits')
    t.equal((await host.job(`${digits}`)).id, digits)
    for (const id of [
      '0',
      `0${digits}`,
      `${digits}%20`,
      '5F3A9C1B2D4E1',
      '5f3a9c1b2d4e1%20',
      `${digits}abc`,
      '1e0',
    ]) {
      t.match(await host.call('GET', `/print-jobs/${id}`), {
        status: 404,
        body: { code: 'svc_print_job_not_found' },
      })
    }
  })
})

t.test('a job shows the moment of its creation in UTC and never a path of the server', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await printHost(t, { engine })
    const base = 'https://shop.example/wp-content/uploads/svc/print_files'
    const cases: [data: string | null, url: string | null][] = [
      [null, null],
      ['', null],
      [JSON.stringify({ local_file: `${host.uploads}/svc/print_files/r/a.pdf` }), `${base}/r/a.pdf`],
      [
        JSON.stringify({ local_file: '/var/www/html/wp-content/uploads/svc/print_files/b.pdf' }),
        `${base}/b.pdf`,
      ],
      ['a:1:{s:10:"local_file";s:23:"svc/print_files/r/c.pdf";}', `${base}/r/c.pdf`],
      [JSON.stringify({ local_file: 'https://bucket.example/d.pdf' }), 'https://bucket.example/d.pdf'],
      [JSON.stringify({ local_file: '/etc/passwd' }), null],
      [JSON.stringify({ local_file: '/x/svc/print_files/../../../etc/passwd' }), null],
      [JSON.stringify({ local_file: 7 }), null],
      ['{broken', null],
    ]
    for (const [i, [data, url]] of cases.entries()) {
      const id = await phpJob(host, {
        guid: `guid-${i}`,
        status: 'completed',
        data,
        details: '{"order_id":1}',
      })
      const answer = await host.call('GET', `/print-jobs/${id}`)
      t.equal(answer.body.data.file_url, url, String(data))
      t.notMatch(answer.text, host.uploads)
      t.match(answer.body.data.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      t.ok(Math.abs(Date.parse(answer.body.data.created_at) - Date.now()) < 600_000)
    }
  })
})

t.test('details that cannot be read are null in the list and 500 alone', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await printHost(t, { engine })
    const id = await phpJob(host, { guid: 'x1', details: '{broken' })
    const list = await host.call('GET', '/print-jobs')
    t.same(list.body.meta.unreadable, [{ id, column: 'details' }])
    t.equal(list.body.data[0].details, null)
    t.match(await host.call('GET', `/print-jobs/${id}`), {
      status: 500,
      body: { code: 'svc_unreadable_value' },
    })
    t.equal((await host.call('GET', `/print-jobs/${id}?fields=id,status`)).status, 200)
  })
})

t.test('deleting a job removes its file and its steps', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await printHost(t, { engine })
    const { id, guid } = await host.newJob()
    await host.notify(guid)
    t.equal(host.stored().length, 1)
    t.same((await host.call('DELETE', `/print-jobs/${guid}`)).body.data, { id, deleted: true })
    t.same(host.stored(), [])
    t.same(await host.db.selectFrom(host.t.print_job_steps).selectAll().execute(), [])
    t.equal((await host.call('DELETE', `/print-jobs/${guid}`)).status, 404)
    t.equal((await host.notify(guid)).status, 404)
    t.equal((await host.call('GET', '/print-jobs')).body.meta.total, 0)
  })
})

t.test('deleting a job removes no file outside the folder of print files', async (t) => {
  const host = await printHost(t)
  for (const local_file of [
    `${host.address.replace('sqlite:', '')}`,
    '../x',
    `${host.uploads}/svc/print_files/../../y`,
  ]) {
    const id = await phpJob(host, { guid: local_file.slice(-20), data: JSON.stringify({ local_file }) })
    t.equal((await host.call('DELETE', `/print-jobs/${id}`)).status, 200)
  }
  t.ok(existsSync(host.address.replace('sqlite:', '')))
})

t.test('a job has a tag: 304 while it is the same, 412 once it is not', async (t) => {
  const host = await printHost(t)
  const { guid } = await host.newJob()
  const path = `/print-jobs/${guid}`
  const tag = (await host.call('GET', path)).headers.etag ?? ''
  t.equal((await host.call('GET', path, undefined, { 'if-none-match': tag })).status, 304)
  await host.notify(guid)
  t.equal((await host.call('GET', path, undefined, { 'if-none-match': tag })).status, 200)
  t.equal((await host.call('DELETE', path, undefined, { 'if-match': tag })).status, 412)
  t.equal(host.stored().length, 1)
})

t.test('the group can be switched off, the webhook cannot', async (t) => {
  const host = await printHost(t)
  const { guid } = await host.newJob()
  await host.db
    .insertInto(host.t.options)
    .values({ option_name: 'svc_api_print_jobs_enabled', option_value: 'no', autoload: 'yes' })
    .execute()
  t.match(await host.call('GET', '/print-jobs'), { status: 404, body: { code: 'rest_no_route' } })
  t.equal((await host.notify(guid)).status, 200)
})

t.test('a page reads no other rows, also where jobs of PHP alone are stored', async (t) => {
  await onEachServer(t, async (t, engine) => {
    const host = await watched(t, { engine })
    const jobs = Array.from({ length: 3000 }, (_, i) => ({
      guid: `5f3a9c1b2d4e${i}`,
      status: 'completed',
      details: JSON.stringify({ note: 'x'.repeat(200) }),
      data: null,
    }))
    await insertMany(host.db, host.t.print_jobs, jobs)
    await sql`analyze table ${sql.table(host.t.print_jobs)}, ${sql.table(host.t.print_job_steps)}`.execute(
      host.db,
    )
    for (const path of [
      '/print-jobs?limit=5',
      '/print-jobs?limit=5&fields=id',
      '/print-jobs?limit=5&include=7',
    ]) {
      const sent = await host.statementsOf(() => host.call('GET', path))
      const page = sent.find(({ sql: text }) => text.includes('limit'))
      const read = page ? await rowsRead(host, page.sql, page.parameters) : Number.NaN
      t.ok(read < 100, `${path}: ${read} rows: ${page?.sql}`)
    }
  })
})

t.test('GET /print-jobs?status=: a page in the middle does not read all jobs before it', async (t) => {
  await onEachServer(t, async (t, engine) => {
    const host = await watched(t, { engine })
    await migrate({ database: host.address, indexes: true })
    const jobs = Array.from({ length: 20_000 }, (_, i) => ({
      guid: `5f3a9c1b2d4e${i}`,
      status: i % 20 ? 'completed' : 'failed',
      details: null,
      data: null,
    }))
    await insertMany(host.db, host.t.print_jobs, jobs)
    const completed = await host.db
      .selectFrom(host.t.print_jobs)
      .select('ID')
      .where('status', '=', 'completed')
      .orderBy('ID', 'desc')
      .execute()
    const path = '/print-jobs?status=completed&limit=5&fields=id&offset=12000'
    let body: unknown
    const sent = await host.statementsOf(async () => {
      ;({ body } = await host.call('GET', path))
    })
    const ids = completed.slice(12_000, 12_005).map(({ ID }) => ({ id: ID }))
    t.match(body, { data: ids, meta: { total: completed.length } })
    const page = sent.find(({ sql: text }) => text.includes('`page`'))
    const read = page ? await rowsRead(host, page.sql, page.parameters) : Number.NaN
    t.ok(read < 6000, `${read} rows: ${page?.sql}`)
    // Windows that were counted before rows in them were removed: the page goes on behind their end.
    await host.db
      .deleteFrom(host.t.print_jobs)
      .where(
        'ID',
        'in',
        ids.slice(1, 4).map(({ id }) => id),
      )
      .execute()
    const after = await host.call('GET', path)
    const left = completed.filter(({ ID }) => !ids.slice(1, 4).some(({ id }) => id === ID))
    t.match(
      after.body.data,
      left.slice(12_000, 12_005).map(({ ID }) => ({ id: ID })),
    )
  })
})
