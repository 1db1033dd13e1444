// Design categories: rows of `svc_designs`. They form a tree; each row contains its designs as one list.
import type { Kysely } from 'kysely'
import { invalidParams, SvcError, unknownReferences } from '../core/errors.ts'
import { type Check, readBack, type Selection, type Unreadable, type Write } from '../core/resource.ts'
import { mapInTurns } from '../core/turns.ts'
import type { Database } from '../db/connect.ts'
import { contains } from '../db/fold.ts'
import { guardOf } from '../db/guard.ts'
import { countOf, insertedId, type ReadOptions, readRow, resourceWrites } from '../db/repository.ts'
import { stateTag } from '../db/state-tag.ts'
import { lengthOfStored } from '../db/stored-json.ts'
import type { NewRow, Row as RowOf, Tables } from '../db/tables.ts'
import { designCounts } from './design-counts.ts'
import { inOrder, lineage, newParentOf, type Parents, type TreeRow, treeColumns } from './design-tree.ts'
import { assertDesigns } from './designs.ts'

interface DesignCategory {
  id: number
  title: string
  thumbnail: string
  parent_id: number
  order: number
  /** JSON text; null if the stored value cannot be read. */
  options: string | null
  /** JSON text of a list; null if the stored value cannot be read. */
  designs: string | null
}

interface DesignCategoryPatch {
  title?: string
  thumbnail?: string
  options?: Record<string, unknown>
  designs?: unknown[]
  parent_id?: number
  order?: number
}

type NewDesignCategory = DesignCategoryPatch & { title: string }

interface DesignCategoryQuery {
  offset: number
  limit: number
  onlyRoots?: boolean | undefined
  search?: string | undefined
  parentId?: number | undefined
  include?: number[] | undefined
}

type Row = RowOf<'designs'>

const fieldOf = {
  ID: 'id',
  title: 'title',
  parent_id: 'parent_id',
  category_order: 'order',
  options: 'options',
  thumbnail: 'thumbnail',
  designs: 'designs',
} as const satisfies Record<keyof Row, keyof DesignCategory>
/** State tags of categories follow the order of these columns, so it must not change. */
const allColumns = Object.keys(fieldOf) as (keyof typeof fieldOf)[]

/** With more ids than this, a statement reads the whole table instead. */
const maxIds = 1000

/** Reads and writes the design categories of one database. */
export function designCategoriesRepository(database: Database) {
  const { db, t, dialect, encoder, transaction } = database
  const countDesigns = designCounts(database)

  async function find(id: number, executor = db, { lock = false }: ReadOptions = {}) {
    const row = await executor
      .selectFrom(t.designs)
      .select(allColumns)
      .where('ID', '=', id)
      .$if(lock && dialect.locksRows, (query) => query.forUpdate())
      .executeTakeFirst()
    if (!row) return undefined
    return categoryOf(row, await countOf(executor.selectFrom(t.designs).where('parent_id', '=', id)))
  }

  /** The large columns of these rows, as far as they are selected; by id. */
  async function heavyRows(ids: number[], selection: Selection): Promise<Map<number, Partial<Row>>> {
    const heavy = (['thumbnail', 'options'] as const).filter((column) => selection.has(column))
    if (ids.length === 0 || heavy.length === 0) return new Map()
    const rows = await db
      .selectFrom(t.designs)
      .select(['ID', ...heavy])
      .$if(ids.length <= maxIds, (query) => query.where('ID', 'in', ids))
      .execute()
    return new Map(rows.map((row) => [row.ID, row]))
  }

  async function parentsIn(trx: Kysely<Tables>): Promise<Parents> {
    const rows = await trx.selectFrom(t.designs).select(['ID', 'parent_id']).execute()
    return new Map(rows.map((row) => [row.ID, row.parent_id ?? 0]))
  }

  /**
   * Prevents that a category becomes its own ancestor. Call it under the guard, so that concurrent moves cannot form a cycle either.
   * @param id the category that gets this parent; undefined for a new one
   * @throws SvcError 400 when the parent does not exist or is a descendant of the category
   */
  async function assertParent(trx: Kysely<Tables>, parentId: number, id?: number): Promise<void> {
    if (parentId === 0) return
    const parents = await parentsIn(trx)
    if (!parents.has(parentId)) throw unknownReferences('parent_id', 'design categories', [parentId])
    if (id !== undefined && lineage(parents, parentId).includes(id)) {
      throw new SvcError('svc_design_category_cycle', {
        message: `The design category ${id} cannot be moved below ${parentId}, which is one of its descendants.`,
      })
    }
  }

  /** The columns in which these fields are stored. */
  const storedColumns = ({ title, order, thumbnail, options, designs, parent_id }: DesignCategoryPatch) =>
    encoder.row('designs', {
      title: title?.trim(),
      thumbnail,
      options,
      designs,
      parent_id,
      category_order: order,
    })

  const lockTable = guardOf(database, 'designs')
  const { write, created, updated, remove } = resourceWrites({
    resource: 'design_category',
    find,
    transaction,
    lockTable,
  })

  return {
    /** The category; undefined when there is none. */
    find: (id: number) => find(id),

    /** A page. One query reads the tree for order, total and children; another one the other selected columns. */
    async list(query: DesignCategoryQuery, selection: Selection) {
      const tree = await db.selectFrom(t.designs).select(treeColumns).execute()
      const children = Map.groupBy(tree, (row) => row.parent_id ?? 0)
      const matching = inOrder(tree.filter((row) => matches(row, query)))
      const page = matching.slice(query.offset, query.offset + query.limit)
      const ids = page.map((row) => row.ID)
      const heavy = await heavyRows(ids, selection)
      const designCount = selection.has('designs_count')
        ? await countDesigns(ids.length <= maxIds ? ids : undefined)
        : new Map<number, number | null>()
      const unreadable: Unreadable[] = []
      const items = await mapInTurns(page, (row) => {
        // The defaults are those of a row that was removed meanwhile, or whose columns are not selected.
        const heavyRow = heavy.get(row.ID) ?? { thumbnail: '', options: '{}' }
        const decoded = readRow<DesignCategory>('designs', fieldOf, { ...row, ...heavyRow })
        unreadable.push(...decoded.unreadable)
        const designs_count = designCount.get(row.ID)
        if (designs_count === null) unreadable.push({ id: row.ID, column: 'designs' })
        const children_count = children.get(row.ID)?.length ?? 0
        return { ...decoded.resource, designs_count: designs_count ?? null, children_count }
      })
      return { items, total: matching.length, unreadable }
    },

    /** Creates a category. @throws SvcError 400 when the parent does not exist, or for an invalid design */
    async create(category: NewDesignCategory, options = readBack) {
      const { parent_id = 0, designs = [] } = category
      assertDesigns(designs, null)
      return write(async (trx) => {
        if (parent_id !== 0) await lockTable(trx)
        await assertParent(trx, parent_id)
        const defaults = { thumbnail: '', options: {}, designs: [], parent_id: 0, order: 0 }
        // Complete, because the defaults have every column.
        const row = storedColumns({ ...defaults, ...category }) as NewRow<'designs'>
        return created(trx, await insertedId(trx.insertInto(t.designs).values(row)), options)
      })
    },

    /**
     * Changes the fields that are present; undefined when there is no such category. The guard is taken only for a move.
     * @throws SvcError 400 for an impossible parent or an invalid design; whatever `decide` throws
     */
    update(id: number, change: Write<DesignCategoryPatch>) {
      return write(async (trx) => {
        if (change.changes.parent_id !== undefined) await lockTable(trx)
        const category = await find(id, trx, { lock: true })
        if (!category) return undefined
        const changes = await change.decide(category)
        const { title, parent_id, designs } = changes
        const { resource } = category
        if (designs) assertDesigns(designs, resource.designs)
        if (parent_id === id) throw invalidParams({ parent_id: 'must not be the category itself' })
        // What another writer stored may be sent back as it is: only a real move is checked.
        if (parent_id !== undefined && parent_id !== resource.parent_id)
          await assertParent(trx, parent_id, id)
        const { title: _, ...otherChanges } = changes
        // A title that another writer stored with surrounding whitespace may be sent back as it was read.
        const set = storedColumns(title === resource.title ? otherChanges : changes)
        if (Object.keys(set).length > 0)
          await trx.updateTable(t.designs).set(set).where('ID', '=', id).execute()
        return updated(trx, category, change)
      })
    },

    /** Deletes the category with its designs, and returns its id; undefined when there is none. Its children move up to its parent. */
    remove(id: number, check?: Check) {
      return remove(id, check, async (trx) => {
        const newParent = newParentOf(await parentsIn(trx), id)
        await trx.updateTable(t.designs).set({ parent_id: newParent }).where('parent_id', '=', id).execute()
        await trx.deleteFrom(t.designs).where('ID', '=', id).execute()
      })
    },
  }
}

function matches(row: TreeRow, { onlyRoots, search, parentId, include }: DesignCategoryQuery): boolean {
  const parent = row.parent_id ?? 0
  return (
    (!onlyRoots || parent === 0) &&
    (parentId === undefined || parent === parentId) &&
    (include === undefined || include.includes(row.ID)) &&
    (search === undefined || contains(row.title, search))
  )
}

/** A category with its state tag. `category_data` repeats its properties under the names that PHP uses. */
function categoryOf(row: Row, children_count: number) {
  const { resource, unreadable } = readRow<DesignCategory>('designs', fieldOf, row)
  const { designs, ...data } = resource as DesignCategory
  const category_data = { ...data, parameters: data.options }
  const designs_count = lengthOfStored(row.designs) ?? null
  return {
    resource: { ...category_data, designs_count, children_count, designs, category_data },
    state: stateTag(...allColumns.map((column) => row[column])),
    unreadable,
  }
}
