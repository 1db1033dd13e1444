// The tag of stored values: a hash of their text and lengths.
import { hash } from 'node:crypto'
import t from 'tap'
import { stateTag, stateTagInTurns } from '../../../src/db/state-tag.ts'

const wholeTag = (values: (string | number | null)[]) => {
  const parts = values.map((value) => (value === null ? '-;' : `${String(value).length}:${value};`))
  return hash('sha256', parts.join(''), 'base64url').slice(0, 27)
}

t.test('the tag is the hash of all values, however long they are together', async (t) => {
  const medium = 'Ä€x'.repeat(20_000)
  const cases: (string | number | null)[][] = [
    [],
    [7, 'a', null, ''],
    [7, medium, null, 'end'],
    Array.from({ length: 20 }, (_, i) => `${medium}${i}`),
    // Half a character at both ends of a value.
    [`\ud83d${medium}`, `\ude00${medium}\ud83d`, '\ude00'],
  ]
  for (const values of cases) {
    t.equal(stateTag(...values), wholeTag(values))
    t.equal(await stateTagInTurns(values), wholeTag(values))
  }
})

t.test('values that only join to the same text have different tags', async (t) => {
  const medium = 'x'.repeat(70_000)
  t.not(stateTag(`${medium}ab`, 'c'), stateTag(`${medium}a`, 'bc'))
  t.not(stateTag(medium, null), stateTag(medium, ''))
})
