// What the import of the package costs beside that of Fastify and mysql2, and how long the example host takes to start.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { median, rounds } from './load.ts'

export interface ImportCost {
  modules: number
  cpu: number
  megabytes: number
}

/** Counts the modules, CPU milliseconds and resident memory of an import in a fresh process. */
async function importCost(packages: readonly string[]): Promise<ImportCost> {
  const script = `
    import { registerHooks } from 'node:module'
    let modules = 0
    registerHooks({ load(url, context, next) { if (url.startsWith('file:')) modules++; return next(url, context) } })
    const cpu = process.cpuUsage(), rss = process.memoryUsage.rss()
    for (const name of ${JSON.stringify(packages)}) await import(name)
    const { user, system } = process.cpuUsage(cpu)
    console.log(JSON.stringify({ modules, cpu: (user + system) / 1000, megabytes: (process.memoryUsage.rss() - rss) / 1e6 }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
  })
  return JSON.parse(stdout)
}

const root = resolve(import.meta.dirname, '..')

/** Medians for bare, plain Fastify and the package, which take turns. */
export async function imports(): Promise<ImportCost[]> {
  const each = [['mysql2/promise'], ['fastify', 'mysql2/promise'], ['svc-api']]
  const found: ImportCost[][] = each.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, packages] of each.entries()) found[i]?.push(await importCost(packages))
  }
  return found.map((all) => ({
    modules: median(all.map(({ modules }) => modules)),
    cpu: median(all.map(({ cpu }) => cpu)),
    megabytes: median(all.map(({ megabytes }) => megabytes)),
  }))
}

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
