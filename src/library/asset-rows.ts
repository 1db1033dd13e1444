// Rows of `svc_assets`: the index from which uploads are listed without opening their files.
import { type Kysely, sql } from 'kysely'
import { noteChange } from '../core/change.ts'
import type { Database } from '../db/connect.ts'
import { contains } from '../db/fold.ts'
import type { Tables } from '../db/tables.ts'
import type { Totals } from '../db/totals.ts'

export interface IndexRow {
  /** Path below the folder of uploads. */
  key: string
  title: string
  size: number
  width: number | null
  height: number | null
  /** '' for a file that was inspected and is not an asset, and for one that is being stored or removed. */
  mime_type: string
  modified: number
}

/** Where the file of a row is stored: `local`, or the name of a remote storage. */
export interface RowLocation {
  storage: string
  location: string | null
}

const columns = [
  'key',
  'size',
  'width',
  'height',
  'modified',
  'mime_type',
  'storage',
  'location',
  'url',
] as const
export type AssetRow = Omit<IndexRow, 'title'> & RowLocation & { url: string | null }

export interface RowQuery {
  offset: number
  limit: number
  search?: string | undefined
  mimeType?: string | undefined
}

/** The stored file's name. */
export const nameOf = (key: string) => key.slice(key.lastIndexOf('/') + 1)

/** Keys of one statement. */
const batch = 500
/** Seconds after which a mark counts as abandoned. */
const abandoned = 30

/**
 * Marks, in the column `storage`, a file that is being removed, or stored and not yet complete. A process that finds an
 * abandoned mark removes the file and the row.
 */
const deleted = 'deleted'
const markOf = (storage: string) => (storage === 'local' ? deleted : `${deleted}:${storage}`)
const storageOf = (mark: string) => (mark === deleted ? 'local' : mark.slice(deleted.length + 1))
const anyMark = `${deleted}%`

export function assetRows({ db, t, dialect, columns: limits, transaction }: Database, totals: Totals) {
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

  async function find(key: string): Promise<(AssetRow & { title: string }) | undefined> {
    const row = await db
      .selectFrom(t.assets)
      .select([...columns, 'title'])
      .where('key', '=', key)
      .executeTakeFirst()
    // The collation may match similar keys.
    return row && row.key === key && row.mime_type !== '' ? { ...row, title: row.title ?? '' } : undefined
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
          totals.get(`assets,${mimeType}`, async () => {
            const row = await assets(mimeType)
              .select((eb) => eb.fn.countAll().as('total'))
              .executeTakeFirst()
            return Number(row?.total ?? 0)
          }),
        ])
        return { rows, total }
      }
      const found = await matching(search, mimeType)
      const wanted = found.slice(offset, offset + limit)
      const rows = wanted.length > 0 ? await page.where('key', 'in', wanted).execute() : []
      return { rows, total: found.length }
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

    /**
     * Marks a file before it is stored at a remote storage: it is deleted unless confirmed.
     * @param seconds how long storing it may take
     */
    async reserve(key: string, { storage, location }: RowLocation, seconds: number): Promise<void> {
      const modified = sql<number>`${dialect.now} + ${seconds}`
      const empty = { title: null, size: 0, width: null, height: null, mime_type: '', url: null }
      await db
        .insertInto(t.assets)
        .values({ key, ...empty, modified, storage: markOf(storage), location })
        .execute()
    },

    /** Confirms a reserved file, which is now completely stored. @returns false if it is no longer marked */
    async confirm({ key, ...row }: IndexRow, storage: string, url: string | null): Promise<boolean> {
      const isListed = async (executor: Kysely<Tables>) =>
        (await executor
          .selectFrom(t.assets)
          .select('key')
          .where('key', '=', key)
          .where('storage', '=', storage)
          .executeTakeFirst()) !== undefined
      const confirmed = await transaction(
        async (trx) => {
          await trx
            .updateTable(t.assets)
            .set({ ...row, storage, url })
            .where('key', '=', key)
            .where('storage', '=', markOf(storage))
            .execute()
          const isConfirmed = await isListed(trx)
          if (isConfirmed) noteChange({ resource: 'asset', action: 'created', id: key })
          return isConfirmed
        },
        () => isListed(db),
      )
      totals.forget()
      return confirmed
    },

    /** Lets the mark count as abandoned once no late request can store the file. */
    async release(key: string): Promise<void> {
      await db
        .updateTable(t.assets)
        .set({ modified: dialect.now })
        .where('key', '=', key)
        .where('storage', 'like', anyMark)
        .execute()
    },

    /** Marks a row whose file is to be removed. @returns true if this call marked it */
    async mark({ key, storage }: { key: string; storage: string }): Promise<boolean> {
      // In a transaction, because a mark that is set after the request was refused would remove the file.
      const { numUpdatedRows } = await transaction((trx) =>
        trx
          .updateTable(t.assets)
          .set({ mime_type: '', storage: markOf(storage), modified: dialect.now })
          .where('key', '=', key)
          .where('storage', 'not like', anyMark)
          .executeTakeFirstOrThrow(),
      )
      totals.forget()
      return numUpdatedRows > 0n
    },

    /** Removes a mark. */
    async unmark({ title: _, key, ...row }: AssetRow & { title: string }): Promise<void> {
      await db.updateTable(t.assets).set(row).where('key', '=', key).execute()
    },

    /** @param wasListed whether it was an asset, rather than an upload that was never completed */
    async dropMarked(key: string, wasListed: boolean): Promise<void> {
      await transaction(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom(t.assets)
          .where('key', '=', key)
          .where('storage', 'like', anyMark)
          .executeTakeFirst()
        if (wasListed && numDeletedRows > 0n) noteChange({ resource: 'asset', action: 'deleted', id: key })
      })
    },

    /** Abandoned marks of dead processes. */
    async abandoned(): Promise<(RowLocation & { key: string; wasListed: boolean })[]> {
      const rows = await db
        .selectFrom(t.assets)
        .select(['key', 'storage', 'location', 'title'])
        .where('storage', 'like', anyMark)
        .where('modified', '<', sql<number>`${dialect.now} - ${abandoned}`)
        .limit(batch)
        .execute()
      // An upload gets its title when it is complete.
      return rows.map(({ title, ...row }) => ({
        ...row,
        storage: storageOf(row.storage),
        wasListed: title !== null,
      }))
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
