// Assets: files below svc/uploads, and the rows of `svc_assets`, by which they are listed without being opened.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../src/db/connect.ts'
import { contains } from '../../src/db/fold.ts'
import { retried } from '../../src/db/transaction.ts'
import type { AcceptedAsset } from '../../src/files/accept.ts'
import { fileTypes, type TypeFor } from '../../src/files/file-types.ts'
import { svcFolders } from '../../src/files/folders.ts'
import type { Totals } from '../../src/repositories/totals.ts'
import type { LocalStorage } from '../../src/storage/local.ts'
import { type IndexRow, uploadFolders } from './folders.ts'
import type { Asset } from './schema.ts'

export interface AssetQuery {
  offset: number
  limit: number
  search?: string
  type?: TypeFor<'asset'>
}

/** A new asset, and what its answer is made of when the same request comes again. */
export interface Uploaded {
  asset: Asset
  found_by: { key: string; warning: string | null }
}

const columns = ['key', 'size', 'width', 'height', 'modified', 'mime_type'] as const
type Row = Pick<IndexRow, (typeof columns)[number]>

/** Nobody can guess it. It begins with the time, so that of two uploads within a second the later is the newer one. */
function newKey(extension: string): string {
  const now = new Date()
  const name = now.getTime().toString(16).padStart(12, '0') + randomBytes(10).toString('hex')
  return `${now.toISOString().slice(0, 7).replace('-', '/')}/${name}.${extension}`
}

/** The stored file's name. */
const nameOf = (key: string) => key.slice(key.lastIndexOf('/') + 1)

/** Keys of one statement. */
const batch = 500
/** In the column `storage`, of a row whose file is being removed. */
const deleted = 'deleted'
/** Seconds after which no living process is at work on a deletion. */
const abandoned = 30
/** Milliseconds between two looks for abandoned deletions. */
const betweenFinishes = 20_000
/** How often a list is read again because files were not as their rows. */
const refreshes = 5

export function assetsRepository(
  { db, t, dialect, transaction }: Database,
  totals: Totals,
  storage: LocalStorage,
) {
  const folders = uploadFolders(storage, { keys, add, renew, drop })
  let finishedAt = Number.NEGATIVE_INFINITY

  async function keys(folder: string): Promise<Set<string>> {
    const rows = await db
      .selectFrom(t.assets)
      .select('key')
      .$if(folder !== '', (query) => query.where('key', '>=', `${folder}/`).where('key', '<', `${folder}0`))
      .execute()
    return new Set(rows.map((row) => row.key))
  }

  async function add(rows: IndexRow[]): Promise<void> {
    if (rows.length === 0) return
    const values = rows.map((row) => ({ ...row, storage: 'local' }))
    try {
      await db.insertInto(t.assets).values(values).execute()
    } catch (error) {
      if (!dialect.isUnique(error)) throw error
      // Another process reads the same folder.
      if (rows.length > 1) for (const row of rows) await add([row])
    }
    totals.forget()
  }

  async function renew({ key, title, ...file }: IndexRow): Promise<void> {
    const renewed = db.updateTable(t.assets).set(file).where('key', '=', key)
    await renewed.where('storage', '<>', deleted).execute()
    totals.forget()
  }

  /** How many were there. */
  async function drop(lost: string[]): Promise<number> {
    let dropped = 0
    for (let at = 0; at < lost.length; at += batch) {
      const { numDeletedRows } = await db
        .deleteFrom(t.assets)
        .where('key', 'in', lost.slice(at, at + batch))
        .executeTakeFirstOrThrow()
      dropped += Number(numDeletedRows)
    }
    if (lost.length > 0) totals.forget()
    return dropped
  }

  /** Rows of assets; the others stand for files that were looked at and are none. */
  const selection = ({ type }: { type?: AssetQuery['type'] | undefined }) =>
    type === undefined
      ? db.selectFrom(t.assets).where('mime_type', '<>', '')
      : db.selectFrom(t.assets).where('mime_type', '=', fileTypes[type].mimeType)

  function toAsset({ key, size, width, height, modified, mime_type }: Row): Asset {
    return {
      key,
      url: storage.url(`${svcFolders.assets}/${key}`),
      filename: nameOf(key),
      width,
      height,
      size,
      modified,
      mime_type,
    }
  }

  async function rowOf(key: string): Promise<IndexRow | undefined> {
    const row = await db
      .selectFrom(t.assets)
      .select([...columns, 'title'])
      .where('key', '=', key)
      .executeTakeFirst()
    // A database may find keys that only resemble it.
    return row && row.key === key && row.mime_type !== '' ? { ...row, title: row.title ?? '' } : undefined
  }

  async function find(key: string): Promise<Asset | undefined> {
    const row = await rowOf(key)
    return row && toAsset(row)
  }

  /** Keys by title and stored name, compared here, because engines fold letters in ways of their own. */
  async function matching({ search = '', type }: AssetQuery): Promise<string[]> {
    const rows = await selection({ type })
      .where((eb) => eb.or([dialect.mayContain('title', search), dialect.mayContain('key', search)]))
      .select(['key', 'title'])
      .orderBy('modified', 'desc')
      .orderBy('key', 'desc')
      .execute()
    return rows
      .filter((row) => contains(row.title, search) || contains(nameOf(row.key), search))
      .map((row) => row.key)
  }

  async function rowsOf(query: AssetQuery): Promise<{ rows: Row[]; total: number }> {
    const { offset, limit, type, search } = query
    const page = selection(query).select(columns).orderBy('modified', 'desc').orderBy('key', 'desc')
    if (search === undefined) {
      const [rows, total] = await Promise.all([
        page.limit(limit).offset(offset).execute(),
        totals.get(`assets,${type}`, async () => {
          const row = await selection(query)
            .select((eb) => eb.fn.countAll().as('total'))
            .executeTakeFirst()
          return Number(row?.total ?? 0)
        }),
      ])
      return { rows, total }
    }
    const found = await matching(query)
    const wanted = found.slice(offset, offset + limit)
    const rows = wanted.length > 0 ? await page.where('key', 'in', wanted).execute() : []
    return { rows, total: found.length }
  }

  return {
    find,

    /** Newest first; files that the CMS put into the folders are among them. */
    async list(query: AssetQuery): Promise<{ items: Asset[]; total: number }> {
      await folders.settle()
      await finishDeletions()
      let found = await rowsOf(query)
      // What moved away makes room for rows that are to be compared, too; after very many of them the next list goes on.
      for (let round = 0; round < refreshes && (await folders.refresh(found.rows)); round++) {
        found = await rowsOf(query)
      }
      return { items: found.rows.map(toAsset), total: found.total }
    },

    /** Stores the file, then its row; when that fails, the file goes again. */
    async create({
      bytes,
      extension,
      mimeType,
      title,
      width,
      height,
      warning,
    }: AcceptedAsset): Promise<Uploaded> {
      const key = newKey(extension)
      const path = `${svcFolders.assets}/${key}`
      try {
        await storage.put(path, bytes)
        const stat = await storage.stat(path)
        if (!stat) throw new Error('A file that was just stored is gone.')
        const row = { key, title, ...stat, width, height, mime_type: mimeType, storage: 'local' }
        const created = await transaction(
          async (trx) => {
            // Another process may have come across the file meanwhile.
            await trx.deleteFrom(t.assets).where('key', '=', key).execute()
            await trx.insertInto(t.assets).values(row).execute()
            return { asset: toAsset(row), found_by: { key, warning: warning ?? null } }
          },
          async () => (await find(key)) !== undefined,
        )
        totals.forget()
        return created
      } catch (error) {
        // A file that cannot even be removed is listed like one that the CMS has put there.
        await storage.remove(path).catch(() => {})
        throw error
      }
    },

    /**
     * Marks the row as deleted, which one of several processes can do, then removes file and row. From the mark on, the
     * asset is gone: whichever process finds a mark that was left behind finishes the work.
     * @returns false when there is no such asset
     */
    async remove(key: string): Promise<boolean> {
      await folders.settle()
      await finishDeletions()
      const row = await rowOf(key)
      if (!row) return false
      folders.forget(key)
      const isOurs = await retried(dialect, () => mark(key))
      if (!isOurs) return false
      totals.forget()
      try {
        await finishDeletion(key)
      } catch (error) {
        const { title: _, key: __, ...file } = row
        await db
          .updateTable(t.assets)
          .set({ ...file, storage: 'local' })
          .where('key', '=', key)
          .execute()
          // Then the mark stays, and the deletion is finished later.
          .catch(() => {})
        throw error
      }
      return true
    },
  }

  /** True for the one who marks the row. */
  async function mark(key: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable(t.assets)
      .set({ mime_type: '', storage: deleted, modified: dialect.now })
      .where('key', '=', key)
      .where('storage', '<>', deleted)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  async function finishDeletion(key: string): Promise<void> {
    await storage.remove(`${svcFolders.assets}/${key}`)
    await db.deleteFrom(t.assets).where('key', '=', key).where('storage', '=', deleted).execute()
  }

  /** Finishes, now and then, what processes that died have left. A mark that is young belongs to a process at work. */
  async function finishDeletions(): Promise<void> {
    if (performance.now() - finishedAt < betweenFinishes) return
    finishedAt = performance.now()
    const left = await db
      .selectFrom(t.assets)
      .select('key')
      .where('storage', '=', deleted)
      .where('modified', '<', sql<number>`${dialect.now} - ${abandoned}`)
      .limit(batch)
      .execute()
    // What cannot be removed yet stays unlisted, and is tried again.
    for (const { key } of left) await finishDeletion(key).catch(() => {})
  }
}
