// Stored values of the largest size are read on the main thread, so none may take much longer than plain JSON does.
import t from 'tap'
import { readStoredJson } from '../../../src/db/stored-json.ts'

/** CPU time of the quickest of three readings, each of another text, because texts that were read once are remembered. */
function cpuOf(textOf: (round: number) => string): number {
  const times = [1, 2, 3].map((round) => {
    const text = Buffer.from(textOf(round)).toString()
    const before = process.cpuUsage()
    t.ok(readStoredJson(text, '[]'))
    const { user, system } = process.cpuUsage(before)
    return user + system
  })
  return Math.min(...times)
}

const plain = (elements: number, length: number) => (round: number) =>
  JSON.stringify(
    Array.from({ length: elements }, (_, i) => ({ source: 'x'.repeat(length), title: `${i} ${round}` })),
  )

const slashed = (text: string) => text.replace(/["\\]/g, '\\$&')
const serialized = (text: string) => `s:${Buffer.byteLength(text)}:"${text}";`
const encodings: Record<string, (text: string) => string> = {
  'escaped for HTML': (text) => text.replaceAll('"', '&quot;'),
  'with three layers of backslashes': (text) => slashed(slashed(slashed(text))),
  'serialized three times': (text) => serialized(serialized(serialized(text))),
}

const phpArray = (entries: readonly string[]) => `a:${entries.length}:{${entries.join('')}}`
/** The largest arrays of PHP that are read. */
const phpArrays: Record<string, (round: number) => string> = {
  'one text': (round) => phpArray([`i:0;${serialized(`${round} ${'x'.repeat(16_700_000)}`)}`]),
  'JSON in a text': (round) => phpArray([`i:0;${serialized(plain(15_000, 1000)(round))}`]),
  numbers: (round) => phpArray(Array.from({ length: 116_000 }, (_, index) => `i:${index};i:${round};`)),
  texts: (round) =>
    phpArray(Array.from({ length: 105_000 }, (_, index) => `i:${index};${serialized(`text ${round}`)}`)),
  names: (round) =>
    phpArray(
      Array.from({ length: 60_000 }, (_, index) => `${serialized(`name ${index} ${round}`)}i:${round};`),
    ),
}

t.test('readStoredJson: a value in another encoding takes little longer than plain JSON', async (t) => {
  for (const [elements, length] of [
    [100, 270_000],
    [25_000, 1000],
  ] as const) {
    const make = plain(elements, length)
    const plainCost = cpuOf((round) => make(round + 10))
    for (const [name, encoded] of Object.entries(encodings)) {
      const ratio = cpuOf((round) => encoded(make(round))) / plainCost
      t.ok(ratio < 5.5, `${elements} elements ${name}: ${ratio.toFixed(1)} times`)
    }
  }
})

t.test(
  'readStoredJson: the largest arrays of PHP take little longer than the largest plain JSON',
  async (t) => {
    const plainCost = cpuOf((round) => plain(100, 320_000)(round + 20))
    for (const [name, make] of Object.entries(phpArrays)) {
      const ratio = cpuOf(make) / plainCost
      t.ok(ratio < 2, `${name}: ${ratio.toFixed(1)} times`)
    }
  },
)
