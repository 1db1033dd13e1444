// The storage in a bucket of S3, or of another storage with its protocol.
import type { Readable } from 'node:stream'
import { takingTimeOf } from '../core/deadline.ts'
import { storageSilent } from '../core/unavailable.ts'
import { readPart, readStream, sizeOf } from './local-files.ts'
import {
  isAbsent,
  isPathStyle,
  loadPresigner,
  type S3Access,
  s3Client,
  s3Failure,
  s3Times,
} from './s3-client.ts'
import { assertKey, type FileSource, type FileStorage, isKey, StorageFailure, urlPath } from './storage.ts'
import { untilResponse } from './until-response.ts'

/** A folder of a bucket, and how its files are served. */
export interface S3Settings extends S3Access {
  /** Folder in the bucket; '' is the bucket itself. */
  root: string
  /** Base URL under which the root is public; default: the bucket's own URL. */
  publicUrl?: string | undefined
  /** Seconds for which signed URLs of a private bucket are valid; default: URLs are not signed. */
  presignSeconds?: number | undefined
  /** Sent with every new object; undefined: the default of the bucket applies. */
  acl?: CannedAcl | undefined
}

/** Canned ACLs of S3: who may read an object besides its owner. Those that let others write are left out. */
export const cannedAcls = [
  'private',
  'public-read',
  'authenticated-read',
  'aws-exec-read',
  'bucket-owner-read',
  'bucket-owner-full-control',
] as const
export type CannedAcl = (typeof cannedAcls)[number]

/** Bytes of a part of a multipart upload. Smaller files are sent in one request. */
const partSize = 8 * 1024 * 1024
/** Number of parts that are sent at the same time; with `partSize` the memory that a file of any size takes. */
const partsAtOnce = 3

/**
 * Types that browsers show, by extension. All other files are served as attachments to be saved, so that none can act as a page of the
 * host of the bucket.
 */
export const shownTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  pdf: 'application/pdf',
}
/** Types of attachments by extension. An `<img>` shows an SVG that is an attachment, too. */
const attachmentTypes: Record<string, string> = { svg: 'image/svg+xml', zip: 'application/zip' }

/** The parameters that name an object in its bucket. */
interface StoredObject {
  Bucket: string
  Key: string
}

/** The headers with which an object is served. */
function headersOf(key: string) {
  const extension = key.slice(key.lastIndexOf('.') + 1).toLowerCase()
  const type = shownTypes[extension]
  if (type !== undefined) return { ContentType: type }
  return {
    ContentType: attachmentTypes[extension] ?? 'application/octet-stream',
    ContentDisposition: 'attachment',
  }
}

export function s3Storage(settings: S3Settings): FileStorage & { close(): Promise<void> } {
  const { bucket: Bucket, root, publicUrl, presignSeconds, acl } = settings
  const access = acl === undefined ? {} : { ACL: acl }
  const { sdk, shortLimit, close } = s3Client(settings)
  const prefixed = (path: string) => (root === '' ? path : `${root}/${path}`)

  /** @throws Error for an invalid key */
  function objectOf(key: string): StoredObject {
    assertKey(key)
    return { Bucket, Key: prefixed(key) }
  }

  /** Runs `work` with the SDK, and throws its errors as `s3Failure` makes them. */
  async function call<T>(work: (loaded: Awaited<typeof sdk>) => Promise<T>): Promise<T> {
    try {
      return await work(await sdk)
    } catch (error) {
      throw s3Failure(error)
    }
  }

  async function* keys(folder: string): AsyncGenerator<string> {
    assertKey(folder)
    let token: string | undefined
    do {
      const page = await call(({ client, ListObjectsV2Command }) =>
        client.send(
          new ListObjectsV2Command({
            Bucket,
            Prefix: `${prefixed(folder)}/`,
            ...(token !== undefined && { ContinuationToken: token }),
          }),
          shortLimit(),
        ),
      )
      for (const { Key = '' } of page.Contents ?? []) {
        const key = Key.slice(prefixed('').length)
        if (isKey(key)) yield key
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  /** Aborts interrupted multipart uploads of this object: their parts are invisible, but the vendor bills them. */
  async function abortUploads(object: StoredObject): Promise<void> {
    const { client, ListMultipartUploadsCommand, AbortMultipartUploadCommand } = await sdk
    const list = new ListMultipartUploadsCommand({ Bucket, Prefix: object.Key })
    const { Uploads = [] } = await client.send(list, shortLimit())
    for (const { Key, UploadId } of Uploads) {
      if (Key !== object.Key || UploadId === undefined) continue
      await client.send(new AbortMultipartUploadCommand({ ...object, UploadId }), shortLimit())
    }
  }

  /** Stores a large file by a multipart upload. */
  async function uploadParts(params: StoredObject, source: FileSource, signal: AbortSignal): Promise<void> {
    await call(async ({ client, Upload }) => {
      // Opened after the SDK is loaded: an error of a stream that is not read yet would end the process.
      const stream = 'path' in source ? readStream(source.path) : undefined
      const upload = new Upload({
        client,
        params: { ...params, Body: stream ?? (source as Uint8Array) },
        partSize,
        queueSize: partsAtOnce,
      })
      const abort = () => void upload.abort()
      signal.addEventListener('abort', abort)
      try {
        signal.throwIfAborted()
        await upload.done()
      } catch (error) {
        // A request whose response was lost may have begun an upload that the SDK does not know.
        await abortUploads(params).catch(() => {})
        throw error
      } finally {
        signal.removeEventListener('abort', abort)
        stream?.destroy()
      }
    })
  }

  return {
    async put(key, source, { signal } = {}) {
      const params = { ...objectOf(key), ...headersOf(key), ...access }
      const size = 'path' in source ? await sizeOf(source.path) : source.length
      // The SDK limits neither its three tries together nor a slow one that is never idle.
      const limit = AbortSignal.timeout(takingTimeOf(size))
      const ending = AbortSignal.any(signal ? [signal, limit] : [limit])
      try {
        if (size > partSize) return await uploadParts(params, source, ending)
        // Not by `Upload` of the SDK, which continues a small request after an abort.
        await call(async ({ client, PutObjectCommand }) => {
          const Body = 'path' in source ? await readPart(source.path, 0, size) : source
          return client.send(new PutObjectCommand({ ...params, Body }), { abortSignal: ending })
        })
      } catch (error) {
        throw limit.aborted && !signal?.aborted ? storageSilent(error) : error
      }
    },

    open: (key) =>
      call(async ({ client, GetObjectCommand }) => {
        const { Body } = await untilResponse(s3Times.small, (abortSignal) =>
          client.send(new GetObjectCommand(objectOf(key)), { abortSignal }),
        )
        if (!Body) throw new StorageFailure('S3 failed: it sent no body.')
        // In Node.js the body is a stream of Node.js.
        return Body as Readable
      }),

    stat: (key) =>
      call(async ({ client, HeadObjectCommand }) => {
        try {
          const head = await client.send(new HeadObjectCommand(objectOf(key)), shortLimit())
          const modified = Math.floor((head.LastModified?.getTime() ?? 0) / 1000)
          return { size: head.ContentLength ?? 0, modified }
        } catch (error) {
          if (isAbsent(error)) return undefined
          throw error
        }
      }),

    keys,

    remove: (key) =>
      call(async ({ client, DeleteObjectCommand }) => {
        await client.send(new DeleteObjectCommand(objectOf(key)), shortLimit())
        // An account may lack the right to list uploads; then a lifecycle rule of the bucket has to end them.
        await abortUploads(objectOf(key)).catch(() => {})
      }),

    url(key) {
      const object = objectOf(key)
      if (presignSeconds === undefined) {
        return publicUrl === undefined ? bucketUrl(settings, object.Key) : `${publicUrl}/${urlPath(key)}`
      }
      return call(async ({ client, GetObjectCommand }) => {
        const sign = await loadPresigner()
        return sign(client, new GetObjectCommand(object), { expiresIn: presignSeconds })
      })
    },

    close,
  }
}

/** The URL under which the vendor serves an object. */
function bucketUrl(settings: S3Settings, key: string): string {
  const { bucket, region, endpoint } = settings
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  const base = new URL(endpoint ?? `https://s3.${region}.${suffix}`)
  const isPath = isPathStyle(settings)
  const host = isPath ? base.host : `${bucket}.${base.host}`
  const path = `${base.pathname.replace(/(?<!\/)\/+$/, '')}${isPath ? `/${bucket}` : ''}`
  return `${base.protocol}//${host}${path}/${urlPath(key)}`
}
