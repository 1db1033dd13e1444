// How settings lie in their rows: what every form reads as, and what is written.
import t from 'tap'
import { isRawNumber, parseExact } from '../../../src/json/parse.ts'
import type { SettingType } from '../../../src/settings/setting.ts'
import { readSetting, type Shape, shapeOf, shapeOfStored, writeSetting } from '../../../src/settings/value.ts'

t.test('readSetting, writeSetting: the type of a setting determines the type of its value', async (t) => {
  const shapes: Partial<Record<SettingType, Shape>> = {
    checkbox: 'flag',
    number: 'number',
    multiselect: 'list',
    'select-sortable': 'list',
    'color-lists': 'lists',
    'text-templates': 'model',
    'color-library': 'model',
    text: 'string',
    password: 'string',
    radio: 'string',
  }
  for (const [type, shape] of Object.entries(shapes))
    t.equal(shapeOf({ type: type as SettingType }), shape, type)
})

t.test('readSetting, writeSetting: a row that is not in the catalog is what it looks like', async (t) => {
  const rows: Record<string, Shape> = {
    yes: 'flag',
    no: 'flag',
    'a:0:{}': 'tree',
    '{"a":1}': 'model',
    ' [1]': 'model',
    '[broken': 'string',
    'a:x': 'string',
    text: 'string',
    '': 'string',
    Yes: 'string',
    '5': 'string',
  }
  for (const [stored, shape] of Object.entries(rows)) t.equal(shapeOfStored(stored), shape, stored)
})

t.test('a stored value reads as JSON of its type, in every form that PHP writes', async (t) => {
  const on = ['yes', '1', 'true', 'on', 'b:1;', 's:3:"yes";', 'i:1;']
  const off = ['no', '0', '', 'b:0;', 'N;', 'i:0;', 'a:0:{}', 'x']
  for (const stored of on) t.equal(readSetting('flag', stored), 'true', stored)
  for (const stored of off) t.equal(readSetting('flag', stored), 'false', stored)
  const rows: Partial<Record<Shape, Record<string, string | undefined>>> = {
    number: {
      '5': '5',
      ' 0.50 ': '0.5',
      '-3': '-3',
      'i:7;': '7',
      'd:0.1;': '0.1',
      '+.5': '0.5',
      '': '99',
      'N;': '99',
      x: undefined,
      Infinity: undefined,
      '1e999': undefined,
      'a:0:{}': undefined,
      '5px': undefined,
    },
    string: {
      'a "b"': '"a \\"b\\""',
      's:2:"ok";': '"ok"',
      's:9:"short";': '"s:9:\\"short\\";"',
      'd:0.10;': '"0.10"',
      'b:1;': '"1"',
      'b:0;': '""',
      'N;': '""',
      'a:1': '"a:1"',
      'a:0:{}': undefined,
      'a:1:{broken': undefined,
      'O:1:"A":0:{}': undefined,
    },
    list: {
      'a:1:{i:3;s:1:"x";}': '["x"]',
      '': '[]',
      '["x"]': '["x"]',
      '{"a":"x"}': '["x"]',
      '5': undefined,
      '"x"': undefined,
      '{broken': undefined,
    },
    lists: { 'a:0:{}': '{}', '[{"a":1}]': '{"0":{"a":1}}', '{"a":{}}': '{"a":{}}', '{broken': undefined },
    model: { 'a:0:{}': '[]', '{"a":1}': '{"a":1}' },
    tree: { 'a:1:{s:1:"a";i:1;}': '{"a":1}', x: undefined },
  }
  for (const [shape, values] of Object.entries(rows))
    for (const [stored, json] of Object.entries(values))
      t.equal(readSetting(shape as Shape, stored, '99'), json, `${shape} ${stored}`)
  t.equal(readSetting('number', ''), 'null')
})

t.test('a list is written anew only up to the depth that a body may have', async (t) => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
  t.equal(readSetting('list', nested(511)), `[${'['.repeat(511)}${']'.repeat(511)}]`)
  t.equal(readSetting('list', nested(512)), undefined)
})

t.test('a value of a request is stored as PHP reads it, or refused with what it must be', async (t) => {
  const big = parseExact('12345678901234567890')
  t.ok(isRawNumber(big))
  const written: Partial<Record<Shape, [unknown, string][]>> = {
    flag: [
      [true, 'yes'],
      [false, 'no'],
      ['yes', 'yes'],
      ['no', 'no'],
    ],
    number: [
      [0.5, '0.5'],
      [big, '12345678901234567890'],
    ],
    string: [
      ['a', 'a'],
      ['s:1:"a";', 's:8:"s:1:"a";";'],
      ['N;', 's:2:"N;";'],
    ],
    list: [
      [['a', 1], 'a:2:{i:0;s:1:"a";i:1;i:1;}'],
      [[], 'a:0:{}'],
    ],
    lists: [[{ a: {} }, '{"a":{}}']],
    model: [
      [[1], '[1]'],
      [{}, '{}'],
    ],
    tree: [[{ a: [true] }, 'a:1:{s:1:"a";a:1:{i:0;b:1;}}']],
  }
  for (const [shape, values] of Object.entries(written))
    for (const [value, stored] of values) t.strictSame(writeSetting(shape as Shape, value), { stored }, shape)
  const refused: Partial<Record<Shape, [values: unknown[], must: string]>> = {
    flag: [[1, 'on', null], 'true or false'],
    number: [['5', null, true], 'a number'],
    string: [[5, null], 'a string'],
    list: [[{}, [true], [null], 'x'], 'an array of strings or numbers'],
    lists: [[[1], null, 'x'], 'an object'],
    model: [['x', 5, null], 'an array or an object, as it is stored'],
    tree: [['x', 5, null], 'an array or an object, as it is stored'],
  }
  for (const [shape, [values, must]] of Object.entries(refused))
    for (const value of values)
      t.strictSame(writeSetting(shape as Shape, value), { problem: `must be ${must}` }, `${shape} ${value}`)
})

t.test('readSetting, writeSetting: a lone surrogate is refused where PHP could not read it', async (t) => {
  t.strictSame(writeSetting('model', { a: '\ud800' }), { problem: 'must not contain a lone surrogate' })
  t.strictSame(writeSetting('list', ['\ud800']), { problem: 'cannot be stored as a PHP array' })
  t.strictSame(writeSetting('string', 'N;\ud800'), { stored: 'N;\ud800' }, 'the column refuses it')
})
