// What the shop's settings and the host's options say about remote storages. Options win, property by property.
import type { DropboxSettings } from './dropbox.ts'
import type { StorageOptions } from './options.ts'
import type { S3Settings } from './s3.ts'
import { isKey } from './storage.ts'

/** The rows of these options are read before each use. */
export const cloudKeys = [
  'svc_ae_cloud',
  'svc_ae_s3_access_key',
  'svc_ae_s3_access_secret',
  'svc_ae_s3_region',
  'svc_ae_s3_bucket',
  'svc_ae_s3_root_dir',
  'svc_ae_dropbox_client_id',
  'svc_ae_dropbox_secret',
  'svc_ae_dropbox_refresh_token',
] as const

export type StoredSettings = ReadonlyMap<string, string>

/** An empty stored value counts as absent. */
const text = (stored: StoredSettings, key: (typeof cloudKeys)[number]) => stored.get(key)?.trim() || undefined

/** The folder without leading and trailing slashes. */
const folder = (given: string) => given.replace(/^\/+|(?<!\/)\/+$/g, '')

/** The name of the storage for new files; `local` is the uploads folder. */
export function selected({ use }: StorageOptions, stored: StoredSettings): string {
  const name = use ?? text(stored, 'svc_ae_cloud') ?? 'none'
  return name === 'none' ? 'local' : name
}

/** @returns a sentence if a setting is missing or invalid */
export function s3Settings({ s3 = {} }: StorageOptions, stored: StoredSettings): S3Settings | string {
  const bucket = s3.bucket ?? text(stored, 'svc_ae_s3_bucket')
  const region = s3.region ?? text(stored, 'svc_ae_s3_region') ?? 'us-east-2'
  const root = folder(s3.rootDir ?? stored.get('svc_ae_s3_root_dir')?.trim() ?? 'svc-print-ready-files')
  const accessKeyId = s3.accessKeyId ?? text(stored, 'svc_ae_s3_access_key')
  const secretAccessKey = s3.secretAccessKey ?? text(stored, 'svc_ae_s3_access_secret')
  if (bucket === undefined) return 'S3 is chosen as the file storage, but no bucket is set.'
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/.test(bucket)) return 'The name of the S3 bucket is invalid.'
  if (!/^[A-Za-z0-9-]{1,63}$/.test(region)) return 'The name of the S3 region is invalid.'
  if (root !== '' && !isKey(root)) return 'The S3 root directory must be a plain path.'
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    return 'Only one of S3 access key and access secret is set.'
  }
  const { endpoint, pathStyle, publicUrl, presignSeconds } = s3
  return {
    bucket,
    region,
    root,
    accessKeyId,
    secretAccessKey,
    endpoint,
    pathStyle,
    publicUrl: publicUrl?.replace(/(?<!\/)\/+$/, ''),
    presignSeconds,
  }
}

/** @returns a sentence if a setting is missing or invalid */
export function dropboxSettings(
  { dropbox = {} }: StorageOptions,
  stored: StoredSettings,
): DropboxSettings | string {
  const clientId = dropbox.clientId ?? text(stored, 'svc_ae_dropbox_client_id')
  const clientSecret = dropbox.clientSecret ?? text(stored, 'svc_ae_dropbox_secret')
  const refreshToken = dropbox.refreshToken ?? text(stored, 'svc_ae_dropbox_refresh_token')
  const root = folder(dropbox.rootDir ?? '')
  if (clientId === undefined || clientSecret === undefined || refreshToken === undefined) {
    return 'Dropbox is chosen as the file storage, but its app key, app secret or refresh token is not set.'
  }
  if (root !== '' && !isKey(root)) return 'The Dropbox root directory must be a plain path.'
  return { clientId, clientSecret, refreshToken, root, urls: dropbox.urls }
}
