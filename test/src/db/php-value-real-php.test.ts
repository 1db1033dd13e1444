// Our reader and writer of PHP values next to PHP’s own.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { phpFromJson, phpToJsonText } from '../../../src/db/php-json.ts'
import { type PhpEntry, type PhpValue, readPhp, writePhp } from '../../../src/db/php-value.ts'
import { readStoredJson } from '../../../src/db/stored-json.ts'
import { php } from '../../support/wordpress/php.ts'

const numRuns = process.env.SVC_SOAK ? 20_000 : 300
const string = fc.string({ unit: 'binary' })
const jsonTexts = fc
  .sample(fc.jsonValue({ stringUnit: 'binary' }), numRuns)
  .map((value) => JSON.stringify(value))

/** Runs a PHP expression on each of `texts` (as `$x`), all in one process. */
async function eachInPhp(expression: string, texts: readonly string[]): Promise<string[]> {
  const code = `$f = fn($x) => ${expression};
    while (($line = fgets(STDIN)) !== false) echo base64_encode($f(base64_decode($line))), "\n";`
  const lines = texts.map((text) => `${Buffer.from(text).toString('base64')}\n`)
  const output = (await php(code, lines.join(''))).split('\n').slice(0, -1)
  assert.equal(output.length, texts.length)
  return output.map((line) => Buffer.from(line, 'base64').toString())
}

/** One assertion for all: thousands of lines would say no more. */
function allEqual<Item>(
  items: readonly Item[],
  actual: (item: Item, index: number) => unknown,
  expected: readonly unknown[],
) {
  items.forEach((item, index) => {
    assert.deepEqual(actual(item, index), expected[index], `for ${JSON.stringify(item)}`)
  })
}

t.test('a JSON value becomes the bytes that PHP serializes for it', async () => {
  const serialized = await eachInPhp('serialize(json_decode($x, true))', jsonTexts)
  allEqual(jsonTexts, (text) => writePhp(phpFromJson(JSON.parse(text))), serialized)
})

t.test('numbers of all sizes become the bytes that PHP serializes for them', async () => {
  const borders = Array.from({ length: 700 }, (_, index) => 10 ** (index - 350)).concat(
    Array.from({ length: 2098 }, (_, index) => 2 ** (index - 1074)),
    [
      2 ** 53 - 1,
      2 ** 53,
      2 ** 63,
      -(2 ** 63),
      1e15,
      1e16,
      123456789012345680,
      1e17,
      1.5e17,
      0.0001,
      0.00012,
      0.00001,
    ],
  )
  const numbers = borders
    .filter(Number.isFinite)
    .concat(fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), numRuns))
  const texts = numbers.map((value) => JSON.stringify(value))
  allEqual(
    texts,
    (text) => writePhp(phpFromJson(JSON.parse(text))),
    await eachInPhp('serialize(json_decode($x))', texts),
  )
})

t.test('keys become the ints and strings that PHP makes of them', async () => {
  const keys = fc.oneof(
    fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
    fc.stringMatching(/^-?0?\d{0,3}$/),
  )
  const borders = [
    '-0',
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775808',
    '-9223372036854775809',
  ]
  const texts = [...borders, ...fc.sample(keys, numRuns)].map((key) => JSON.stringify({ [key]: null }))
  const serialized = await eachInPhp('serialize(json_decode($x, true))', texts)
  allEqual(texts, (text) => writePhp(phpFromJson(JSON.parse(text))), serialized)
})

t.test(
  'what we write unserializes in PHP to a value that it serializes alike, and JSON means the same',
  async () => {
    const key = fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      string.map((text) => `k${text}`),
    )
    const { value } = fc.letrec<{ value: PhpValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, false),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        string,
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => phpFromJson(number)),
        fc
          .uniqueArray(fc.tuple(key, tie('value')), { selector: ([name]) => name })
          .map((entries: PhpEntry[]) => ({ entries })),
        fc
          .array(tie('value'))
          .map((items) => ({ entries: items.map((item, i): PhpEntry => [BigInt(i), item]) })),
      ),
    }))
    const texts = fc.sample(value, numRuns).map(writePhp)
    allEqual(texts, (text) => text, await eachInPhp('serialize(unserialize($x))', texts))
    const encoded = await eachInPhp('json_encode(unserialize($x))', texts)
    allEqual(
      texts,
      (text) => JSON.parse(phpToJsonText(readPhp(text))),
      encoded.map((text) => JSON.parse(text)),
    )
  },
)

t.test('floats that PHP wrote with 17 digits keep their bytes and their value', async () => {
  const texts = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), numRuns).map(String)
  const serialized = await eachInPhp(
    'ini_set("serialize_precision", "17") ? serialize((float) $x) : ""',
    texts,
  )
  allEqual(serialized, (text) => writePhp(readPhp(text)), serialized)
  allEqual(serialized, (text) => Number(phpToJsonText(readPhp(text))), texts.map(Number))
})

t.test('odd values keep their bytes: infinities, NaN, references, equal keys', async (t) => {
  const values = [
    '[INF, -INF, NAN, -0.0, 1.0, 1e25, PHP_INT_MAX, PHP_INT_MIN]',
    '["" => 1, "a\\0b" => 2, "ü" => "😀"]',
    '(function () { $a = [[1, [2]], 3, "x"]; $a[] = &$a[0]; $a["r"] = &$a[1]; $a["s"] = &$a[0][1]; return $a; })()',
    '(function () { $a = [1, 2]; foreach ($a as &$item) $item++; return [$a, $item, &$item]; })()',
  ]
  for (const value of values) {
    const serialized = await php(`echo serialize(${value});`)
    t.equal(writePhp(readPhp(serialized)), serialized)
  }
  const referring = await php(`$v = ${values[2]}; echo serialize($v), "\n", json_encode($v);`)
  const [text = '', json = ''] = referring.split('\n')
  t.same(JSON.parse(phpToJsonText(readPhp(text))), JSON.parse(json))
  const twice = 'a:3:{s:1:"0";s:1:"a";i:1;N;i:0;s:1:"b";}'
  t.equal(
    await php('echo json_encode(unserialize($x = stream_get_contents(STDIN)));', twice),
    phpToJsonText(readPhp(twice)),
  )
})

t.test('objects and enums that PHP serialized are refused', async (t) => {
  const values = [
    'new stdClass',
    'new ArrayObject([1])',
    'new DateTime("2026-01-01")',
    '(object) ["a" => 1]',
    'Suit::Hearts',
    '[1, [new stdClass]]',
    '(function () { $o = new stdClass; return [$o, $o]; })()',
    'new Old',
  ]
  for (const value of values) {
    const serialized = await php(`enum Suit { case Hearts; }
      class Old implements Serializable {
        function serialize() { return "x"; } function unserialize($x) {}
      }
      echo serialize(${value});`)
    t.throws(() => readPhp(serialized), { message: /holds an object/ }, serialized)
  }
})

t.test('JSON under one to five layers of PHP slashes is read', async () => {
  let slashed = jsonTexts
  for (let layer = 1; layer <= 5; layer++) {
    slashed = await eachInPhp('addslashes($x)', slashed)
    allEqual(slashed, (text) => readStoredJson(text, '{}'), jsonTexts)
  }
})

t.test('slashes are stripped from any string as PHP does it', async () => {
  const parts = fc.array(fc.constantFrom('\\', '\\', '"', '0', 'n', '[', ']', ',', '1', 'é'), {
    maxLength: 12,
  })
  const texts = fc.sample(parts, numRuns).map((text) => text.join(''))
  const valid = 'json_decode($x) !== null || json_last_error() === JSON_ERROR_NONE ? "ok $x" : "none"'
  const loop = `(function ($x) { for ($i = 0; $i < 6; $i++) { $r = ${valid}; if ($r !== "none") return $r;
    if (!str_contains($x, "\\\\")) break; $x = stripslashes($x); } return "none"; })($x)`
  const read = (text: string) => {
    const json = readStoredJson(text, '{}')
    return json === undefined ? 'none' : `ok ${json}`
  }
  const filled = texts.filter((text) => text !== '')
  allEqual(filled, read, await eachInPhp(loop, filled))
})

t.test('JSON that PHP escaped for HTML is read', async () => {
  const objects = jsonTexts.map((text) => `{"it's <b>":${text}}`)
  for (const flags of ['ENT_QUOTES', 'ENT_QUOTES | ENT_HTML5', 'ENT_COMPAT', 'ENT_QUOTES | ENT_XHTML']) {
    const escaped = await eachInPhp(`htmlspecialchars($x, ${flags})`, objects)
    allEqual(escaped, (text) => readStoredJson(text, '{}'), objects)
  }
})
