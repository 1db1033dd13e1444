// The AWS SDK as this storage needs it: loaded when it is used, quiet about credentials, with the settings that other
// vendors need.
import { SvcError } from '../core/errors.ts'
import { optionalPackage } from '../core/installed.ts'
import { noSuchFile, StorageFailure } from './storage.ts'

/** Where the bucket is, and who may use it. */
export interface S3Access {
  region: string
  bucket: string
  /** Both, or neither: then the credentials of the environment count (role, profile, variables). */
  accessKeyId?: string | undefined
  secretAccessKey?: string | undefined
  sessionToken?: string | undefined
  /** Base URL of another vendor; default: AWS in the region. */
  endpoint?: string | undefined
  /** The bucket as the first part of the path, not of the host name; default: where there is an endpoint. */
  pathStyle?: boolean | undefined
}

/** Milliseconds for one small request, and for a connection. */
const smallTime = 10_000
const connectTime = 3000

async function load() {
  try {
    const [client, upload] = await Promise.all([
      optionalPackage<typeof import('@aws-sdk/client-s3')>('@aws-sdk/client-s3'),
      optionalPackage<typeof import('@aws-sdk/lib-storage')>('@aws-sdk/lib-storage'),
    ])
    return { ...client, Upload: upload.Upload }
  } catch (error) {
    throw missingPackage(error, '@aws-sdk/client-s3 and @aws-sdk/lib-storage')
  }
}

/**
 * The function that signs URLs.
 * @internal its type is that of a package that hosts may not have
 */
export async function loadPresigner() {
  try {
    const name = '@aws-sdk/s3-request-presigner'
    return (await optionalPackage<typeof import('@aws-sdk/s3-request-presigner')>(name)).getSignedUrl
  } catch (error) {
    throw missingPackage(error, '@aws-sdk/s3-request-presigner')
  }
}

function missingPackage(error: unknown, names: string): unknown {
  if (Reflect.get(Object(error), 'code') !== 'ERR_MODULE_NOT_FOUND') return error
  const message = `S3 is chosen as the file storage, but ${names} must be installed for it.`
  return new SvcError('svc_storage_not_configured', { message, cause: error })
}

/**
 * The SDK with a client for this bucket.
 * @internal its type is that of packages that hosts may not have
 */
export function s3Client(access: S3Access) {
  const sdk = load().then((loaded) => {
    const { region, endpoint, accessKeyId, secretAccessKey, sessionToken } = access
    const client = new loaded.S3Client({
      region,
      forcePathStyle: isPathStyle(access),
      // Other vendors know neither trailers nor the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: connectTime },
      ...(endpoint !== undefined && { endpoint }),
      ...(accessKeyId !== undefined &&
        secretAccessKey !== undefined && {
          credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
        }),
    })
    return { ...loaded, client }
  })
  sdk.catch(() => {})
  return {
    sdk,
    /** The options of a small request. */
    soon: () => ({ abortSignal: AbortSignal.timeout(smallTime) }),
    /** The same for a response whose body may take longer. */
    async untilResponse<T>(work: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
      const waiting = new AbortController()
      const timer = setTimeout(() => waiting.abort(), smallTime)
      try {
        return await work({ abortSignal: waiting.signal })
      } finally {
        clearTimeout(timer)
      }
    },
    close: async () => (await sdk).client.destroy(),
  }
}

/** Certificates name one level below the host, so that a bucket with a dot cannot stand there. */
export const isPathStyle = ({ pathStyle, endpoint, bucket }: S3Access) =>
  pathStyle ?? (endpoint !== undefined || bucket.includes('.'))

const statusOf = (error: unknown): unknown =>
  Reflect.get(Object(Reflect.get(Object(error), '$metadata')), 'httpStatusCode')

/** Whether the error says that there is no such object. */
export const isAbsent = (error: unknown) =>
  ['NoSuchKey', 'NotFound'].includes(String(Reflect.get(Object(error), 'name'))) && statusOf(error) === 404

/** The error without the SDK's messages, some of which contain keys and signatures. */
export function s3Failure(error: unknown): unknown {
  if (error instanceof SvcError || error instanceof StorageFailure) return error
  if (isAbsent(error)) return noSuchFile()
  const [name, code] = ['name', 'code'].map((key) => word(Reflect.get(Object(error), key)))
  const status = statusOf(error)
  const what = [name, code, typeof status === 'number' ? `HTTP ${status}` : undefined]
  return new StorageFailure(`S3 failed: ${what.filter((text) => text !== undefined).join(', ')}.`)
}

const word = (value: unknown) =>
  typeof value === 'string' && /^[A-Za-z_.-]{1,60}$/.test(value) ? value : undefined
