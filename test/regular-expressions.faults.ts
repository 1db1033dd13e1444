// No regular expression of the sources costs more than linear time, whatever it is tried on.
import t from 'tap'
import { superlinear } from './support/fixtures/growth.ts'
import { literals, sourcePatterns } from './support/fixtures/source-patterns.ts'
import { attacks, inputOf } from './support/hostile/regexp-attacks.ts'

/** Lengths of the first look, in small steps, so that what takes exponential time is found before it hangs. */
const LENGTHS = [20, 22, 24, 27, 30, 33, 37, 42, 48, 56, 65, 80, 100, 500, 3000]
/** Milliseconds from which on an input is looked at closely, and which no input of these lengths may take. */
const SUSPICIOUS = 0.3
const TOO_LONG = 100
/** Ascending, so that what is superlinear shows it on the shortest input that can be measured. */
const SIZES = [500, 1000, 2000, 4000]

t.test('literals are found in code, and not in comments, strings and templates', async (t) => {
  const source = [
    "const a = b / c / d; f(/x[/]y/g, '/no/') // /no/",
    `/* /no/ */ return /\\//.test(\`/no/\${g.replace(/in/, \`\${h ? { a: 1 } : /deep/}\`)}/no/\`)`,
    'export const A = /last/i',
  ].join('\n')
  t.strictSame(literals(source).map(String), ['/x[/]y/g', '/\\//', '/in/', '/deep/', '/last/i'])
})

t.test('the generator finds what is known to be superlinear', async (t) => {
  const known = [
    /url\([^)]*\)/i,
    /([^{}]*)\{([^{}]*)\}/g,
    /([\w-]+)\s*:([^;]*)/g,
    /([\w:-]+)\s*=\s*["']([^"']*)["']/g,
    /(?:href\s*=\s*["']|url\(\s*["']?)\s*(?!#|["'\s])/i,
    /^\d+\.?\d*$/,
    /\/+$/,
    /\s+$/,
    /^(?:\w+\s?)+$/,
    /^(?:a|a)*$/,
    /\s*;\s*\s*$/,
  ]
  // One size more, so that a fast machine sees it, too.
  for (const pattern of known) t.ok(worst(pattern, [...SIZES, 8000]), String(pattern))
})

t.test(
  'every regular expression of the sources is linear on all inputs that are made against it',
  async (t) => {
    const patterns = sourcePatterns()
    t.ok(patterns.length > 100, `${patterns.length} patterns`)
    const found = patterns.flatMap(({ file, pattern }) => {
      const told = worst(pattern)
      return told ? [`${file} ${pattern}: ${told}`] : []
    })
    t.strictSame(found, [])
  },
)

/** The first attack under which the pattern is superlinear, in words. */
function worst(pattern: RegExp, sizes = SIZES): string | undefined {
  for (const attack of attacks(pattern)) {
    const told = slowness((length) => consume(pattern, inputOf(attack, length)), sizes)
    if (told) return `${JSON.stringify(attack)}: ${told}`
  }
  return undefined
}

function slowness(run: (length: number) => void, sizes: number[]): string | undefined {
  let took = 0
  for (const length of LENGTHS) {
    took = timeOf(run, length)
    // Garbage may be collected in one run, but hardly in two.
    if (took > TOO_LONG) took = timeOf(run, length)
    if (took > TOO_LONG) return `${took.toFixed(1)} ms at ${length}`
  }
  if (took < SUSPICIOUS) return undefined
  for (const size of sizes) {
    const told = superlinear(run, size)
    if (told) return told
  }
  return undefined
}

/** Milliseconds of CPU time, since the machine is shared. */
function timeOf(run: (length: number) => void, length: number): number {
  const start = process.threadCpuUsage()
  run(length)
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}

/** All matches one after the other, as the sources look for them. */
function consume(pattern: RegExp, text: string): void {
  if (!pattern.global && !pattern.sticky) pattern.test(text)
  else for (const _ of text.matchAll(new RegExp(pattern, `${pattern.flags.replace('g', '')}g`)));
}
