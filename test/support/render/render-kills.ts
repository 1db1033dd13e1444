// Kills a process that draws an order, again and again, and counts what is left when others went on.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Engine } from '../hosts/build.ts'
import { photoUrl, pictureElement, renderShop, textElement, uploadsUrl, viewWith } from './render-shop.ts'
import type { RenderTask } from './render-worker.ts'

const design = { product: [viewWith(pictureElement(photoUrl), textElement('Ada Lovelace'))] }

/** @param millis times after which the process is killed, from when it was ready */
export async function renderKills(t: Test, engine: Engine, millis: readonly number[]) {
  const shop = await renderShop(t, engine, design, { printReady: { leaseSeconds: 1 } })
  const { host, id, item, dir, tempDir } = shop
  const task: RenderTask = { address: host.address, dir, uploadsUrl, tempDir, order: id, item }
  let kills = 0
  for (const wait of millis) {
    const file = join(import.meta.dirname, 'render-worker.ts')
    const worker = spawn(process.execPath, [file, JSON.stringify(task)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(worker, 'exit')
    await Promise.race([once(worker.stdout, 'data'), exited])
    await new Promise((resolve) => setTimeout(resolve, wait))
    if (worker.kill('SIGKILL')) kills++
    await exited
  }
  const jobsNow = async (): Promise<{ status: string }[]> => (await host.call('GET', '/print-jobs')).body.data
  // Another export of an order whose job has ended begins a second job.
  const finished = (await jobsNow()).filter(({ status }) => status === 'completed').length
  // The lease of the dead process has to run out.
  const until = Date.now() + 60_000
  let body = (await shop.order()).body
  while (body.data?.status !== 'completed' && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    body = (await shop.order()).body
  }
  return { kills, finished, status: body.data?.status, jobs: await jobsNow(), files: await shop.files() }
}
