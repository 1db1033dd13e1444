// Print jobs as those who print see them.
import t from 'tap'
import { databaseOn } from '../../../src/db/connect.ts'
import { jobOverview } from '../../../src/print/job-overview.ts'
import { printJobSteps } from '../../../src/print/print-job-steps.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'
import { jobRow } from '../../support/hosts/desk.ts'

const cancelled = { code: 'svc_print_job_cancelled', message: 'Anna cancelled the job.' } as const

t.test('jobOverview: the newest job of each item counts, and the history of an order has them all', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const jobs = jobOverview(await databaseOn(host.connection))
    const first = await jobRow(host, { type: 'wc', id: 7, item: 1, status: 'failed' })
    const second = await jobRow(host, { type: 'wc', id: 7, item: 1, status: 'completed' })
    const other = await jobRow(host, { type: 'wc', id: 7, item: 2, status: 'pending' })
    await jobRow(host, { type: 'gf', id: 7, item: 0, status: 'failed' })
    const theirs = {
      guid: '5f00000000abc',
      status: 'completed',
      details: '{"order_id":"71","item_id":3}',
      data: null,
    }
    await host.db.insertInto(host.t.print_jobs).values(theirs).execute()
    const newest = await jobs.newest([
      { type: 'wc', id: 7 },
      { type: 'wc', id: 71 },
    ])
    t.same(
      [...newest].map(([key, { guid }]) => [key, guid]).sort(),
      [
        ['wc:71:3', theirs.guid],
        ['wc:7:1', second.guid],
        ['wc:7:2', other.guid],
      ].sort(),
    )
    t.same(
      (await jobs.history({ type: 'wc', id: 7 })).map(({ id }) => id),
      [other.id, second.id, first.id],
    )
    t.same(await jobs.newest([]), new Map())
  }),
)

t.test('the queue leaves out failures that a newer job has replaced, and knows what somebody works on', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const database = await databaseOn(host.connection)
    const jobs = jobOverview(database)
    const replaced = await jobRow(host, { type: 'wc', id: 1, item: 1, status: 'failed' })
    const again = await jobRow(host, { type: 'wc', id: 1, item: 1, status: 'pending' })
    const failed = await jobRow(host, { type: 'wc', id: 1, item: 2, status: 'failed' })
    const held = await jobRow(host, { type: 'wc', id: 2, item: 1, status: 'processing' })
    const before = await jobs.signature()
    await printJobSteps(database, 60).claim({ id: held.id, details: null }, 'worker')
    t.not(await jobs.signature(), before)
    const queue = await jobs.queue()
    const ids = Object.fromEntries(
      Object.entries(queue).map(([part, list]) => [part, list.map(({ id }) => id)]),
    )
    t.same(ids, { waiting: [again.id], running: [held.id], failed: [failed.id], finished: [] })
    t.equal((await jobs.find(replaced.guid))?.status, 'failed')
    t.equal(await jobs.find(replaced.guid.toUpperCase()), undefined)
  }),
)

t.test('a cancelled job has failed, and whoever works on it can neither go on nor finish it', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const database = await databaseOn(host.connection)
    const jobs = jobOverview(database)
    const job = await jobRow(host, { type: 'wc', id: 1, item: 1, status: 'processing' })
    const claimed = await printJobSteps(database, 60).claim({ id: job.id, details: null }, 'worker')
    t.equal(await jobs.cancel(job.guid, cancelled), true)
    t.equal(await claimed?.lease.renew(), false)
    t.equal(await claimed?.lease.finish('completed'), false)
    t.match(await jobs.find(job.guid), { status: 'failed', error: cancelled, isRunning: false })
    t.equal(await jobs.cancel(job.guid, cancelled), false)
    t.equal(await jobs.cancel('nobody', cancelled), false)
  }),
)
