// Finds rows, other than shortcode orders, that contain a customer's address or belong to the customer's account or orders. Most belong
// to the CMS and its plugins. `eraseCustomer` reports them and leaves them unchanged; what it erases in meta, customer-meta.ts finds.
import { type Expression, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { idWindows } from '../db/id-windows.ts'
import {
  accountColumn,
  accountColumns,
  formColumn,
  optionColumn,
  orderColumns,
  ordersOfAccounts,
  otherColumns,
  type PersonalColumn,
  trashedOrder,
} from './customer-columns.ts'
import { isMailOf, mentionsMail } from './customer-mail.ts'
import { designKeys } from './source.ts'
import { foreignTables } from './tables.ts'

/** A row that holds, or may hold, data of the customer. */
export interface Holder {
  /** Physical name. */
  table: string
  /** Id of the row; a string for the name of an option, the key of a picture, and the hash of a request. */
  id: number | string
  /** What it is, in a few words. */
  what: string
}

/** Ids that the search by address finds, by which more rows are found. */
export interface CustomerIds {
  /** References of orders of the shop and entries of forms, such as `wc:7`. */
  references: Set<string>
  /** Ids of orders of the shop. */
  orders: Set<number>
  /** Ids of accounts of the CMS. */
  accounts: Set<number>
}

/** Ids in one statement. */
const chunk = 500

/** The rows of these ids, read in chunks. */
async function* rowsOfIds<T, Row>(
  ids: Iterable<T>,
  readChunk: (chunkOfIds: T[]) => Promise<Row[]>,
): AsyncGenerator<Row> {
  const allIds = [...ids]
  for (let start = 0; start < allIds.length; start += chunk)
    yield* await readChunk(allIds.slice(start, start + chunk))
}

/** Rows of a table that meet a condition: id, owner and value of the column. Reads a window of ids at a time. */
export async function* rowsWhere(
  database: Database,
  { table, id, column, keys, owner = id }: Omit<PersonalColumn, 'what'>,
  condition: Expression<unknown> = sql`1 = 1`,
) {
  const among = keys ? sql`${sql.ref(keys.column)} in (${sql.join(keys.among)})` : sql`1 = 1`
  for await (const { from, to } of idWindows(database, database.prefix + table, id)) {
    const { rows } = await sql<{ id: number; owner: number | string; value: string | null }>`
      select ${sql.ref(id)} as id, ${sql.ref(owner)} as owner, ${sql.ref(column)} as value
      from ${sql.table(database.prefix + table)} where ${sql.ref(id)} > ${from} and ${sql.ref(id)} <= ${to}
      and ${among} and ${condition} order by ${sql.ref(id)}`.execute(database.db)
    yield* rows
  }
}

/**
 * The rows of one customer.
 * @param mail as `plainMail` returns it
 * @param report called with the name of each table before it is searched
 */
export function customerHolders(database: Database, mail: string, report: (table: string) => void) {
  const { db, t, dialect, prefix } = database

  /** Rows that meet a condition, as holders with their owner and value. */
  async function* holdersWhere(source: PersonalColumn, condition: Expression<unknown>) {
    const table = prefix + source.table
    report(table)
    for await (const { id, owner, value } of rowsWhere(database, source, condition))
      yield { holder: { table, id: Number(id), what: source.what }, owner, value }
  }

  /** Rows with the address. */
  async function* rowsWithMail(source: PersonalColumn) {
    const matches = source.isText ? mentionsMail : isMailOf
    for await (const row of holdersWhere(source, dialect.mayContain({ ref: source.column }, mail)))
      if (matches(mail, row.value)) yield row
  }

  /** Rows with the address in several tables; adds their owners to `ownerIds`. */
  async function* rowsWithOwners(
    sources: readonly PersonalColumn[],
    ownerIds: Set<number>,
  ): AsyncGenerator<Holder> {
    for (const source of sources)
      for await (const { holder, owner } of rowsWithMail(source)) {
        ownerIds.add(Number(owner))
        yield holder
      }
  }

  /** Rows with the id of one of these accounts. */
  const rowsOfAccounts = (source: PersonalColumn, accounts: ReadonlySet<number>) =>
    holdersWhere(source, sql`${sql.ref(source.column)} in (${sql.join([...accounts].map(String))})`)

  /** Yields the rows; none if this version of the plugin lacks one of the columns. */
  async function* ifComplete<T>(rows: AsyncGenerator<T>): AsyncGenerator<T> {
    try {
      yield* rows
    } catch (error) {
      if (!dialect.isMissingColumn(error)) throw error
    }
  }

  /** The designs of orders of the shop, which the eraser of the shop does not know. */
  async function* shopDesigns(orders: Iterable<number>): AsyncGenerator<Holder> {
    const { db: shop, f } = foreignTables(database)
    const rows = rowsOfIds(orders, (ids) =>
      shop
        .selectFrom(`${f.items} as i`)
        .innerJoin(`${f.itemMeta} as m`, 'm.order_item_id', 'i.order_item_id')
        .select('m.meta_id')
        .where('i.order_id', 'in', ids)
        .where('m.meta_key', 'in', [...designKeys])
        .orderBy('m.meta_id')
        .execute(),
    )
    try {
      for await (const { meta_id } of rows)
        yield { table: f.itemMeta, id: Number(meta_id), what: 'design of an item of the shop' }
    } catch (error) {
      if (!dialect.isMissingTable(error)) throw error
    }
  }

  /** Orders in the trash, which the eraser of the shop skips: their rows in addition to those that hold the address. */
  async function* inTrash(orders: Iterable<number>): AsyncGenerator<Holder> {
    const { db: shop, f } = foreignTables(database)
    const trash = (ids: number[]) => [
      {
        table: f.posts,
        query: shop
          .selectFrom(f.posts)
          .select('ID as id')
          .where('ID', 'in', ids)
          .where('post_status', '=', 'trash'),
      },
      {
        table: f.orders,
        query: shop.selectFrom(f.orders).select('id').where('id', 'in', ids).where('status', '=', 'trash'),
      },
    ]
    const orderIds = [...orders]
    for (let start = 0; start < orderIds.length; start += chunk)
      for (const { table, query } of trash(orderIds.slice(start, start + chunk)))
        try {
          for (const { id } of await query.execute()) yield { table, id: Number(id), what: trashedOrder }
        } catch (error) {
          if (!dialect.isMissingTable(error)) throw error
        }
  }

  /** The print jobs of orders of the shop and entries of forms. */
  async function* printJobs(references: Iterable<string>): AsyncGenerator<Holder> {
    const steps = db.selectFrom(t.print_job_steps).select('job_id').orderBy('job_id')
    const rows = rowsOfIds(references, (refs) => steps.where('order_ref', 'in', refs).execute())
    for await (const { job_id } of rows) yield { table: t.print_jobs, id: job_id, what: printJobOfSource }
  }

  /** Products and categories that an account has saved. */
  async function* savedByAccounts(accounts: Iterable<number>): AsyncGenerator<Holder> {
    for (const name of ['products', 'categories'] as const) {
      // The two tables have the same columns here.
      const table = t[name] as 'products'
      const savedRows = db.selectFrom(table).select('ID').orderBy('ID')
      const rows = rowsOfIds(accounts, (ids) => savedRows.where('user_id', 'in', ids).execute())
      for await (const { ID } of rows) yield { table, id: ID, what: 'saved by an account of the customer' }
    }
  }

  return {
    /**
     * All rows with the address, or of an account with this address. Fills `references`, `orders` and `accounts` with the ids
     * that it finds, by which the caller finds more data of the customer.
     */
    async *byMail({ references, orders, accounts }: CustomerIds): AsyncGenerator<Holder> {
      const entries = new Set<number>()
      yield* rowsWithOwners(orderColumns, orders)
      yield* rowsWithOwners([formColumn], entries)
      yield* rowsWithOwners([accountColumn], accounts)
      if (accounts.size > 0) {
        yield* savedByAccounts(accounts)
        for (const source of ordersOfAccounts)
          for await (const { holder, owner } of rowsOfAccounts(source, accounts)) {
            if (!orders.has(Number(owner))) yield holder
            orders.add(Number(owner))
          }
        for (const source of accountColumns)
          for await (const { holder } of ifComplete(rowsOfAccounts(source, accounts))) yield holder
      }
      yield* inTrash(orders)
      yield* shopDesigns(orders)
      for (const id of orders) references.add(`wc:${id}`)
      for (const id of entries) references.add(`gf:${id}`)
      yield* printJobs(references)
      for (const source of otherColumns)
        for await (const { holder } of ifComplete(rowsWithMail(source))) yield holder
      for await (const { holder, owner } of rowsWithMail(optionColumn)) yield { ...holder, id: String(owner) }
    },

    /** The requests that created these orders, which are stored for a day so that a repeated one finds its order. */
    async *requests(orders: Iterable<number>): AsyncGenerator<Holder> {
      const requests = db
        .selectFrom(t.idempotency)
        .select('key_hash')
        .where('operation', '=', 'create_shortcode_order')
      const rows = rowsOfIds(orders, (ids) => requests.where('made', 'in', ids.map(String)).execute())
      for await (const { key_hash } of rows)
        yield { table: t.idempotency, id: key_hash, what: 'hash of a request, which expires within a day' }
    },
  }
}

/** What a print job of an order that is not emptied is, for `Holder.what`. */
export const printJobOfSource = 'print job of an order of the shop or of a form'
