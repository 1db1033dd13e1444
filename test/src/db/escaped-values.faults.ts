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
  'in a PHP array': (text) => `a:1:{i:0;${serialized(text)}}`,
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
