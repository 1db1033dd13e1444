// JSON values as designers create them, and every form in which CMS and plugin have stored them over the years.
import fc from 'fast-check'
import { phpFromJson, writePhp } from '../../src/db/php-value.ts'

const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        '',
        ' ',
        '"',
        "'",
        '\\',
        '\\"',
        '\\\\u0041',
        '&quot;',
        '&amp;quot;',
        '</script>',
        'a:0:{}',
        '{}',
        'null',
      ],
      ...[
        'O\'Neil "Co"',
        '✂ 日本 😀',
        '\u2028',
        'line\nbreak\ttab',
        'http://shop.example/a?b=1&c=%20',
        '#ff0000',
      ],
    ),
  },
)
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  fc.constantFrom(0, 1, -1, 1e21, 5e-324, 2 ** 53),
)
/** Property names with a meaning to the API, PHP or JavaScript, and others. */
const name = fc.oneof(
  fc.constantFrom(
    ...[
      'item_id',
      'item_key',
      'data',
      'product',
      'views',
      'elements',
      'options',
      'svc_product',
      'title',
      'id',
    ],
    ...['order_id', 'items', 'constructor', 'toJSON', '0', '5', '05', '-1', '', 'ä', '"', 'a.b'],
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }).filter((key) => key !== '__proto__'),
)

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 4, arbitrary: fc.oneof(text, number, fc.boolean(), fc.constant(null)) },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.tuple(name, tie('value')), { maxLength: 4 })
        .map((entries): unknown => Object.fromEntries(entries)),
    },
  ),
}))
export const jsonValue: fc.Arbitrary<unknown> = value

export const jsonObject: fc.Arbitrary<Record<string, unknown>> = fc
  .array(fc.tuple(name, jsonValue), { maxLength: 5 })
  .map((entries) => Object.fromEntries(entries))

export const jsonArray: fc.Arbitrary<unknown[]> = fc.array(jsonValue, { maxLength: 4 })

const slashed = (json: string, layers: number): string =>
  layers === 0 ? json : slashed(json.replace(/[\\"']/g, '\\$&'), layers - 1)

const entities: Record<string, string> = {
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#039;',
  '<': '&lt;',
  '>': '&gt;',
}

/** The stored forms of a value, by name. */
const encodings: Record<string, (value: unknown) => string> = {
  'plain JSON': (value) => JSON.stringify(value),
  'indented JSON': (value) => JSON.stringify(value, null, 2),
  'JSON as PHP writes it': (value) =>
    JSON.stringify(value)
      .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .replaceAll('/', '\\/'),
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].map((layers) => [
      `JSON under ${layers} layers of backslashes`,
      (value: unknown) => slashed(JSON.stringify(value), layers),
    ]),
  ),
  'JSON escaped for HTML': (value) =>
    JSON.stringify(value).replace(/[&"'<>]/g, (character) => entities[character] ?? character),
  'a serialized array': (value) => writePhp(phpFromJson(value)),
}

/** One of the stored forms of a value; fast-check reports its name. */
export function storedForm(values: fc.Arbitrary<unknown>) {
  return fc.record({ encoding: fc.constantFrom(...Object.keys(encodings)), value: values }).map((form) => ({
    ...form,
    stored: encodings[form.encoding]?.(form.value) ?? '',
  }))
}
