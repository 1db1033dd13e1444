// Names the rows that mention a customer beside the shortcode orders. Most belong to the CMS and its plugins.
import { sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { type IdWindow, idWindows } from '../repositories/id-windows.ts'
import { isMailOf, mentionsMail } from './customer-mail.ts'
import { generations } from './source.ts'
import { foreignTables } from './tables.ts'

/** A row that holds, or may hold, data of the customer, and that is not changed. */
export interface Holder {
  /** Physical name. */
  table: string
  /** Id of the row, name of an option, or key of a file. */
  id: number | string
  /** What it is, in a few words. */
  what: string
}

interface Place {
  /** Without the prefix. */
  table: string
  id: string
  column: string
  keys?: { column: string; among: readonly string[] }
  /** Column of what the row belongs to. */
  owner?: string
  /** Whether the address may stand inside a longer text. */
  isText?: boolean
  what: string
}

const orderAddress = 'address of an order of the shop'
const orderPlaces: readonly Place[] = [
  { table: 'wc_orders', id: 'id', column: 'billing_email', owner: 'id', what: 'order of the shop' },
  { table: 'wc_order_addresses', id: 'id', column: 'email', owner: 'order_id', what: orderAddress },
  {
    table: 'postmeta',
    id: 'meta_id',
    column: 'meta_value',
    keys: { column: 'meta_key', among: ['_billing_email', '_shipping_email'] },
    owner: 'post_id',
    what: orderAddress,
  },
]
const formPlace: Place = {
  table: 'gf_entry_meta',
  id: 'id',
  column: 'meta_value',
  owner: 'entry_id',
  isText: true,
  what: 'entry of a form',
}
const accountPlace: Place = {
  table: 'users',
  id: 'ID',
  column: 'user_email',
  owner: 'ID',
  what: 'account of the CMS',
}
const otherPlaces: readonly Place[] = [
  {
    table: 'usermeta',
    id: 'umeta_id',
    column: 'meta_value',
    keys: { column: 'meta_key', among: ['billing_email', 'shipping_email'] },
    what: 'address of an account',
  },
  {
    table: 'wc_customer_lookup',
    id: 'customer_id',
    column: 'email',
    what: 'customer in reports of the shop',
  },
  { table: 'comments', id: 'comment_ID', column: 'comment_author_email', what: 'comment' },
]

/** Ids in one statement. */
const chunk = 500

function* chunks<T>(items: Iterable<T>): Generator<T[]> {
  const rest = [...items]
  for (let at = 0; at < rest.length; at += chunk) yield rest.slice(at, at + chunk)
}

/**
 * @param mail as `plainMail` returns it
 * @param report called with each table while it is searched
 */
export function customerHolders(database: Database, mail: string, report: (table: string) => void) {
  const { db, t, dialect, prefix } = database

  async function* rowsOf(place: Place): AsyncGenerator<{ holder: Holder; owner: number }> {
    const table = prefix + place.table
    report(table)
    for await (const window of idWindows(database, table, place.id)) {
      const { rows } = await statement(table, place, window).execute(db)
      for (const { id, owner, value } of rows) {
        const isFound = place.isText ? mentionsMail(mail, value) : isMailOf(mail, value)
        if (isFound) yield { holder: { table, id: Number(id), what: place.what }, owner: Number(owner) }
      }
    }
  }

  function statement(table: string, { id, column, keys, owner = id }: Place, { from, to }: IdWindow) {
    const among = keys ? sql`${sql.ref(keys.column)} in (${sql.join(keys.among)})` : sql`1 = 1`
    return sql<{ id: number; owner: number; value: string | null }>`
      select ${sql.ref(id)} as id, ${sql.ref(owner)} as owner, ${sql.ref(column)} as value
      from ${sql.table(table)} where ${sql.ref(id)} > ${from} and ${sql.ref(id)} <= ${to}
      and ${among} and ${dialect.mayContain({ ref: column }, mail)}`
  }

  async function* options(): AsyncGenerator<Holder> {
    report(t.options)
    for await (const { from, to } of idWindows(database, t.options, 'option_id')) {
      const rows = await db
        .selectFrom(t.options)
        .select(['option_name', 'option_value'])
        .where('option_id', '>', from)
        .where('option_id', '<=', to)
        .where(dialect.mayContain({ ref: 'option_value' }, mail))
        .execute()
      for (const { option_name, option_value } of rows)
        if (mentionsMail(mail, option_value))
          yield { table: t.options, id: option_name, what: 'option that contains the address' }
    }
  }

  /** The designs of orders of the shop, which its own erasure does not know. */
  async function* shopDesigns(orders: Iterable<number>): AsyncGenerator<Holder> {
    const { db: shop, f } = foreignTables(database)
    for (const ids of chunks(orders)) {
      try {
        const rows = await shop
          .selectFrom(`${f.items} as i`)
          .innerJoin(`${f.itemMeta} as m`, 'm.order_item_id', 'i.order_item_id')
          .select('m.meta_id')
          .where('i.order_id', 'in', ids)
          .where('m.meta_key', 'in', [...generations])
          .orderBy('m.meta_id')
          .execute()
        for (const { meta_id } of rows)
          yield { table: f.itemMeta, id: Number(meta_id), what: 'design of an item of the shop' }
      } catch (error) {
        if (!dialect.isMissingTable(error)) throw error
      }
    }
  }

  async function* printJobs(references: Iterable<string>): AsyncGenerator<Holder> {
    for (const among of chunks(references)) {
      const rows = await db
        .selectFrom(t.print_job_steps)
        .select('job_id')
        .where('order_ref', 'in', among)
        .orderBy('job_id')
        .execute()
      for (const { job_id } of rows) yield { table: t.print_jobs, id: job_id, what: jobOfOthers }
    }
  }

  async function* ofAccounts(users: Iterable<number>): AsyncGenerator<Holder> {
    for (const ids of chunks(users)) {
      for (const name of ['products', 'categories'] as const) {
        const table = t[name] as 'products'
        const rows = await db
          .selectFrom(table)
          .select('ID')
          .where('user_id', 'in', ids)
          .orderBy('ID')
          .execute()
        for (const { ID } of rows) yield { table, id: ID, what: 'saved by an account of the customer' }
      }
    }
  }

  return {
    /**
     * Everything that is found by the address.
     * @param references collects the orders of others, such as `wc:7`
     */
    async *byMail(references: Set<string>): AsyncGenerator<Holder> {
      const orders = new Set<number>()
      for (const place of orderPlaces)
        for await (const { holder, owner } of rowsOf(place)) {
          orders.add(owner)
          yield holder
        }
      yield* shopDesigns(orders)
      const entries = new Set<number>()
      for await (const { holder, owner } of rowsOf(formPlace)) {
        entries.add(owner)
        yield holder
      }
      for (const id of orders) references.add(`wc:${id}`)
      for (const id of entries) references.add(`gf:${id}`)
      yield* printJobs(references)
      const users = new Set<number>()
      for await (const { holder, owner } of rowsOf(accountPlace)) {
        users.add(owner)
        yield holder
      }
      yield* ofAccounts(users)
      for (const place of otherPlaces) for await (const { holder } of rowsOf(place)) yield holder
      yield* options()
    },

    /** The remembered requests that created these orders. */
    async *requests(orders: Iterable<number>): AsyncGenerator<Holder> {
      for (const ids of chunks(orders)) {
        const rows = await db
          .selectFrom(t.idempotency)
          .select('key_hash')
          .where('operation', '=', 'create_shortcode_order')
          .where('made', 'in', ids.map(String))
          .execute()
        for (const { key_hash } of rows)
          yield { table: t.idempotency, id: key_hash, what: 'hash of a request, which expires within a day' }
      }
    },
  }
}

export const jobOfOthers = 'print job of an order that is not of the shortcode'
