// Large JSON that is written anew slice by slice comes out as if it had been parsed at once.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { isWellFormed } from '../../../src/json/values.ts'
import { itemsOf } from '../../../src/json-text.ts'
import { countedItems } from '../../../src/large-json/count.ts'
import { rewritten } from '../../../src/large-json/rewrite.ts'
import { propertiesOf, textOf } from '../../../src/large-json/scan.ts'

/** What comes out, or undefined for what is no JSON. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function inSlices(text: string, length: number) {
  const { json: bytes, items, isWellFormed } = rewritten(Buffer.from(text), () => {}, length)
  const json = textOf(bytes)
  return { json, items, isWellFormed }
}

function atOnce(text: string) {
  const value: unknown = JSON.parse(text)
  const json = JSON.stringify(value)
  return { json, items: itemsOf(json), isWellFormed: isWellFormed(value) }
}

/** JSON with equal names, names that are numbers, escapes, half pairs and blanks. */
const { json } = fc.letrec<{ json: string }>((tie) => {
  const blank = fc.constantFrom('', '', ' ', '\n\t', '\r')
  const string = fc.constantFrom(
    '"a"',
    '"1"',
    '"10"',
    '"\\u00e4\\n"',
    '"\\ud800"',
    '"\\ud83d\\ude00\\ud83d\\ud83d\\ude00"',
    '"4294967294"',
    '"4294967295"',
    '"01"',
    '"😀"',
    '"€ , ] } \\" \\\\"',
    '"long, plain string"',
  )
  const number = fc.constantFrom('0', '-1.5e3', '123456789012')
  const list = (open: string, item: fc.Arbitrary<string>, close: string) =>
    fc
      .tuple(blank, fc.array(item, { maxLength: 6 }))
      .map(([space, items]) => open + space + items.join(`${space},${space}`) + space + close)
  const property = fc
    .tuple(string, blank, tie('json'))
    .map(([name, space, value]) => `${name}${space}:${value}`)
  return {
    json: fc.oneof(
      { maxDepth: 5, depthSize: 'large' },
      number,
      string,
      fc.constantFrom('null', 'true', 'false'),
      list('[', tie('json'), ']'),
      list('{', property, '}'),
    ),
  }
})
const length = fc.integer({ min: 1, max: 40 })

t.test('any JSON comes out as from JSON.parse, whatever the length of the slices', async (t) => {
  fc.assert(
    fc.property(json, length, (text, length) => {
      const { isWellFormed, ...written } = inSlices(text, length)
      const { isWellFormed: expected, ...whole } = atOnce(text)
      assert.deepEqual(written, whole)
      assert.equal(countedItems(Buffer.from(text), 100), whole.items)
      // A value that gives way to another of the same name counts, too.
      assert.ok(expected || !isWellFormed)
    }),
    { numRuns: 2000 },
  )
  t.pass('2000 values')
})

t.test('what JSON.parse refuses is refused', async (t) => {
  const broken = fc.tuple(
    json,
    fc.nat(),
    fc.constantFrom('', ',', ':', '[', ']', '{', '}', '"', '1', ' ', 'x'),
  )
  fc.assert(
    fc.property(broken, length, ([text, place, more], length) => {
      const at = place % (text.length + 1)
      const changed = (text.slice(0, at) + more + text.slice(at + (more === '' ? 1 : 0))).toWellFormed()
      const expected = attempt(() => atOnce(changed))
      assert.equal(attempt(() => inSlices(changed, length))?.json, expected?.json)
      assert.equal(countedItems(Buffer.from(changed), 100), expected?.items)
    }),
    { numRuns: 5000 },
  )
  t.pass('5000 texts')
})

t.test('the properties of an object are those of JSON.parse, and other values have none', async (t) => {
  fc.assert(
    fc.property(json, (text) => {
      const value: unknown = JSON.parse(text)
      const isObject = text.trimStart().startsWith('{')
      const found = propertiesOf(Buffer.from(text))
      assert.deepEqual(
        found && Object.fromEntries(found.map(([name, part]) => [name, JSON.parse(textOf(part))])),
        isObject ? value : undefined,
      )
    }),
    { numRuns: 1000 },
  )
  for (const text of ['{', '{"a":1', '{"a" 1}', '{a:1}', '{"a":1}}', '{"a":1} x', '{,}', '{"a":1,}', '{1:1}'])
    t.throws(() => propertiesOf(Buffer.from(text)), SyntaxError, text)
})

t.test('what is JSON is told without parsing', async (t) => {
  const texts = [
    ...['', ' ', '1', '-1', '-', '01', '1.', '.5', '1.5e', '1e5', '1E+05', '1e-', '-0', '+1', '1 2', '0x1'],
    ...['true', 'tru', 'truee', 'nul', 'null', 'false', 'NaN', 'undefined', "'a'", '"a', '"a"', '"\\"'],
    ...['"\\x"', '"\\u12g4"', '"\\u12"', '"\\u12', '"\\uABCd"', '"\t"', '"\u0000"', '"\u007f"', '"\u2028"'],
    ...[
      '[',
      ']',
      '[]',
      '[,]',
      '[1,]',
      '[1 2]',
      '[[]]',
      '[}',
      '{]',
      '{}',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '{,}',
    ],
    ...[
      '{"a":1 "b":2}',
      '{"a":1}}',
      '{a:1}',
      '{1:1}',
      '\ufeff[]',
      '[]\u00a0',
      '\v[]',
      '{"a":1,"\\u0061":2,"b":3}',
    ],
  ]
  const expected = (text: string) => attempt(() => itemsOf(JSON.stringify(JSON.parse(text))))
  t.strictSame(
    texts.map((text) => [text, countedItems(Buffer.from(text), 100)]),
    texts.map((text) => [text, expected(text)]),
  )
  const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth))
  t.strictSame([countedItems(nested(10), 10), countedItems(nested(11), 10)], [1, undefined])
})
