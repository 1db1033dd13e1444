// Which guard a write takes: writers of one rule wait for each other across processes, and all others do not wait.
import t from 'tap'
import { build } from '../../support/hosts/build.ts'

type Step = readonly [
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  body: unknown,
  guards: string,
]

/** In their order, on an empty installation. */
const steps: readonly Step[] = [
  ['POST', '/categories', { title: 'Cups' }, 'catalog'],
  ['POST', '/categories', { title: 'Mugs' }, 'catalog'],
  ['PATCH', '/categories/1', { title: 'Large cups' }, 'catalog'],
  ['POST', '/products', { title: 'Shirt' }, ''],
  ['POST', '/products', { title: 'Cup', categories: [1] }, 'catalog'],
  ['PATCH', '/products/1', { title: 'Long shirt' }, ''],
  ['PATCH', '/products/1', { categories: [2] }, 'catalog'],
  ['POST', '/products', { duplicate_product_id: 1 }, 'catalog'],
  ['POST', '/products/1/views', { title: 'Front' }, 'catalog'],
  ['PATCH', '/views/1', { title: 'Back' }, ''],
  ['DELETE', '/views/1', undefined, 'catalog'],
  ['DELETE', '/products/1', undefined, 'catalog'],
  ['DELETE', '/categories/1', undefined, 'catalog'],
  ['POST', '/design-categories', { title: 'Animals' }, ''],
  ['POST', '/design-categories', { title: 'Cats', parent_id: 1 }, 'designs'],
  ['PATCH', '/design-categories/2', { title: 'Large cats' }, ''],
  ['PATCH', '/design-categories/2', { parent_id: 0 }, 'designs'],
  ['DELETE', '/design-categories/2', undefined, 'designs'],
  ['POST', '/print-profiles', { name: 'Press' }, 'print_profiles'],
  ['PATCH', '/print-profiles/1', { is_master: true }, 'print_profiles'],
  ['POST', '/print-profiles/1/duplicate', { name: 'Copy' }, 'print_profiles'],
  ['DELETE', '/print-profiles/2', undefined, 'print_profiles'],
  ['POST', '/user-interfaces', { name: 'Wide' }, 'user_interfaces'],
  ['POST', '/pricing-rules', { name: 'Large', data: {} }, 'pricing_rules'],
  [
    'POST',
    '/shortcode-orders',
    { views: [{ title: 'Front', elements: [] }], customer_mail: 'ada@shop.example' },
    '',
  ],
  ['PATCH', '/shortcode-orders/1', { customer_name: 'Ada' }, 'orders'],
  ['DELETE', '/shortcode-orders/1', undefined, 'orders'],
]

t.test('each write takes the guard of the rule that it could break, and no other', async (t) => {
  const host = await build(t)
  const stored = async () => {
    const rows = await host.db
      .selectFrom(host.t.options)
      .select(['option_name', 'option_value'])
      .where('option_name', 'like', 'svc_guard_%')
      .execute()
    return new Map(rows.map((row) => [row.option_name, row.option_value]))
  }
  for (const [method, path, body, guards] of steps) {
    const before = await stored()
    const { status, text } = await host.call(method, path, body)
    t.ok(status < 300, `${method} ${path}: ${status} ${text}`)
    const taken = [...(await stored())].filter(([name, value]) => before.get(name) !== value)
    t.equal(taken.map(([name]) => name.replace('svc_guard_', '')).join(), guards, `${method} ${path}`)
  }
})
