// Bodies at the size limit in every hostile shape, the routes that accept them, and those that return what was stored.

/** Bytes of a body, just below the limit of routes that accept a blob. */
export const size = 8 * 2 ** 20 - 1000
/** The same for other routes. */
export const smallSize = 2 ** 20 - 1000
const repeated = (unit: string, size: number) => unit.repeat(Math.floor(size / Buffer.byteLength(unit)))
/** As many values as a body may contain, and a string for the rest. */
const counted = (unit: string, values: number, size: number) => {
  const list = unit.repeat(Math.min(490_000 / values, (size - 100) / unit.length))
  return `${list}"${'x'.repeat(size - list.length - 2)}"`
}
const element = {
  type: 'image',
  left: 1.5,
  top: 12.25,
  fill: '#ff0000',
  title: 'Ä€',
  z: 3,
  draggable: true,
  layer: null,
}
/** The inside of a JSON list of so many bytes, by name. */
export const shapes: Record<string, (size: number) => string> = {
  'empty arrays': (size) => `${repeated('[],', size)}0`,
  'empty objects': (size) => `${repeated('{},', size)}0`,
  numbers: (size) => `${repeated('1.25,', size)}0`,
  'long numbers': (size) => `${repeated('12345678901234567890,', size)}0`,
  nesting: (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'one string': (size) => `"${repeated('a', size)}"`,
  'one string of wide characters': (size) => `"${repeated('€', size)}"`,
  escapes: (size) => `"${repeated('\\u00e4', size)}"`,
  'half pairs': (size) => `"${repeated('\\ud800', size)}"`,
  quotes: (size) => `"${repeated('\\"', size)}"`,
  'equal names': (size) => `{${repeated('"a":1,', size)}"a":2}`,
  'empty arrays at the limit': (size) => counted('[],', 1, size),
  'single values in arrays': (size) => counted('[[0]],', 3, size),
  exponents: (size) => counted('1e20,', 1, size),
  names: (size) => `{${Array.from({ length: Math.min(60_000, size / 13) }, (_, i) => `"k${i}":1`)}}`,
  designs: (size) => `${repeated(`${JSON.stringify({ ...element, source: 'x'.repeat(60) })},`, size)}0`,
}

/** `body` makes the body of a list's inside. */
type Route = [method: string, path: string, body: (items: string) => string]

/** Routes that accept a blob. */
export const routes: Route[] = [
  ['POST', '/products', (items) => `{"title":"x","options":{"a":[${items}]}}`],
  ['PATCH', '/products/1', (items) => `{"options":{"a":[${items}]}}`],
  ['PATCH', '/products/1', (items) => `{"title":"y","views":[${items}]}`],
  ['POST', '/products/1/views', (items) => `{"title":"x","elements":[${items}]}`],
  ['PATCH', '/views/1', (items) => `{"elements":[${items}]}`],
  ['POST', '/design-categories', (items) => `{"title":"x","designs":[${items}]}`],
  ['POST', '/print-profiles', (items) => `{"name":"x","data":{"a":[${items}]}}`],
  ['POST', '/user-interfaces', (items) => `{"name":"x","data":{"a":[${items}]}}`],
  ['POST', '/shortcode-orders', (items) => `{"views":[${items}]}`],
  ['PATCH', '/orders/1', (items) => `{"type":"sc","order":{"a":[${items}]}}`],
  ['PUT', '/color-library', (items) => `{"colors":[${items}]}`],
  ['POST', '/categories', (items) => `{"title":"x","products":[${items}]}`],
]
/** Routes that accept a blob and change what those have created. */
export const changes: Route[] = [
  ['PATCH', '/design-categories/1', (items) => `{"designs":[${items}]}`],
  ['PATCH', '/print-profiles/1', (items) => `{"data":{"a":[${items}]}}`],
  ['PATCH', '/user-interfaces/1', (items) => `{"data":{"a":[${items}]}}`],
  ['PATCH', '/shortcode-orders/1', (items) => `{"views":[${items}]}`],
]
/** All other routes that accept JSON. */
export const smallRoutes: Route[] = [
  ['PATCH', '/categories/1', (items) => `{"products":[${items}]}`],
  ['PATCH', '/settings', (items) => `{"svc_hex_names":[${items}]}`],
  ['POST', '/text-templates', (items) => `{"text":[${items}]}`],
  ['PUT', '/text-templates', (items) => `{"templates":[${items}]}`],
  ['PATCH', '/text-templates/0', (items) => `{"text":[${items}]}`],
  ['POST', '/pricing-rules', (items) => `{"name":"x","data":{"a":[${items}]}}`],
  ['PATCH', '/pricing-rules/1', (items) => `{"data":{"a":[${items}]}}`],
  ['POST', '/views/1/duplicate', (items) => `{"title":[${items}]}`],
  ['POST', '/print-profiles/1/duplicate', (items) => `{"name":[${items}]}`],
  ['POST', '/print-profiles/1/master', (items) => `{"is_master":[${items}]}`],
  ['POST', '/orders/1/export', (items) => `{"type":"sc","summary_json":[${items}]}`],
]
/** Routes that return or inspect it. */
export const reads = [
  '/views/1',
  '/products/1',
  '/design-categories',
  '/orders/1?type=sc',
  '/system',
  '/color-library',
]
export const otherReads = [
  '/color-library/usages',
  '/settings',
  '/text-templates',
  '/pricing-rules',
  '/print-profiles?include_data=1',
  '/user-interfaces?include_data=1',
  '/shortcode-orders?include_data=1',
]
