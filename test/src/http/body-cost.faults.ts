// The cost of reading a body grows with its length and no faster.
import t from 'tap'
import { parseBody } from '../../../src/http/body.ts'

/** Milliseconds of CPU time of the quickest of three runs. */
function cost(work: () => void): number {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const { user } = process.threadCpuUsage()
      work()
      return (process.threadCpuUsage().user - user) / 1000
    }),
  )
}

t.test('the cost of a body grows with its length and no faster, whatever it holds', async (t) => {
  const shapes: Record<string, (size: number) => string> = {
    'empty arrays': (size) => '[],'.repeat(size / 3),
    'empty objects': (size) => '{},'.repeat(size / 3),
    'long numbers': (size) => '12345678901234567890,'.repeat(size / 21),
    escapes: (size) => `"${'\\ud83d\\ude00'.repeat(size / 12)}",`,
    'half pairs': (size) => '"\\ud800",'.repeat(size / 9),
    backslashes: (size) => `"${'\\\\'.repeat(size / 2)}",`,
    quotes: (size) => `"${'\\"'.repeat(size / 2)}",1234567890123456789,`,
    digits: (size) => `${'1'.repeat(300)},`.repeat(size / 301),
    'equal names': (size) => `{${'"a":1,'.repeat(size / 6)}"a":2},`,
  }
  const quietly = (work: () => void) => {
    try {
      work()
    } catch {}
  }
  for (const [name, shape] of Object.entries(shapes)) {
    const body = (size: number) => Buffer.from(`{"elements":[${shape(size)}0]}`)
    const [small, large] = [body(250_000), body(1_000_000)]
    const costOf = (bytes: Buffer) => cost(() => quietly(() => parseBody(bytes)))
    const ratio = () => costOf(large) / Math.max(costOf(small), 1)
    const least = [ratio, ratio, ratio].reduce(
      (best, measure) => (best < 12 ? best : Math.min(best, measure())),
      Infinity,
    )
    t.ok(least < 12, `${name}: ${least.toFixed(1)} times the cost for 4 times the length`)
  }
})
