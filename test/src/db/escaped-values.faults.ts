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

t.test('readStoredJson: a value that is escaped for HTML takes little longer than plain JSON', async (t) => {
  for (const [elements, length] of [
    [100, 270_000],
    [25_000, 1000],
  ] as const) {
    const make = plain(elements, length)
    const escaped = cpuOf((round) => make(round).replaceAll('"', '&quot;'))
    const ratio = escaped / cpuOf((round) => make(round + 10))
    t.ok(ratio < 3.5, `${elements} elements: ${ratio.toFixed(1)} times`)
  }
})
