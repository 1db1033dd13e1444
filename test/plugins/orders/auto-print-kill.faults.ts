// Processes that are killed while they print automatically, and rows as a killed process leaves them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { autoPrintShop, eventually, jobsOf } from '../../support/hosts/auto-print.ts'
import { onEachEngine } from '../../support/hosts/build.ts'
import type { AutoPrintTask } from '../../support/load/auto-print-worker.ts'
import { uploadsUrl } from '../../support/render/render-shop.ts'

t.test('autoPrint: killed processes leave one finished job for each item to the next one', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, php, another, order, dir, tempDir } = await autoPrintShop(t, engine)
    await host.app.close()
    const expected: string[] = []
    const task: AutoPrintTask = { address: php.address, dir, uploadsUrl, tempDir }
    for (const wait of [50, 400, 1200]) {
      const { id, items } = await order([`A ${wait}`, `B ${wait}`], 'wc-processing')
      expected.push(...items.map((item) => `wc:${id}:${item} completed`))
      const file = join(import.meta.dirname, '../../support/load/auto-print-worker.ts')
      const worker = spawn(process.execPath, [file, JSON.stringify(task)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exited = once(worker, 'exit')
      await Promise.race([once(worker.stdout, 'data'), exited])
      await new Promise((resolve) => setTimeout(resolve, wait))
      t.ok(worker.kill('SIGKILL'))
      await exited
    }
    await another()
    const jobs = await eventually(
      () => jobsOf(php),
      (all) => all.filter((job) => job.endsWith('completed')).length >= expected.length,
    )
    t.strictSame(jobs.sort(), expected.sort())
  }),
)

t.test('autoPrint: goes on with rows of a dead process, and makes no second job', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, php, look, order } = await autoPrintShop(t, engine)
    const { id, items } = await order(['One'], 'wc-processing')
    const rows = php.t.auto_prints
    const dead = { state: 'waiting', lease_owner: 'dead', lease_until: 1 }
    await php.db
      .insertInto(rows)
      .values({ order_type: 'wc', order_id: id, item_id: items[0] ?? 0, added_at: 1, ...dead })
      .execute()
    await look()
    const printed = [`wc:${id}:${items[0]} completed`]
    t.strictSame(await jobsOf(host), printed, 'killed before the job was made')
    await php.db.updateTable(rows).set(dead).execute()
    await look()
    t.strictSame(await jobsOf(host), printed, 'killed after the job was made')
    await php.db
      .updateTable(rows)
      .set({ ...dead, job_id: 0 })
      .execute()
    await look()
    t.strictSame(await jobsOf(host), printed, 'killed where tables have no transactions')
  }),
)
