// Finds and erases what this API stored about a customer in meta rows of the CMS: the recipient in copies of orders at the print
// provider, and products that the account has saved.
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'
import { rowsWhere } from './customer-holders.ts'
import { mentionsMail } from './customer-mail.ts'
import { providerOrderKey, withoutPerson } from './provider-meta-values.ts'

/** A meta row that holds data of the customer. */
export interface CustomerMeta {
  /** Physical name. */
  table: string
  /** Name of the primary key. */
  key: string
  id: number
  /** Id of the order or account that it belongs to. */
  objectId: number
  metaKey: string
  /** Returns the value without the customer's data; undefined if the whole row is deleted. */
  remainder: ((value: string) => string) | undefined
}

/** Products that an account has saved, in the storefront's own format. */
const savedProductPrefix = 'svc_saved_product_'

/** The meta rows of one customer. @param mail as `plainMail` returns it */
export function customerMeta(database: Database, mail: string) {
  const { db, dialect, prefix, transaction } = database

  /** Rows with name, address, phone and mail in the copy of an order at the print provider. */
  async function* copiesOfOrders(orders: ReadonlySet<number>): AsyncGenerator<CustomerMeta> {
    const keys = { column: 'meta_key', among: [providerOrderKey] }
    // Posts come first: a shop that stores its orders twice copies the meta of the post into the tables when it reads an order.
    for (const [table, key, owner] of [
      ['postmeta', 'meta_id', 'post_id'],
      ['wc_orders_meta', 'id', 'order_id'],
    ] as const) {
      for await (const row of rowsWhere(database, { table, id: key, column: 'meta_value', owner, keys })) {
        const [id, objectId] = [Number(row.id), Number(row.owner)]
        if (!orders.has(objectId) && !mentionsMail(mail, row.value)) continue
        if (withoutPerson(row.value ?? '') !== row.value)
          yield {
            table: prefix + table,
            key,
            id,
            objectId,
            metaKey: providerOrderKey,
            remainder: withoutPerson,
          }
      }
    }
  }

  /** Rows of accounts with a saved product. */
  async function* savedProducts(accounts: ReadonlySet<number>): AsyncGenerator<CustomerMeta> {
    if (accounts.size === 0) return
    const names = { table: 'usermeta', id: 'umeta_id', column: 'meta_key', owner: 'user_id' }
    const condition = sql`user_id in (${sql.join([...accounts])}) and meta_key like ${'svc!_saved!_product!_%'} escape '!'`
    for await (const { id, owner, value } of rowsWhere(database, names, condition)) {
      if (value?.startsWith(savedProductPrefix))
        yield {
          table: `${prefix}usermeta`,
          key: 'umeta_id',
          id: Number(id),
          objectId: Number(owner),
          metaKey: value,
          remainder: undefined,
        }
    }
  }

  const readRow = async ({ table, key, id }: CustomerMeta, executor: Kysely<Tables> = db) => {
    const { rows } = await sql<{ value: string | null }>`
      select meta_value as value from ${sql.table(table)} where ${sql.ref(key)} = ${id}
      ${executor !== db && dialect.locksRows ? sql`for update` : sql``}`.execute(executor)
    return rows[0]
  }

  return {
    /**
     * The rows to erase.
     * @param orders ids of the customer's orders in the shop
     * @param accounts ids of the customer's accounts
     */
    async *find(orders: ReadonlySet<number>, accounts: ReadonlySet<number>): AsyncGenerator<CustomerMeta> {
      yield* copiesOfOrders(orders)
      yield* savedProducts(accounts)
    },

    /** Erases one row, in a transaction of its own. */
    async erase(meta: CustomerMeta): Promise<void> {
      const { table, key, id, remainder } = meta
      const isRow = sql`where ${sql.ref(key)} = ${id}`
      await transaction(
        async (trx) => {
          if (!remainder) return void (await sql`delete from ${sql.table(table)} ${isRow}`.execute(trx))
          const row = await readRow(meta, trx)
          const value = row && remainder(row.value ?? '')
          await sql`update ${sql.table(table)} set meta_value = ${value ?? null} ${isRow}`.execute(trx)
        },
        async () => {
          const row = await readRow(meta)
          return row === undefined || (remainder !== undefined && remainder(row.value ?? '') === row.value)
        },
      )
    },
  }
}
