// Marks on rows of uploads: their files are being stored, or removed.
import { type Kysely, sql } from 'kysely'
import { noteChange } from '../core/change.ts'
import type { Database } from '../db/connect.ts'
import { isAny } from '../db/repository.ts'
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

export type AssetRow = IndexRow & RowLocation & { url: string | null }

/** Abandoned marks of one statement. */
const batch = 500
/** Seconds after which a mark counts as abandoned. */
const abandoned = 30

/**
 * Marks, in the column `storage`, a file that is being removed, or stored and not yet complete. A process that finds an
 * abandoned mark removes the file and the row.
 */
export const deleted = 'deleted'
const markOf = (storage: string) => (storage === 'local' ? deleted : `${deleted}:${storage}`)
export const storageOf = (mark: string) => (mark === deleted ? 'local' : mark.slice(deleted.length + 1))
const anyMark = `${deleted}%`

export function assetMarks({ db, t, dialect, transaction }: Database, totals: Totals) {
  return {
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
      const isListed = (executor: Kysely<Tables>) =>
        isAny(
          executor.selectFrom(t.assets).select('key').where('key', '=', key).where('storage', '=', storage),
        )
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
    async unmark({ key, ...row }: AssetRow): Promise<void> {
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
  }
}
