// What a merge patch replaces is left out of the stored JSON, and neither merge nor comparison has another result.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { mergePatch, sameValue } from '../../../src/json/values.ts'
import { withoutReplaced } from '../../../src/large-json/replaced.ts'
import { textOf } from '../../../src/large-json/scan.ts'

const text = fc.constantFrom(
  '',
  'a',
  'b',
  'ab',
  '"',
  '\\',
  '\n',
  '/',
  'ä',
  'é',
  '€',
  '😀',
  '\ud800',
  '\u2028',
)
const name = fc.constantFrom('name', 'path/', 'quote"', 'ä€', 'half\ud800')
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'large' },
    fc.constantFrom<unknown>(null, true, false, 0, -1, 0.5, 1e21),
    fc.array(text, { maxLength: 4 }).map((parts) => parts.join('')),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))

/** The same JSON as other programs write it. */
const written: ((json: string) => string)[] = [
  (json) => json,
  (json) => ` ${JSON.stringify(JSON.parse(json), null, 2)}\n`,
  (json) => json.replaceAll('/', '\\/'),
  (json) =>
    json.replace(
      /[^\0-\x7f]/g,
      (code) => `\\u${code.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
    ),
  (json) => json.replaceAll('0.5', '5.0e-1'),
  (json) => json.replaceAll('\\n', '\\u000a').replaceAll('\\u001f', '\\u001F'),
]

t.test('a patch has the same result without what it replaces', async (t) => {
  let left = 0
  const pair = fc.oneof(
    fc.tuple(value, value),
    value.map((value) => [value, value]),
  )
  fc.assert(
    fc.property(
      pair,
      value,
      name,
      fc.nat(written.length - 1),
      fc.boolean(),
      ([stored, sent], other, name, form, isTwice) => {
        const first = isTwice ? `${JSON.stringify(name)}:${JSON.stringify(other)},` : ''
        const plain = `{${first}${JSON.stringify(name)}:${JSON.stringify(stored)}}`
        const json = written[form]?.(plain) ?? plain
        const rest = textOf(withoutReplaced(Buffer.from(json), Buffer.from(JSON.stringify({ [name]: sent }))))
        if (rest !== json) left++
        for (const patch of [{ [name]: sent }, { [name]: sent, z: 1 }]) {
          assert.deepEqual(mergePatch(JSON.parse(rest), patch), mergePatch(JSON.parse(json), patch))
          assert.equal(sameValue(patch, JSON.parse(rest)), sameValue(patch, JSON.parse(json)))
        }
      },
    ),
    { numRuns: 20_000 },
  )
  t.ok(left > 1000, `${left} values are left out`)
})

t.test('only a large value that surely differs is left out', async (t) => {
  const long = 'x'.repeat(50)
  const rest = (stored: string, patch: string) =>
    textOf(withoutReplaced(Buffer.from(stored), Buffer.from(patch)))
  t.equal(rest(`{"a":"${long}"}`, '{"a":"y"}'), '{"a":null}')
  t.equal(rest(`{"a":"${long}"}`, '{"a":null}'), '{"a":0}')
  t.equal(
    rest(` { "b" : 1 , "\\u0061" : [ 1, "${long}" ] } `, '{"a":[2]}'),
    ' { "b" : 1 , "\\u0061" : null } ',
  )
  t.equal(rest(`{"a":["${long}"]}`, `{"a":["${long}",1]}`), '{"a":null}')
  t.equal(rest(`{"a":["${long}"]}`, '{"a":{"b":1}}'), '{"a":null}')
  for (const [stored, patch] of [
    [`{"a":"${long}"}`, `{"a":"${long}"}`],
    [`{"a":"${long}"}`, '{"b":1}'],
    [`{"a":{"b":"${long}"}}`, '{"a":{"b":1}}'],
    [`{"a":"x","b":1,"c":"y"}`, '{"a":2}'],
    [`{"a":"\\u0078${long}"}`, `{"a":"x${long}"}`],
    [`{"a":"\\u000a${long}"}`, `{"a":"\\n${long}"}`],
    [`{"a":"\\u001F${long}"}`, `{"a":"\\u001f${long}"}`],
    [`["${long}"]`, '{"a":1}'],
    [`{"a":"${long}"}`, '[1]'],
  ] as const)
    t.equal(rest(stored, patch), stored)
})
