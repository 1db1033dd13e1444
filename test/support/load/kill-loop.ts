// Kills a process at every step of a print job, and counts what is left in the end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { DraftItem } from '../../../src/print/providers/provider.ts'
import { memoryProvider } from '../fixtures/memory-provider.ts'
import type { Engine } from '../hosts/build.ts'
import { pdf, printHost } from '../hosts/print.ts'
import { httpServer } from '../peers/servers.ts'
import type { WorkerTask } from './print-worker.ts'

export type KillPoint = NonNullable<WorkerTask['point']> | 'download'

export interface Counts {
  jobs: number
  kills: number
  files: number
  providerOrders: number
  providerItems: number
  completedRows: number
}

/** @returns the counts, and for each point whether the process was killed there (it may have been done before) */
export async function killLoop(
  t: Test,
  engine: Engine,
  points: Iterable<KillPoint>,
): Promise<Counts & { reached: boolean[] }> {
  const provider = memoryProvider()
  let victim: ReturnType<typeof spawn> | undefined
  const host = await printHost(t, { engine, printProvider: provider }, (request, response) => {
    if (!request.url?.includes('half') || !victim) return void response.end(pdf)
    // The process dies with half of the file.
    response.writeHead(200, { 'content-length': pdf.length })
    response.write(pdf.slice(0, 9), () => victim?.kill('SIGKILL'))
  })
  const door = await httpServer(t, async (request, response) => {
    await provider.upsertDraft((await json(request)) as DraftItem, new AbortController().signal)
    response.end()
  })
  const guids: string[] = []
  const reached: boolean[] = []
  for (const point of points) {
    const { guid } = await host.newJob({ order_id: guids.length + 1, item_id: 5, variation_printful: 1 })
    guids.push(guid)
    const task: WorkerTask = {
      address: host.address,
      uploads: host.uploads,
      tempDir: host.tempDir,
      trusted: host.router.pair,
      providerUrl: door.url,
      guid,
      fileUrl: `${host.router.url}/${point === 'download' ? 'half' : 'order'}.pdf`,
      ...(point === 'download' ? {} : { point }),
    }
    victim = spawn(process.execPath, [join(import.meta.dirname, 'print-worker.ts'), JSON.stringify(task)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [, signal] = await once(victim, 'exit')
    victim = undefined
    reached.push(signal === 'SIGKILL')
    // The lease expires.
    await host.db
      .updateTable(host.t.print_job_steps)
      .set({ lease_until: 1 })
      .where('lease_until', '>', 1)
      .execute()
    t.equal((await host.notify(guid)).status, 200, `${JSON.stringify(point)} is made good`)
  }
  const rows = await host.db
    .selectFrom(host.t.print_jobs)
    .selectAll()
    .where('status', '=', 'completed')
    .execute()
  return {
    jobs: guids.length,
    kills: reached.filter(Boolean).length,
    files: host.stored().length,
    providerOrders: provider.drafts.size,
    providerItems: [...provider.drafts.values()].reduce((sum, draft) => sum + draft.size, 0),
    completedRows: rows.length,
    reached,
  }
}
