// Rows of `svc_assets`: the index from which uploads are listed without opening their files.
import { noteChange } from '../core/change.ts'
import type { Database } from '../db/connect.ts'
import { contains } from '../db/fold.ts'
import { countOf } from '../db/repository.ts'
import type { Totals } from '../db/totals.ts'
import {
  type AssetRow,
  assetMarks,
  deleted,
  type IndexRow,
  type RowLocation,
  storageOf,
} from './asset-marks.ts'

const columns = [
  'key',
  'title',
  'size',
  'width',
  'height',
  'modified',
  'mime_type',
  'storage',
  'location',
  'url',
] as const
export interface RowQuery {
  offset: number
  limit: number
  search?: string | undefined
  mimeType?: string | undefined
}

/** The stored file's name. */
export const nameOf = (key: string) => key.slice(key.lastIndexOf('/') + 1)

const withTitle = <Row extends { title: string | null }>(row: Row) => ({ ...row, title: row.title ?? '' })

/** Keys of one statement. */
const batch = 500
export function assetRows(database: Database, totals: Totals) {
  const { db, t, dialect, encoder: limits, transaction } = database
  const searched = [limits.searched('assets', 'title'), limits.searched('assets', 'key')]

  async function add(rows: IndexRow[]): Promise<void> {
    if (rows.length === 0) return
    const values = rows.map((row) => ({ ...row, storage: 'local', location: null, url: null }))
    try {
      await db.insertInto(t.assets).values(values).execute()
    } catch (error) {
      if (!dialect.isUnique(error)) throw error
      // Another process reads the same folder.
      if (rows.length > 1) for (const row of rows) await add([row])
    }
    totals.forget()
  }

  /** Rows of assets. */
  const assets = (mimeType: string | undefined) =>
    mimeType === undefined
      ? db.selectFrom(t.assets).where('mime_type', '<>', '')
      : db.selectFrom(t.assets).where('mime_type', '=', mimeType)

  async function find(key: string): Promise<AssetRow | undefined> {
    const row = await db.selectFrom(t.assets).select(columns).where('key', '=', key).executeTakeFirst()
    // The collation may match similar keys.
    return row && row.key === key && row.mime_type !== '' ? withTitle(row) : undefined
  }

  /** Keys by title and stored name, compared here, because engines fold case differently. */
  async function matching(search: string, mimeType: string | undefined): Promise<string[]> {
    const rows = await assets(mimeType)
      .where((eb) => eb.or(searched.map((column) => dialect.mayContain(column, search))))
      .select(['key', 'title'])
      .orderBy('modified', 'desc')
      .orderBy('key', 'desc')
      .execute()
    return rows
      .filter((row) => contains(row.title, search) || contains(nameOf(row.key), search))
      .map((row) => row.key)
  }

  return {
    ...assetMarks(database, totals),
    add,
    find,

    /** Keys of all files on this machine's disk below a folder; '' is the root. */
    async keys(folder: string): Promise<Set<string>> {
      const rows = await db
        .selectFrom(t.assets)
        .select('key')
        .where('storage', 'in', ['local', deleted])
        .$if(folder !== '', (query) => query.where('key', '>=', `${folder}/`).where('key', '<', `${folder}0`))
        .execute()
      return new Set(rows.map((row) => row.key))
    },

    /** Updates the row from the file; the title stays. */
    async renew({ key, title, ...file }: IndexRow): Promise<void> {
      const renewed = db.updateTable(t.assets).set(file).where('key', '=', key)
      await renewed.where('storage', '=', 'local').execute()
      totals.forget()
    },

    async drop(lost: string[]): Promise<void> {
      for (let at = 0; at < lost.length; at += batch) {
        const keys = lost.slice(at, at + batch)
        await db.deleteFrom(t.assets).where('key', 'in', keys).execute()
      }
      if (lost.length > 0) totals.forget()
    },

    /** Newest first. */
    async list({ offset, limit, search, mimeType }: RowQuery): Promise<{ rows: AssetRow[]; total: number }> {
      const page = assets(mimeType).select(columns).orderBy('modified', 'desc').orderBy('key', 'desc')
      if (search === undefined) {
        const [rows, total] = await Promise.all([
          page.limit(limit).offset(offset).execute(),
          totals.get(`assets,${mimeType}`, () => countOf(assets(mimeType))),
        ])
        return { rows: rows.map(withTitle), total }
      }
      const found = await matching(search, mimeType)
      const wanted = found.slice(offset, offset + limit)
      const rows = wanted.length > 0 ? await page.where('key', 'in', wanted).execute() : []
      return { rows: rows.map(withTitle), total: found.length }
    },

    /** Those last changed before a time in Unix seconds, oldest first. */
    async before(
      modified: number,
      { offset, limit }: { offset: number; limit: number },
    ): Promise<AssetRow[]> {
      const older = assets(undefined).select(columns).where('modified', '<', modified)
      const rows = await older.orderBy('modified').orderBy('key').limit(limit).offset(offset).execute()
      return rows.map(withTitle)
    },

    /** Lists a completely stored file. */
    async insert(row: IndexRow): Promise<void> {
      const values = { ...row, storage: 'local', location: null, url: null }
      await transaction(
        async (trx) => {
          // Another process may have listed the file meanwhile.
          await trx.deleteFrom(t.assets).where('key', '=', row.key).execute()
          await trx.insertInto(t.assets).values(values).execute()
          noteChange({ resource: 'asset', action: 'created', id: row.key })
        },
        async () => (await find(row.key)) !== undefined,
      )
      totals.forget()
    },

    /** The files of all rows, some at a time; those that are not listed are being stored or removed. */
    async *all(): AsyncGenerator<(RowLocation & { key: string; isListed: boolean })[]> {
      for (let last = ''; ; ) {
        const rows = await db
          .selectFrom(t.assets)
          .select(['key', 'storage', 'location', 'mime_type'])
          .where('key', '>', last)
          .orderBy('key')
          .limit(batch)
          .execute()
        yield rows.map(({ mime_type, storage, ...row }) => ({
          ...row,
          storage: storage.startsWith(deleted) ? storageOf(storage) : storage,
          isListed: mime_type !== '',
        }))
        const newest = rows.at(-1)
        if (!newest) return
        last = newest.key
      }
    },
  }
}

export type AssetRows = ReturnType<typeof assetRows>
