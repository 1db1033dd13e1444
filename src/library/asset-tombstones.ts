// Tombstones: rows of uploads whose files are being stored at a remote storage, or removed. Such a row is not listed; if the process
// dies, another one finds the abandoned tombstone, and removes the file and the row.
import { type Kysely, sql } from 'kysely'
import { noteChange } from '../core/change.ts'
import type { Database } from '../db/connect.ts'
import { isAny } from '../db/repository.ts'
import type { Tables } from '../db/tables.ts'
import type { Totals } from '../db/totals.ts'

/** The properties of a file in the index. */
export interface IndexRow {
  /** Path below the folder of uploads. */
  key: string
  title: string
  /** Bytes. */
  size: number
  /** Pixels; null if the type has none. */
  width: number | null
  height: number | null
  /** '' for a file that was inspected and is not an asset, and for one that is being stored or removed. */
  mime_type: string
  /** Unix seconds. */
  modified: number
}

/** Where the file of a row is stored: `local`, or the name of a remote storage. */
export interface RowLocation {
  storage: string
  location: string | null
}

/** A row of `svc_assets`. */
export type AssetRow = IndexRow & RowLocation & { url: string | null }

/** The most abandoned tombstones that are read at once. */
const batch = 500
/** Seconds after which a tombstone counts as abandoned. */
const abandonedAge = 30

/** Replaces `local` in the column `storage`; for another storage, its name follows after a colon. */
export const tombstone = 'deleted'
const tombstoneOf = (storage: string) => (storage === 'local' ? tombstone : `${tombstone}:${storage}`)
/** The storage of a file whose row has this tombstone. */
export const storageOf = (stored: string) =>
  stored === tombstone ? 'local' : stored.slice(tombstone.length + 1)
const anyTombstone = `${tombstone}%`

/** The tombstones of one database; `assetRows` contains them. */
export function assetTombstones({ db, t, dialect, transaction }: Database, totals: Totals) {
  return {
    /**
     * Inserts a row with a tombstone before its file is stored at a remote storage: unless `confirm` follows, the tombstone counts as
     * abandoned `abandonedAge` after the time for storing, and the file is removed.
     * @param seconds how long storing it may take
     */
    async reserve(key: string, { storage, location }: RowLocation, seconds: number): Promise<void> {
      const modified = sql<number>`${dialect.now} + ${seconds}`
      const empty = { title: null, size: 0, width: null, height: null, mime_type: '', url: null }
      await db
        .insertInto(t.assets)
        .values({ key, ...empty, modified, storage: tombstoneOf(storage), location })
        .execute()
    },

    /** Lists a reserved file, which is completely stored now. @returns false if another process has removed its tombstone */
    async confirm({ key, ...row }: IndexRow, storage: string, url: string | null): Promise<boolean> {
      const isListed = (executor: Kysely<Tables>) =>
        isAny(
          executor.selectFrom(t.assets).select('key').where('key', '=', key).where('storage', '=', storage),
        )
      const isConfirmed = await transaction(
        async (trx) => {
          await trx
            .updateTable(t.assets)
            .set({ ...row, storage, url })
            .where('key', '=', key)
            .where('storage', '=', tombstoneOf(storage))
            .execute()
          const isUpdated = await isListed(trx)
          if (isUpdated) noteChange(trx, { resource: 'asset', action: 'created', id: key })
          return isUpdated
        },
        () => isListed(db),
      )
      totals.forget()
      return isConfirmed
    },

    /** Makes the tombstone of a failed upload count as abandoned in `abandonedAge`, when no late request can store the file any more. */
    async release(key: string): Promise<void> {
      await db
        .updateTable(t.assets)
        .set({ modified: dialect.now })
        .where('key', '=', key)
        .where('storage', 'like', anyTombstone)
        .execute()
    },

    /** Gives a row whose file will be removed a tombstone. @returns false if another process has done so */
    async bury({ key, storage }: { key: string; storage: string }): Promise<boolean> {
      // In a transaction, because a tombstone that is set after the request was refused would remove the file.
      const { numUpdatedRows } = await transaction((trx) =>
        trx
          .updateTable(t.assets)
          .set({ mime_type: '', storage: tombstoneOf(storage), modified: dialect.now })
          .where('key', '=', key)
          .where('storage', 'not like', anyTombstone)
          .executeTakeFirstOrThrow(),
      )
      totals.forget()
      return numUpdatedRows > 0n
    },

    /** Lists a row again whose file could not be removed. */
    async restore({ key, ...row }: AssetRow): Promise<void> {
      await db.updateTable(t.assets).set(row).where('key', '=', key).execute()
    },

    /** Deletes a row with a tombstone. `wasListed`: it was an asset, not an upload that was never completed. */
    async dropTombstone(key: string, { wasListed }: { wasListed: boolean }): Promise<void> {
      await transaction(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom(t.assets)
          .where('key', '=', key)
          .where('storage', 'like', anyTombstone)
          .executeTakeFirst()
        if (wasListed && numDeletedRows > 0n)
          noteChange(trx, { resource: 'asset', action: 'deleted', id: key })
      })
    },

    /** Tombstones that processes left which died, and those of failed uploads. */
    async abandoned(): Promise<(RowLocation & { key: string; wasListed: boolean })[]> {
      const rows = await db
        .selectFrom(t.assets)
        .select(['key', 'storage', 'location', 'title'])
        .where('storage', 'like', anyTombstone)
        .where('modified', '<', sql<number>`${dialect.now} - ${abandonedAge}`)
        .limit(batch)
        .execute()
      // An upload gets its title when it is complete.
      return rows.map(({ title, ...row }) => ({
        ...row,
        storage: storageOf(row.storage),
        wasListed: title !== null,
      }))
    },
  }
}
