// Pricing rules: rows of `svc_pricing_rules`, which legacy installations keep in an option, too.
import { type Check, readBack, type Selection, type Write } from '../core/resource.ts'
import { mapInTurns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { contains } from '../db/fold.ts'
import { guard } from '../db/guard.ts'
import { countOf, insertedId, type ReadOptions, readRow, resourceWrites } from '../db/repository.ts'
import { stateTag } from '../db/state-tag.ts'
import type { Row as RowOf } from '../db/tables.ts'
import type { Totals } from '../db/totals.ts'
import type { Transaction } from '../db/transaction.ts'
import { sameJson } from '../json/values.ts'
import type { LegacyMirror } from '../legacy/mirror.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import { assertRuleData } from './pricing-data.ts'

interface PricingRule {
  id: number
  name: string
  /** JSON text; null if the stored value cannot be read. */
  data: string | null
}

interface NewPricingRule {
  name: string
  data: Record<string, unknown>
}

interface PricingRuleQuery {
  offset: number
  limit: number
  search?: string | undefined
  include?: number[] | undefined
  /** `id` or `name`, ascending unless ` DESC` follows, in either case. */
  order: string
}

type Row = RowOf<'pricing_rules'>

const fields = { ID: 'id', name: 'name', data: 'data' } as const

/** The rule of a row, with the properties of the columns that were read, and its values that cannot be read. */
const ruleOf = (row: Page['rows'][number]) => readRow<PricingRule>('pricing_rules', fields, row)

interface Page {
  rows: (Partial<Row> & Pick<Row, 'ID'>)[]
  /** The number of rules on all pages. */
  total: number
}

interface Services {
  database: Database
  options: OptionsStore
  legacy: LegacyMirror
  totals: Totals
}

/** Reads and writes the pricing rules of one database; each write clears `totals`. */
export function pricingRulesRepository({ database, options, legacy, totals }: Services) {
  const { db, t, dialect, encoder, transaction } = database

  async function find(id: number, executor = db, { lock = false }: ReadOptions = {}) {
    const row = await executor
      .selectFrom(t.pricing_rules)
      .select(['ID', 'name', 'data'])
      .where('ID', '=', id)
      .$if(lock && dialect.locksRows, (query) => query.forUpdate())
      .executeTakeFirst()
    if (!row) return undefined
    const { resource, unreadable } = ruleOf(row)
    return {
      resource: resource as PricingRule,
      state: stateTag(row.ID, row.name, row.data),
      unreadable,
    }
  }

  const allRules = () => db.selectFrom(`${t.pricing_rules} as r`)

  /** Sorts by id, or by name and then id. */
  function ordered<Q extends ReturnType<typeof allRules>>(rows: Q, { order }: PricingRuleQuery) {
    // The schema of the query allows nothing else.
    const [by, direction = 'asc'] = order.toLowerCase().split(' ') as ['id' | 'name', 'asc' | 'desc']
    return rows
      .$if(by === 'name', (query) => query.orderBy(dialect.alphabetical('r.name'), direction))
      .orderBy('r.ID', direction)
  }

  const matching = ({ include }: PricingRuleQuery) =>
    allRules().$if(include !== undefined, (query) => query.where('r.ID', 'in', include ?? []))

  const selections = (selection: Selection) =>
    (['ID', 'name', 'data'] as const)
      .filter((column) => column === 'ID' || selection.has(column))
      .map((column) => `r.${column}` as const)

  /** One pass over the matching names gives the exact total and the page's ids; then its rows are read by their keys. */
  async function searchedPage(query: PricingRuleQuery, search: string, selection: Selection): Promise<Page> {
    const candidates = await ordered(matching(query), query)
      .select(['r.ID', 'r.name'])
      .where(dialect.mayContain(encoder.searched('pricing_rules', 'name', 'r.name'), search))
      .execute()
    const ids = candidates.filter((row) => contains(row.name, search)).map((row) => row.ID)
    const pageIds = ids.slice(query.offset, query.offset + query.limit)
    if (pageIds.length === 0) return { rows: [], total: ids.length }
    const rows = await ordered(allRules().where('r.ID', 'in', pageIds), query)
      .select(selections(selection))
      .execute()
    return { rows, total: ids.length }
  }

  /** One statement for the rows, which skips and sorts ids alone, and one for the total unless that is cached. */
  async function plainPage(query: PricingRuleQuery, selection: Selection): Promise<Page> {
    const page = ordered(matching(query), query).select('r.ID').limit(query.limit).offset(query.offset)
    const [rows, total] = await Promise.all([
      ordered(allRules(), query)
        .innerJoin(page.as('page'), 'page.ID', 'r.ID')
        .select(selections(selection))
        .execute(),
      totals.get(`pricing_rules ${query.include}`, () => countOf(matching(query))),
    ])
    return { rows, total }
  }

  /** Merges what PHP changed in the option of a legacy installation, at most once a second. */
  async function refresh(): Promise<void> {
    if (await legacy.rules.refresh()) totals.forget()
  }

  /** Runs a write under the guard, and mirrors the table into the option of a legacy installation. */
  const mirroredTransaction: Transaction = async (work, verify) => {
    const { result, keys } = await transaction(
      async (trx) => {
        await guard(database, trx, 'pricing_rules')
        const merged = await legacy.rules.mergeChanges(trx)
        const result = await work(trx)
        return { result, keys: (await merged?.mirror()) ?? [] }
      },
      verify && ((written) => verify(written.result)),
    )
    totals.forget()
    if (keys.length > 0) await options.announce(keys)
    return result
  }

  const { write, created, updated, remove } = resourceWrites({
    resource: 'pricing_rule',
    find,
    transaction: mirroredTransaction,
  })

  return {
    /** The rule; undefined when there is none. */
    async find(id: number) {
      await refresh()
      return find(id)
    },

    /** The rules of a page, the number of all, and the values that cannot be read. */
    async list(query: PricingRuleQuery, selection: Selection) {
      await refresh()
      const { rows, total } = await (query.search
        ? searchedPage(query, query.search, selection)
        : plainPage(query, selection))
      const decoded = await mapInTurns(rows, ruleOf)
      return {
        items: decoded.map(({ resource }) => resource),
        total,
        unreadable: decoded.flatMap(({ unreadable }) => unreadable),
      }
    },

    /** Creates a rule, whose data the caller has checked by `assertRuleData`. */
    create({ name, data }: NewPricingRule, options = readBack) {
      return write(async (trx) => {
        const row = encoder.row('pricing_rules', { name: name.trim(), data })
        return created(trx, await insertedId(trx.insertInto(t.pricing_rules).values(row)), options)
      })
    },

    /**
     * Changes the fields that are present; undefined when there is no such rule.
     * @throws SvcError 422 for data that are not a valid rule; whatever `decide` throws
     */
    update(id: number, change: Write<Partial<NewPricingRule>>) {
      return write(async (trx) => {
        const rule = await find(id, trx, { lock: true })
        if (!rule) return undefined
        const { name, data } = await change.decide(rule)
        const { resource: current } = rule
        // What another writer stored may be sent back as it is, including whitespace around a name and unusual data.
        const isSameData = data !== undefined && current.data !== null && sameJson(data, current.data)
        if (data !== undefined && !isSameData) assertRuleData(data)
        const set = encoder.row('pricing_rules', {
          name: name === current.name ? undefined : name?.trim(),
          data: isSameData ? undefined : data,
        })
        if (Object.keys(set).length > 0)
          await trx.updateTable(t.pricing_rules).set(set).where('ID', '=', id).execute()
        return updated(trx, rule, change)
      })
    },

    /** Removes a rule, and returns its id; undefined when there is none. @throws what `check` throws */
    remove(id: number, check?: Check) {
      return remove(id, check, async (trx) => {
        await trx.deleteFrom(t.pricing_rules).where('ID', '=', id).execute()
      })
    },
  }
}
