// What the environment says about remote file storages. What it leaves open, the shop's settings say.
import type { StorageOptions } from 'svc-api'

/** Reads a variable of this form; empty counts as absent. @throws Error with one sentence that names it, not its value */
export type Read = (name: string, form: RegExp, demand: string) => string | undefined
type Address = (name: string) => string | undefined

const word = /^[^\s]{1,500}$/
const folder = /^\/?(?!\.)[^\s:\\/]+(\/(?!\.)[^\s:\\/]+)*\/?$/

export function storageFrom(read: Read, address: Address): StorageOptions {
  const secret = (name: string) => read(name, word, 'must hold no whitespace')
  const present = <T extends object>(values: T) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
      [K in keyof T]?: NonNullable<T[K]>
    }
  const bucket = read('SVC_S3_BUCKET', /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/, 'must be the name of a bucket')
  const presigned = read(
    'SVC_S3_PRESIGN_SECONDS',
    /^[1-9]\d{0,5}$/,
    'must be a number of seconds, at most 604800',
  )
  if (Number(presigned ?? 0) > 604_800) throw new Error('SVC_S3_PRESIGN_SECONDS must be at most 604800.')
  const use = read('SVC_STORAGE', /^(none|s3|dropbox)$/, 'must be none, s3 or dropbox')
  const token = secret('SVC_DROPBOX_REFRESH_TOKEN')
  const s3 = present({
    endpoint: address('SVC_S3_ENDPOINT'),
    region: read('SVC_S3_REGION', /^[A-Za-z0-9-]{1,63}$/, 'must be the name of a region'),
    bucket,
    rootDir: read('SVC_S3_ROOT_DIR', folder, 'must be a path in the bucket'),
    accessKeyId: secret('SVC_S3_ACCESS_KEY_ID'),
    secretAccessKey: secret('SVC_S3_SECRET_ACCESS_KEY'),
    publicUrl: address('SVC_S3_PUBLIC_URL'),
    presignSeconds: presigned === undefined ? undefined : Number(presigned),
  })
  const dropbox = present({
    clientId: secret('SVC_DROPBOX_CLIENT_ID'),
    clientSecret: secret('SVC_DROPBOX_CLIENT_SECRET'),
    refreshToken: token,
  })
  // Who names a bucket or a Dropbox wants it to be used.
  const meant = bucket === undefined ? token && 'dropbox' : 's3'
  return { ...present({ use: use ?? meant }), s3, dropbox }
}
