// Kills a process again and again while it pushes a file, and counts what is left once others have gone on.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { build, type Engine, token } from '../hosts/build.ts'
import { pdf } from '../hosts/print.ts'
import { marks, remoteShop } from '../hosts/remote-shop.ts'
import type { PushTask } from './push-worker.ts'

/** Before or after the storage has worked on the n-th request to this endpoint, or after so many milliseconds. */
export type PushPoint = { at: string; nth?: number; isDone: boolean } | { millis: number }

export interface PushCounts {
  kills: number
  /** Listed uploads, and completed print jobs. */
  listed: number
  /** Files at the storage; each listed one is to have one. */
  files: number
  /** Listed without a file, files without a row, files on this machine, rows that wait: all to be 0. */
  lost: number
  left: number
  local: number
  waiting: number
  /** How often the print file was fetched. */
  fetched: number
}

/** @param size bytes of the print file */
export async function pushKills(
  t: Test,
  engine: Engine,
  work: 'upload' | 'print',
  points: readonly PushPoint[],
  size = 20 * 1024 * 1024,
): Promise<PushCounts> {
  const file = Buffer.concat([Buffer.from(pdf), Buffer.alloc(size)])
  const { host, dropbox } = await remoteShop(t, { engine }, (_request, response) => response.end(file))
  let kills = 0
  for (const point of points) {
    const { guid } = work === 'print' ? await host.newJob() : { guid: '' }
    const fileUrl = `${host.router.url}/order.pdf`
    const task: PushTask = {
      address: host.address,
      uploads: host.uploads,
      tempDir: host.tempDir,
      trusted: host.router.pair,
      dropbox: dropbox.url,
      token,
      work: work === 'print' ? { guid, fileUrl } : 'upload',
    }
    const victim = spawn(
      process.execPath,
      [join(import.meta.dirname, 'push-worker.ts'), JSON.stringify(task)],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    let seen = 0
    let timer: NodeJS.Timeout | undefined
    dropbox.watch((path, isDone) => {
      if ('millis' in point) timer ??= setTimeout(() => victim.kill('SIGKILL'), point.millis)
      else if (path.includes(point.at) && isDone === point.isDone && ++seen === (point.nth ?? 1)) {
        victim.kill('SIGKILL')
      }
    })
    const [, signal] = await once(victim, 'exit')
    clearTimeout(timer)
    dropbox.watch(undefined)
    if (signal === 'SIGKILL') kills++
    if (work === 'upload') continue
    // The time of the lease passes.
    await host.db.updateTable(host.t.print_job_steps).set({ lease_until: 1 }).execute()
    t.equal((await host.notify(guid, { file_url: fileUrl })).status, 200, JSON.stringify(point))
  }
  // The marks grow old, and whichever process comes next finds them.
  await host.db.updateTable(host.t.assets).set({ modified: 1 }).where('mime_type', '=', '').execute()
  const storage = { dropbox: { urls: dropbox.options.urls } }
  const other = await build(t, { address: host.address, storage })
  const listed =
    work === 'upload'
      ? (await other.call('GET', '/assets?limit=100')).body.data.map(
          ({ key }: { key: string }) => `/svc/uploads/${key}`,
        )
      : (await jobFiles(host)).map((key) => `/${key}`)
  const paths = new Set(dropbox.paths())
  const rows = new Set(listed)
  const names = (folder: string) => readdirSync(folder, { recursive: true, withFileTypes: true })
  return {
    kills,
    listed: listed.length,
    files: paths.size,
    lost: listed.filter((path: string) => !paths.has(path)).length,
    left: [...paths].filter((path) => !rows.has(path)).length,
    local:
      host.stored().filter((path) => !unfinished.test(path)).length +
      (work === 'print' ? names(host.tempDir).length : 0),
    waiting: (await marks(host)).length,
    fetched: host.router.hits.length,
  }
}

/** What a killed process has received of an upload; it is never served, and goes by its age. */
const unfinished = /\/\.upload\.[0-9a-f-]{36}\.part$/

async function jobFiles({ db, t: names }: Awaited<ReturnType<typeof remoteShop>>['host']): Promise<string[]> {
  const rows = await db
    .selectFrom(names.print_jobs)
    .select('data')
    .where('status', '=', 'completed')
    .execute()
  return rows.map(({ data }) => JSON.parse(String(data)).key)
}
