// What the environment says about file storages, under the names that the example host reads. The library validates it.
import type { CheckOptions } from '../upkeep/check.ts'
import { type Environment, httpUrl } from './environment.ts'
import { dropboxVariables, s3Variables } from './storage-variables.ts'

type Storage = NonNullable<CheckOptions['storage']>

export function fileStorages(
  variables: NodeJS.ProcessEnv,
  { uploadsDir, siteUrl }: Environment,
): Pick<CheckOptions, 'uploads' | 'storage'> {
  const site = siteUrl ?? 'http://127.0.0.1:3000'
  const url = httpUrl('UPLOADS_URL', variables.UPLOADS_URL || undefined) ?? `${site}/uploads`
  const s3 = present(variables, s3Variables)
  const dropbox = present(variables, dropboxVariables)
  // Who names a bucket or a Dropbox wants it to be used.
  const meant = s3.bucket ? 's3' : dropbox.refreshToken && 'dropbox'
  const use = variables.SVC_STORAGE || meant
  return { uploads: { dir: uploadsDir, url }, storage: { ...(use && { use }), s3, dropbox } as Storage }
}

function present<K extends string>(
  variables: NodeJS.ProcessEnv,
  names: Record<K, string>,
): Partial<Record<K, string>> {
  const entries = Object.entries<string>(names).map(([option, name]) => [
    option,
    variables[name] || undefined,
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
