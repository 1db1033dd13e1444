// JSON is read as it is written, whatever was read before in the same process.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { fromJson, misreadsNames, parseExact } from '../../../src/json/parse.ts'
import { superlinear } from '../../support/fixtures/growth.ts'
import { slowJson } from '../../support/fixtures/slow-json.ts'

/** As json_encode of PHP escapes it. */
const phpString = (text: string) =>
  JSON.stringify(text)
    .replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/')

/** Shows own properties in their order, `__proto__` and lone surrogates. */
const shown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shown)
  return typeof value === 'object' && value !== null
    ? Object.entries(value).map(([name, each]) => [name, shown(each)])
    : value
}

/** Makes V8 misread the names of the text: of every object, each name with the first characters of its source. */
function poison(names: readonly string[]): void {
  names.forEach((name, at) => {
    const raw = phpString(name).slice(1, 1 + name.length)
    const before = names.slice(0, at).map((each) => `${JSON.stringify(each)}:1,`)
    JSON.parse(`{${before.join('')}${JSON.stringify(raw)}:1}`)
  })
}

t.test('fromJson: an object that others have read does not change the names of a later one', async (t) => {
  JSON.parse('{"a":{"stageWidth":1,"Gr\\\\u0":1,"z":1}}')
  t.strictSame(fromJson('{"stageWidth":400,"Gr\\u00f6\\u00dfe":"M","layout":"x"}'), {
    stageWidth: 400,
    Größe: 'M',
    layout: 'x',
  })
  JSON.parse('{"h":[],"\\\\":0}')
  t.strictSame(fromJson('{"h":1,"\\"":2}'), { h: 1, '"': 2 })
  t.strictSame(fromJson('[{"x":[{"h":1,"\\n":2}]}]'), [{ x: [{ h: 1, '\n': 2 }] }])
  const exact = parseExact('{"h":12345678901234567890,"\\u00e9":2}')
  t.equal(JSON.stringify(exact), '{"h":12345678901234567890,"é":2}')
})

/** The value, and what it contains, as far as it is an object. */
const objectsIn = (value: unknown): object[] =>
  typeof value === 'object' && value !== null
    ? [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(objectsIn)]
    : []

const character = fc.constantFrom(...'ab01"\\/ :,{}[]\n\t\u0000\u001fäöß€😀', '\ud83d', '\ude00')
const name = fc.oneof(
  fc.string({ unit: character, maxLength: 6 }),
  fc.constantFrom('__proto__', 'constructor', '0', '7', '42', '01', '4294967294', '', 'u00e4', '\\u00e4'),
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'large' },
    fc.constantFrom('null', 'true', '1.5e3', '-0', '"x"', '"\\u00e4\\n"', '"a\\"b:"', '"\\\\"', '":"'),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    fc
      .array(fc.tuple(name, tie('value'), fc.constantFrom('', ' ', '\n\t')), { maxLength: 5 })
      .map(
        (entries) =>
          `{${entries.map(([key, each, gap]) => `${gap}${phpString(key)}${gap}:${each}`).join(',')}}`,
      ),
  ),
}))

t.test('fromJson: names that PHP has escaped are read as they are meant, after any poison', async (t) => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 5 }), value, (names, nested) => {
      const text = `{${[...names.map((each) => `${phpString(each)}:1`), `"nested":${nested}`].join(',')}}`
      for (const each of objectsIn(slowJson(text))) poison(Object.keys(each))
      assert.deepEqual(shown(fromJson(String(text))), shown(slowJson(text)))
    }),
    { numRuns: 3000 },
  )
  t.pass('3,000 texts')
})

/** Backslashes close together, which are passed in another way: in items, in values, in a value and in a name of their own. */
const crowded = fc.constantFrom<(text: string) => string>(
  (text) => `[${'"\\n",'.repeat(40)}${text}]`,
  (text) => `[${'"\\n", '.repeat(40)}"a",${text},"\\""]`,
  (text) => `[${'"\\n",'.repeat(40)}${text.replace('{"', '{\n"')}]`,
  (text) => `{"a":["x","${'\\"'.repeat(40)}","\\\\"],"b":${text},"c":["\\\\","\\n"]}`,
  (text) => `{"a":"${'\\"x\\":'.repeat(40)}","nested":${text}}`,
  (text) => `{${Array.from({ length: 40 }, (_, at) => `"${at}" : "\\\\",`).join('\n')}"nested":${text}}`,
  (text) => `{"a":1 ,\n"${'\\"'.repeat(40)}": ${text}}`,
)

t.test('fromJson: so are names after many backslashes', async (t) => {
  fc.assert(
    fc.property(crowded, fc.array(name, { minLength: 1, maxLength: 3 }), value, (crowd, names, nested) => {
      const text = crowd(
        `{${[...names.map((each) => `${phpString(each)}:1`), `"nested":${nested}`].join(',')}}`,
      )
      for (const each of objectsIn(slowJson(text))) poison(Object.keys(each))
      assert.deepEqual(shown(fromJson(text)), shown(slowJson(text)))
    }),
    { numRuns: 3000 },
  )
  t.pass('3,000 texts')
})

t.test('fromJson: what is not JSON is refused, and nothing else', async (t) => {
  const alphabet = fc.constantFrom(...'{}[]",:\\u0041 a1n', '"a":', '\\u0022', '\\u002c', '{"', '":')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(alphabet, { maxLength: 14 }).map((parts) => parts.join('')),
        value,
      ),
      (text) => {
        const source = String(text)
        let expected: unknown
        try {
          expected = slowJson(source)
        } catch {
          assert.throws(() => fromJson(source), SyntaxError, source)
          return
        }
        assert.deepEqual(shown(fromJson(source)), shown(expected), source)
      },
    ),
    { numRuns: 20_000 },
  )
  for (const text of [
    '{"a,":1\\u002c":":2}',
    '{"a":1\\u002c":":2}',
    '{"a\\x":1}',
    '{"\\u00e":1}',
    '{"a\\',
    '"\\',
  ])
    t.throws(() => fromJson(text), SyntaxError, text)
})

t.test('fromJson: of equal names the last value counts, at the place of the first', async (t) => {
  t.strictSame(shown(fromJson('{"\\"":1,"b":2,"\\u0022":3}')), [
    ['"', 3],
    ['b', 2],
  ])
  t.strictSame(shown(fromJson('{"\\u0061":1,"1":2,"a":3,"\\u0030":4}')), [
    ['0', 4],
    ['1', 2],
    ['a', 3],
  ])
  const own = fromJson('{"\\u005f_proto__":{"x":1},"\\"":{"__proto__":{"\\\\":1}}}')
  t.strictSame(shown(own), [
    ['__proto__', [['x', 1]]],
    ['"', [['__proto__', [['\\', 1]]]]],
  ])
  t.equal(Object.getPrototypeOf(own), Object.prototype)
})

t.test('fromJson: the time grows with the length of the text, whatever it contains', async (t) => {
  const shapes: Record<string, (n: number) => string> = {
    'one escaped name many times': (n) => `[${'{"\\u00e4":1},'.repeat(n)}0]`,
    'many escaped names': (n) => `{${Array.from({ length: n }, (_, at) => `"\\u00e4${at}":1`).join(',')}}`,
    'many names with quotes': (n) => `{${Array.from({ length: n }, (_, at) => `"\\"${at}":1`).join(',')}}`,
    'objects within each other': (n) => '{"\\"":'.repeat(n) + 1 + '}'.repeat(n),
    'backslashes in one string': (n) => `["${'\\\\'.repeat(n * 8)}",{"\\u00e4":1}]`,
    'quotes in one string': (n) => `["${'\\"'.repeat(n * 8)}"]`,
    'JSON in a string': (n) => `{"a":"${'{\\"b\\":1},'.repeat(n)}"}`,
    'JSON in strings': (n) => `[1${',"{\\"b\\":[1,2,\\"\\\\\\\\\\"]}"'.repeat(n)}]`,
    'one long name': (n) => `{"${'\\"'.repeat(n * 8)}":1}`,
    'escaped items': (n) => `[${'"\\n",'.repeat(n)}0]`,
    'no end': (n) => `{"${'\\"'.repeat(n * 8)}`,
    'commas and whitespace': (n) => `["${'\\n'.repeat(200)}${'{ , '.repeat(n * 4)}"]`,
  }
  for (const [name, make] of Object.entries(shapes)) {
    const made = new Map<number, string>()
    const textOf = (n: number) => made.get(n) ?? made.set(n, make(n)).get(n) ?? ''

    t.equal(
      superlinear((n) => {
        const text = textOf(n)
        try {
          fromJson(text)
        } catch {
          // It takes its time as well.
        }
      }, 30_000),
      undefined,
      name,
    )
  }
})

t.test('fromJson: whether this Node.js has the fault is told by what it does', async (t) => {
  JSON.parse('{"fault":1,"\\\\":1}')
  t.equal(misreadsNames(), !Object.hasOwn(JSON.parse('{"fault":1,"\\u00e4":1}'), 'ä'))
})
