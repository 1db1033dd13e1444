// The most expensive accepted drawings take librsvg a few seconds at most; what Chromium takes is reported.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { fileChecks } from '../../src/files/accept.ts'
import { debianTool } from '../support/debian.ts'
import { heavyFamilies } from '../support/hostile/heavy-drawings.ts'

const run = promisify(execFile)

/** Seconds of CPU time, and of wall-clock time on a busy machine. */
const PROCESSOR = 12
const WALL = 300
/** Pixels on each side, and the largest drawing tried, in characters. */
const PIXELS = 1000
const LARGEST = 20_000_000

t.setTimeout(7_200_000)

const checks = fileChecks()
t.teardown(() => checks.close())

async function accepted(svg: string): Promise<string | undefined> {
  if (svg.length > LARGEST) return undefined
  const file = { name: 'a.svg', read: async () => Buffer.from(svg) }
  return checks.asset(file).then(
    ({ bytes }) => Buffer.from(bytes).toString(),
    () => undefined,
  )
}

/** The most expensive accepted drawing of a family, to within ten percent. */
async function heaviest(make: (n: number) => string, hostile: number): Promise<{ n: number; svg: string }> {
  let [low, high] = [0, hostile]
  let svg = ''
  while (high - low > Math.max(1, low / 10)) {
    const n = Math.floor((low + high) / 2)
    const found = await accepted(make(n))
    if (found === undefined) high = n
    else [low, svg] = [n, found]
  }
  return { n: low, svg }
}

/** Runs a program with a CPU limit for each process. Returns why it failed, or undefined. */
async function within(
  seconds: number,
  program: string,
  ...parameters: string[]
): Promise<string | undefined> {
  const limited = ['-c', `ulimit -t ${seconds}; exec "$@"`, 'sh', program, ...parameters]
  return run('sh', limited, { timeout: WALL * 1000, killSignal: 'SIGKILL' }).then(
    () => undefined,
    (error) => String(error.signal ?? error.message).slice(0, 200),
  )
}

const rsvg = debianTool('rsvg-convert', 'librsvg2-bin')
const chromium = debianTool('chromium', 'chromium')

for (const [name, { make, hostile }] of Object.entries(heavyFamilies)) {
  t.test(`the most expensive accepted drawing with ${name} renders in seconds`, async (t) => {
    const { n, svg } = await heaviest(make, hostile)
    t.ok(svg, `${n}`)
    const folder = t.testdir()
    const file = join(folder, 'drawing.svg')
    writeFileSync(file, svg)
    const size = String(PIXELS)
    const picture = join(folder, 'picture.png')
    const took = async (draw: Promise<string | undefined>, isLimited: boolean) => {
      const start = performance.now()
      const failure = await draw
      if (isLimited) t.equal(failure, undefined)
      return `${((performance.now() - start) / 1000).toFixed(1)} s`
    }
    const first = await took(
      within(PROCESSOR, rsvg, '-u', '-a', '-w', size, '-h', size, '-o', picture, file),
      true,
    )
    const second = await took(
      within(
        PROCESSOR,
        chromium,
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        `--user-data-dir=${join(folder, 'profile')}`,
        `--window-size=${size},${size}`,
        `--screenshot=${picture}`,
        `file://${file}`,
      ),
      false,
    )
    t.comment(`${name}: ${n}, ${svg.length} characters, librsvg ${first}, Chromium ${second}`)
  })
}
