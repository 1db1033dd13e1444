// Reads what was bought with each item of shop orders: product, quantity and the attributes that the shop shows, such as size and
// color.
import { sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { fromJson } from '../json/parse.ts'
import { isObject } from '../json/values.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { noRefunds, refundsOf } from './refunds.ts'
import { shopRows } from './shop-rows.ts'
import { shopText } from './shop-text.ts'
import { type BoughtItem, designKeys, type Refunds } from './source.ts'
import { foreignTables, storedId } from './tables.ts'

interface Bought {
  items: Map<number, BoughtItem>
  refunds: (orderId: number) => Refunds
}

interface StoredMeta {
  key: string
  value: string
}

/** Keys of hidden meta that is read; other keys that begin with an underscore are not. */
const hiddenKeys = ['_qty', '_product_id', '_variation_id']
/** Characters of a value: longer ones are no attributes. */
const maxValue = 1000
/** The most attributes of an item. */
const maxAttributes = 50

/** Returns a function that reads the items of orders. */
export function boughtItems(database: Database, cms: CmsOptions) {
  const { db, f } = foreignTables(database)
  const { postMeta } = shopRows(database, cms)
  const refundsIn = refundsOf(database, cms)

  /** The items of the orders by id, with their visible meta and `hiddenKeys`, without designs. */
  async function itemsOf(orderIds: readonly number[]) {
    const rows = await db
      .selectFrom(`${f.items} as i`)
      .leftJoin(`${f.itemMeta} as m`, (join) =>
        join
          .onRef('m.order_item_id', '=', 'i.order_item_id')
          .on('m.meta_key', 'not in', designKeys)
          .on(({ or, eb }) =>
            or([eb('m.meta_key', 'in', hiddenKeys), sql<boolean>`m.meta_key not like '!_%' escape '!'`]),
          )
          .on(sql<boolean>`length(m.meta_value) <= ${4 * maxValue}`),
      )
      .select(['i.order_id as order', 'i.order_item_id as item', 'i.order_item_name as name'])
      .select(['m.meta_key as key', 'm.meta_value as value'])
      .where('i.order_id', 'in', orderIds)
      .where('i.order_item_type', '=', 'line_item')
      .orderBy('i.order_item_id')
      .orderBy('m.meta_id')
      .execute()
    const items = new Map<number, { order: number; name: string; meta: StoredMeta[] }>()
    for (const { order, item, name, key, value } of rows) {
      const entry = items.get(item) ?? { order, name, meta: [] }
      if (key !== null) entry.meta.push({ key, value: value ?? '' })
      items.set(item, entry)
    }
    return items
  }

  /** Labels of global attributes, by taxonomy such as `pa_size`, and names of their terms, by taxonomy and slug such as `pa_size xl`. */
  async function globalAttributes(metas: readonly StoredMeta[]) {
    const ofTaxonomies = metas.map(asAttribute).filter(({ key }) => key.startsWith('pa_'))
    const names = new Map<string, string>()
    if (ofTaxonomies.length === 0) return names
    const taxonomies = [...new Set(ofTaxonomies.map(({ key }) => key))]
    // WordPress stores the slugs of letters that are not of ASCII encoded, in lower case.
    const slugs = [...new Set(ofTaxonomies.flatMap(({ value }) => [value, urlEncoded(value)]))]
    const [labels, terms] = await Promise.all([
      db
        .selectFrom(f.attributes)
        .select(['attribute_name as slug', 'attribute_label as label'])
        .where(
          'attribute_name',
          'in',
          taxonomies.map((taxonomy) => taxonomy.slice(3)),
        )
        .execute(),
      db
        .selectFrom(`${f.termTaxonomy} as x`)
        .innerJoin(`${f.terms} as t`, 't.term_id', 'x.term_id')
        .select(['x.taxonomy', 't.slug', 't.name'])
        .where('x.taxonomy', 'in', taxonomies)
        .where('t.slug', 'in', slugs)
        .execute(),
    ]).catch((error: unknown) => {
      if (!database.dialect.isMissingTable(error)) throw error
      return [[], []] as const
    })
    for (const { slug, label } of labels) names.set(`pa_${slug}`, shopText(label))
    for (const { taxonomy, slug, name } of terms) names.set(`${taxonomy} ${urlDecoded(slug)}`, shopText(name))
    return names
  }

  /** What was bought, by item id, and the refunds of each order. */
  return async (orderIds: readonly number[]): Promise<Bought> => {
    if (orderIds.length === 0) return { items: new Map(), refunds: () => noRefunds }
    const [items, refunds] = await Promise.all([itemsOf(orderIds), refundsIn(orderIds)])
    const facts = [...items].map(([id, { order, name, meta }]) => {
      const first = (key: string) => meta.find((entry) => entry.key === key)?.value
      const product = storedId(first('_product_id'))
      return {
        id,
        order,
        name,
        meta,
        product,
        variation: storedId(first('_variation_id')),
        quantity: first('_qty'),
      }
    })
    const posts = [...new Set(facts.flatMap(({ product, variation }) => [product, variation]))].filter(
      (post) => post !== undefined,
    )
    const [metaOf, names] = await Promise.all([
      posts.length > 0 ? postMeta(posts, ['_sku', '_product_attributes']) : () => null,
      globalAttributes(facts.flatMap(({ meta }) => meta)),
    ])
    const bought = new Map(
      facts.map(({ id, order, name, meta, product, variation, quantity }) => {
        const labels = customLabels(product === undefined ? null : metaOf(product, '_product_attributes'))
        const sku = [variation, product].map((post) => (post === undefined ? null : metaOf(post, '_sku')))
        return [
          id,
          {
            name: shopText(name),
            sku: shopText(sku.find(Boolean)),
            product_id: product ?? null,
            variation_id: variation ?? null,
            // WooCommerce's default if nothing is stored.
            quantity: quantity === undefined ? 1 : numberOf(quantity),
            refunded: refunds(order).pieces.get(id) ?? 0,
            attributes: attributesOf(meta, names, labels),
          },
        ]
      }),
    )
    return { items: bought, refunds }
  }
}

/** Key and value of an attribute: those of variations are URL-encoded if their letters are not of ASCII, and carts prefix the keys. */
function asAttribute({ key, value }: StoredMeta): StoredMeta {
  return { key: urlDecoded(key).replace(/^attribute_/, ''), value: urlDecoded(value) }
}

function urlDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A slug as WordPress encodes it; lone surrogates, which have no encoding, are replaced. */
const urlEncoded = (text: string) => encodeURIComponent(text.toWellFormed()).toLowerCase()

/** The visible meta of an item, as WooCommerce's `get_formatted_meta_data` selects and labels it. */
function attributesOf(
  meta: readonly StoredMeta[],
  names: ReadonlyMap<string, string>,
  labels: ReadonlyMap<string, string>,
): BoughtItem['attributes'] {
  const visible = meta.filter(({ key, value }) => !key.startsWith('_') && isScalar(value))
  return visible.slice(0, maxAttributes).map((stored) => {
    const { key, value } = asAttribute(stored)
    const name = names.get(key) ?? labels.get(key.toLowerCase()) ?? key.replace(/^pa_/, '')
    return { name: shopText(name), value: names.get(`${key} ${value}`) ?? shopText(unserialized(value)) }
  })
}

/** Whether a stored value is a text or number: the shop does not show arrays and objects that PHP serialized. */
const isScalar = (value: string) => value !== '' && value.length <= maxValue && !/^[aO]:\d+:/.test(value)

/** A text, number or boolean that PHP serialized, as `maybe_unserialize` reads it and the shop shows it. */
function unserialized(value: string): string {
  const [, text] = /^s:\d+:"([\s\S]*)";$/.exec(value) ?? []
  const [, type, scalar = ''] = /^([ibd]):([\d.eE+-]+);$/.exec(value) ?? []
  if (type === 'b') return scalar === '1' ? '1' : ''
  return text ?? (type === undefined ? value : scalar)
}

/** Labels of a product's custom attributes, by key. */
function customLabels(stored: string | null): Map<string, string> {
  const json = stored ? readStoredJson(stored, '{}') : undefined
  const attributes: unknown = json === undefined ? {} : fromJson(json)
  if (!isObject(attributes)) return new Map()
  return new Map(
    Object.entries(attributes).flatMap(([key, attribute]) =>
      isObject(attribute) && typeof attribute.name === 'string' && !attribute.is_taxonomy
        ? [[urlDecoded(key), attribute.name] as const]
        : [],
    ),
  )
}

/** A decimal number, as PHP counts it as numeric. */
function numberOf(text: string): number | null {
  const number = /^\s*[+-]?[\d.]+(?:e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : null
}
