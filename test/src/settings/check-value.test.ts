// What a value of the right type can mean: ranges of numbers, and lists of pairs, colors, sizes and addresses.
import t from 'tap'
import { listSlugs, valueProblem } from '../../../src/settings/check-value.ts'
import type { Setting, TextFormat } from '../../../src/settings/setting.ts'

const setting = (facts: Partial<Setting>): Setting => ({
  id: 'svc_x',
  type: 'text',
  label: 'X',
  description: 'X.',
  default: '',
  tab: 'general',
  section: 'x',
  sectionLabel: 'X',
  ...facts,
})

const none = new Set<string>()

t.test('a text with several values has the form of its kind, an empty one too', async (t) => {
  const right: Record<TextFormat, string[]> = {
    'color-names': ['', 'ff0000:Red', '#F00:Red, 00ff00 :Green', 'fff:', 'fff:a:b', ',fff:White,'],
    'color-prices': ['', 'ff0000:2.5', '#f00:0', 'f00:.5,0f0: 3 ', 'f00:'],
    swatches: ['', '#ff0000', 'fff, #000'],
    colors: ['', '#ff0000', 'warm', 'fff,warm'],
    sizes: ['', '210:297', '0.5:.5', '1 : 2, 3:4'],
    'mail-addresses': ['', 'a@b', 'a@b.example, c@d.example'],
    color: ['', '#ff0000', 'f00'],
    address: ['', 'https://x.example/a?b=c,d', 'http://x', '/wp-content/a.png'],
    'css-length': ['', 'auto', '0', '500px', '50%', '.5em', 'calc(100vh - 10px)'],
    amount: ['', '0', '12.5', '12,5', '20%'],
    locale: ['', 'en_US', 'de_DE_formal', 'fi'],
    'order-states': ['', 'processing', 'wc-processing, on-hold,'],
    'file-name': ['', '{number}-{item}', 'order {job}'],
    price: ['', '0', '2.5', '2,5', '.5', '-3'],
    word: ['', 'none', 'after-summary', 'FILTER_LANCZOS', 'en'],
  }
  const wrong: Record<TextFormat, string[]> = {
    'color-names': ['ff0000', 'red:Red', 'ff000:Red', 'ff00000:Red', ':Red', 'fff:White,000'],
    'color-prices': ['ff0000', 'f00:-1', 'f00:1e3', 'f00:a', ':1', 'f00:1.', 'f00:1,0f0'],
    swatches: ['red', '#ff', '#ff00', 'fff,warm'],
    colors: ['cold', 'fff,cold', '#ff'],
    sizes: ['210', '210:', ':297', '0:1', '1:0', '-1:1', '1:2:3', '1:2,3'],
    'mail-addresses': ['a', '@b', 'a@', 'a@b@c', 'a b@c', 'a@b,c'],
    color: ['red', '#ff', '#f00,#0f0'],
    address: ['x.png', 'javascript:x', '//x.example/a', 'https://', '/a b', 'ftp://x'],
    'css-length': ['high', '5', '5 px', 'calc()'],
    amount: ['much', '-1', '1e3', '%', '1.2.3'],
    locale: ['<b>', 'en US', '_en'],
    'order-states': ['a b', 'processing;', 'é'],
    price: ['free', '5 %', '1e3', '1.2.3', '--1'],
    word: ['<b>', 'somewhere else', 'a,b', 'é', '../x'],
    'file-name': ['{evil}', '{number', '../{number}'],
  }
  for (const format of Object.keys(right) as TextFormat[]) {
    const problem = (text: string) => valueProblem(setting({ format }), text, new Set(['warm']))
    for (const text of right[format]) t.equal(problem(text), undefined, `${format}: ${text}`)
    for (const text of wrong[format]) t.match(problem(text), /^must be /, `${format}: ${text}`)
  }
})

t.test('a text without a form, and a value of another type, may be anything', async (t) => {
  t.equal(valueProblem(setting({}), 'a,b', none), undefined)
  t.equal(valueProblem(setting({ format: 'sizes' }), 5, none), undefined)
})

t.test('a number outside of its range is named with the limits that it has', async (t) => {
  const problem = (limits: Partial<Setting>, value: unknown) =>
    valueProblem(setting({ type: 'number', ...limits }), value, none)
  const both = { minimum: 1, maximum: 3 }
  for (const value of [1, 2, 3]) t.equal(problem(both, value), undefined)
  for (const value of [0.9, 3.1]) t.equal(problem(both, value), 'must be between 1 and 3')
  t.equal(problem({ minimum: 1 }, 0), 'must be at least 1')
  t.equal(problem({ maximum: 3 }, 4), 'must be at most 3')
  t.equal(problem({ minimum: 1 }, 9), undefined)
  t.equal(problem({ maximum: 3 }, -9), undefined)
  t.equal(problem({}, 9), undefined)
  t.equal(problem(both, 'x'), undefined, 'its type is checked elsewhere')
  t.equal(valueProblem(setting(both), 9, none), undefined, 'only a number has a range')
})

t.test('color lists are objects with a name and colors, in a text or an array', async (t) => {
  const problem = (lists: unknown) => valueProblem(setting({ type: 'color-lists' }), lists, none)
  const right = [
    {},
    { colors: '#fff,000' },
    { colors: ['#fff', '000'] },
    { name: 'Warm', colors: '', more: 1 },
  ]
  for (const list of right) t.equal(problem({ warm: list }), undefined)
  t.equal(problem('no object'), undefined, 'its type is checked elsewhere')
  const wrong = ['x', null, ['#fff'], { name: 1 }, { colors: 'red' }, { colors: ['red'] }, { colors: [1] }]
  for (const list of [...wrong, { colors: 1 }, { colors: null }])
    t.match(problem({ fine: {}, warm: list }), /^must have lists such as/)
})

t.test('valueProblem: the slugs of color lists are the properties of an object', async (t) => {
  t.same(listSlugs({ warm: {}, cold: {} }), new Set(['warm', 'cold']))
  t.same([listSlugs(['a']), listSlugs('ab'), listSlugs(undefined)], [none, none, none])
})
