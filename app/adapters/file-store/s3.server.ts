import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { checkedKey } from './keys.ts'
import type { FileStore } from './port.ts'

/** Where the files are; the endpoint is null for Amazon's own. */
export type S3Settings = {
  bucket: string
  region: string
  endpoint: string | null
  accessKeyId: string
  secretAccessKey: string
}

// A store that does not answer must not hold a page for minutes.
const MAX_ATTEMPTS = 3
const CONNECTION_TIMEOUT_MS = 3_000
const REQUEST_TIMEOUT_MS = 20_000
const UNKNOWN_CONTENT_TYPE = 'application/octet-stream'

/**
 * Files in a bucket of Amazon S3 or of a service that speaks like it. Every method throws when the service can't be
 * reached or refuses us: a file that can't be read is never taken for one that is not there.
 */
export function createS3FileStore(settings: S3Settings): FileStore {
  const { bucket, region, endpoint, accessKeyId, secretAccessKey } = settings
  const client = new S3Client({
    region,
    // Other services have one host for all buckets; Amazon has a host for each.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    credentials: { accessKeyId, secretAccessKey },
    // Checksums that Amazon has added since are not understood everywhere.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  })
  const at = (key: string) => ({ Bucket: bucket, Key: checkedKey(key) })
  return {
    async put(key, file) {
      await client.send(
        new PutObjectCommand({
          ...at(key),
          Body: file.bytes,
          ContentLength: file.bytes.byteLength,
          ContentType: file.contentType,
        }),
      )
    },
    async read(key) {
      try {
        const found = await client.send(new GetObjectCommand(at(key)))
        if (!found.Body) throw new Error('The file store answered without a file.')
        return {
          bytes: await found.Body.transformToByteArray(),
          contentType: found.ContentType ?? UNKNOWN_CONTENT_TYPE,
        }
      } catch (error) {
        if (error instanceof NoSuchKey) return null
        throw error
      }
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand(at(key)))
    },
    async *list() {
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket })) {
        for (const { Key } of page.Contents ?? []) if (Key) yield Key
      }
    },
    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }))
    },
  }
}
