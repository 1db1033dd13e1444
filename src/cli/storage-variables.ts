// The environment variables of the options of remote storages.

export const s3Variables = {
  endpoint: 'SVC_S3_ENDPOINT',
  region: 'SVC_S3_REGION',
  bucket: 'SVC_S3_BUCKET',
  rootDir: 'SVC_S3_ROOT_DIR',
  accessKeyId: 'SVC_S3_ACCESS_KEY_ID',
  secretAccessKey: 'SVC_S3_SECRET_ACCESS_KEY',
  publicUrl: 'SVC_S3_PUBLIC_URL',
} as const

export const dropboxVariables = {
  clientId: 'SVC_DROPBOX_CLIENT_ID',
  clientSecret: 'SVC_DROPBOX_CLIENT_SECRET',
  refreshToken: 'SVC_DROPBOX_REFRESH_TOKEN',
} as const

/** The variable of an option of `storage`, for messages. */
export const storageVariables: Record<string, string> = {
  'storage.use': 'SVC_STORAGE',
  ...Object.fromEntries(Object.entries(s3Variables).map(([name, value]) => [`storage.s3.${name}`, value])),
  ...Object.fromEntries(
    Object.entries(dropboxVariables).map(([name, value]) => [`storage.dropbox.${name}`, value]),
  ),
}
