// The most common writes of views: columns that are written as they are sent, in one statement.
import type { CompiledQuery } from 'kysely'
import type { Database } from '../db/connect.ts'
import { preparedWrite } from '../db/prepared.ts'

const plainNames = ['title', 'thumbnail', 'elements'] as const
type PlainColumn = (typeof plainNames)[number]
/** Columns that are written as they are sent. */
export interface PlainColumns {
  title?: string
  thumbnail?: string
  elements?: string
}

export function plainUpdate(database: Database) {
  const { db, t } = database

  /** One prepared statement for each combination of plain columns. */
  const updates = new Map<string, ReturnType<typeof updateOf>>()
  const updateOf = (names: readonly PlainColumn[]) =>
    preparedWrite((id: number, ...values: string[]) =>
      db
        .updateTable(t.views)
        .set(Object.fromEntries(names.map((name, index) => [name, values[index]])))
        .where('ID', '=', id),
    )

  const updateFor = (set: PlainColumns) => {
    const names = plainNames.filter((name) => set[name] !== undefined)
    const key = names.join()
    const update = updates.get(key) ?? updateOf(names)
    updates.set(key, update)
    return { update, values: names.map((name) => set[name] ?? '') }
  }

  return {
    /** A write of plain columns is one statement. 0 means that the view is absent or already has these values. */
    run(id: number, set: PlainColumns): Promise<bigint> {
      const { update, values } = updateFor(set)
      return update(database, id, ...values)
    },
    query(id: number, set: PlainColumns): CompiledQuery {
      const { update, values } = updateFor(set)
      return update.query(id, ...values)
    },
  }
}
