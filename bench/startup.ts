// What the import of the package costs beside that of Fastify and mysql2, and how long the example host takes to start.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { importCosts } from '../tools/import-cost.ts'
import { median, rounds } from './load.ts'

const root = resolve(import.meta.dirname, '..')

/** Medians for bare, plain Fastify and the package, which take turns. */
export const imports = () =>
  importCosts([['mysql2/promise'], ['fastify', 'mysql2/promise'], ['svc-api']], rounds)

/** Seconds from `npm start` in a built checkout until the example host listens. */
export async function hostStart(): Promise<number> {
  const found: number[] = []
  for (let round = 0; round < rounds; round++) {
    const dir = await mkdtemp(join(tmpdir(), 'svc-bench-'))
    const began = performance.now()
    const child = spawn('npm', ['start', '--silent'], {
      cwd: root,
      env: { ...process.env, PORT: '0', DATABASE_URL: `sqlite:${dir}/host.sqlite`, UPLOADS_DIR: dir },
      stdio: ['ignore', 'pipe', 'inherit'],
      // Npm, a shell and the host end together.
      detached: true,
    })
    try {
      let printed = ''
      for await (const part of child.stdout) {
        printed += part
        if (/Listening on/.test(printed)) break
      }
      if (!/Listening on/.test(printed)) throw new Error('The example host does not start.')
      found.push((performance.now() - began) / 1000)
    } finally {
      const closed = once(child, 'exit')
      if (child.pid && child.exitCode === null) {
        process.kill(-child.pid, 'SIGTERM')
        await closed
      }
      await rm(dir, { recursive: true, force: true })
    }
  }
  return median(found)
}
