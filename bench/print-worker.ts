// A process that draws prints again and again, in one of three ways, and measures the CPU time of each.
import { readdirSync, readFileSync } from 'node:fs'
import type { JobName, PrintFormat } from './print-jobs.ts'

export interface Asked {
  job: JobName
  format: PrintFormat
}

export interface Drawn {
  /** Seconds of CPU time. */
  cpu: number
  /** Megabytes at most, of this process or of the largest one of the browser. */
  memory: number
  bytes: number
}

export type DrawPrint = (asked: Asked) => Promise<Buffer>

interface Running {
  parent: number
  cpu: number
  memory: number
}

/** Undefined if it has ended. */
function running(pid: string): Running | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const [, peak = 0] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number)
    return { parent: parent ?? 0, cpu: ((user ?? 0) + (system ?? 0)) / 100, memory: Number(peak) / 1024 }
  } catch {
    return undefined
  }
}

/** Of this process and all that it has started. */
function used(): { cpu: number; memory: number } {
  const all = new Map<number, Running>()
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? running(name) : undefined
    if (found) all.set(Number(name), found)
  }
  const isOurs = (pid: number): boolean => {
    const found = all.get(pid)
    return pid === process.pid || (found !== undefined && isOurs(found.parent))
  }
  const ours = [...all].filter(([pid]) => isOurs(pid)).map(([, found]) => found)
  return {
    cpu: ours.reduce((sum, { cpu }) => sum + cpu, 0),
    memory: Math.max(...ours.map(({ memory }) => memory)),
  }
}

const [way = ''] = process.argv.slice(2)
const { draw } = (await import(`./print-${way}.ts`)) as { draw: DrawPrint }
process.on('message', async (asked: Asked) => {
  const before = used()
  const file = await draw(asked)
  const after = used()
  process.send?.({ cpu: after.cpu - before.cpu, memory: after.memory, bytes: file.length } satisfies Drawn)
})
process.send?.('ready')
