// Bodies at the size limit in every hostile shape, the routes that accept them, and those that return what was stored.

/** Bytes of a body, just below the limit. */
export const size = 32 * 2 ** 20 - 1000

const repeated = (unit: string) => `${unit.repeat(Math.floor(size / Buffer.byteLength(unit)))}`
/** As many values as a body may contain, and a string for the rest. */
const counted = (unit: string, values: number) => {
  const list = unit.repeat(Math.floor(2_400_000 / values))
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
/** The inside of a JSON list, by name. */
export const shapes: Record<string, () => string> = {
  'empty arrays': () => `${repeated('[],')}0`,
  'empty objects': () => `${repeated('{},')}0`,
  numbers: () => `${repeated('1.25,')}0`,
  'long numbers': () => `${repeated('12345678901234567890,')}0`,
  nesting: () => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'one string': () => `"${repeated('a')}"`,
  'one string of wide characters': () => `"${repeated('€')}"`,
  escapes: () => `"${repeated('\\u00e4')}"`,
  'half pairs': () => `"${repeated('\\ud800')}"`,
  quotes: () => `"${repeated('\\"')}"`,
  'equal names': () => `{${repeated('"a":1,')}"a":2}`,
  'empty arrays at the limit': () => counted('[],', 1),
  'single values in arrays': () => counted('[[0]],', 3),
  exponents: () => counted('1e20,', 1),
  names: () => `{${Array.from({ length: 2_300_000 }, (_, i) => `"k${i}":1`)}}`,
  designs: () => `${repeated(`${JSON.stringify({ ...element, source: 'x'.repeat(60) })},`)}0`,
}

/** `body` makes the body of a list's inside. */
export const routes: [method: string, path: string, body: (items: string) => string][] = [
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
/** Routes that return or inspect it. */
export const reads = [
  '/views/1',
  '/products/1',
  '/design-categories',
  '/orders/1?type=sc',
  '/system',
  '/color-library',
]
