// 404 for resources that do not exist: the message contains the requested id, on every method.
import { rule } from '../support/hosts/fresh-host.ts'

const byId = [
  ['products', 'svc_product_not_found', 'product', { title: 'A' }],
  ['views', 'svc_view_not_found', 'view', { title: 'A' }],
  ['categories', 'svc_category_not_found', 'product category', { title: 'A' }],
  ['design-categories', 'svc_design_category_not_found', 'design category', { title: 'A' }],
  ['pricing-rules', 'svc_pricing_rule_not_found', 'pricing rule', { name: 'A' }],
  ['print-profiles', 'svc_print_profile_not_found', 'print profile', { name: 'A' }],
  ['user-interfaces', 'svc_user_interface_not_found', 'user interface layout', { name: 'A' }],
  ['shortcode-orders', 'svc_shortcode_order_not_found', 'shortcode order', { customer_name: 'A' }],
] as const

rule('a 404 names the requested id on GET, PATCH and DELETE', async (t, { call }) => {
  for (const [path, code, noun, change] of byId) {
    for (const [method, body] of [['GET'], ['PATCH', change], ['DELETE']] as const) {
      t.match(
        await call(method, `/${path}/4711`, body),
        { status: 404, body: { code, message: `No ${noun} with the id 4711.` } },
        `${method} ${path}`,
      )
    }
  }
})

rule('a 404 names the requested id on the routes below a resource', async (t, { call }) => {
  for (const [method, path, message, body] of [
    ['GET', '/products/4711/views', 'No product with the id 4711.'],
    ['POST', '/products/4711/views', 'No product with the id 4711.', { title: 'A' }],
    ['POST', '/views/4711/duplicate', 'No view with the id 4711.', {}],
    ['POST', '/categories/4711/clear', 'No product category with the id 4711.'],
    ['POST', '/print-profiles/4711/duplicate', 'No print profile with the id 4711.', { name: 'A' }],
    ['POST', '/print-profiles/4711/master', 'No print profile with the id 4711.', {}],
    ['GET', '/print-profiles/master', 'No print profile is the master.'],
  ] as const) {
    t.match(await call(method, path, body), { status: 404, body: { message } }, `${method} ${path}`)
  }
})

rule(
  'a 404 names the position of a text template, the slug of a tab, the color and the order',
  async (t, { call }) => {
    for (const [method, path, message, body] of [
      ['GET', '/text-templates/7', 'No text template at the index 7.'],
      ['PATCH', '/text-templates/7', 'No text template at the index 7.', { text: 'A' }],
      ['DELETE', '/text-templates/7', 'No text template at the index 7.'],
      ['GET', '/settings/groups/attic', /^No settings tab or section "attic"; the tabs are /],
      ['GET', '/color-library/usages?id=sun&type=color', 'No color with the id "sun" in the library.'],
      [
        'GET',
        '/orders/4711?type=shortcode',
        'No customization data for the order 4711 of type shortcode; for an order of another source send its type (wc, shortcode or gf).',
      ],
      [
        'DELETE',
        '/orders/4711',
        'No customization data for the order 4711 of type shortcode; for an order of another source send its type (wc, shortcode or gf).',
      ],
    ] as const) {
      t.match(await call(method, path, body), { status: 404, body: { message } }, `${method} ${path}`)
    }
  },
)
