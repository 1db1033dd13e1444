// Servers under load: requests per second, and CPU time of server and database for each request.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import autocannon, { type Options } from 'autocannon'
import { benchToken } from './catalog.ts'

export interface Load extends Partial<Pick<Options, 'method' | 'body' | 'headers'>> {
  path: string
  /** Paths that the requests take in turn, instead of one. */
  paths?: readonly string[]
}

export interface Server {
  url: string
  pid: number
  stop(): void
}

export interface Measured {
  perSecond: number
  /** Median latency in milliseconds. */
  p50: number
  /** Milliseconds of CPU time for each request. */
  serverCpu: number
  databaseCpu: number
}

export const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
export const seconds = Number(process.env.BENCH_SECONDS ?? 1)

/** Starts a server of this folder on the database. */
export async function start(
  file: string,
  database: string,
  variables: Record<string, string> = {},
): Promise<Server> {
  const env = { ...process.env, BENCH_DATABASE: database, ...variables }
  const child = fork(new URL(file, import.meta.url), { env })
  // No server outlives a failed benchmark.
  process.once('exit', () => child.kill())
  const failed = once(child, 'exit').then(() => {
    throw new Error(`${file} ended.`)
  })
  failed.catch(() => {})
  const [{ port }] = (await Promise.race([once(child, 'message'), failed])) as [{ port: number }]
  const url = `http://127.0.0.1:${port}/wp-json/svc/v1`
  return { url, pid: child.pid ?? 0, stop: () => child.kill() }
}

/** CPU time of all threads of a process in milliseconds. */
function cpuTime(pid: number): number {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
  }
  return nanoseconds / 1e6
}

/** Sends the request over and over on a few connections. */
export async function measure(
  server: Server,
  databasePid: number,
  { path, paths, headers, ...request }: Load,
  connections = 8,
): Promise<Measured> {
  const before = [cpuTime(server.pid), cpuTime(databasePid)] as const
  const result = await autocannon({
    connections,
    duration: seconds,
    headers: { authorization: `Bearer ${benchToken}`, ...headers },
    ...request,
    url: server.url + path,
    ...(paths && { requests: paths.map((each) => ({ path: new URL(server.url).pathname + each })) }),
  })
  if (result.errors > 0 || (result['5xx'] ?? 0) > 0)
    throw new Error(`${path}: ${result.errors} errors, ${result['5xx']} times 5xx`)
  const count = result.requests.total
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    serverCpu: (cpuTime(server.pid) - before[0]) / count,
    databaseCpu: (cpuTime(databasePid) - before[1]) / count,
  }
}

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

/** The medians of several rounds in which the servers take turns, and that of the ratios to the first of them. */
export async function compare(servers: readonly Server[], databasePid: number, load: Load) {
  const found: Measured[][] = servers.map(() => [])
  for (let round = -2; round < rounds; round++) {
    for (const [i, server] of servers.entries()) {
      const measured = await measure(server, databasePid, load)
      // The first rounds warm up.
      if (round >= 0) found[i]?.push(measured)
    }
  }
  const mid = (all: Measured[], key: keyof Measured) => median(all.map((measured) => measured[key]))
  return found.map((all) => ({
    perSecond: mid(all, 'perSecond'),
    p50: mid(all, 'p50'),
    serverCpu: mid(all, 'serverCpu'),
    databaseCpu: mid(all, 'databaseCpu'),
    ratio: median(all.map((measured, round) => measured.perSecond / (found[0]?.[round]?.perSecond ?? 0))),
  }))
}
