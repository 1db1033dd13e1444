// Rows of `svc_assets`: the index from which uploads are listed without opening their files.
import { noteChange } from '../core/change.ts'
import type { Database } from '../db/connect.ts'
import { contains } from '../db/fold.ts'
import { countOf } from '../db/repository.ts'
import type { Totals } from '../db/totals.ts'
import {
  type AssetRow,
  assetTombstones,
  type IndexRow,
  type RowLocation,
  storageOf,
  tombstone,
} from './asset-tombstones.ts'

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

/** Which rows are listed. */
export interface RowQuery {
  offset: number
  limit: number
  search?: string | undefined
  mimeType?: string | undefined
}

/** The file name in a key. */
export const storedNameOf = (key: string) => key.slice(key.lastIndexOf('/') + 1)

const withTitle = <Row extends { title: string | null }>(row: Row) => ({ ...row, title: row.title ?? '' })

/** Keys of one statement. */
const batch = 500

/** The index of one database; `totals` caches the lengths of lists. */
export function assetRows(database: Database, totals: Totals) {
  const { db, t, dialect, encoder, transaction } = database
  const searched = [encoder.searched('assets', 'title'), encoder.searched('assets', 'key')]

  /** Inserts rows of files on local disk, except those that another process has inserted. */
  async function add(rows: IndexRow[]): Promise<void> {
    if (rows.length === 0) return
    const values = rows.map((row) => ({ ...row, storage: 'local', location: null, url: null }))
    try {
      await db.insertInto(t.assets).values(values).execute()
    } catch (error) {
      if (!dialect.isUnique(error)) throw error
      // Another process reads the same folder: the rows are inserted one by one, to find those that are missing.
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

  /** Keys of the assets whose title or file name contains the term; compared here, because engines fold case differently. */
  async function matching(search: string, mimeType: string | undefined): Promise<string[]> {
    const rows = await assets(mimeType)
      .where((eb) => eb.or(searched.map((column) => dialect.mayContain(column, search))))
      .select(['key', 'title'])
      .orderBy('modified', 'desc')
      .orderBy('key', 'desc')
      .execute()
    return rows
      .filter((row) => contains(row.title, search) || contains(storedNameOf(row.key), search))
      .map((row) => row.key)
  }

  return {
    ...assetTombstones(database, totals),
    add,
    find,

    /** Keys of all files on this machine's disk below a folder, also of those that are being removed; '' is the root. */
    async keys(folder: string): Promise<Set<string>> {
      const rows = await db
        .selectFrom(t.assets)
        .select('key')
        .where('storage', 'in', ['local', tombstone])
        // All keys that begin with the folder and a slash, by the primary key: `0` follows the slash in ASCII.
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

    /** Deletes the rows of files that were removed. */
    async dropRows(keys: string[]): Promise<void> {
      for (let start = 0; start < keys.length; start += batch) {
        const chunk = keys.slice(start, start + batch)
        await db.deleteFrom(t.assets).where('key', 'in', chunk).execute()
      }
      if (keys.length > 0) totals.forget()
    },

    /** A page of assets, newest first, and the number on all pages. */
    async list({ offset, limit, search, mimeType }: RowQuery): Promise<{ rows: AssetRow[]; total: number }> {
      const page = assets(mimeType).select(columns).orderBy('modified', 'desc').orderBy('key', 'desc')
      if (search === undefined) {
        const [rows, total] = await Promise.all([
          page.limit(limit).offset(offset).execute(),
          totals.get(`assets,${mimeType}`, () => countOf(assets(mimeType))),
        ])
        return { rows: rows.map(withTitle), total }
      }
      const matchingKeys = await matching(search, mimeType)
      const pageKeys = matchingKeys.slice(offset, offset + limit)
      const rows = pageKeys.length > 0 ? await page.where('key', 'in', pageKeys).execute() : []
      return { rows: rows.map(withTitle), total: matchingKeys.length }
    },

    /** A page of the assets that were last changed before a time in Unix seconds, oldest first. */
    async before(
      modified: number,
      { offset, limit }: { offset: number; limit: number },
    ): Promise<AssetRow[]> {
      const older = assets(undefined).select(columns).where('modified', '<', modified)
      const rows = await older.orderBy('modified').orderBy('key').limit(limit).offset(offset).execute()
      return rows.map(withTitle)
    },

    /** Inserts the row of a completely stored file on local disk. */
    async insert(row: IndexRow): Promise<void> {
      const values = { ...row, storage: 'local', location: null, url: null }
      await transaction(
        async (trx) => {
          // Another process may have found the file in its folder and inserted a row.
          await trx.deleteFrom(t.assets).where('key', '=', row.key).execute()
          await trx.insertInto(t.assets).values(values).execute()
          noteChange(trx, { resource: 'asset', action: 'created', id: row.key })
        },
        async () => (await find(row.key)) !== undefined,
      )
      totals.forget()
    },

    /** The files of all rows, a page at a time. Those that are not listed are being stored or removed, or are no assets. */
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
          storage: storage.startsWith(tombstone) ? storageOf(storage) : storage,
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
