// From stored rows to customization data: which generation counts, and what it holds, in whatever encoding.
import { largeValue } from '../db/large-values.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { hasProperty, parseExact } from '../json.ts'
import { largeFrom, offThread } from '../off-thread/off-thread.ts'
import { generations, type StoredData } from './source.ts'

type MaybeLater<T> = T | Promise<T>

/** What is stored is chosen per item; JSON text of the customization, undefined when it cannot be read. */
export interface Customization {
  found: StoredData
  text: string | undefined
}

/** The key when it is none of the generations: those are resolved together, whichever is named. */
export function literalKey(itemKey: string | undefined): string | undefined {
  return itemKey === '' || generations.some((key) => key === itemKey) ? undefined : itemKey
}

/** The first design of each item that is not empty, by generation; items without one are left out. */
export function designsOf(data: readonly StoredData[]): Promise<Customization[]> {
  // A source may keep designs under a key of its own, which is then the only one.
  const rank = ({ key }: StoredData) => (generations as readonly string[]).indexOf(key)
  return firstOf(
    [...data].sort((a, b) => rank(a) - rank(b)),
    designOf,
  )
}

/** The first value of each item under a literal key. */
export const literalsOf = (data: readonly StoredData[]) => firstOf(data, literalOf)

async function firstOf(
  data: readonly StoredData[],
  read: (value: string) => MaybeLater<string | undefined>,
): Promise<Customization[]> {
  const full = data.filter(({ value }) => !isEmpty(value))
  const items = Map.groupBy(full, ({ itemId }) => itemId)
  const sorted = [...items].sort(([a], [b]) => (a ?? 0) - (b ?? 0))
  const first = sorted.flatMap(([, [found]]) => (found ? [found] : []))
  return Promise.all(first.map(async (found) => ({ found, text: await read(found.value) })))
}

/** Empty, `null` and `[]`, also in the form in which PHP writes an empty array. */
function isEmpty(value: string): boolean {
  return ['', 'null', '[]', 'a:0:{}'].includes(value.trim())
}

/** A design in any encoding; a large one of the oldest encoding is read off the main thread. */
function designOf(stored: string): MaybeLater<string | undefined> {
  const isOldest = stored.length >= largeFrom && stored.trimStart().startsWith('a:')
  return isOldest ? offThread(import.meta.url, 'readDesign', stored) : readDesign(stored)
}

/** On either thread. In the oldest encoding the array's member `svc_product` is JSON text of its own. */
export function readDesign(stored: string): string | undefined {
  const text = readStoredJson(stored, '[]')
  if (text === undefined || !stored.trimStart().startsWith('a:')) return text
  const array = parseExact(text)
  if (typeof array !== 'object' || array === null || !Object.hasOwn(array, 'svc_product')) return text
  const members = Object.entries(array).map(([name, value]: [string, unknown]) => {
    const inner =
      name === 'svc_product' && typeof value === 'string' ? readStoredJson(value, '[]') : undefined
    return `${JSON.stringify(name)}:${inner ?? JSON.stringify(value)}`
  })
  return `{${members.join(',')}}`
}

/** Any other meta value as it is; decoded only where it is JSON. */
function literalOf(stored: string): string {
  const large = largeValue(stored)
  if (large) return large.json === stored ? stored : JSON.stringify(stored)
  try {
    JSON.parse(stored)
    return stored
  } catch {
    return JSON.stringify(stored)
  }
}

/** Names that an item's own properties have in a response. */
const ours = ['item_id', 'item_key']

/** Whether the design's properties stand beside the item's own: it must be an object, and hold none of the same name. */
export function isSpread({ text = 'null' }: Customization): boolean {
  if (!text.trimStart().startsWith('{')) return false
  // A name may be written with escapes. A look at the names is only worth it where one of ours can stand.
  return !/"item_(?:id|key)"|\\u00/.test(text) || !hasProperty(text, ours)
}

/** JSON text of an item in a response: the design's properties behind ours, or the whole design as `data`. */
export function itemText(item: Customization): string {
  const { found, text = 'null' } = item
  const head = `{"item_id":${found.itemId},"item_key":${JSON.stringify(found.key)}`
  const body = text.trim()
  if (!isSpread(item)) return `${head},"data":${body}}`
  return /^\{\s*\}$/.test(body) ? `${head}}` : `${head},${body.slice(1)}`
}
