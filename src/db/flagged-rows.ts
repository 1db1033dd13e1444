// Rows with a name and a blob, one of which is flagged: print profiles (the master) and layouts (the default).
import type { Kysely } from 'kysely'
import type { Found, Selection } from '../core/resource.ts'
import { mapInTurns } from '../core/turns.ts'
import type { Database } from './connect.ts'
import { fold } from './fold.ts'
import { guard } from './guard.ts'
import { insertedId, type ReadOptions } from './repository.ts'
import { stateTag } from './state-tag.ts'
import { readFlag, readStoredJson } from './stored-json.ts'
import type { NewRow, Row, Tables, Written } from './tables.ts'

/** The tables in which one row is flagged, with the column of the flag. */
const flagColumns = { print_profiles: 'is_master', user_interfaces: 'is_default' } as const

type FlaggedTable = keyof typeof flagColumns

/** `data` is JSON text; null if the stored value cannot be read. */
type FlaggedRow<Flag extends string> = {
  id: number
  name: string
  data: string | null
} & Record<Flag, boolean>

/** A row as `find` returns it. */
export type FoundRow<Flag extends string> = Found<FlaggedRow<Flag>>

type StoredRow = Pick<Row<FlaggedTable>, 'ID' | 'name' | 'data'>

interface NameAndData {
  name?: string
  data?: Record<string, unknown>
}

/**
 * Reads of the table, and the single steps of its writes. Call steps in a transaction that began with `lockTable`: otherwise two
 * writers could flag two rows.
 */
export function flaggedRows<T extends FlaggedTable>(database: Database, name: T) {
  type Flag = (typeof flagColumns)[T]
  const { db, dialect, encoder } = database
  const flag: Flag = flagColumns[name]
  // Kysely cannot check a statement on either table. Both differ only in the name of the flag, so types are those of one.
  const table = database.t[name] as 'print_profiles'

  /** The id of the flagged row. If other programs have flagged several rows, the oldest counts. */
  async function flaggedId(executor = db): Promise<number | undefined> {
    const column = flag as 'is_master'
    const rows = await executor.selectFrom(table).select(['ID', column]).orderBy('ID').execute()
    return rows.find((row) => readFlag(row[column]))?.ID
  }

  /** The row as it is stored, without its flag; its data may be unreadable. */
  async function read(
    id: number,
    executor = db,
    { lock = false }: ReadOptions = {},
  ): Promise<StoredRow | undefined> {
    return executor
      .selectFrom(table)
      .select(['ID', 'name', 'data'])
      .where('ID', '=', id)
      .$if(lock && dialect.locksRows, (query) => query.forUpdate())
      .executeTakeFirst()
  }

  function resourceOf(row: Partial<StoredRow> & { ID: number }, flagged: number | undefined) {
    const data = row.data === undefined ? undefined : (readStoredJson(row.data, '{}') ?? null)
    // A computed name has no type of its own.
    return { id: row.ID, name: row.name ?? '', [flag]: row.ID === flagged, data } as FlaggedRow<Flag>
  }

  /** The row as the API returns it; `data` is null if it cannot be read. */
  async function find(
    id: number,
    executor = db,
    { lock = false }: ReadOptions = {},
  ): Promise<FoundRow<Flag> | undefined> {
    const row = await read(id, executor, { lock })
    if (!row) return undefined
    const flagged = await flaggedId(executor)
    const resource = resourceOf(row, flagged)
    return {
      resource,
      state: stateTag(row.ID, row.name, row.data, Number(row.ID === flagged)),
      unreadable: resource.data === null ? [{ id, column: 'data' }] : [],
    }
  }

  const encoded = ({ name: rowName, data }: NameAndData): Written<FlaggedTable> =>
    encoder.row(name as 'print_profiles', { name: rowName?.trim(), data })

  /** Inserts a row without the flag, and returns its id. */
  const insert = (trx: Kysely<Tables>, row: Written<FlaggedTable>) =>
    insertedId(trx.insertInto(table).values({ ...row, [flag]: 0 } as NewRow<'print_profiles'>))

  return {
    find,
    read,
    flaggedId,

    /** All rows, or those of `ids`, ordered by name; with their data if it is selected. Two queries. */
    async list(ids: number[] | undefined, selection: Selection) {
      const [flagged, rows] = await Promise.all([
        flaggedId(),
        db
          .selectFrom(table)
          .select(['ID', 'name'])
          .$if(selection.has('data'), (query) => query.select('data'))
          .$if(ids !== undefined, (query) => query.where('ID', 'in', ids ?? []))
          .execute(),
      ])
      const sortable = await mapInTurns(rows, (row) => ({
        item: resourceOf(row, flagged),
        sortKey: fold(row.name ?? ''),
      }))
      const items = sortable
        .sort((a, b) => (a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : a.item.id - b.item.id))
        .map(({ item }) => item)
      const unreadable = items.filter((item) => item.data === null).map(({ id }) => ({ id, column: 'data' }))
      return { items, flaggedId: flagged, unreadable }
    },

    /** Admits one writer of the table at a time, across all processes, until the transaction ends. */
    lockTable: (trx: Kysely<Tables>) => guard(database, trx, name),

    /** Returns the id of the new row, which is not flagged. */
    insert: (trx: Kysely<Tables>, row: Required<NameAndData>) => insert(trx, encoded(row)),

    /** Copies a row under another name and without the flag, its data byte for byte. Returns the id; undefined without such a row. */
    async copy(trx: Kysely<Tables>, id: number, newName: string): Promise<number | undefined> {
      const original = await read(id, trx)
      return original && insert(trx, { data: original.data, ...encoded({ name: newName }) })
    },

    /**
     * Changes name, data or both. Names are trimmed, except one that another program stored with whitespace around it, and that is
     * sent back as it was read.
     */
    async change(trx: Kysely<Tables>, id: number, { name, ...changes }: NameAndData): Promise<void> {
      const isNew = name !== undefined && (name === name.trim() || name !== (await read(id, trx))?.name)
      const set = encoded(isNew ? { ...changes, name } : changes)
      if (Object.keys(set).length > 0) await trx.updateTable(table).set(set).where('ID', '=', id).execute()
    },

    async remove(trx: Kysely<Tables>, id: number): Promise<void> {
      await trx.deleteFrom(table).where('ID', '=', id).execute()
    },

    /** Flags only this row; none if `id` is undefined. */
    async setFlag(trx: Kysely<Tables>, id: number | undefined): Promise<void> {
      await trx
        .updateTable(table)
        .set((eb) => ({
          [flag]: eb
            .case()
            .when('ID', '=', id ?? 0)
            .then(1)
            .else(0)
            .end(),
        }))
        .execute()
    },
  }
}
