// Which types of orders an installation has: those whose plugin has made its tables. Queries about other types fail with 400.
import { SvcError } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import { foreignTables } from './tables.ts'

/** Runs a query on tables that may not exist. @throws SvcError 400 `svc_order_type_unavailable` when they do not */
export async function ifPresent<T>({ dialect }: Database, query: () => Promise<T>): Promise<T> {
  try {
    return await query()
  } catch (error) {
    if (dialect.isMissingTable(error)) throw new SvcError('svc_order_type_unavailable')
    throw error
  }
}

/** The types of orders whose tables exist. Shortcode orders are in a table of this API. */
async function typesPresent(database: Database): Promise<string[]> {
  const { db, f } = foreignTables(database)
  const queries = {
    wc: db.selectFrom(f.items).select('order_item_id').limit(1),
    gf: db.selectFrom(f.entries).select('id').limit(1),
  }
  const types = ['shortcode']
  for (const [type, query] of Object.entries(queries))
    try {
      await query.execute()
      types.unshift(type)
    } catch (error) {
      if (!database.dialect.isMissingTable(error)) throw error
    }
  return types
}

/** Runs a query on the tables of a type of orders. @throws SvcError 400 that names the types of this installation, if they do not exist */
export const ifTypePresent = <T>(database: Database, type: string, query: () => Promise<T>): Promise<T> =>
  ifPresent(database, query).catch((error: unknown) => nameTypes(database, type, error))

/** Throws an error of `ifPresent` with a message that names the types of this installation; other errors as they are. */
export async function nameTypes(database: Database, type: string, error: unknown): Promise<never> {
  if (!(error instanceof SvcError) || error.code !== 'svc_order_type_unavailable') throw error
  const present = (await typesPresent(database)).join(' or ')
  const plugin = type === 'gf' ? 'Gravity Forms' : 'WooCommerce'
  const message = `This installation has no orders of type ${type}, because the tables of ${plugin} do not exist; send the type ${present}.`
  throw new SvcError('svc_order_type_unavailable', { message })
}
