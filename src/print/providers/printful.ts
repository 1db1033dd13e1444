// Orders at Printful through version 1 of its API: a draft per order of the shop, identified by the shop's order id. Each
// print job merges its item into the draft. Drafts are never confirmed. order-at-provider.ts calls the provider.
import { isObject } from '../../json/values.ts'
import { type PrintfulApi, printfulApi, type RemoteOrder } from './printful-api.ts'
import { type DraftItem, type PrintProvider, ProviderRefused, ProviderUnavailable } from './provider.ts'

/** The recipient of an order, as Printful names it. */
export interface Recipient {
  name: string
  company?: string
  address1: string
  address2?: string
  city: string
  state_code?: string
  country_code: string
  zip?: string
  phone?: string
  email?: string
}

/** An option of an item, as Printful names it. */
export interface ItemOption {
  id: string
  value: string | number | boolean | readonly (string | number | boolean)[]
}

/** Merges two lists of options; an option of the second list replaces the one with the same id of the first. */
export const mergedOptions = <A extends { id?: unknown }, B extends { id?: unknown }>(
  first: readonly A[],
  second: readonly B[],
): (A | B)[] => {
  const secondIds = new Set(second.map(({ id }) => id))
  return [...first.filter(({ id }) => !secondIds.has(id)), ...second]
}

/** The shop's data about a printed order item. */
export interface ProviderLine {
  name: string
  quantity: number
  /** Price of one piece, with a point and two decimals; undefined if the shop stores none. */
  retailPrice: string | undefined
  variantId: number
  /** Placements of the variation's templates, in order; empty if it has none. */
  placements: string[]
  /** Options that the product needs, such as the colors of threads. */
  options?: readonly ItemOption[]
  recipient: Recipient
  /** Other items that leave the draft: refunded as a whole, or printed for this order and no longer in it. */
  goneItems: readonly number[]
  /** Remarks about the draft for the shop, one sentence each; they become warnings of the job. */
  notes: readonly string[]
}

/** Reads the shop's orders, and records the provider's orders for PHP. */
export interface ProviderOrders {
  /** @throws ProviderRefused when the item, its variation or a complete address is missing */
  line(item: Pick<DraftItem, 'orderId' | 'orderType' | 'itemId' | 'variation'>): Promise<ProviderLine>
  /** Stores the provider's order; a repeated call replaces it. */
  ordered(orderId: string, order: RemoteOrder): Promise<void>
}

interface Services {
  url: string | undefined
  token: string
  orders: ProviderOrders
}

/** An item of a draft, as this API sends it. */
interface NewItem {
  external_id: string
  variant_id: number
  quantity: number
  name: string
  retail_price?: string
  options?: readonly ItemOption[]
  files: { type?: string; url: string }[]
}

/** The provider for one token; created for each order. */
export function printfulProvider({
  url = 'https://api.printful.com',
  token,
  orders,
}: Services): PrintProvider {
  return {
    async upsertDraft(item, signal) {
      const api = printfulApi({ url: url.replace(/(?<!\/)\/+$/, ''), token, signal })
      signal.throwIfAborted()
      const line = await orders.line(item)
      const newItem = itemToOrder(item, line, await item.printedUrls(signal))
      const order = await upsert(api, item.orderId, newItem, line)
      const { id } = order
      if (!Number.isSafeInteger(id)) throw unusable('no id')
      await orders.ordered(item.orderId, order)
      return { providerOrder: String(id), notes: line.notes }
    },
  }
}

/** The item as it is ordered; the file of the n-th page of the design goes to the n-th placement. */
function itemToOrder({ itemId, positions }: DraftItem, line: ProviderLine, urls: string[]): NewItem {
  const { name, quantity, retailPrice, variantId, placements, options = [] } = line
  if (urls.length === 0) throw new ProviderRefused('There is no file to print.')
  const places = urls.map((_url, index) => positions?.[index] ?? index)
  // Left-out pages count: their placements stay empty.
  const count = Math.max(...places) + 1
  if (count > Math.max(1, placements.length)) {
    throw new ProviderRefused(
      `The print file holds ${count} pictures, the variation has ${placements.length} templates.`,
    )
  }
  return {
    external_id: String(itemId),
    variant_id: variantId,
    quantity,
    name,
    ...(retailPrice !== undefined && { retail_price: retailPrice }),
    ...(options.length > 0 && { options }),
    files: urls.map((url, index) => {
      const type = placements[places[index] ?? index]
      return { ...(type !== undefined && { type }), url }
    }),
  }
}

/** Creates or updates the draft. After a lost response, the existing draft is found by its external id. */
async function upsert(
  api: PrintfulApi,
  orderId: string,
  newItem: NewItem,
  { recipient, goneItems }: ProviderLine,
) {
  const path = `/orders/@${orderId}`
  let draft = await api.get(path)
  if (!draft) {
    try {
      const created = await api.post('/orders', { external_id: orderId, recipient, items: [newItem] })
      return assertItem(created, orderId, newItem)
    } catch (error) {
      if (!(error instanceof ProviderRefused)) throw error
      // Another process may have created the order meanwhile; otherwise the refusal stands.
      draft = await api.get(path)
      if (!draft) throw error
    }
  }
  const items = itemsOf(draft, orderId)
  if (draft.status !== 'draft' && draft.status !== 'failed') {
    if (items.some((item) => isOrdered(item, newItem))) return draft
    throw new ProviderRefused(`The order at the print provider takes no more items: it is ${stateOf(draft)}.`)
  }
  const change = {
    items: itemsWith(items, newItem, goneItems),
    // Corrections made at the provider stay.
    ...(!hasRecipient(draft) && { recipient }),
  }
  return assertItem(await api.put(path, change), orderId, newItem)
}

/**
 * The items of the draft with the new one, without those that leave it. All others are sent, because a PUT removes items that it does
 * not contain.
 */
function itemsWith(all: RemoteOrder[], newItem: NewItem, goneItems: readonly number[]): object[] {
  const goneIds = new Set<unknown>(goneItems.map(String))
  const items = all.filter((item) => !goneIds.has(item.external_id))
  const existing = items.find((item) => isSameItem(item, newItem))
  // Options that were set at the provider stay, unless the shop overrides them.
  const options = mergedOptions(
    existing?.variant_id === newItem.variant_id ? recordsOf(existing.options) : [],
    newItem.options ?? [],
  )
  const replaced = {
    ...(existing?.id !== undefined && existing.id !== null && { id: existing.id }),
    ...newItem,
    ...(options.length > 0 && { options }),
    files: newItem.files.map((file) => ({ ...file, ...fileOptionsOf(existing, file) })),
  }
  const otherItems = items.filter((item) => !isSameItem(item, newItem)).map(writable)
  // An existing item is replaced at its position, so that the order of the items stays.
  const position = existing ? items.indexOf(existing) : otherItems.length
  return otherItems.toSpliced(position, 0, replaced)
}

/** Options of the file that the item had at the same placement. */
function fileOptionsOf(
  existing: RemoteOrder | undefined,
  { type }: NewItem['files'][number],
): { options?: unknown } {
  const earlier = recordsOf(existing?.files).find((file) => (file.type ?? 'default') === (type ?? 'default'))
  return Array.isArray(earlier?.options) && earlier.options.length > 0 ? { options: earlier.options } : {}
}

const isSameItem = (item: RemoteOrder, { external_id }: NewItem) =>
  String(item.external_id ?? '') === external_id

/** Whether the order has the item with these files, perhaps beside others. */
function isOrdered(item: RemoteOrder, newItem: NewItem): boolean {
  const urls = new Set(recordsOf(item.files).map(({ url }) => url))
  return isSameItem(item, newItem) && newItem.files.every(({ url }) => urls.has(url))
}

/** Properties of an item that a PUT accepts. */
const itemFields = [
  'id',
  'external_id',
  'variant_id',
  'sync_variant_id',
  'external_variant_id',
  'warehouse_product_variant_id',
  'product_template_id',
  'external_product_id',
  'quantity',
  'retail_price',
  'name',
  'sku',
  'options',
]
/** Properties of a file that a PUT accepts. */
const fileFields = ['type', 'id', 'options', 'filename', 'visible', 'position']

/** Another item as the provider returned it, without the provider's read-only properties. */
function writable(item: RemoteOrder): object {
  const files = recordsOf(item.files).map((file) => {
    const fields = fieldsOf(file, fileFields)
    return fields.id === undefined && file.url !== null ? { ...fields, url: file.url } : fields
  })
  return { ...fieldsOf(item, itemFields), ...(files.length > 0 && { files }) }
}

const fieldsOf = (record: RemoteOrder, names: string[]): RemoteOrder =>
  Object.fromEntries(
    names
      .map((name) => [name, record[name]] as const)
      .filter(([, value]) => value !== null && value !== undefined),
  )

const recordsOf = (list: unknown): RemoteOrder[] => (Array.isArray(list) ? list.filter(isObject) : [])

/** The items of an order in a response. @throws ProviderUnavailable if it is a different order, or its items cannot be read */
function itemsOf(order: RemoteOrder, orderId: string): RemoteOrder[] {
  if (String(order.external_id ?? '') !== orderId) throw unusable('another order')
  // Items that cannot be read would be removed by the next PUT.
  if (!Array.isArray(order.items) || !order.items.every(isObject)) throw unusable('no items')
  return order.items
}

/** Returns the order. @throws ProviderUnavailable unless it contains the item once */
function assertItem(order: RemoteOrder, orderId: string, newItem: NewItem): RemoteOrder {
  const existing = itemsOf(order, orderId).filter((item) => isSameItem(item, newItem))
  if (existing.length !== 1) throw unusable(`the item ${existing.length} times`)
  return order
}

function hasRecipient({ recipient }: RemoteOrder): boolean {
  return isObject(recipient) && [recipient.address1, recipient.country_code].every((text) => Boolean(text))
}

const stateOf = ({ status }: RemoteOrder) =>
  typeof status === 'string' && /^[a-z_]{1,30}$/.test(status) ? status : 'in an unknown state'

const unusable = (what: string) =>
  new ProviderUnavailable(`The response of the print provider cannot be used: it holds ${what}.`)
