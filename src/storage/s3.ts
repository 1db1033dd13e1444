// S3, or a storage of another vendor with its protocol. `s3Remote` declares the storage; options, settings, rights and documents derive
// from it.
import { Type } from '@sinclair/typebox'
import { booleanOption, type OptionsOf, oneOf, optionsObject, wholeNumber } from '../core/check-options.ts'
import {
  address,
  bySettings,
  type RemoteStorage,
  type StoredSettings,
  storedText,
  textOption,
  urlOption,
  withoutSlashes,
  word,
} from './remote-storage.ts'
import { type CannedAcl, cannedAcls, type S3Settings, s3Storage } from './s3-files.ts'
import { isKey } from './storage.ts'

const acls = ['none', ...cannedAcls] as const
const bucketName = /^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/
const regionName = /^[A-Za-z0-9-]{1,63}$/
/** A week: the longest time for which S3 accepts a signature. */
const maxPresignSeconds = 604_800

const s3Options = optionsObject(
  {
    /** Base URL of another vendor's storage; default: AWS in the region. */
    endpoint: Type.Optional(urlOption),
    /** Region of the bucket. Default: the setting `svc_ae_s3_region`, else us-east-2. */
    region: Type.Optional(textOption),
    /** Name of the bucket. Default: the setting `svc_ae_s3_bucket`. */
    bucket: Type.Optional(textOption),
    /** Folder in the bucket; default: the setting `svc_ae_s3_root_dir`, else svc-print-ready-files. */
    rootDir: Type.Optional(Type.String({ must: 'be a path in the bucket' })),
    /** Id of the access key. Default: `svc_ae_s3_access_key`; where that is empty, the credentials of the environment (role, profile, variables). */
    accessKeyId: Type.Optional(textOption),
    /** Secret of the access key. Default: `svc_ae_s3_access_secret`. */
    secretAccessKey: Type.Optional(textOption),
    /** The bucket as the first part of the path. Default: true where `endpoint` is set, or the name of the bucket has a dot. */
    pathStyle: Type.Optional(booleanOption),
    /** Base URL under which `rootDir` is public, e.g. a CDN. Default: the bucket's own URL. */
    publicUrl: Type.Optional(urlOption),
    /** Seconds for which URLs are signed, where the bucket is private; at most a week. Default: they are not signed. */
    presignSeconds: Type.Optional(wholeNumber('a number of seconds', maxPresignSeconds)),
    /**
     * Canned ACL that is sent with each new file, such as `public-read` where a vendor's buckets are private; `none`: the bucket
     * decides. Default: the setting `svc_ae_s3_acl`, else none.
     */
    acl: Type.Optional(oneOf(acls, `be one of ${acls.join(', ')}`)),
  },
  'be an object with the settings of S3',
)

/** A bucket of S3, or of a storage that speaks its protocol. */
export interface S3Options extends OptionsOf<(typeof s3Options)['properties']> {}

/** The settings in effect: options, or else the settings of the shop. @returns a sentence if one is missing or invalid */
function settingsOf(options: S3Options, stored: StoredSettings): S3Settings | string {
  const bucket = options.bucket ?? storedText(stored, 'svc_ae_s3_bucket')
  const region = options.region ?? storedText(stored, 'svc_ae_s3_region') ?? 'us-east-2'
  const root = withoutSlashes(
    options.rootDir ?? stored.get('svc_ae_s3_root_dir')?.trim() ?? 'svc-print-ready-files',
  )
  const accessKeyId = options.accessKeyId ?? storedText(stored, 'svc_ae_s3_access_key')
  const secretAccessKey = options.secretAccessKey ?? storedText(stored, 'svc_ae_s3_access_secret')
  if (bucket === undefined) return 'S3 is chosen as the file storage, but no bucket is set.'
  if (!bucketName.test(bucket)) return 'The name of the S3 bucket is invalid.'
  if (!regionName.test(region)) return 'The name of the S3 region is invalid.'
  if (root !== '' && !isKey(root)) return 'The S3 root directory must be a plain path.'
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    return 'Only one of S3 access key and access secret is set.'
  }
  const acl = aclOf(options.acl ?? storedText(stored, 'svc_ae_s3_acl') ?? 'none')
  if (acl === undefined) return `The S3 ACL must be one of ${acls.join(', ')}.`
  const { endpoint, pathStyle, publicUrl, presignSeconds } = options
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
    acl: acl === 'none' ? undefined : acl,
  }
}

const aclOf = (text: string): CannedAcl | 'none' | undefined => acls.find((acl) => acl === text)

/** What rows of files store: `region/bucket/folder`. */
const locationOf = ({ region, bucket, root }: S3Settings) => [region, bucket, root].join('/')

/** The settings for a stored file, whose bucket and folder may be those of earlier settings. The credentials are the current ones. */
function settingsAt(options: S3Options, stored: StoredSettings, location: string): S3Settings | string {
  const [region = '', bucket = '', ...root] = location.split('/')
  const current = settingsOf(options, stored)
  const settings = settingsOf({ ...options, region, bucket, rootDir: root.join('/') }, stored)
  if (typeof settings === 'string') return settings
  // The option `publicUrl` belongs to the current bucket.
  const isCurrent = typeof current !== 'string' && locationOf(current) === locationOf(settings)
  return isCurrent ? settings : { ...settings, publicUrl: undefined }
}

const byCredentials = "the shop's settings, else the credentials of the environment"

export const s3Remote = {
  name: 's3',
  label: 'S3',
  options: Type.Unsafe<S3Options>(s3Options),
  settings: [
    {
      id: 'svc_ae_s3_access_key',
      type: 'text',
      label: 'S3 Access Key',
      default: '',
      secret: true,
      description: 'Access key of the S3 account; never returned by the API.',
    },
    {
      id: 'svc_ae_s3_access_secret',
      type: 'password',
      label: 'S3 Access Secret',
      default: '',
      secret: true,
      description: 'Secret of the S3 access key; never returned by the API.',
    },
    {
      id: 'svc_ae_s3_region',
      type: 'select',
      label: 'S3 Region',
      default: 'us-east-2',
      format: 'word',
      description: 'Region of the S3 bucket.',
    },
    {
      id: 'svc_ae_s3_bucket',
      type: 'text',
      label: 'S3 Bucket Name',
      default: '',
      description: 'Name of the S3 bucket that takes the files.',
    },
    {
      id: 'svc_ae_s3_root_dir',
      type: 'text',
      label: 'S3 Root Directory',
      default: 'svc-print-ready-files',
      description: 'Folder in the bucket that the files are put into.',
    },
    {
      id: 'svc_ae_s3_acl',
      type: 'select',
      label: 'S3 ACL',
      default: 'none',
      choices: acls,
      description:
        'Who may read new files, for vendors whose buckets are private; none leaves it to the bucket.',
    },
  ],
  variables: {
    endpoint: {
      ...address,
      name: 'SVC_S3_ENDPOINT',
      standard: 'AWS',
      meaning: "Base URL of another vendor's S3.",
    },
    region: {
      name: 'SVC_S3_REGION',
      form: regionName,
      demand: 'must be the name of a region',
      standard: bySettings,
      meaning: 'Its region.',
    },
    bucket: {
      name: 'SVC_S3_BUCKET',
      form: bucketName,
      demand: 'must be the name of a bucket',
      standard: bySettings,
      meaning: 'Bucket of S3. Naming one selects S3.',
    },
    rootDir: {
      name: 'SVC_S3_ROOT_DIR',
      form: /^\/?(?!\.)[^\s:\\/]+(\/(?!\.)[^\s:\\/]+)*\/?$/,
      demand: 'must be a path in the bucket',
      standard: bySettings,
      meaning: 'Folder in the bucket.',
    },
    accessKeyId: {
      ...word,
      name: 'SVC_S3_ACCESS_KEY_ID',
      standard: byCredentials,
      meaning: 'Credentials of S3.',
    },
    secretAccessKey: {
      ...word,
      name: 'SVC_S3_SECRET_ACCESS_KEY',
      standard: byCredentials,
      meaning: 'Credentials of S3.',
    },
    publicUrl: {
      ...address,
      name: 'SVC_S3_PUBLIC_URL',
      standard: "the bucket's own URL",
      meaning: 'Base URL of a CDN.',
    },
    presignSeconds: {
      name: 'SVC_S3_PRESIGN_SECONDS',
      form: /^[1-9]\d{0,5}$/,
      demand: `must be a number of seconds, at most ${maxPresignSeconds}`,
      parse: (text: string) => (Number(text) <= maxPresignSeconds ? Number(text) : undefined),
      standard: 'not signed',
      meaning: 'Seconds for which URLs of a private bucket are signed.',
    },
    acl: {
      name: 'SVC_S3_ACL',
      form: /^[a-z-]{1,40}$/,
      demand: `must be one of ${acls.join(', ')}`,
      parse: aclOf,
      standard: bySettings,
      meaning: 'Canned ACL of new files.',
    },
  },
  selectedBy: 'bucket',
  connect(options: S3Options, stored: StoredSettings, location?: string | null) {
    const settings = location ? settingsAt(options, stored, location) : settingsOf(options, stored)
    if (typeof settings === 'string') return settings
    return { location: locationOf(settings), settings, open: () => s3Storage(settings) }
  },
} as const satisfies RemoteStorage
