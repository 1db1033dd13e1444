// What a document no longer promises that an earlier one did.

type Node = Record<string, unknown>

/** Paths of everything in `released` that `current` lacks: operations, parameters, statuses, fields, enum values. */
export function lostIn(released: Node, current: Node): string[] {
  const losses: string[] = []
  compare(shape(released), shape(current), '', losses)
  return losses
}

/** Keywords that may change without breaking a client. */
const prose = new Set([
  'description',
  'summary',
  'examples',
  'example',
  'info',
  'servers',
  'required',
  'tags',
])

/** The document as nested objects: lists become objects keyed by what their items are, prose is left out. */
function shape(node: unknown): unknown {
  if (Array.isArray(node)) return Object.fromEntries(node.map((item) => [keyOf(item), shape(item)]))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !prose.has(key))
      .map(([key, value]) => [key, shape(value)]),
  )
}

function keyOf(item: unknown): string {
  const { name, in: place } = Object(item)
  if (name !== undefined) return `${place ?? ''} ${name}`
  return JSON.stringify(item, (key, value) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  )
}

function compare(released: unknown, current: unknown, path: string, losses: string[]): void {
  if (typeof released !== 'object' || released === null) return
  for (const [key, value] of Object.entries(released)) {
    const place = `${path}/${key}`
    // Error responses are shared under numbered names; what they are called promises nothing.
    if (place === '/components/responses' || key === '$ref') continue
    if (!Object.hasOwn(Object(current), key)) losses.push(place)
    else compare(value, Reflect.get(Object(current), key), place, losses)
  }
}
