// What this product keeps about a customer in meta rows of the CMS: copies of orders at the print provider, and saved products.
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'
import { rowsWhere } from './customer-holders.ts'
import { mentionsMail } from './customer-mail.ts'
import { providerOrderKey, withoutPerson } from './order-meta.ts'

/** A meta row that holds data of the customer. */
export interface OwnMeta {
  /** Physical name. */
  table: string
  /** Name of the primary key. */
  key: string
  id: number
  /** The order or account that it belongs to. */
  objectId: number
  metaKey: string
  /** What is left of its value; undefined if the whole row goes. */
  left: ((value: string) => string) | undefined
}

/** Products that an account has saved, in the storefront's own format. */
const savedProduct = 'svc_saved_product_'

/** @param mail as `plainMail` returns it */
export function ownMeta(database: Database, mail: string) {
  const { db, dialect, prefix, transaction } = database

  /** Name, address, phone and mail in what the print provider said about orders of the shop. */
  async function* provided(orders: ReadonlySet<number>): AsyncGenerator<OwnMeta> {
    const keys = { column: 'meta_key', among: [providerOrderKey] }
    // Posts first: where a shop keeps its orders twice, reading one copies the meta of the post into the tables.
    for (const [table, key, owner] of [
      ['postmeta', 'meta_id', 'post_id'],
      ['wc_orders_meta', 'id', 'order_id'],
    ] as const) {
      for await (const row of rowsWhere(database, { table, id: key, column: 'meta_value', owner, keys })) {
        const [id, objectId] = [Number(row.id), Number(row.owner)]
        if (!orders.has(objectId) && !mentionsMail(mail, row.value)) continue
        if (withoutPerson(row.value ?? '') !== row.value)
          yield { table: prefix + table, key, id, objectId, metaKey: providerOrderKey, left: withoutPerson }
      }
    }
  }

  async function* saved(accounts: ReadonlySet<number>): AsyncGenerator<OwnMeta> {
    if (accounts.size === 0) return
    const names = { table: 'usermeta', id: 'umeta_id', column: 'meta_key', owner: 'user_id' }
    const condition = sql`user_id in (${sql.join([...accounts])}) and meta_key like ${'svc!_saved!_product!_%'} escape '!'`
    for await (const { id, owner, value } of rowsWhere(database, names, condition)) {
      if (value?.startsWith(savedProduct))
        yield {
          table: `${prefix}usermeta`,
          key: 'umeta_id',
          id: Number(id),
          objectId: Number(owner),
          metaKey: value,
          left: undefined,
        }
    }
  }

  const stored = async ({ table, key, id }: OwnMeta, executor: Kysely<Tables> = db) => {
    const { rows } = await sql<{ value: string | null }>`
      select meta_value as value from ${sql.table(table)} where ${sql.ref(key)} = ${id}
      ${executor !== db && dialect.locksRows ? sql`for update` : sql``}`.execute(executor)
    return rows[0]
  }

  return {
    /**
     * @param orders ids of the customer's orders in the shop
     * @param accounts ids of the customer's accounts
     */
    async *find(orders: ReadonlySet<number>, accounts: ReadonlySet<number>): AsyncGenerator<OwnMeta> {
      yield* provided(orders)
      yield* saved(accounts)
    },

    /** Erases one row. */
    async erase(found: OwnMeta): Promise<void> {
      const { table, key, id, left } = found
      const isRow = sql`where ${sql.ref(key)} = ${id}`
      await transaction(
        async (trx) => {
          if (!left) return void (await sql`delete from ${sql.table(table)} ${isRow}`.execute(trx))
          const row = await stored(found, trx)
          const next = row && left(row.value ?? '')
          await sql`update ${sql.table(table)} set meta_value = ${next ?? null} ${isRow}`.execute(trx)
        },
        async () => {
          const row = await stored(found)
          return row === undefined || (left !== undefined && left(row.value ?? '') === row.value)
        },
      )
    },
  }
}
