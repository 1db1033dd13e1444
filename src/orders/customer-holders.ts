// Finds rows, other than shortcode orders, that contain a customer's address or the id of the account. Most belong to the CMS and
// its plugins. `eraseCustomer` reports them and leaves them unchanged.
import { type Expression, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { idWindows } from '../db/id-windows.ts'
import { isMailOf, mentionsMail } from './customer-mail.ts'
import { designKeys } from './source.ts'
import { foreignTables } from './tables.ts'

/** A column that contains an address, or the id of an account. */
interface PersonalColumn {
  /** Without the prefix. */
  table: string
  /** Primary key. */
  id: string
  column: string
  /** Only rows whose key column has one of these values. */
  keys?: { column: string; among: readonly string[] }
  /** Column with the id of the order, entry or account that the row belongs to; default the primary key. */
  owner?: string
  /** Whether the address may stand inside a longer text. */
  isText?: boolean
  /** What a row is, in a few words. */
  what: string
}

type ColumnDetails = Pick<PersonalColumn, 'keys' | 'owner' | 'isText'>

/** Declares a column. @param place its table and name, such as `users.user_email` */
function personalColumn(
  place: string,
  id: string,
  what: string,
  details: ColumnDetails = {},
): PersonalColumn {
  const [table = '', name = ''] = place.split('.')
  return { table, id, column: name, what, ...details }
}

const keys = (...among: string[]) => ({ keys: { column: 'meta_key', among } })
const postMeta = (what: string, details: ColumnDetails) =>
  personalColumn('postmeta.meta_value', 'meta_id', what, details)
const text = (place: string, id: string, what: string) => personalColumn(place, id, what, { isText: true })

const orderAddress = 'address of an order of the shop'
const trashedOrder = 'order of the shop in the trash, which the eraser of the shop skips'
const orderOfAccount = 'order of an account of the customer'

const orderColumns: readonly PersonalColumn[] = [
  personalColumn('wc_orders.billing_email', 'id', 'order of the shop', { owner: 'id' }),
  personalColumn('wc_order_addresses.email', 'id', orderAddress, { owner: 'order_id' }),
  postMeta(orderAddress, { ...keys('_billing_email', '_shipping_email'), owner: 'post_id' }),
]

const formColumn: PersonalColumn = {
  ...text('gf_entry_meta.meta_value', 'id', 'entry of a form'),
  owner: 'entry_id',
}

const accountColumn = personalColumn('users.user_email', 'ID', 'account of the CMS', { owner: 'ID' })

const otherColumns: readonly PersonalColumn[] = [
  personalColumn(
    'usermeta.meta_value',
    'umeta_id',
    'address of an account',
    keys('billing_email', 'shipping_email'),
  ),
  personalColumn('wc_customer_lookup.email', 'customer_id', 'customer in reports of the shop'),
  personalColumn('comments.comment_author_email', 'comment_ID', 'comment'),
  text('comments.comment_content', 'comment_ID', 'comment or note of an order that contains the address'),
  text('woocommerce_sessions.session_value', 'session_id', 'session of the shop'),
  postMeta('coupon of the shop', { ...keys('customer_email', '_used_by'), isText: true }),
  personalColumn(
    'woocommerce_downloadable_product_permissions.user_email',
    'permission_id',
    'permission to download from the shop',
  ),
  text('gf_entry_notes.value', 'id', 'note of an entry of a form'),
  text('actionscheduler_actions.args', 'action_id', 'scheduled action'),
]

/** Options are known by their names. */
const optionColumn: PersonalColumn = {
  ...text('options.option_value', 'option_id', 'option that contains the address'),
  owner: 'option_name',
}

/** Columns with the id of an account. */
const accountColumns: readonly PersonalColumn[] = [
  personalColumn('woocommerce_sessions.session_key', 'session_id', 'session of the shop'),
  postMeta('coupon of the shop', keys('_used_by')),
  personalColumn('wc_customer_lookup.user_id', 'customer_id', 'customer in reports of the shop'),
  personalColumn('gf_entry.created_by', 'id', 'entry of a form'),
  personalColumn('usermeta.user_id', 'umeta_id', 'logins of an account', keys('session_tokens')),
]

const ordersOfAccounts: readonly PersonalColumn[] = [
  personalColumn('wc_orders.customer_id', 'id', orderOfAccount),
  postMeta(orderOfAccount, { ...keys('_customer_user'), owner: 'post_id' }),
]

/** A row that holds, or may hold, data of the customer. */
export interface Holder {
  /** Physical name. */
  table: string
  /** Id of the row; a string for the name of an option and the key of a file. */
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
  read: (chunkOfIds: T[]) => Promise<Row[]>,
): AsyncGenerator<Row> {
  const all = [...ids]
  for (let start = 0; start < all.length; start += chunk) yield* await read(all.slice(start, start + chunk))
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
    const all = [...orders]
    for (let start = 0; start < all.length; start += chunk)
      for (const { table, query } of trash(all.slice(start, start + chunk)))
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
      const all = db.selectFrom(table).select('ID').orderBy('ID')
      const rows = rowsOfIds(accounts, (ids) => all.where('user_id', 'in', ids).execute())
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
