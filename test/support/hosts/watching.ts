// A host in a process of its own, whose event loop is watched while a test sends it requests.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import { token } from './build.ts'
import type { Watch, WatchedOptions } from './watched-host.ts'

export interface WatchedHost {
  /** What was measured since the last call. */
  watch(): Promise<Watch>
  /** Sends a request to a path below the namespace. Returns its status and what it cost. */
  ask(method: string, path: string, body?: string): Promise<Watch & { status: number }>
}

/** Ends with the test. */
export async function watchedHost(t: Test, options: WatchedOptions): Promise<WatchedHost> {
  const file = join(import.meta.dirname, 'watched-host.ts')
  const child = fork(file, [JSON.stringify(options)], { execArgv: [] })
  t.teardown(async () => {
    child.disconnect()
    await once(child, 'exit')
  })
  const [address] = await once(child, 'message')
  const watch = async (): Promise<Watch> => {
    child.send('watch')
    return (await once(child, 'message'))[0]
  }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    watch,
    async ask(method, path, body) {
      await watch()
      const url = `${address}/wp-json/svc/v1${path}`
      const response = await fetch(url, { method, headers, body: body ?? null })
      for await (const _ of response.body ?? []);
      return { status: response.status, ...(await watch()) }
    },
  }
}
