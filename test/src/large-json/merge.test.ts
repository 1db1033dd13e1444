// Large JSON is merged and compared with the same result as parsed values.
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { mergePatch, sameJson } from '../../../src/json/values.ts'
import { mergedJson } from '../../../src/large-json/merge.ts'
import { isSameValue } from '../../../src/large-json/same.ts'
import { textOf } from '../../../src/large-json/scan.ts'

const name = fc.constantFrom('a', 'b', 'c', '2', '10', '"', 'ä', '')
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'large' },
    fc.constantFrom<unknown>(null, true, 0, 1.5, -2, 'x', '€"', '😀'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
}))
const object = fc.dictionary(name, value, { maxKeys: 6, noNullPrototype: true })
/** Makes objects large enough to be merged as bytes. */
const filler = { filler: 'x'.repeat(70_000) }
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))

t.test('a merge of large objects is the merge of their values', async (t) => {
  fc.assert(
    fc.property(object, object, object, (target, patch, inner) => {
      const stored = { ...target, ...filler, deep: { ...inner, ...filler } }
      const sent = { deep: { ...patch, ...filler }, ...patch }
      assert.equal(textOf(mergedJson(bytes(stored), bytes(sent))), JSON.stringify(mergePatch(stored, sent)))
      assert.equal(textOf(mergedJson(bytes([]), bytes(sent))), JSON.stringify(mergePatch([], sent)))
    }),
    { numRuns: 500 },
  )
  t.pass('500 merges')
})

/** The same value with its properties in reverse. */
const reversed = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reversed)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([name, inner]) => [name, reversed(inner)]),
        )
      : value

t.test('JSON is the same if its values are', async (t) => {
  const pair = fc.oneof(
    fc.tuple(value, value),
    value.map((value) => [value, reversed(value)]),
    fc.tuple(value, value, value).map(([a, b, c]) => [
      { a, b, c },
      { c, a, b },
    ]),
  )
  fc.assert(
    fc.property(pair, ([a, b]) => {
      assert.equal(isSameValue(bytes(a), bytes(b), true), sameJson(a, JSON.stringify(b)))
      assert.equal(isSameValue(bytes(a), bytes(b), false), isDeepStrictEqual(a, b))
    }),
    { numRuns: 5000 },
  )
  const same = (a: string, b: string) => isSameValue(Buffer.from(a), Buffer.from(b), false)
  t.ok(same('[12345678901234567890]', '[12345678901234567000]'))
  t.ok(same('{"a":1.0,"b":[]}', '{"b":[],"a":1}'))
  t.notOk(same('[1]', '["1"]'))
  t.notOk(same('[1,2]', '[1]'))
  t.notOk(same('[true]', '[1]'))
  t.notOk(same('{"a":1,"b":2}', '{"b":2,"c":1}'))
})
