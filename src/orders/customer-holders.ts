// Names the rows that mention a customer beside the shortcode orders. Most belong to the CMS and its plugins.
import { type Expression, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { idWindows } from '../db/id-windows.ts'
import {
  accountColumn,
  accountColumns,
  formColumn,
  orderColumns,
  ordersOfAccounts,
  otherColumns,
  type PersonalColumn,
} from './customer-columns.ts'
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

/** What the search by address finds that leads to more. */
export interface CustomerIds {
  /** Orders of others, such as `wc:7`. */
  references: Set<string>
  /** Orders of the shop. */
  orders: Set<number>
  /** Accounts of the CMS. */
  accounts: Set<number>
}

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

  /** Rows of a table that meet a condition, window by window. */
  async function* rowsWhere(
    { table: name, id, column, keys, owner = id }: PersonalColumn,
    condition: Expression<unknown>,
  ) {
    const table = prefix + name
    report(table)
    const among = keys ? sql`${sql.ref(keys.column)} in (${sql.join(keys.among)})` : sql`1 = 1`
    for await (const { from, to } of idWindows(database, table, id)) {
      const { rows } = await sql<{ id: number; owner: number; value: string | null }>`
        select ${sql.ref(id)} as id, ${sql.ref(owner)} as owner, ${sql.ref(column)} as value
        from ${sql.table(table)} where ${sql.ref(id)} > ${from} and ${sql.ref(id)} <= ${to}
        and ${among} and ${condition}`.execute(db)
      yield* rows
    }
  }

  const found = ({ table, what }: PersonalColumn, row: { id: number; owner: number }) => ({
    holder: { table: prefix + table, id: Number(row.id), what },
    owner: Number(row.owner),
  })

  async function* rowsOf(source: PersonalColumn): AsyncGenerator<{ holder: Holder; owner: number }> {
    const isFound = source.isText ? mentionsMail : isMailOf
    for await (const row of rowsWhere(source, dialect.mayContain({ ref: source.column }, mail)))
      if (isFound(mail, row.value)) yield found(source, row)
  }

  /** Rows with the id of one of these accounts. */
  async function* rowsOfAccounts(source: PersonalColumn, accounts: ReadonlySet<number>) {
    const isTheirs = sql`${sql.ref(source.column)} in (${sql.join([...accounts].map(String))})`
    for await (const row of rowsWhere(source, isTheirs)) yield found(source, row)
  }

  /** Rows of a table that not every version of its plugin has with all these columns. */
  async function* ifComplete<T>(rows: AsyncGenerator<T>): AsyncGenerator<T> {
    try {
      yield* rows
    } catch (error) {
      if (!dialect.isMissingColumn(error)) throw error
    }
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
     * Everything that is found by the address, or by an account with this address.
     * @param found collects what else leads to data of the customer
     */
    async *byMail({ references, orders, accounts }: CustomerIds): AsyncGenerator<Holder> {
      for (const source of orderColumns)
        for await (const { holder, owner } of rowsOf(source)) {
          orders.add(owner)
          yield holder
        }
      const entries = new Set<number>()
      for await (const { holder, owner } of rowsOf(formColumn)) {
        entries.add(owner)
        yield holder
      }
      for await (const { holder, owner } of rowsOf(accountColumn)) {
        accounts.add(owner)
        yield holder
      }
      if (accounts.size > 0) {
        yield* ofAccounts(accounts)
        for (const source of ordersOfAccounts)
          for await (const { holder, owner } of rowsOfAccounts(source, accounts)) {
            if (!orders.has(owner)) yield holder
            orders.add(owner)
          }
        for (const source of accountColumns)
          for await (const { holder } of ifComplete(rowsOfAccounts(source, accounts))) yield holder
      }
      yield* shopDesigns(orders)
      for (const id of orders) references.add(`wc:${id}`)
      for (const id of entries) references.add(`gf:${id}`)
      yield* printJobs(references)
      for (const source of otherColumns)
        for await (const { holder } of ifComplete(rowsOf(source))) yield holder
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
