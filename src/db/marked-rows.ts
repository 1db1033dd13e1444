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

/** The tables in which one row carries a mark, with the column of that mark. */
const marks = { print_profiles: 'is_master', user_interfaces: 'is_default' } as const

type MarkedTable = keyof typeof marks

/** `data` is JSON text; null if the stored value cannot be read. */
type MarkedRow<Mark extends string> = {
  id: number
  name: string
  data: string | null
} & Record<Mark, boolean>

export type FoundRow<Mark extends string> = Found<MarkedRow<Mark>>

type StoredRow = Pick<Row<MarkedTable>, 'ID' | 'name' | 'data'>

interface NameAndData {
  name?: string
  data?: Record<string, unknown>
}

/** Reads, and the single steps of writes. Call the steps in a transaction that began with `enter`. */
export function markedRows<T extends MarkedTable>(database: Database, name: T) {
  type Mark = (typeof marks)[T]
  const { db, dialect, encoder } = database
  const mark: Mark = marks[name]
  // The two tables differ only in the name of the flag.
  const table = database.t[name] as 'print_profiles'

  /** The id of the flagged row. If other writers have flagged several rows, the oldest counts. */
  async function markedId(executor = db): Promise<number | undefined> {
    const flag = mark as 'is_master'
    const rows = await executor.selectFrom(table).select(['ID', flag]).orderBy('ID').execute()
    return rows.find((row) => readFlag(row[flag]))?.ID
  }

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

  function resourceOf(row: Partial<StoredRow> & { ID: number }, markId: number | undefined) {
    const data = row.data === undefined ? undefined : (readStoredJson(row.data, '{}') ?? null)
    return { id: row.ID, name: row.name ?? '', [mark]: row.ID === markId, data } as MarkedRow<Mark>
  }

  async function find(
    id: number,
    executor = db,
    { lock = false }: ReadOptions = {},
  ): Promise<FoundRow<Mark> | undefined> {
    const row = await read(id, executor, { lock })
    if (!row) return undefined
    const markId = await markedId(executor)
    const resource = resourceOf(row, markId)
    return {
      resource,
      state: stateTag(row.ID, row.name, row.data, Number(row.ID === markId)),
      unreadable: resource.data === null ? [{ id, column: 'data' }] : [],
    }
  }

  const stored = ({ name: title, data }: NameAndData): Written<MarkedTable> =>
    encoder.row(name as 'print_profiles', { name: title?.trim(), data })

  const add = (trx: Kysely<Tables>, row: Written<MarkedTable>) =>
    insertedId(trx.insertInto(table).values({ ...row, [mark]: 0 } as NewRow<'print_profiles'>))

  return {
    find,
    read,
    markedId,

    /** All rows, or those of `ids`, ordered by name; with their data where selected. Two queries. */
    async list(ids: number[] | undefined, selection: Selection) {
      const [markId, rows] = await Promise.all([
        markedId(),
        db
          .selectFrom(table)
          .select(['ID', 'name'])
          .$if(selection.has('data'), (query) => query.select('data'))
          .$if(ids !== undefined, (query) => query.where('ID', 'in', ids ?? []))
          .execute(),
      ])
      const read = await mapInTurns(rows, (row) => ({
        item: resourceOf(row, markId),
        key: fold(row.name ?? ''),
      }))
      const items = read
        .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.item.id - b.item.id))
        .map(({ item }) => item)
      const unreadable = items.filter((item) => item.data === null).map(({ id }) => ({ id, column: 'data' }))
      return { items, markId, unreadable }
    },

    /** Admits one writer of the table at a time, across all processes. */
    enter: (trx: Kysely<Tables>) => guard(database, trx, name),

    insert: (trx: Kysely<Tables>, row: Required<NameAndData>) => add(trx, stored(row)),

    /** Copies a row under another name and without the flag, its data byte for byte. */
    async copy(trx: Kysely<Tables>, id: number, newName: string): Promise<number | undefined> {
      const source = await read(id, trx)
      return source && add(trx, { data: source.data, ...stored({ name: newName }) })
    },

    /** A name that another writer stored with surrounding whitespace keeps it when it is sent back as it was read. */
    async change(trx: Kysely<Tables>, id: number, { name, ...changes }: NameAndData): Promise<void> {
      const isNew = name !== undefined && (name === name.trim() || name !== (await read(id, trx))?.name)
      const set = stored(isNew ? { ...changes, name } : changes)
      if (Object.keys(set).length > 0) await trx.updateTable(table).set(set).where('ID', '=', id).execute()
    },

    async remove(trx: Kysely<Tables>, id: number): Promise<void> {
      await trx.deleteFrom(table).where('ID', '=', id).execute()
    },

    /** Flags only this row, or none. */
    async setMark(trx: Kysely<Tables>, id: number | undefined): Promise<void> {
      await trx
        .updateTable(table)
        .set((eb) => ({
          [mark]: eb
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
