// Rows with a name and a blob of which one bears a mark: print profiles (the master) and layouts (the default).
import type { Kysely } from 'kysely'
import type { Database } from '../db/connect.ts'
import { fold } from '../db/fold.ts'
import { guard } from '../db/guard.ts'
import { stateTag } from '../db/state-tag.ts'
import { readFlag, readStoredJson } from '../db/stored-json.ts'
import type { Tables } from '../db/tables.ts'

/** `data` is JSON text, null where the stored value cannot be read. */
export type MarkedRow<Mark extends string> = {
  id: number
  name: string
  data: string | null
} & Record<Mark, boolean>

export interface FoundRow<Mark extends string> {
  resource: MarkedRow<Mark>
  state: string
  unreadable: { id: number; column: string }[]
}

/** The table's columns as they are stored. */
export interface StoredRow {
  ID: number
  name: string | null
  data: string | null
}

export interface NameAndData {
  name?: string
  data?: Record<string, unknown>
}

type FieldSelection = { has(member: string): boolean }

const marks = { print_profiles: 'is_master', user_interfaces: 'is_default' } as const

/** Reads and single steps of writes; the steps belong into a transaction that began with `enter`. */
export function markedRows<T extends keyof typeof marks>(database: Database, name: T) {
  type Mark = (typeof marks)[T]
  const { db, dialect, columns } = database
  const mark: Mark = marks[name]
  // The two tables differ in the name of their mark alone.
  const table = database.t[name] as 'print_profiles'
  const markColumn = mark as 'is_master'

  /** The one row that bears the mark: where others have left several, the oldest. */
  async function markedId(executor = db): Promise<number | undefined> {
    const rows = await executor.selectFrom(table).select(['ID', markColumn]).orderBy('ID').execute()
    return rows.find((row) => readFlag(row[markColumn]))?.ID
  }

  async function read(id: number, executor = db, lock = false): Promise<StoredRow | undefined> {
    return executor
      .selectFrom(table)
      .select(['ID', 'name', 'data'])
      .where('ID', '=', id)
      .$if(lock && dialect.locksRows, (query) => query.forUpdate())
      .executeTakeFirst()
  }

  function resourceOf(row: Partial<StoredRow> & { ID: number }, marked: number | undefined) {
    const data = row.data === undefined ? undefined : (readStoredJson(row.data, '{}') ?? null)
    return { id: row.ID, name: row.name ?? '', [mark]: row.ID === marked, data } as MarkedRow<Mark>
  }

  async function find(id: number, executor = db, lock = false): Promise<FoundRow<Mark> | undefined> {
    const row = await read(id, executor, lock)
    if (!row) return undefined
    const marked = await markedId(executor)
    const resource = resourceOf(row, marked)
    return {
      resource,
      state: stateTag(row.ID, row.name, row.data, Number(row.ID === marked)),
      unreadable: resource.data === null ? [{ id, column: 'data' }] : [],
    }
  }

  function stored({ name: text, data }: NameAndData): Partial<StoredRow> {
    return {
      ...(text === undefined ? {} : { name: columns.text(name, 'name', 'name', text.trim()) }),
      ...(data === undefined ? {} : { data: columns.json(name, 'data', 'data', data) }),
    }
  }

  async function add(trx: Kysely<Tables>, row: Partial<StoredRow>): Promise<number> {
    const values = { ...row, [mark]: 0 } as Omit<StoredRow, 'ID'> & { is_master: number }
    const { insertId } = await trx.insertInto(table).values(values).executeTakeFirstOrThrow()
    return Number(insertId)
  }

  return {
    find,
    read,
    markedId,

    /** All rows by name, or those of `ids`, with their data where wanted; two queries. */
    async list(ids: number[] | undefined, selection: FieldSelection) {
      const [marked, rows] = await Promise.all([
        markedId(),
        db
          .selectFrom(table)
          .select(['ID', 'name'])
          .$if(selection.has('data'), (query) => query.select('data'))
          .$if(ids !== undefined, (query) => query.where('ID', 'in', ids ?? []))
          .execute(),
      ])
      const items = rows
        .map((row) => ({ item: resourceOf(row, marked), key: fold(row.name ?? '') }))
        .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.item.id - b.item.id))
        .map(({ item }) => item)
      const unreadable = items.filter((item) => item.data === null).map(({ id }) => ({ id, column: 'data' }))
      return { items, marked, unreadable }
    },

    /** Lets one writer of the table in at a time, in whatever process. */
    enter: (trx: Kysely<Tables>) => guard(database, trx, name),

    insert(trx: Kysely<Tables>, row: Required<NameAndData>): Promise<number> {
      return add(trx, stored(row))
    },

    /** A copy under another name and without the mark, its data byte for byte. */
    async copy(trx: Kysely<Tables>, id: number, newName: string): Promise<number | undefined> {
      const source = await read(id, trx)
      return source && add(trx, { data: source.data, ...stored({ name: newName }) })
    },

    /** A name that others stored with whitespace around it stays so when it comes back as it was read. */
    async change(trx: Kysely<Tables>, id: number, { name, ...changes }: NameAndData): Promise<void> {
      const isNew = name !== undefined && (name === name.trim() || name !== (await read(id, trx))?.name)
      const set = stored(isNew ? { ...changes, name } : changes)
      if (Object.keys(set).length > 0) await trx.updateTable(table).set(set).where('ID', '=', id).execute()
    },

    async remove(trx: Kysely<Tables>, id: number): Promise<void> {
      await trx.deleteFrom(table).where('ID', '=', id).execute()
    },

    /** Gives the mark to this row alone, or to none. */
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
