import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { checkedKey } from './keys.ts'
import { type FileStore, FileStoreUnavailable, type StoredFile } from './port.ts'

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
const REQUEST_TIMEOUT_MS = 10_000
/** Of one file with all its tries. */
const FILE_LIMIT_MS = 10_000
const CHECK_LIMIT_MS = 3_000
/** A file that nobody has put there. */
const NO_KEY = 'is-anybody-there'
/** Beyond this nobody joins those who wait for it: while it is slow, pictures would fill the process. */
const MAX_RUNNING = 100
/** Whoever stands in its place, such as a proxy with a page of its own, must not be taken for a store that has taken a file. */
const NOT_A_STORE = 'This is no answer of a file store.'
const DELETED = 204
const UNKNOWN_CONTENT_TYPE = 'application/octet-stream'

/**
 * Files in a bucket of Amazon S3 or of a service that speaks like it. Every method throws when the service can't be
 * reached or refuses us: a file that can't be read is never taken for one that is not there.
 * @param onUnavailable told, in the context of who asked, before it throws FileStoreUnavailable
 */
export function createS3FileStore(settings: S3Settings, onUnavailable: () => void = () => {}): FileStore {
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
  let running = 0

  /** @throws FileStoreUnavailable when the service fails, and when it has not answered after the time */
  async function withinLimit<T>(limitMs: number, work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController()
    const tooLong = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      tooLong.reject(new Error(`no answer within ${limitMs} ms`))
      stop.abort()
    }, limitMs)
    running++
    try {
      if (running > MAX_RUNNING) throw new Error(`${MAX_RUNNING} wait for it already`)
      return await Promise.race([work(stop.signal), tooLong.promise])
    } catch (error) {
      onUnavailable()
      throw new FileStoreUnavailable(error)
    } finally {
      running--
      clearTimeout(timer)
    }
  }

  async function readWithin(limitMs: number, key: string): Promise<StoredFile | null> {
    const command = new GetObjectCommand(at(key))
    return withinLimit(limitMs, async (abortSignal) => {
      try {
        const found = await client.send(command, { abortSignal })
        if (!found.Body || !found.ETag) throw new Error(NOT_A_STORE)
        return {
          bytes: await found.Body.transformToByteArray(),
          contentType: found.ContentType ?? UNKNOWN_CONTENT_TYPE,
        }
      } catch (error) {
        if (error instanceof NoSuchKey) return null
        throw error
      }
    })
  }

  return {
    async put(key, file) {
      const command = new PutObjectCommand({
        ...at(key),
        Body: file.bytes,
        ContentLength: file.bytes.byteLength,
        ContentType: file.contentType,
      })
      await withinLimit(FILE_LIMIT_MS, async (abortSignal) => {
        const put = await client.send(command, { abortSignal })
        if (!put.ETag) throw new Error(NOT_A_STORE)
      })
    },
    read: (key) => readWithin(FILE_LIMIT_MS, key),
    async delete(key) {
      const command = new DeleteObjectCommand(at(key))
      await withinLimit(FILE_LIMIT_MS, async (abortSignal) => {
        const { $metadata } = await client.send(command, { abortSignal })
        if ($metadata.httpStatusCode !== DELETED) throw new Error(NOT_A_STORE)
      })
    },
    async *list() {
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket })) {
        if (page.Name !== bucket) throw new FileStoreUnavailable(new Error(NOT_A_STORE))
        for (const { Key } of page.Contents ?? []) if (Key) yield Key
      }
    },
    async check() {
      await readWithin(CHECK_LIMIT_MS, NO_KEY)
    },
  }
}
