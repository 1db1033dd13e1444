// What an import costs: `node tools/import-cost.ts svc-api kysely` prints the median of seven fresh processes for each, which
// take turns.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

export interface ImportCost {
  /** Files that are loaded. */
  modules: number
  /** CPU milliseconds. */
  cpu: number
  /** Resident memory. */
  megabytes: number
}

const root = resolve(import.meta.dirname, '..')

/** Imports the packages together in a fresh process. */
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

/** Medians for each list of packages. */
export async function importCosts(
  each: readonly (readonly string[])[],
  rounds: number,
): Promise<ImportCost[]> {
  const found: ImportCost[][] = each.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, packages] of each.entries()) found[i]?.push(await importCost(packages))
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
  return found.map((all) => ({
    modules: median(all.map(({ modules }) => modules)),
    cpu: median(all.map(({ cpu }) => cpu)),
    megabytes: median(all.map(({ megabytes }) => megabytes)),
  }))
}

if (import.meta.main) {
  const names = process.argv.slice(2)
  const costs = await importCosts(
    names.map((name) => name.split('+')),
    7,
  )
  for (const [i, { modules, cpu, megabytes }] of costs.entries())
    console.log(`${names[i]}: ${modules} modules, ${cpu.toFixed(0)} ms of CPU, ${megabytes.toFixed(1)} MB`)
}
