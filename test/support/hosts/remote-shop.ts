// A shop whose files go to a stand-in for Dropbox, as its settings say.
import { Writable } from 'node:stream'
import type { Test } from 'tap'
import type { FileStorage } from '../../../src/storage/storage.ts'
import { app, dropboxServer } from '../peers/dropbox.ts'
import type { BuildOptions, TestHost } from './build.ts'
import { printHost } from './print.ts'

export const dropboxRows = {
  svc_ae_cloud: 'dropbox',
  svc_ae_dropbox_client_id: app.clientId,
  svc_ae_dropbox_secret: app.clientSecret,
  svc_ae_dropbox_refresh_token: app.refreshToken,
}

/** What an administrator saves in the shop. */
export async function saveRows(
  { db, t: names }: Pick<TestHost, 'db' | 't'>,
  rows: Record<string, string>,
): Promise<void> {
  for (const [option_name, option_value] of Object.entries(rows)) {
    await db.deleteFrom(names.options).where('option_name', '=', option_name).execute()
    await db.insertInto(names.options).values({ option_name, option_value, autoload: 'no' }).execute()
  }
}

export async function remoteShop(
  t: Test,
  options: Omit<BuildOptions, 'printReady'> &
    Pick<Parameters<typeof printHost>[1] & object, 'printReady'> = {},
  answer?: Parameters<typeof printHost>[2],
) {
  const dropbox = await dropboxServer()
  t.teardown(() => dropbox.close())
  const log: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk))
      done()
    },
  })
  const storage = { dropbox: { urls: dropbox.options.urls } }
  const host = await printHost(
    t,
    { storage, server: { logger: { level: 'debug', stream } }, ...options },
    answer,
  )
  await saveRows(host, dropboxRows)
  return { dropbox, host, log }
}

export const deleteAsset = ({ call }: TestHost, key: string) =>
  call('DELETE', `/assets/${encodeURIComponent(key)}`)

/** Rows of uploads that are not listed: their files are being stored or removed. */
export function marks({ db, t: names }: TestHost) {
  return db
    .selectFrom(names.assets)
    .select(['key', 'storage', 'modified'])
    .where('mime_type', '=', '')
    .execute()
}

/** Keys of all files that a storage holds of ours. */
export async function keysOf(files: FileStorage): Promise<string[]> {
  const keys: string[] = []
  for await (const key of files.keys('svc')) keys.push(key)
  return keys
}
