// Serialized PHP values: reading, writing, and what is refused.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { phpFromJson, phpToJsonText } from '../../../src/db/php-json.ts'
import { type PhpEntry, PhpFormatError, type PhpValue, readPhp, writePhp } from '../../../src/db/php-value.ts'

const numRuns = process.env.SVC_SOAK ? 20_000 : 200

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const string = fc.string({ unit: 'binary' })
const floatText = fc.oneof(
  fc.constantFrom('INF', '-INF', 'NAN', '-0', '0.10000000000000001', '1.0E+25', '1e-7', '9007199254740993'),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => String(Object.is(value, -0) ? 0 : value)),
)
const { phpValue } = fc.letrec<{ phpValue: PhpValue }>((tie) => ({
  phpValue: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    int64,
    string,
    floatText.map((float) => ({ float })),
    fc
      .array(fc.tuple(fc.oneof(int64, string, fc.constant('__proto__')), tie('phpValue')))
      .map((entries: PhpEntry[]) => ({ entries })),
  ),
}))

const toJson = (text: string) => phpToJsonText(readPhp(text))
const nested = (depth: number) => `${'a:1:{i:0;'.repeat(depth)}N;${'}'.repeat(depth)}`

t.test('what was written reads as the same value, and that writes the same bytes', async () => {
  const property = fc.property(phpValue, (value) => {
    const text = writePhp(value)
    assert.deepEqual(readPhp(text), value)
    assert.equal(writePhp(readPhp(text)), text)
  })
  fc.assert(property, { numRuns })
})

t.test('a JSON value comes back from PHP as the same JSON value', async () => {
  const property = fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
    // PHP knows no empty object and no sign of zero.
    const expected = JSON.stringify(value, (_, property) =>
      property && typeof property === 'object' && Object.keys(property).length === 0 ? [] : property,
    )
    assert.equal(JSON.stringify(JSON.parse(toJson(writePhp(phpFromJson(value))))), expected)
  })
  fc.assert(property, { numRuns })
})

t.test('a string that is not a serialized value gives a PhpFormatError or only itself', async () => {
  const broken = fc
    .tuple(phpValue, fc.nat(), fc.nat(3), fc.stringMatching(/^[abdisNRO:;{}"0-9-]{0,3}$/))
    .map(([value, at, cut, insert]) => {
      const text = writePhp(value)
      const start = at % (text.length + 1)
      return text.slice(0, start) + insert + text.slice(start + cut)
    })
  const property = fc.property(broken, (text) => {
    try {
      assert.equal(writePhp(readPhp(text)), text)
    } catch (error) {
      assert.ok(error instanceof PhpFormatError)
    }
  })
  fc.assert(property, { numRuns })
})

t.test('lengths of strings count bytes, not characters', async (t) => {
  t.equal(readPhp('s:11:"Größe😀";'), 'Größe😀')
  t.equal(writePhp('Größe😀'), 's:11:"Größe😀";')
  t.throws(() => readPhp('s:6:"Größe";'), PhpFormatError)
  t.throws(() => readPhp('s:1:"é";'), PhpFormatError, 'not even in the middle of a character')
})

t.test('a string may hold quotes, ends of strings and zero bytes', async (t) => {
  t.equal(readPhp('s:8:"a";s:"\0\n";'), 'a";s:"\0\n')
})

t.test('ints beyond 2^53 stay exact', async (t) => {
  t.equal(readPhp('i:9007199254740993;'), 9007199254740993n)
  t.equal(toJson('a:2:{i:0;i:9223372036854775807;i:1;i:-9223372036854775808;}').length, 42)
  t.equal(toJson('i:9223372036854775807;'), '9223372036854775807')
})

t.test('a float keeps the digits that PHP wrote', async (t) => {
  for (const float of ['0.10000000000000001', '1.0E+25', '-0', '3', 'INF', '-INF', 'NAN']) {
    t.equal(writePhp(readPhp(`d:${float};`)), `d:${float};`)
  }
  t.equal(JSON.parse(toJson('d:1.0E+25;')), 1e25)
})

t.test('infinity, NaN and a float that overflows have no JSON text', async (t) => {
  for (const float of ['INF', '-INF', 'NAN', '1.0E+400'])
    t.throws(() => toJson(`d:${float};`), PhpFormatError)
})

t.test('an array with the keys 0 to n-1 in order is a list, any other an object in its order', async (t) => {
  t.equal(toJson('a:2:{i:0;s:1:"a";i:1;b:1;}'), '["a",true]')
  t.equal(toJson('a:2:{i:1;s:1:"a";i:0;N;}'), '{"1":"a","0":null}')
  t.equal(toJson('a:2:{s:1:"b";i:1;s:1:"a";i:2;}'), '{"b":1,"a":2}')
})

t.test('an empty array becomes the given empty JSON, and a list inside a value', async (t) => {
  t.equal(phpToJsonText(readPhp('a:0:{}'), '{}'), '{}')
  t.equal(phpToJsonText(readPhp('a:0:{}')), '[]')
  t.equal(phpToJsonText(readPhp('a:1:{s:1:"a";a:0:{}}'), '{}'), '{"a":[]}')
})

t.test('of equal keys the last value counts, at the first place, and all are written back', async (t) => {
  const text = 'a:3:{s:1:"0";s:1:"a";i:1;N;i:0;s:1:"b";}'
  t.equal(toJson(text), '["b",null]')
  t.equal(writePhp(readPhp(text)), text)
})

t.test('a __proto__ key is a key like any other', async (t) => {
  const value = JSON.parse('{"__proto__":{"admin":true},"constructor":1}')
  const text = writePhp(phpFromJson(value))
  t.equal(text, 'a:2:{s:9:"__proto__";a:1:{s:5:"admin";b:1;}s:11:"constructor";i:1;}')
  t.equal(toJson(text), JSON.stringify(value))
  t.equal(Object.hasOwn({}, 'admin'), false)
})

t.test('a reference reads as its target and is written back as a reference', async (t) => {
  const text = 'a:3:{i:0;a:1:{i:0;i:1;}i:1;R:2;i:2;R:3;}'
  t.equal(toJson(text), '[[1],[1],1]')
  t.equal(writePhp(readPhp(text)), text)
})

t.test('a reference whose target was moved by a change is refused, not bent', async (t) => {
  const value = readPhp('a:2:{i:0;a:1:{i:0;i:1;}i:1;R:2;}')
  if (value === null || typeof value !== 'object' || !('entries' in value)) throw new Error('no array')
  t.throws(() => writePhp({ entries: [['new', true], ...value.entries] }), PhpFormatError)
  t.equal(
    writePhp({ entries: [...value.entries, ['new', true]] }),
    'a:3:{i:0;a:1:{i:0;i:1;}i:1;R:2;s:3:"new";b:1;}',
  )
})

t.test('references into nothing, into themselves and to objects are refused', async (t) => {
  const texts = [
    'R:1;',
    'a:1:{i:0;R:1;}',
    'a:1:{i:0;R:2;}',
    'a:2:{i:0;i:1;i:1;R:0;}',
    'a:2:{i:0;i:1;i:1;r:2;}',
  ]
  for (const text of texts) t.throws(() => readPhp(text), PhpFormatError, text)
})

t.test('references that multiply a short string without limit are refused', async (t) => {
  const doubled = (i: number) => `i:${i};a:2:{i:0;R:${i + 1};i:1;R:${i + 1};}`
  const properties = Array.from({ length: 60 }, (_, i) => doubled(i + 1)).join('')
  const text = `a:61:{i:0;a:0:{}${properties}}`
  t.equal(writePhp(readPhp(text)), text)
  t.throws(() => toJson(text), PhpFormatError)
})

t.test('objects are refused wherever they stand', async (t) => {
  const objects = [
    'O:8:"stdClass":0:{}',
    'O:+8:"stdClass":0:{}',
    'C:11:"ArrayObject":21:{x:i:0;a:0:{};m:a:0:{}}',
    'E:11:"Suit:Hearts";',
  ]
  for (const object of objects) {
    t.throws(() => readPhp(object), PhpFormatError, object)
    t.throws(() => readPhp(`a:1:{i:0;a:1:{s:1:"a";${object}}}`), PhpFormatError, `inside: ${object}`)
  }
  t.equal(toJson('a:1:{i:0;s:19:"O:8:"stdClass":0:{}";}'), String.raw`["O:8:\"stdClass\":0:{}"]`)
})

t.test('broken and truncated values are refused', async (t) => {
  const texts = [
    '',
    'x',
    'N',
    'n;',
    'b:2;',
    'b:;',
    'i:;',
    'i:1e5;',
    'i:1.0;',
    'i:+5;',
    'i:05;',
    'i:-0;',
    'i: 1;',
    'i:1',
    'i:9223372036854775808;',
    'i:99999999999999999999;',
    'd:;',
    'd:0x1;',
    'd:1.;',
    'd:.5;',
    'd:1,5;',
    'd:inf;',
    's:5:"ab";',
    's:1:"ab";',
    's:2:"ab"',
    's:2:ab;',
    "s:2:'ab';",
    's:-1:"";',
    's:02:"ab";',
    's:1000000000:"a";',
    'a:1:{}',
    'a:0:{',
    'a:-1:{}',
    'a:1:{i:0;}',
    'a:1:{i:0;N;',
    'a:0:{i:0;N;}',
    'a:1:{i:0;i:1;i:2;}',
    'a:1000000000:{',
    'a:999999999:{i:0;N;}',
    'a:1:{b:1;N;}',
    'a:1:{N;N;}',
    'a:1:{d:1;N;}',
    'a:1:{R:1;N;}',
    'N;N;',
    'i:1; ',
    ' i:1;',
    'a:0:{};',
    'S:1:"\\41";',
    's:1:"\ud800";',
  ]
  for (const text of texts) t.throws(() => readPhp(text), PhpFormatError, JSON.stringify(text))
})

t.test('the message names the place and never the value', async (t) => {
  t.throws(() => readPhp('a:1:{s:8:"password";s:9:"secret";}'), {
    message: 'The serialized value is broken at byte 25.',
  })
})

t.test('512 levels are read, written and made JSON, deeper ones are refused everywhere', async (t) => {
  const json = (depth: number) => `${'['.repeat(depth)}null${']'.repeat(depth)}`
  t.equal(toJson(nested(512)), json(512))
  t.equal(writePhp(phpFromJson(JSON.parse(json(512)))), nested(512))
  t.throws(() => readPhp(nested(513)), PhpFormatError)
  t.throws(() => readPhp(nested(10_000)), PhpFormatError)
  t.throws(() => phpFromJson(JSON.parse(json(10_000))), PhpFormatError)
  const deeper = { entries: [[0n, readPhp(nested(512))]] } as const
  t.throws(() => writePhp(deeper), PhpFormatError)
  t.throws(() => phpToJsonText(deeper), PhpFormatError)
})

t.test('values of 5 MB go both ways, one over 16 MiB is refused', async (t) => {
  const words = Array.from({ length: 80_000 }, (_, index) => `Größe ${index} ${'x'.repeat(40)}`)
  const text = writePhp(phpFromJson(words))
  t.ok(text.length > 5_000_000)
  t.equal(writePhp(readPhp(text)), text)
  t.equal(toJson(text), JSON.stringify(words))
  const long = 'ü'.repeat(2_500_000)
  t.equal(readPhp(`s:5000000:"${long}";`), long)
  t.throws(() => readPhp(`s:${2 ** 24}:"${'a'.repeat(2 ** 24)}";`), PhpFormatError)
})

t.test(
  'numbers become ints where they are whole and fit, else floats as PHP 7.1 and later writes them',
  async (t) => {
    const written: [number, string][] = [
      [0, 'i:0;'],
      [-0, 'i:0;'],
      [-5, 'i:-5;'],
      [2 ** 53, 'i:9007199254740992;'],
      [-(2 ** 63), 'd:-9.223372036854776E+18;'],
      [0.1, 'd:0.1;'],
      [0.0001, 'd:0.0001;'],
      [0.00001, 'd:1.0E-5;'],
      [-1.5e-7, 'd:-1.5E-7;'],
      [1e21, 'd:1.0E+21;'],
      [5e-324, 'd:5.0E-324;'],
    ]
    for (const [value, text] of written) t.equal(writePhp(phpFromJson(value)), text)
  },
)

t.test('keys that PHP turns into ints become ints', async (t) => {
  const keys = [
    '5',
    '-5',
    '05',
    '-0',
    '5.0',
    '',
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775808',
  ]
  const value = phpFromJson(Object.fromEntries(keys.map((key) => [key, 1])))
  t.equal(
    writePhp(value),
    'a:9:{i:5;i:1;i:-5;i:1;s:2:"05";i:1;s:2:"-0";i:1;s:3:"5.0";i:1;s:0:"";i:1;' +
      'i:9223372036854775807;i:1;s:19:"9223372036854775808";i:1;i:-9223372036854775808;i:1;}',
  )
})

t.test('what is not JSON, or not PHP, is refused', async (t) => {
  for (const value of [undefined, Number.NaN, Infinity, 1n, () => 1, Symbol('s'), [undefined]]) {
    t.throws(() => phpFromJson(value), PhpFormatError)
  }
  t.throws(() => writePhp('\ud800'), PhpFormatError)
  t.throws(() => writePhp({ entries: [['\udc00', 1n]] }), PhpFormatError)
  t.throws(() => writePhp(2n ** 63n), PhpFormatError)
})

t.test('phpToJsonText: a value whose JSON is longer than 32 MiB is refused before it is made', async (t) => {
  const text = (character: string, length: number) => {
    const size = character.length * length
    return `a:1:{i:0;s:${size}:"${character.repeat(length)}";}`
  }
  t.throws(() => phpToJsonText(readPhp(text('\u0001', 15_000_000))), { name: 'PhpFormatError' })
  t.equal(phpToJsonText(readPhp(text('\u0001', 5_000_000))).length, 30_000_004)
  t.equal(phpToJsonText(readPhp(text('x', 16_000_000))).length, 16_000_004)
})

t.test('phpToJsonText: a long text of line breaks takes two characters for each in JSON', async (t) => {
  const text = '\n'.repeat(6_000_000)
  t.equal(JSON.parse(phpToJsonText(text)).length, text.length)
  t.throws(() => phpToJsonText('\u0001'.repeat(6_000_000)), PhpFormatError)
})
