// Values of columns in whichever encoding they are stored: JSON, serialized PHP, double-encoded.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { digestOf, hashedFrom, rememberJson } from '../../../src/db/json-kind.ts'
import { phpFromJson } from '../../../src/db/php-json.ts'
import { writePhp } from '../../../src/db/php-value.ts'
import { maxStored, readFlag, readStoredJson } from '../../../src/db/stored-json.ts'

const numRuns = process.env.SVC_SOAK ? 20_000 : 200
const json = fc.json({ stringUnit: 'binary' })

// PHP's addslashes(), which makes one layer.
const addSlashes = (text: string) => text.replace(/['"\\]/g, '\\$&').replaceAll('\0', '\\0')
const slashed = (text: string, layers: number): string =>
  layers === 0 ? text : slashed(addSlashes(text), layers - 1)
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

t.test('an empty column, or one of whitespace, reads as the empty value of its type', async (t) => {
  for (const stored of [null, '', ' ', '\n\t ']) {
    t.equal(readStoredJson(stored, '{}'), '{}')
    t.equal(readStoredJson(stored, '[]'), '[]')
  }
})

t.test(
  'valid JSON is returned as it is stored, with its whitespace, order, escapes and numbers',
  async (t) => {
    const texts = [
      '{}',
      '[]',
      'null',
      '0',
      '""',
      'true',
      ' {"b": 1,\n"a": 2} ',
      '{"a":1,"a":2}',
      '[1.0,1e400,12345678901234567890]',
      '{"__proto__":{"a":1}}',
      String.raw`["\ud800"]`,
      String.raw`"{\"a\":1}"`,
      '["&quot;"]',
      '"a:0:{}"',
      `${'['.repeat(512)}${']'.repeat(512)}`,
    ]
    for (const text of texts) t.equal(readStoredJson(text, '{}'), text)
  },
)

t.test('any JSON is read unchanged, first and again', async () => {
  const property = fc.property(json, (text) => {
    assert.equal(readStoredJson(text, '{}'), text)
    assert.equal(readStoredJson(text, '{}'), text)
  })
  fc.assert(property, { numRuns })
})

t.test('one to five layers of backslashes come off', async () => {
  const property = fc.property(json, fc.integer({ min: 1, max: 5 }), (text, layers) => {
    assert.equal(readStoredJson(slashed(text, layers), '{}'), text)
  })
  fc.assert(property, { numRuns })
})

t.test('six layers of backslashes cannot be read', async (t) => {
  t.equal(readStoredJson(slashed('{"a":1}', 5), '{}'), '{"a":1}')
  t.equal(readStoredJson(slashed('{"a":1}', 6), '{}'), undefined)
})

t.test('the first layer that is JSON wins, so that escapes inside of it stay', async (t) => {
  const text = String.raw`{"a":"say \"hi\" in C:\\temp\u00e9"}`
  for (const layers of [0, 1, 5]) t.equal(readStoredJson(slashed(text, layers), '{}'), text)
  t.equal(readStoredJson(String.raw`\5`, '{}'), '5')
})

t.test('backslashes come off as PHP takes them off, zero bytes and a last one too', async (t) => {
  t.equal(readStoredJson(String.raw`[\"\0\"]`, '{}'), undefined)
  t.equal(readStoredJson(String.raw`[\"0\"]\ `.trim(), '{}'), '["0"]')
})

t.test('JSON escaped for HTML is unescaped once', async (t) => {
  const property = fc.property(json, (text) => {
    assert.equal(readStoredJson(escaped(text), '{}'), text.includes('"') ? text : escaped(text))
  })
  fc.assert(property, { numRuns })
  t.equal(readStoredJson('[&quot;&amp;quot;&quot;]', '{}'), '["&quot;"]')
  t.equal(readStoredJson('[&#34;&#039;&#39;&#x27;&apos;&lt;&gt;&nbsp;&#034;]', '{}'), `["''''<>&nbsp;"]`)
  t.equal(readStoredJson('{&amp;quot;a&amp;quot;:1}', '{}'), undefined)
})

t.test('a PHP-serialized array reads as JSON', async (t) => {
  t.equal(readStoredJson('a:2:{s:1:"a";i:1;s:1:"b";a:1:{i:0;d:0.5;}}', '{}'), '{"a":1,"b":[0.5]}')
  t.equal(readStoredJson(' a:1:{i:0;N;}\n', '{}'), '[null]')
  const property = fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), (value) => {
    const text = readStoredJson(writePhp(phpFromJson(value)), '[]')
    assert.equal(JSON.parse(text ?? '').length, value.length)
  })
  fc.assert(property, { numRuns })
})

t.test('an empty PHP array reads as the empty value of its column, and as a list inside', async (t) => {
  t.equal(readStoredJson('a:0:{}', '{}'), '{}')
  t.equal(readStoredJson('a:0:{}', '[]'), '[]')
  t.equal(readStoredJson('a:1:{s:1:"a";a:0:{}}', '{}'), '{"a":[]}')
})

t.test('what is none of these cannot be read', async (t) => {
  const texts = [
    '{"a":1',
    '{a:1}',
    "{'a':1}",
    'undefined',
    'NaN',
    '\ufeff{}',
    '<p>hello</p>',
    '\\',
    '&quot;',
    '&amp;',
    'a:',
    'a:1:{i:0;s:5:"ab";}',
    'a:1000000000:{',
    'a:1:{i:0;d:INF;}',
    'a:0:{}x',
    's:3:"{}";',
    'i:1;',
    'N;',
    'O:8:"stdClass":0:{}',
    'a:1:{i:0;O:8:"stdClass":0:{}}',
    'a:1:{i:0;C:1:"A":0:{}}',
    'a:1:{i:0;E:3:"A:B";}',
    'a:1:{i:0;'.repeat(10_000),
  ]
  for (const text of texts) t.equal(readStoredJson(text, '{}'), undefined, text.slice(0, 40))
})

t.test('whatever a column contains, the result is JSON', async () => {
  const piece = fc.constantFrom(
    ...'{}[]":,\\',
    '\\"',
    '&quot;',
    '&amp;',
    'a:1:{',
    'i:0;',
    's:1:"',
    '";',
    'N;',
    '1',
    'a',
  )
  const pieces = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''))
  const property = fc.property(fc.oneof(pieces, fc.string({ unit: 'binary' })), (stored) => {
    const text = readStoredJson(stored, '{}')
    if (text !== undefined) JSON.parse(text)
  })
  fc.assert(property, { numRuns })
})

t.test('a long string that is not JSON stays refused beside remembered valid ones', async (t) => {
  const valid = JSON.stringify({ text: 'x'.repeat(10_000) })
  const broken = `${valid.slice(0, -1)}]`
  for (let round = 0; round < 3; round++) {
    t.equal(readStoredJson(valid, '{}'), valid)
    t.equal(readStoredJson(broken, '{}'), undefined)
  }
})

t.test(
  'what was just written is not parsed again when it is read under the tag of its new state',
  async (t) => {
    const written = JSON.stringify({ title: 'x'.repeat(hashedFrom) })
    rememberJson(digestOf(written))
    const parse = t.capture(JSON, 'parse', JSON.parse)
    t.equal(readStoredJson(written, '{}', 'tag of the new state'), written)
    t.equal(readStoredJson(written, '{}', 'tag of the new state'), written)
    t.same(parse(), [])
  },
)

t.test('more long strings than are remembered are all read', async () => {
  const long = 'x'.repeat(520)
  const texts = Array.from({ length: 45_000 }, (_, index) => `{"id":${index},"text":"${long}"}`)
  for (const text of [...texts, ...texts]) assert.equal(readStoredJson(text, '{}'), text)
})

t.test('values of 5 MB are read in every encoding, and refused when they are none', async (t) => {
  const value = Array.from({ length: 12_000 }, (_, id) => ({
    id,
    title: `Größe ${id} ${'x'.repeat(400)}`,
    left: id / 8,
    fill: '#ff00aa',
  }))
  const text = JSON.stringify(value)
  t.ok(Buffer.byteLength(writePhp(phpFromJson(value))) > 5_000_000)
  for (const stored of [text, slashed(text, 2), escaped(text), writePhp(phpFromJson(value))]) {
    t.ok(readStoredJson(stored, '[]') === text)
  }
  for (const filler of ['\\', '\\0', '\\"', '&quot;', '[', '{"":', ' x', 'a:1:{i:0;']) {
    t.equal(readStoredJson(filler.repeat(5_000_000 / filler.length), '[]'), undefined, filler)
  }
})

t.test(
  'what would hold up others for long is not read: 131,072 values of PHP, 750,000 entities, 32 MiB of backslashes',
  async (t) => {
    const php = (count: number) =>
      `a:${count}:{${Array.from({ length: count }, (_, i) => `i:${i};i:7;`).join('')}}`
    const large = (count: number) =>
      `a:${count}:{${Array.from({ length: count }, (_, i) => `i:${i};s:412:"${'x'.repeat(412)}";`).join('')}}`
    const letters = (count: number) => `[${addSlashes(`"${'ж'.repeat(count / 2 - 5)}",`)}1]  `
    const entities = (count: number) => `[${'&quot;a&quot;,'.repeat(count / 2)}1]`
    for (const [most, make] of [
      [117_000, php],
      [29_000, large],
      [32 * 1024 * 1024, letters],
      [749_998, entities],
    ] as const) {
      t.match(readStoredJson(make(most), '[]')?.slice(-5), /\]\s*$/, make.name)
      t.equal(
        readStoredJson(make(most + (make === large || make === php ? 6000 : 6)), '[]'),
        undefined,
        make.name,
      )
    }
  },
)

t.test(
  'readStoredJson: JSON with more values or levels than a body may have is unreadable in every encoding',
  async (t) => {
    const list = (count: number, part: (index: number) => string) =>
      `[${Array.from({ length: count }, (_, index) => part(index)).join(',')}]`
    const deep = (levels: number) =>
      `${'{"a":'.repeat(levels)}"${'x'.repeat(hashedFrom)}"${'}'.repeat(levels)}`
    t.ok(readStoredJson(deep(512), '{}'))
    t.ok(
      readStoredJson(
        list(249_000, () => '[]'),
        '[]',
      ),
    )
    t.equal(
      readStoredJson(
        list(250_001, () => '[]'),
        '[]',
      ),
      undefined,
    )
    for (const [name, text] of Object.entries({
      levels: deep(513),
      values: list(500_001, () => '""'),
      'escaped names': list(25_000, (index) => `{"\\u00e4${index}":1}`),
    })) {
      for (const stored of [text, slashed(text, 1), slashed(text, 2), escaped(text)])
        t.equal(readStoredJson(stored, '[]'), undefined, name)
    }
    const names = Object.fromEntries(Array.from({ length: 25_000 }, (_, index) => [`"${index}`, 1]))
    t.equal(readStoredJson(writePhp(phpFromJson(names)), '{}'), undefined)
  },
)

t.test('1, yes, true and on are set flags, in any case and type of column', async (t) => {
  const set = [
    1,
    1n,
    true,
    '1',
    'yes',
    'YES',
    'True',
    'on',
    ' yes ',
    Buffer.from([1]),
    Buffer.from('1'),
    new Uint8Array([1]),
  ]
  for (const stored of set) t.equal(readFlag(stored), true, String(stored))
})

t.test('anything else is no set flag', async (t) => {
  const unset = [
    0,
    2,
    0n,
    false,
    null,
    undefined,
    '',
    '0',
    'no',
    'off',
    'false',
    '11',
    'yes!',
    {},
    [],
    Buffer.from([0]),
  ]
  for (const stored of unset) t.equal(readFlag(stored), false, String(stored))
})

t.test('a value of 32 MiB is read, and no larger one', (t) => {
  const value = (characters: number) => `[${' '.repeat(characters - 2)}]`
  t.equal(readStoredJson(value(maxStored), '[]')?.length, maxStored)
  t.equal(readStoredJson(value(maxStored + 1), '[]'), undefined)
  t.equal(readStoredJson(null, '{}'), '{}')
  t.end()
})

t.test(
  'readStoredJson: a text that begins like a serialized string, but is none, cannot be read',
  async (t) => {
    for (const text of ['s:x', 's:', 's:3:"s:x";', 's:10:"s:3:"s:x";";', ' s:"[]";'])
      t.equal(readStoredJson(text, '[]'), undefined, text)
  },
)
