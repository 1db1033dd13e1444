// A client of the AWS SDK: loaded on first use, with settings that the storages of other vendors need, and with errors that contain no
// credentials.
import { Readable } from 'node:stream'
import { SvcError } from '../core/errors.ts'
import { errorCode, membersOf } from '../core/foreign.ts'
import { optionalPackage } from '../core/installed.ts'
import { noSuchFile, StorageFailure } from './storage.ts'

/** A bucket, and the credentials for it. */
export interface S3Access {
  region: string
  bucket: string
  /** Set together with the secret, or neither: then the SDK takes the credentials of the environment (role, profile, variables). */
  accessKeyId?: string | undefined
  secretAccessKey?: string | undefined
  /** Base URL of another vendor; default: AWS in the region. */
  endpoint?: string | undefined
  /** Whether URLs have the bucket in the path instead of the host name. Default: see `isPathStyle`. */
  pathStyle?: boolean | undefined
}

/** Milliseconds: for a request without the bytes of a file, to open a connection, and without a byte on a connection. */
export const s3Times = { small: 10_000, connect: 3000, idle: 15_000 }
/** Maximum bytes of a response that is no file: a page of a folder, or an error. */
const maxResponseBytes = 8 * 1024 * 1024

/** Imports the packages of the SDK. */
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

/** A 503 that names the packages, if the error is that of a package that is not installed; other errors unchanged. */
function missingPackage(error: unknown, names: string): unknown {
  if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') return error
  const message = `S3 is chosen as the file storage, but ${names} must be installed for it.`
  return new SvcError('svc_storage_not_configured', { message, cause: error })
}

/**
 * The SDK with a client for this bucket.
 * @internal its type is that of packages that hosts may not have
 */
export function s3Client(access: S3Access) {
  const sdk = load().then((loaded) => {
    const { region, endpoint, accessKeyId, secretAccessKey } = access
    const client = new loaded.S3Client({
      region,
      forcePathStyle: isPathStyle(access),
      // Storages of other vendors often support neither trailers nor the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: s3Times.connect, socketTimeout: s3Times.idle },
      ...(endpoint !== undefined && { endpoint }),
      ...(accessKeyId !== undefined &&
        secretAccessKey !== undefined && {
          credentials: { accessKeyId, secretAccessKey },
        }),
    })
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const result = await next(args)
          // The SDK types the response of this step as unknown; it is an HttpResponse.
          const response = result.response as { statusCode: number; body?: unknown }
          const isFile = commandName === 'GetObjectCommand' && response.statusCode < 300
          if (response.body instanceof Readable && !isFile) response.body = limited(response.body)
          return result
        },
      { step: 'deserialize', priority: 'low', name: 'limitResponses' },
    )
    return { ...loaded, client }
  })
  // Each request reports the failure to load; until one does, it must not end the process.
  sdk.catch(() => {})
  return {
    sdk,
    /** The options of a request without the bytes of a file: its time limit. */
    shortLimit: () => ({ abortSignal: AbortSignal.timeout(s3Times.small) }),
    close: async () => (await sdk).client.destroy(),
  }
}

/** The body, which fails beyond `maxResponseBytes`: the SDK reads responses that are no files as a whole. */
const limited = (body: Readable): Readable =>
  Readable.from(
    (async function* () {
      let size = 0
      for await (const chunk of body) {
        size += chunk.length
        if (size > maxResponseBytes) throw new StorageFailure('S3 failed: its response is too long.')
        yield chunk
      }
    })(),
    { objectMode: false },
  )

/**
 * Whether URLs have the bucket in the path: with an endpoint of another vendor, and for a bucket with a dot, because wildcard
 * certificates cover only one level below the host.
 */
export const isPathStyle = ({ pathStyle, endpoint, bucket }: S3Access) =>
  pathStyle ?? (endpoint !== undefined || bucket.includes('.'))

const statusOf = (error: unknown): unknown => membersOf(membersOf(error).$metadata).httpStatusCode

/** Whether an error of the SDK means that there is no such object. */
export const isAbsent = (error: unknown) =>
  ['NoSuchKey', 'NotFound'].includes(String(membersOf(error).name)) && statusOf(error) === 404

/** The error to throw for an error of the SDK, without its message, which may contain keys and signatures. */
export function s3Failure(error: unknown): unknown {
  if (error instanceof SvcError || error instanceof StorageFailure) return error
  if (isAbsent(error)) return noSuchFile()
  const [name, code] = ['name', 'code'].map((key) => plainWord(membersOf(error)[key]))
  const status = statusOf(error)
  const details = [name, code, typeof status === 'number' ? `HTTP ${status}` : undefined]
  return new StorageFailure(`S3 failed: ${details.filter((text) => text !== undefined).join(', ')}.`)
}

/** A short name or code; undefined for any other value, which could contain a secret. */
const plainWord = (value: unknown) =>
  typeof value === 'string' && /^[A-Za-z_.-]{1,60}$/.test(value) ? value : undefined
