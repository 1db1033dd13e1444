// No regular expression of the sources costs more than linear time, whatever it is tried on.
import t from 'tap'
import { superlinear } from './support/growth.ts'
import { attacks, inputOf } from './support/regexp-attacks.ts'
import { literals, sourcePatterns } from './support/source-patterns.ts'

/** Characters of the first look, and milliseconds from which on an input is looked at closely. */
const LENGTH = 3000
const SUSPICIOUS = 0.3
const N = 4000

// Thousands of attempts, on a machine that others use as well.
t.setTimeout(300_000)

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
  ]
  // Longer inputs, so that this is seen on a fast machine and above the noise of a busy one.
  for (const pattern of known) t.ok(worst(pattern, 2 * N), String(pattern))
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
function worst(pattern: RegExp, length = N): string | undefined {
  for (const attack of attacks(pattern)) {
    const text = inputOf(attack, LENGTH)
    const start = performance.now()
    consume(pattern, text)
    if (performance.now() - start < SUSPICIOUS) continue
    const told = superlinear((n) => consume(pattern, inputOf(attack, n)), length)
    if (told) return `${JSON.stringify(attack)}: ${told}`
  }
  return undefined
}

/** All matches one after the other, as the sources look for them. */
function consume(pattern: RegExp, text: string): void {
  if (!pattern.global && !pattern.sticky) pattern.test(text)
  else for (const _ of text.matchAll(new RegExp(pattern, `${pattern.flags.replace('g', '')}g`)));
}
