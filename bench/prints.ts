// Print files beside fabric.js in Chromium and a canvas for Node.js: the three take turns, each in processes that are warm.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { nativeSettings } from '../src/workers/host.ts'
import { median, rounds } from './load.ts'
import { formats, type JobName, jobs, type PrintFormat } from './print-jobs.ts'
import type { Drawn } from './print-worker.ts'

const ways = ['ours', 'chromium', 'napi'] as const

/** Seconds of CPU time at most, on a machine with nothing else to do. */
const marks: Record<JobName, Record<PrintFormat, number | undefined>> = {
  card: { 'svg-pdf': 0.2, png: 0.15, jpeg: undefined },
  A4: { 'svg-pdf': 0.3, png: 1.2, jpeg: 0.9 },
  A2: { 'svg-pdf': 0.8, png: 4.5, jpeg: undefined },
}

export async function printRows(): Promise<string[]> {
  const lines = [
    `| print, CPU s of a warm process; median of ${rounds} | svc-api | fabric in Chromium | @napi-rs/canvas | mark | MB of memory | MB of the file: svc-api, Chromium, canvas |`,
    '|---|--:|--:|--:|--:|--:|--:|',
  ]
  for (const job of Object.keys(jobs) as JobName[]) {
    for (const format of formats) lines.push(await printRow(job, format))
  }
  return lines
}

async function printRow(job: JobName, format: PrintFormat): Promise<string> {
  const workers = await Promise.all(ways.map(started))
  const drawn: Drawn[][] = ways.map(() => [])
  // What is drawn first is cold.
  for (let round = -1; round < rounds; round++) {
    for (const [index, worker] of workers.entries()) {
      worker.send({ job, format })
      const [one] = (await Promise.race([once(worker, 'message'), ended(worker)])) as [Drawn]
      if (round >= 0) drawn[index]?.push(one)
    }
  }
  for (const worker of workers) worker.kill()
  const cpu = drawn.map((each) => median(each.map((one) => one.cpu)).toFixed(2))
  const sizes = drawn.map((each) => ((each[0]?.bytes ?? 0) / 1e6).toFixed(1))
  const memory = Math.max(...(drawn[0] ?? []).map((one) => one.memory)).toFixed(0)
  const name = `${job} ${format === 'svg-pdf' ? 'PDF' : format.toUpperCase()}`
  const line = `| ${name} | ${cpu.join(' | ')} | ${marks[job][format] ?? ''} | ${memory} | ${sizes.join(', ')} |`
  console.error(line)
  return line
}

async function started(way: string): Promise<ChildProcess> {
  const env = way === 'ours' ? { ...process.env, ...nativeSettings } : process.env
  const worker = fork(new URL('print-worker.ts', import.meta.url), [way], { env })
  const end = () => worker.kill()
  process.once('exit', end)
  worker.once('exit', () => process.off('exit', end))
  await Promise.race([once(worker, 'message'), ended(worker)])
  return worker
}

async function ended(worker: ChildProcess): Promise<never> {
  await once(worker, 'exit')
  throw new Error('A process that prints has ended.')
}
