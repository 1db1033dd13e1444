// Design categories: rows of `svc_designs`, a tree whose nodes hold their designs as one list.
import type { Kysely } from 'kysely'
import type { Database } from '../../src/db/connect.ts'
import { contains, fold } from '../../src/db/fold.ts'
import { guard } from '../../src/db/guard.ts'
import { stateTag } from '../../src/db/state-tag.ts'
import { lengthOfStored, readStoredJson } from '../../src/db/stored-json.ts'
import type { Tables } from '../../src/db/tables.ts'
import { isThere } from '../../src/db/transaction.ts'
import { invalidParams, SvcError, unknownReferences } from '../../src/errors.ts'
import { readBack } from '../../src/read-back.ts'
import { designCounts } from '../../src/repositories/design-counts.ts'
import { assertDesigns } from './designs.ts'
import type { DesignCategoryPatch, NewDesignCategory } from './schema.ts'
import { heirOf, lineage, type Parents } from './tree.ts'

/** Blobs are JSON text; null where the stored value cannot be read. */
export interface DesignCategory {
  id: number
  title: string
  thumbnail: string
  parent_id: number
  order: number
  options: string | null
  designs_count: number | null
  children_count: number
}

export interface DesignCategoryQuery {
  offset: number
  limit: number
  onlyRoots?: boolean | undefined
  search?: string | undefined
  parentId?: number | undefined
  include?: number[] | undefined
}

type Row = Omit<Tables['designs'], 'ID'> & { ID: number }
type Light = Pick<Row, 'ID' | 'title' | 'parent_id' | 'category_order'>
type FieldSelection = { has(member: string): boolean }
type Check = (current: { resource: object; state: string }) => void | Promise<void>

const lightColumns = ['ID', 'title', 'parent_id', 'category_order'] as const
const allColumns = [...lightColumns, 'options', 'thumbnail', 'designs'] as const

/** Beyond this many ids a statement reads the whole table instead. */
const mostIds = 1000

export function designCategoriesRepository(database: Database) {
  const { db, t, dialect, columns, transaction } = database
  const countDesigns = designCounts(database)

  async function find(id: number, executor = db, lock = false) {
    const row = await executor
      .selectFrom(t.designs)
      .select(allColumns)
      .where('ID', '=', id)
      .$if(lock && dialect.locksRows, (query) => query.forUpdate())
      .executeTakeFirst()
    if (!row) return undefined
    const children = await executor
      .selectFrom(t.designs)
      .select((eb) => eb.fn.countAll().as('count'))
      .where('parent_id', '=', id)
      .executeTakeFirstOrThrow()
    return foundCategory(row, Number(children.count))
  }

  /** The columns of these rows that are wanted and that the list has not read anyway. */
  async function heavyRows(ids: number[], selection: FieldSelection): Promise<Map<number, Partial<Row>>> {
    const heavy = (['thumbnail', 'options'] as const).filter((column) => selection.has(column))
    if (ids.length === 0 || heavy.length === 0) return new Map()
    const rows = await db
      .selectFrom(t.designs)
      .select(['ID', ...heavy])
      .$if(ids.length <= mostIds, (query) => query.where('ID', 'in', ids))
      .execute()
    return new Map(rows.map((row) => [row.ID, row]))
  }

  async function parentsIn(trx: Kysely<Tables>): Promise<Parents> {
    const rows = await trx.selectFrom(t.designs).select(['ID', 'parent_id']).execute()
    return new Map(rows.map((row) => [row.ID, row.parent_id ?? 0]))
  }

  /**
   * @param id the category that is to stand there; undefined for a new one
   * @throws SvcError 400 when the parent does not exist or stands below the category. To be called under the guard
   */
  async function assertPlace(trx: Kysely<Tables>, parentId: number, id?: number): Promise<void> {
    if (parentId === 0) return
    const parents = await parentsIn(trx)
    if (!parents.has(parentId)) throw unknownReferences('parent_id', 'design categories', [parentId])
    if (id !== undefined && lineage(parents, parentId).includes(id)) {
      throw new SvcError('svc_design_category_cycle', {
        message: `The design category ${id} cannot be moved below ${parentId}, which stands below it.`,
      })
    }
  }

  /** The columns that these members go to. */
  function stored({ title, thumbnail, options, designs, parent_id, order }: DesignCategoryPatch) {
    const set: Partial<Row> = {}
    if (title !== undefined) set.title = columns.text('designs', 'title', 'title', title.trim())
    if (thumbnail !== undefined) set.thumbnail = columns.text('designs', 'thumbnail', 'thumbnail', thumbnail)
    if (options !== undefined) set.options = columns.json('designs', 'options', 'options', options)
    if (designs !== undefined) set.designs = columns.json('designs', 'designs', 'designs', designs)
    if (parent_id !== undefined) set.parent_id = parent_id
    if (order !== undefined) set.category_order = order
    return set
  }

  /** Runs a write and answers with the category that it names; under the guard where it concerns the tree. */
  function write(guarded: boolean, work: (trx: Kysely<Tables>) => Promise<number | undefined>) {
    return transaction(async (trx) => {
      if (guarded) await guard(database, trx, 'designs')
      const id = await work(trx)
      return id === undefined ? undefined : readBack(id, () => find(id, trx))
    }, isThere(find))
  }

  return {
    find: (id: number) => find(id),

    /** One page: a query for the tree, which gives order, total and children, and one for what else is wanted. */
    async list(query: DesignCategoryQuery, selection: FieldSelection) {
      const tree = await db.selectFrom(t.designs).select(lightColumns).execute()
      const children = Map.groupBy(tree, (row) => row.parent_id ?? 0)
      const matching = sorted(tree.filter((row) => matches(row, query)))
      const page = matching.slice(query.offset, query.offset + query.limit)
      const ids = page.map((row) => row.ID)
      const heavy = await heavyRows(ids, selection)
      const counted = selection.has('designs_count')
        ? await countDesigns(ids.length <= mostIds ? ids : undefined)
        : new Map<number, number | null>()
      const unreadable: { id: number; column: string }[] = []
      const items = page.map((row) => {
        const found = categoryOf({ ...row, ...heavy.get(row.ID) }, children.get(row.ID)?.length ?? 0)
        const designs_count = counted.get(row.ID)
        if (designs_count === null) found.unreadable.push('designs')
        for (const column of found.unreadable) unreadable.push({ id: row.ID, column })
        return { ...found.category, designs_count: designs_count ?? null }
      })
      return { items, total: matching.length, unreadable }
    },

    /** @throws SvcError 400 when the parent does not exist, or for a design that is none */
    async create(category: NewDesignCategory) {
      const { parent_id = 0, designs = [] } = category
      await assertDesigns(designs, null)
      return write(parent_id !== 0, async (trx) => {
        await assertPlace(trx, parent_id)
        const empty = { thumbnail: '', options: {}, designs: [], parent_id: 0, order: 0 }
        const row = stored({ ...empty, ...category }) as Omit<Row, 'ID'>
        const { insertId } = await trx.insertInto(t.designs).values(row).executeTakeFirstOrThrow()
        return Number(insertId)
      })
    },

    /** @throws SvcError 400 for a parent that cannot be one, or a design that is none; what `check` throws */
    update(id: number, changes: DesignCategoryPatch, check?: Check) {
      const { parent_id } = changes
      return write(parent_id !== undefined, async (trx) => {
        const current = await find(id, trx, true)
        if (!current) return undefined
        await check?.(current)
        if (changes.designs) await assertDesigns(changes.designs, current.resource.designs)
        if (parent_id === id) throw invalidParams({ parent_id: 'must not be the category itself' })
        // What others stored stays writable as it is: only a real move is judged.
        if (parent_id !== undefined && parent_id !== current.resource.parent_id) {
          await assertPlace(trx, parent_id, id)
        }
        const { title, ...others } = changes
        // A title that others stored with whitespace around it may come back as it was read.
        const set = stored(title === current.resource.title ? others : changes)
        if (Object.keys(set).length > 0)
          await trx.updateTable(t.designs).set(set).where('ID', '=', id).execute()
        return id
      })
    },

    /** Removes the category with its designs; its children move up to its parent. False when there is none. */
    remove(id: number, check?: Check): Promise<boolean> {
      return transaction(
        async (trx) => {
          await guard(database, trx, 'designs')
          const current = await find(id, trx, true)
          if (!current) return false
          await check?.(current)
          const heir = heirOf(await parentsIn(trx), id)
          await trx.updateTable(t.designs).set({ parent_id: heir }).where('parent_id', '=', id).execute()
          await trx.deleteFrom(t.designs).where('ID', '=', id).execute()
          return true
        },
        async () => (await find(id)) === undefined,
      )
    },
  }
}

function matches(row: Light, { onlyRoots, search, parentId, include }: DesignCategoryQuery): boolean {
  const parent = row.parent_id ?? 0
  return (
    (!onlyRoots || parent === 0) &&
    (parentId === undefined || parent === parentId) &&
    (include === undefined || include.includes(row.ID)) &&
    (search === undefined || contains(row.title, search))
  )
}

/** By parent, place and title. */
function sorted(rows: Light[]): Light[] {
  return rows
    .map((row) => ({ row, title: fold(row.title ?? '') }))
    .sort(
      (a, b) =>
        (a.row.parent_id ?? 0) - (b.row.parent_id ?? 0) ||
        (a.row.category_order ?? 0) - (b.row.category_order ?? 0) ||
        (a.title < b.title ? -1 : a.title > b.title ? 1 : a.row.ID - b.row.ID),
    )
    .map(({ row }) => row)
}

/** A row, or as much of it as was read, as an item of the list. */
function categoryOf(row: Light & Partial<Row>, children: number) {
  const unreadable: string[] = []
  const blob = (column: 'options' | 'designs', empty: '{}' | '[]') => {
    const stored = row[column]
    const text = stored === undefined ? empty : readStoredJson(stored, empty)
    if (text === undefined) unreadable.push(column)
    return text ?? null
  }
  const designs = blob('designs', '[]')
  const category: DesignCategory = {
    id: row.ID,
    title: row.title ?? '',
    thumbnail: row.thumbnail ?? '',
    parent_id: row.parent_id ?? 0,
    order: row.category_order ?? 0,
    options: blob('options', '{}'),
    designs_count: row.designs === undefined ? 0 : (lengthOfStored(row.designs) ?? null),
    children_count: children,
  }
  return { category, designs, unreadable }
}

function foundCategory(row: Row, children: number) {
  const { category, designs, unreadable } = categoryOf(row, children)
  const { designs_count: _, children_count: __, ...data } = category
  const parameters = category.options
  return {
    resource: { ...category, parameters, designs, category_data: { ...data, parameters } },
    state: stateTag(...allColumns.map((column) => row[column])),
    unreadable: unreadable.map((column) => ({ id: row.ID, column })),
  }
}
