// Files in a bucket of S3, or of a storage that speaks its protocol.
import type { Readable } from 'node:stream'
import { untilResponse } from './guarded.ts'
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

export interface S3Settings extends S3Access {
  /** Folder in the bucket; '' is the bucket itself. */
  root: string
  /** Base URL under which the root is public; default: the bucket's own URL. */
  publicUrl?: string | undefined
  /** Seconds for which URLs are signed, for a bucket that is private; default: they are not signed. */
  presignSeconds?: number | undefined
  /** Sent with every new object; undefined: none is sent, and the bucket decides. */
  acl?: CannedAcl | undefined
}

/** Who may read an object besides its owner, as S3 names it. None lets others write. */
export const cannedAcls = [
  'private',
  'public-read',
  'authenticated-read',
  'aws-exec-read',
  'bucket-owner-read',
  'bucket-owner-full-control',
] as const
export type CannedAcl = (typeof cannedAcls)[number]

/** Bytes of one part, and parts in flight: together the memory that a file of any size takes. */
const partSize = 8 * 1024 * 1024
const partsAtOnce = 3

/** What browsers may show; all else is handed out as a file to be saved, and cannot act as a page of the bucket's host. */
export const shownTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  pdf: 'application/pdf',
}
const saved: Record<string, string> = { svg: 'image/svg+xml', zip: 'application/zip' }

/** An `<img>` shows an SVG that is to be saved all the same. */
function headersOf(key: string) {
  const extension = key.slice(key.lastIndexOf('.') + 1).toLowerCase()
  const type = shownTypes[extension]
  if (type !== undefined) return { ContentType: type }
  return { ContentType: saved[extension] ?? 'application/octet-stream', ContentDisposition: 'attachment' }
}

export function s3Storage(settings: S3Settings): FileStorage & { close(): Promise<void> } {
  const { bucket: Bucket, root, publicUrl, presignSeconds, acl } = settings
  const access = acl === undefined ? {} : { ACL: acl }
  const { sdk, soon, close } = s3Client(settings)
  const prefixed = (path: string) => (root === '' ? path : `${root}/${path}`)

  function objectOf(key: string) {
    assertKey(key)
    return { Bucket, Key: prefixed(key) }
  }

  /** Runs `work` and makes its errors safe to be logged. */
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
          soon(),
        ),
      )
      for (const { Key = '' } of page.Contents ?? []) {
        const key = Key.slice(prefixed('').length)
        if (isKey(key)) yield key
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  /** Aborts interrupted multipart uploads of this object, whose parts are invisible but billed. */
  async function abandonParts(key: string): Promise<void> {
    const object = objectOf(key)
    const { client, ListMultipartUploadsCommand, AbortMultipartUploadCommand } = await sdk
    const found = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: object.Key }), soon())
    for (const { Key, UploadId } of found.Uploads ?? []) {
      if (Key !== object.Key || UploadId === undefined) continue
      await client.send(new AbortMultipartUploadCommand({ ...object, UploadId }), soon())
    }
  }

  async function uploadParts(key: string, source: FileSource, signal?: AbortSignal): Promise<void> {
    await call(async ({ client, Upload }) => {
      // Opened once the SDK is loaded: until that reads it, its failure would end the process.
      const stream = 'path' in source ? readStream(source.path) : undefined
      const upload = new Upload({
        client,
        params: { ...objectOf(key), ...headersOf(key), ...access, Body: stream ?? (source as Uint8Array) },
        partSize,
        queueSize: partsAtOnce,
      })
      const abort = () => void upload.abort()
      signal?.addEventListener('abort', abort)
      try {
        signal?.throwIfAborted()
        await upload.done()
      } catch (error) {
        // A request that lost its response may have begun an upload that the SDK knows nothing of.
        await abandonParts(key).catch(() => {})
        throw error
      } finally {
        signal?.removeEventListener('abort', abort)
        stream?.destroy()
      }
    })
  }

  return {
    async put(key, source, { signal } = {}) {
      const params = { ...objectOf(key), ...headersOf(key), ...access }
      const size = 'path' in source ? await sizeOf(source.path) : source.length
      if (size > partSize) return uploadParts(key, source, signal)
      // Not by the SDK's uploads, which go on with a request that nobody waits for.
      await call(async ({ client, PutObjectCommand }) => {
        const Body = 'path' in source ? await readPart(source.path, 0, size) : source
        return client.send(new PutObjectCommand({ ...params, Body }), signal && { abortSignal: signal })
      })
    },

    open: (key) =>
      call(async ({ client, GetObjectCommand }) => {
        const { Body } = await untilResponse(s3Times.small, (abortSignal) =>
          client.send(new GetObjectCommand(objectOf(key)), { abortSignal }),
        )
        if (!Body) throw new StorageFailure('S3 failed: it sent no body.')
        return Body as Readable
      }),

    stat: (key) =>
      call(async ({ client, HeadObjectCommand }) => {
        try {
          const found = await client.send(new HeadObjectCommand(objectOf(key)), soon())
          const modified = Math.floor((found.LastModified?.getTime() ?? 0) / 1000)
          return { size: found.ContentLength ?? 0, modified }
        } catch (error) {
          if (isAbsent(error)) return undefined
          throw error
        }
      }),

    keys,

    remove: (key) =>
      call(async ({ client, DeleteObjectCommand }) => {
        await client.send(new DeleteObjectCommand(objectOf(key)), soon())
        // Not every account may list uploads; then the bucket's own lifecycle rule has to end them.
        await abandonParts(key).catch(() => {})
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

/** The URL under which the vendor itself serves an object. */
function bucketUrl(settings: S3Settings, key: string): string {
  const { bucket, region, endpoint } = settings
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  const base = new URL(endpoint ?? `https://s3.${region}.${suffix}`)
  const isPath = isPathStyle(settings)
  const host = isPath ? base.host : `${bucket}.${base.host}`
  const path = `${base.pathname.replace(/(?<!\/)\/+$/, '')}${isPath ? `/${bucket}` : ''}`
  return `${base.protocol}//${host}${path}/${urlPath(key)}`
}
