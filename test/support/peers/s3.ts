// A bucket of its own on the real S3 server of `npm test s3`, and a look at what is in it.
import { randomUUID } from 'node:crypto'
import {
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import type { Test } from 'tap'
import type { S3Options } from '../../../src/storage/s3.ts'

export const region = 'us-east-1'

export async function s3Bucket(t: Test) {
  const given = process.env.SVC_TEST_S3
  if (!given) throw new Error('Run this by `npm test s3`, which starts the S3 server.')
  const { endpoint, accessKeyId, secretAccessKey } = JSON.parse(given) as Record<string, string>
  if (!endpoint || !accessKeyId || !secretAccessKey) throw new Error('The S3 server is not known.')
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials: { ...credentials } })
  t.teardown(() => client.destroy())

  async function create(): Promise<string> {
    const name = `svc-${randomUUID()}`
    await client.send(new CreateBucketCommand({ Bucket: name }))
    return name
  }
  const bucket = await create()
  const options = { endpoint, region, bucket, rootDir: 'shop', ...credentials } satisfies S3Options
  return {
    client,
    bucket,
    options,
    /** Another bucket. */
    create,
    /** The rows of the shop's settings that name this bucket. */
    rows: {
      svc_ae_cloud: 's3',
      svc_ae_s3_access_key: accessKeyId,
      svc_ae_s3_access_secret: secretAccessKey,
      svc_ae_s3_region: region,
      svc_ae_s3_bucket: bucket,
      svc_ae_s3_root_dir: 'shop',
    },
    async objects(name = bucket): Promise<string[]> {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: name }))
      return Contents.map(({ Key = '' }) => Key)
    },
    /** Uploads in parts that have not come to an end. */
    async unfinished(name = bucket): Promise<string[]> {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: name }))
      return Uploads.map(({ Key = '' }) => Key)
    },
  }
}
