// Starts the API in a separate process with a fresh uploads folder.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import { token } from './build.ts'
import { type FormPart, form, formHeaders } from './form.ts'

interface Served {
  child: ChildProcess
  get(path: string): Promise<Response>
  post(path: string, parts: readonly FormPart[]): Promise<Response>
  /** Megabytes: at the peak, and now, after garbage was collected. */
  memory(): Promise<{ peak: number; rss: number }>
}

/** @param database the URL of a database with existing tables and token */
export async function served(t: Test, database: string, dir: string): Promise<Served> {
  const child = fork(join(import.meta.dirname, 'upload-host.ts'), [database, dir], {
    execArgv: ['--expose-gc'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const base = `http://127.0.0.1:${port}/wp-json/svc/v1`
  const authorization = `Bearer ${token}`
  return {
    child,
    get: (path) => fetch(base + path, { headers: { authorization } }),
    post: (path, parts) =>
      fetch(base + path, {
        method: 'POST',
        headers: { authorization, ...formHeaders() },
        body: new Uint8Array(form(parts)),
      }),
    async memory() {
      child.send('memory')
      const [memory] = (await once(child, 'message')) as [{ peak: number; rss: number }]
      return memory
    },
  }
}
