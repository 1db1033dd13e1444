// What is counted and found in JSON texts without parsing them, each beside what parsing finds.
import fc from 'fast-check'
import t from 'tap'
import { hasEscapedName } from '../../../src/json/names.ts'
import { afterString, Pieces } from '../../../src/json/strings.ts'
import { extentOf, hasProperty, itemsOf } from '../../../src/json/text.ts'
import { foreignJson } from '../../../src/json/untrusted.ts'

const names = (count: number, name = (i: number) => `name${i}`) =>
  `{${Array.from({ length: count }, (_, i) => `"${name(i)}":1`).join()}}`

t.test('json/text: a text has as many values as it is work to read', (t) => {
  const known: [text: string, depth: number, values: number][] = [
    ['1', 0, 1],
    ['"[{,:}]"', 0, 1],
    ['"a\\"[[["', 0, 1],
    ['[]', 1, 2],
    ['[1,2,3]', 1, 4],
    ['[[1],[2,[3]]]', 3, 7],
    ['{"a":1}', 1, 2 + 7],
    ['[{"a":1},{"a":2}]', 2, 5 + 7],
    ['{"\\u0061":1}', 1, 2 + 22],
    ['[{"\\u0061":1},{"\\u0061":2}]', 2, 5 + 22 + 8],
    ['123456789012345', 0, 1],
    ['1234567890123456', 0, 1 + 5],
    ['9000000000000000', 0, 1 + 5],
    ['12345678901234567890', 0, 1 + 5],
    ['1234567890.1234567', 0, 1],
    ['[1234567890123456,9999999999999999]', 1, 3 + 10],
    ['"1234567890123456"', 0, 1],
    ['{"a":123456789012345}', 1, 2 + 7],
    ['1e5', 0, 1 + 5],
    ['9E5', 0, 1 + 5],
    ['0e5', 0, 1 + 5],
    ['true', 0, 1],
    ['[false,null]', 1, 3],
    ['"1e5"', 0, 1],
  ]
  for (const [text, depth, values] of known) t.strictSame(extentOf(text), { depth, values }, text)
  t.end()
})

t.test('json/text: of an object with more than a thousand properties each further one counts more', (t) => {
  const extentWith = (count: number) => extentOf(names(count, () => 'a')).values
  t.equal(extentWith(1000), 1 + 1000 + 7)
  t.equal(extentWith(1001), 1 + 1001 + 7 + 5)
  t.equal(extentWith(1003), 1 + 1003 + 7 + 3 * 5)
  const half = names(600, () => 'a')
  t.equal(extentOf(`[${half},${half}]`).values, 2 + 1 + 1200 + 7, 'each object counts its own')
  t.end()
})

t.test('json/text: new names are told from known ones, whatever their length', (t) => {
  // Two names of a short text may be taken for one.
  const text = `{"a":[],"b":{"c":"\\\\${'x'.repeat(100_000)}"}}`
  t.equal(extentOf(text).values, 5 + 3 * 7)
  const all = names(500, (i) => 'x'.repeat(i))
  const { values } = extentOf(`[${all},${all}]`)
  const most = 2 + 2 * 500 + 500 * 7 + 1
  t.ok(values <= most && values > most - 20 * 7, `${values} of ${most}`)
  t.end()
})

t.test('json/text: counting ends where more need not be counted', (t) => {
  const most = { depth: 3, values: 50 }
  t.strictSame(extentOf('[[[]]]', most), { depth: 3, values: 4 })
  t.equal(extentOf('['.repeat(1000), most).depth, 4)
  t.equal(extentOf('[],'.repeat(1000), most).values, 52)
  t.end()
})

t.test('json/text: items and properties are counted as parsing counts them', (t) => {
  const texts =
    `[] {} [1] [[]] [{}] {"a":1} {"a":[1,2],"b":{"c":1,"d":2}} [1,2,3] ["a,b","[{"] [[1,2],[3,4],[]] ["\\"",1]
    1 "a,b" null [null] [""] [0,[[[]]]]`.split(/ +|\n +/)
  for (const text of [...texts, ' [ ] ', ' { } ', '\n[ 1 ,\t2 ]', '{ "a" : [ ] }', '[ [ ] ]', ' "[1,2]"']) {
    const value: unknown = JSON.parse(text)
    const count = typeof value === 'object' && value !== null ? Object.keys(value).length : 0
    t.equal(itemsOf(text), count, text)
  }
  t.end()
})

t.test('json/text: a property is found in its object alone, however its name is written', (t) => {
  const found = [
    '{"a":1}',
    '{"b":1,"a":2}',
    '{ "b" : [1,2] , "a" : 2 }',
    '{"\\u0061":1}',
    '{"b":{"c":1},"a":0}',
  ]
  const missing = [
    '{}',
    '[]',
    '"a"',
    '{"b":"a"}',
    '{"b":{"a":1}}',
    '{"b":["a",1,"a"]}',
    '[{"a":1}]',
    '{"b":"x\\",\\"a"}',
  ]
  for (const text of found) t.equal(hasProperty(text, ['x', 'a']), true, text)
  for (const text of missing) t.equal(hasProperty(text, ['x', 'a']), false, text)
  t.end()
})

t.test('json/text: a string ends at its first quote that is not escaped, near or far', (t) => {
  for (const length of [0, 1, 126, 127, 128, 129, 130, 300])
    for (const tail of ['', '\\"', '\\\\', '\\\\\\"', '\\"x\\"', '\\\\"'.slice(0, 2)]) {
      const content = 'x'.repeat(length) + tail
      t.equal(afterString(`"${content}",1]`, 1), content.length + 2, `${length} ${tail}`)
      t.equal(afterString(`"${content}`, 1), content.length + 1, `${length} ${tail} not closed`)
    }
  t.end()
})

t.test('json/text: escaped names are found as parsing would find them, in short and in dense texts', (t) => {
  const values = ['"a"', '"\\n"', '"\\\\"', '"\\"{\\"a\\":1}"', '1', '["\\n","\\"",1]', '{"b":"\\\\\\":"}']
  for (const value of values)
    for (const many of [1, 5, 40, 100]) {
      const plain = `[${Array(many).fill(value).join()},{"c" :1}]`
      t.equal(hasEscapedName(plain), false, `${many} of ${value}`)
      for (const name of ['\\n', '\\\\', 'c\\"', '\\u00e4\\u00e4'])
        for (const [before, after] of [
          ['', ''],
          [' \n', '\t\r\n '],
        ] as const) {
          t.equal(hasEscapedName(`[${Array(many).fill(value).join()},{${before}"${name}"${after}:1}]`), true)
          t.equal(
            hasEscapedName(`{${before}"${name}"${after}:1,"x":[${Array(many).fill(value).join()}]}`),
            true,
          )
        }
    }
  t.end()
})

t.test(
  'json/text: escaped names are found as a reader of strings finds them, in any mixture of short and dense strings',
  (t) => {
    const texts = ['a', 'b ', '\\\\', '\\n', '\\"', ',', '{', ':', '\\u0041']
    const found = [0, 0]
    const text = fc.gen().map((g) => {
      const pick = <T>(...items: T[]): T => items[g(fc.nat, items.length - 1)] as T
      const blank = () => pick('', '', '', ' ', '\n\t')
      const many = (counts: number[], item: () => string) => Array.from({ length: pick(...counts) }, item)
      const string = (pieces: string[]) => `"${many([0, 0, 1, 2, 40], () => pick(...pieces)).join('')}"`
      const items = (item: () => string) => many([0, 1, 3, 60], item).join(`${blank()},${blank()}`)
      const name = () => string(pick(0, 1, 2, 3, 4, 5, 6, 7, 8) === 0 ? texts : ['a', 'b'])
      const value = (depth: number): string => {
        const kind = depth === 0 ? 'string' : pick('string', 'string', 'number', 'list', 'object')
        if (kind === 'list') return `[${items(() => value(depth - 1))}]`
        if (kind === 'object') return `{${blank()}${items(() => `${name()}${blank()}:${value(depth - 1)}`)}}`
        return kind === 'string' ? string(texts) : '1'
      }
      return `[${value(2)},${value(2)}]`
    })
    const hasEscaped = fc.property(text, (json) => {
      const strings = [...json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)]
      const isThere = strings.some(([, own = '', colon]) => colon !== undefined && own.includes('\\'))
      found[Number(isThere)] = (found[Number(isThere)] ?? 0) + 1
      return hasEscapedName(json) === isThere
    })
    fc.assert(hasEscaped, { numRuns: 1000 })
    t.ok(
      found.every((count) => count > 100),
      `${found}`,
    )
    t.end()
  },
)

t.test('json/text: pieces are put together in their order, however many', (t) => {
  const pieces = new Pieces()
  for (let i = 0; i < 25_000; i++) pieces.add(`${i}`, ',')
  t.equal(pieces.text, `${Array.from({ length: 25_000 }, (_, i) => i).join()},`)
  t.equal(new Pieces().text, '')
  t.end()
})

t.test('json/text: JSON of other servers is read within its limits', (t) => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  t.strictSame(foreignJson('{"a":[1]}'), { a: [1] })
  t.type(foreignJson(nested(512)), Array)
  for (const text of [nested(513), '{', '', `[${'1,'.repeat(200_000)}1]`])
    t.equal(foreignJson(text), undefined)
  t.type(foreignJson(`[${'1,'.repeat(199_997)}1]`), Array)
  t.end()
})
