// Pricing rules: rows of `svc_pricing_rules`.
import type { Kysely } from 'kysely'
import type { Database } from '../../src/db/connect.ts'
import { contains } from '../../src/db/fold.ts'
import { guard } from '../../src/db/guard.ts'
import { stateTag } from '../../src/db/state-tag.ts'
import { readStoredJson } from '../../src/db/stored-json.ts'
import type { Row as RowOf, Tables } from '../../src/db/tables.ts'
import { isThere } from '../../src/db/transaction.ts'
import { openJson } from '../../src/json.ts'
import type { LegacyMirror } from '../../src/legacy/mirror.ts'
import { isSameJson } from '../../src/off-thread/same-json.ts'
import type { OptionsStore } from '../../src/options/store.ts'
import { readBack } from '../../src/read-back.ts'
import type { Totals } from '../../src/repositories/totals.ts'
import type { Check, Selection } from '../../src/resource.ts'
import { assertRuleData } from './data.ts'
import type { NewPricingRule, Order, PricingRule, PricingRulePatch } from './schema.ts'

interface PricingRuleQuery {
  offset: number
  limit: number
  search?: string | undefined
  include?: number[] | undefined
  order: Order
}

type Row = RowOf<'pricing_rules'>

interface Services {
  database: Database
  options: OptionsStore
  legacy: LegacyMirror
  totals: Totals
}

export function pricingRulesRepository({ database, options, legacy, totals }: Services) {
  const { db, t, dialect, columns, transaction } = database

  async function find(id: number, executor = db, lock = false) {
    const row = await executor
      .selectFrom(t.pricing_rules)
      .select(['ID', 'name', 'data'])
      .where('ID', '=', id)
      .$if(lock && dialect.locksRows, (query) => query.forUpdate())
      .executeTakeFirst()
    if (!row) return undefined
    const { rule, unreadable } = ruleOf(row)
    return {
      resource: rule as PricingRule,
      state: stateTag(row.ID, row.name, row.data),
      unreadable: unreadable.map((column) => ({ id, column })),
    }
  }

  function matching({ include, order }: PricingRuleQuery) {
    const [by, direction = 'asc'] = order.toLowerCase().split(' ') as ['id' | 'name', 'asc' | 'desc']
    return db
      .selectFrom(t.pricing_rules)
      .$if(include !== undefined, (query) => query.where('ID', 'in', include ?? []))
      .$if(by === 'name', (query) => query.orderBy(dialect.alphabetical('name'), direction))
      .orderBy('ID', direction)
  }

  /** One pass over the matching names gives the exact total and the page's ids. */
  async function searchedPage(query: PricingRuleQuery, search: string) {
    const found = await matching(query)
      .select(['ID', 'name'])
      .where(dialect.mayContain('name', search))
      .execute()
    const ids = found.filter((row) => contains(row.name, search)).map((row) => row.ID)
    return { ids: ids.slice(query.offset, query.offset + query.limit), total: ids.length }
  }

  async function plainPage(query: PricingRuleQuery) {
    const [rows, total] = await Promise.all([
      matching(query).select('ID').limit(query.limit).offset(query.offset).execute(),
      totals.get(`pricing_rules ${query.include}`, async () => {
        const row = await db
          .selectFrom(t.pricing_rules)
          .select((eb) => eb.fn.countAll().as('total'))
          .$if(query.include !== undefined, (rows) => rows.where('ID', 'in', query.include ?? []))
          .executeTakeFirstOrThrow()
        return Number(row.total)
      }),
    ])
    return { ids: rows.map((row) => row.ID), total }
  }

  async function rowsById(ids: number[], selection: Selection): Promise<Map<number, Partial<Row>>> {
    if (ids.length === 0) return new Map()
    const select = (['ID', 'name', 'data'] as const).filter(
      (column) => column === 'ID' || selection.has(column),
    )
    const rows = await db.selectFrom(t.pricing_rules).select(select).where('ID', 'in', ids).execute()
    return new Map(rows.map((row) => [row.ID, row]))
  }

  /** Reads within a second what PHP changed in the option rows of a legacy installation. */
  async function refresh(): Promise<void> {
    if (await legacy.rules.refresh()) totals.forget()
  }

  /** Runs a write under the guard, and mirrors it into the option rows of a legacy installation. */
  async function write<T>(
    work: (trx: Kysely<Tables>) => Promise<T>,
    committed: (result: T) => Promise<boolean>,
  ): Promise<T> {
    let keys: string[] = []
    const result = await transaction(async (trx) => {
      await guard(database, trx, 'pricing_rules')
      const entered = await legacy.rules.enter(trx)
      const done = await work(trx)
      keys = (await entered?.mirror()) ?? []
      return done
    }, committed)
    totals.forget()
    if (keys.length > 0) await options.announce(keys)
    return result
  }

  function stored({ name, data }: PricingRulePatch) {
    const set: Partial<Row> = {}
    if (name !== undefined) set.name = columns.text('pricing_rules', 'name', 'name', name.trim())
    if (data !== undefined) set.data = columns.json('pricing_rules', 'data', 'data', data)
    return set
  }

  return {
    async find(id: number) {
      await refresh()
      return find(id)
    },

    /** One slice: its ids, the cached total (a search finds both in one pass), and its rows. */
    async list(query: PricingRuleQuery, selection: Selection) {
      await refresh()
      const { ids, total } = await (query.search ? searchedPage(query, query.search) : plainPage(query))
      const rows = await rowsById(ids, selection)
      const read = ids.flatMap((id) => {
        const row = rows.get(id)
        return row ? [{ id, ...ruleOf(row) }] : []
      })
      return {
        items: read.map(({ rule }) => rule),
        total,
        unreadable: read.flatMap(({ id, unreadable }) => unreadable.map((column) => ({ id, column }))),
      }
    },

    create(rule: NewPricingRule) {
      return write(async (trx) => {
        const row = stored(rule) as Omit<Row, 'ID'>
        const { insertId } = await trx.insertInto(t.pricing_rules).values(row).executeTakeFirstOrThrow()
        return readBack(Number(insertId), () => find(Number(insertId), trx))
      }, isThere(find))
    },

    /** @throws SvcError 422 for data that are not a valid rule; whatever `check` throws */
    update(id: number, changes: PricingRulePatch, check?: Check) {
      return write(async (trx) => {
        const current = await find(id, trx, true)
        if (!current) return undefined
        await check?.(current)
        const { name, data } = current.resource
        // What another writer stored may be sent back as it is, including whitespace around a name and unusual data.
        const isKept = changes.data !== undefined && data !== null && (await isSameJson(changes.data, data))
        if (changes.data !== undefined && !isKept) assertRuleData(openJson(changes.data))
        const set = stored({
          ...(changes.name === undefined || changes.name === name ? {} : { name: changes.name }),
          ...(changes.data === undefined || isKept ? {} : { data: changes.data }),
        })
        if (Object.keys(set).length > 0)
          await trx.updateTable(t.pricing_rules).set(set).where('ID', '=', id).execute()
        return readBack(id, () => find(id, trx))
      }, isThere(find))
    },

    /** The id of the deleted rule; undefined when there is none. */
    remove(id: number, check?: Check): Promise<number | undefined> {
      return write(
        async (trx) => {
          const current = await find(id, trx, true)
          if (!current) return undefined
          await check?.(current)
          await trx.deleteFrom(t.pricing_rules).where('ID', '=', id).execute()
          return id
        },
        async () => (await find(id)) === undefined,
      )
    },
  }
}

/** The rule of a row, or of the columns that were read. */
function ruleOf(row: Partial<Row>): { rule: Partial<PricingRule>; unreadable: string[] } {
  const rule: Partial<PricingRule> = {}
  if (row.ID !== undefined) rule.id = row.ID
  if (row.name !== undefined) rule.name = row.name ?? ''
  if (row.data !== undefined) rule.data = readStoredJson(row.data, '{}') ?? null
  return { rule, unreadable: rule.data === null ? ['data'] : [] }
}
