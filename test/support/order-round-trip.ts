// The property that writing back what was read from an order changes nothing, over all possible stored values.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { sql } from 'kysely'
import { phpFromJson, writePhp } from '../../src/db/php-value.ts'
import { generations } from '../../src/orders/source.ts'
import type { TestHost } from './build.ts'
import { createShop, row, shopOrder } from './shop.ts'
import { jsonArray, jsonObject, jsonValue, storedForm } from './stored-values.ts'

type Item = Record<string, unknown>

/** A place where a design may be stored. */
interface FileLocation {
  type: string
  id: number
  itemId: number | null
  put(stored: string): Promise<void>
  read(): Promise<string | null>
}

/** Places of designs in orders of each type and generation, by name. */
async function orderPlaces(host: TestHost): Promise<Map<string, FileLocation>> {
  await createShop(host)
  const places = new Map<string, FileLocation>()
  const cell = (table: string, column: string, key: string, id: number) => ({
    async put(stored: string) {
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${stored} where ${sql.ref(key)} = ${id}`.execute(
        host.db,
      )
    },
    async read() {
      const { rows } = await sql<{ text: string | null }>`
        select ${sql.ref(column)} as text from ${sql.table(table)} where ${sql.ref(key)} = ${id}`.execute(
        host.db,
      )
      return rows[0]?.text ?? null
    },
  })
  const [{ id: firstMeta = 0 } = {}] = (
    await sql<{ id: number }>`select max(meta_id) as id from wp_woocommerce_order_itemmeta`.execute(host.db)
  ).rows
  let meta = Number(firstMeta)
  for (const key of generations) {
    const { id, items } = await shopOrder(host, 'posts', { items: [{ meta: [[key, '{}']] }] })
    const place = cell('wp_woocommerce_order_itemmeta', 'meta_value', 'meta_id', ++meta)
    places.set(`wc ${key}`, { type: 'wc', id, itemId: items[0] ?? 0, ...place })
  }
  const design = await host.db
    .insertInto(host.t.orders)
    .values({ customer_name: '', customer_mail: '', views: '{}', print_order: null })
    .executeTakeFirstOrThrow()
  const shortcode = { id: Number(design.insertId), itemId: null }
  for (const type of ['shortcode', 'sc'])
    places.set(type, { type, ...shortcode, ...cell('wp_svc_orders', 'views', 'ID', shortcode.id) })
  const fields = [{ id: 7, type: 'textarea', cssClass: 'svc-order' }]
  const form = await row(host, 'gf_form', { title: 'Order', date_created: '2026-01-01 00:00:00' })
  await row(host, 'gf_form_meta', { form_id: form, display_meta: JSON.stringify({ fields }) })
  const entry = await row(host, 'gf_entry', { form_id: form, date_created: '2026-01-01 00:00:00' })
  const value = await row(host, 'gf_entry_meta', {
    form_id: form,
    entry_id: entry,
    meta_key: '7',
    meta_value: '{}',
  })
  places.set('gf', {
    type: 'gf',
    id: entry,
    itemId: null,
    ...cell('wp_gf_entry_meta', 'meta_value', 'id', value),
  })
  return places
}

/** A design in any form; the oldest generation's array with the design as JSON text in `svc_product`, too. */
const anyDesign = fc.oneof(
  { weight: 4, arbitrary: storedForm(fc.oneof(jsonObject, jsonArray)) },
  {
    weight: 1,
    arbitrary: fc
      .record({
        inner: storedForm(fc.oneof(jsonObject, jsonArray)),
        beside: jsonObject,
      })
      .map(({ inner, beside }) => ({
        encoding: `the oldest, around ${inner.encoding}`,
        value: inner.value,
        stored: writePhp(phpFromJson({ ...beside, svc_product: inner.stored })),
      })),
  },
  { weight: 1, arbitrary: storedForm(jsonValue) },
)

const ourNames = new Set(['item_id', 'item_key'])

/** Writes what GET returned, then a change of it; checks the stored bytes, and what GET returns then. */
async function roundTrip(
  { call }: TestHost,
  place: FileLocation,
  stored: string,
  change: unknown,
  strip: boolean,
) {
  await place.put(stored)
  const { type, id, itemId } = place
  const read = await call('GET', `/orders/${id}?type=${type}`)
  // Not a design, or unreadable.
  if (read.status !== 200) return false
  const [item]: Item[] = read.body.data.items
  assert.ok(item && item.item_id === itemId)
  assert.equal(read.text.split('"item_key":').length - JSON.stringify(item).split('"item_key":').length, 0)
  const body = { type, ...(itemId === null ? {} : { item_id: itemId }) }
  for (const order of [item, [item], read.body.data]) {
    const same = await call('PATCH', `/orders/${id}`, { ...body, order })
    assert.equal(same.status, 200, same.text)
    assert.deepEqual(same.body.data, read.body.data)
    assert.equal(await place.read(), stored)
  }
  const wrapped = !Object.keys(item).every((name) => ourNames.has(name)) && isWrapped(item)
  const changed: Item = wrapped
    ? { item_id: itemId, item_key: item.item_key, data: withChange(item.data, change) }
    : { ...item, changed_by_test: change }
  const sent = strip
    ? Object.fromEntries(Object.entries(changed).filter(([name]) => !ourNames.has(name)))
    : changed
  const response = await call('PATCH', `/orders/${id}`, { ...body, order: sent })
  assert.equal(response.status, 200, response.text)
  assert.deepEqual(response.body.data.items, [asGiven(changed)])
  return true
}

/** Whether `data` contains the whole design. */
const isWrapped = (item: Item) => Object.keys(item).length === 3 && 'data' in item

function withChange(design: unknown, change: unknown): unknown {
  if (Array.isArray(design)) return [...design, change]
  return typeof design === 'object' && design !== null ? { ...design, changed_by_test: change } : [change]
}

const asGiven = (item: Item) => JSON.parse(JSON.stringify(item))

/** @returns how many stored values were read and written back, by place */
export async function checkOrderRoundTrips(host: TestHost, runs: number, seed: number) {
  const places = await orderPlaces(host)
  const counts: Record<string, number> = {}
  for (const [name, place] of places) {
    await fc.assert(
      fc.asyncProperty(anyDesign, jsonValue, fc.boolean(), async ({ stored }, change, strip) => {
        if (await roundTrip(host, place, stored, change, strip)) counts[name] = (counts[name] ?? 0) + 1
      }),
      { numRuns: Math.ceil(runs / places.size), seed },
    )
  }
  return counts
}
