// Kills a process again and again while it orders items at Printful, and counts what is at the provider in the end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import { makeZip } from '../fixtures/make-zip.ts'
import type { Engine } from '../hosts/build.ts'
import { printHost } from '../hosts/print.ts'
import { printfulShop } from '../hosts/printful-shop.ts'
import { printful } from '../peers/printful.ts'
import type { WorkerTask } from './print-worker.ts'

/** At a query, after some milliseconds, or at a request to the provider, before or after what it writes. */
export type PrintfulKillPoint =
  | Required<Pick<NonNullable<WorkerTask['point']>, 'query' | 'when'>>
  | { millis: number }
  | { request: 'GET' | 'POST' | 'PUT'; when: 'before' | 'after' }

/** Items of each order, each of them a job. */
const itemsOfOrder = 3

/** @returns the counts, and for each point whether the process was killed there (it may have been done before) */
export async function printfulKillLoop(t: Test, engine: Engine, points: PrintfulKillPoint[]) {
  const remote = await printful(t)
  const png = (text: string) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(text)])
  const archive = makeZip(['front', 'back'].map((name) => ({ name: `${name}.png`, content: png(name) })))
  const host = await printHost(t, { engine, printful: { url: remote.url } }, (_request, response) =>
    response.end(archive),
  )
  const shop = await printfulShop(host)
  await shop.setToken()
  const reached: boolean[] = []
  const orders: { id: number; items: number[] }[] = []
  for (const point of points) {
    const last = orders.at(-1)
    const taken = reached.length % itemsOfOrder
    const order =
      last && taken > 0 ? last : await shop.order(Array.from({ length: itemsOfOrder }, () => ({})))
    if (order !== last) orders.push(order)
    const { guid } = await host.newJob({
      order_id: order.id,
      item_id: order.items[taken],
      variation_printful: shop.variation,
    })
    const task: WorkerTask = {
      address: host.address,
      uploads: host.uploads,
      tempDir: host.tempDir,
      trusted: host.router.pair,
      providerUrl: '',
      printful: remote.url,
      guid,
      fileUrl: `${host.router.url}/order.zip`,
      ...('request' in point ? {} : { point }),
    }
    const victim = spawn(
      process.execPath,
      [join(import.meta.dirname, 'print-worker.ts'), JSON.stringify(task)],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    if ('request' in point) {
      remote.watch = ({ method }, done) => {
        if (method === point.request && done === (point.when === 'after')) victim.kill('SIGKILL')
      }
    }
    const [, signal] = await once(victim, 'exit')
    remote.watch = undefined
    reached.push(signal === 'SIGKILL')
    // The time of the lease passes.
    await host.db
      .updateTable(host.t.print_job_steps)
      .set({ lease_until: 1 })
      .where('lease_until', '>', 1)
      .execute()
    const { status, text } = await host.notify(guid, { file_url: task.fileUrl })
    if (status !== 200) t.fail(`${JSON.stringify(point)} is not made good: ${text}`)
  }
  const drafts = [...remote.orders.values()]
  const names = drafts.flatMap(({ external_id, items }) =>
    items.map((item) => `${external_id}/${item.external_id}`),
  )
  const completed = host.db.selectFrom(host.t.print_jobs).select('ID').where('status', '=', 'completed')
  const dataRows = await Promise.all(orders.map(({ id }) => shop.meta(id, '_svc_printful_order_data')))
  return {
    jobs: points.length,
    kills: reached.filter(Boolean).length,
    lost: points.length - new Set(names).size,
    doubled: names.length - new Set(names).size,
    orders: orders.length,
    drafts: drafts.filter(({ status }) => status === 'draft').length,
    dataRows: dataRows.flat().length,
    completed: (await completed.execute()).length,
    /** A ZIP file and two pictures for each job. */
    files: host.stored().length,
    placed: drafts.flatMap(({ items }) => items.flatMap(({ files }) => files)).length,
    confirmations: remote.confirmations().length,
    reached,
  }
}
