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

/** The bucket and its credentials. A null endpoint means Amazon's own. */
export type S3Settings = {
  bucket: string
  region: string
  endpoint: string | null
  accessKeyId: string
  secretAccessKey: string
  limits?: S3Limits
}

/** How long a request may take, retries included: for a file, and for a check of the store. */
export type S3Limits = { fileMs: number; checkMs: number }

// A store that does not answer must not delay a page for minutes.
const MAX_ATTEMPTS = 3
const CONNECTION_TIMEOUT_MS = 3_000
const REQUEST_TIMEOUT_MS = 10_000
const LIMITS: S3Limits = { fileMs: 10_000, checkMs: 3_000 }
/** The key of a file that never exists. */
const NO_KEY = 'is-anybody-there'
/** The maximum of concurrent requests. Beyond it, a slow store would fill the process with pictures. */
const MAX_RUNNING = 100
/** A proxy that answers 200 with a page of its own must not pass for a store that has stored a file. */
const NOT_A_STORE = 'The response does not come from a file store.'
const DELETED = 204
const UNKNOWN_CONTENT_TYPE = 'application/octet-stream'

/**
 * Stores files in a bucket of Amazon S3 or a compatible service. Every method throws when the service can't be reached
 * or refuses the request, so that an unreadable file is never mistaken for a missing one.
 * @param onUnavailable called in the caller's async context before FileStoreUnavailable is thrown
 */
export function createS3FileStore(settings: S3Settings, onUnavailable: () => void = () => {}): FileStore {
  const { bucket, region, endpoint, accessKeyId, secretAccessKey, limits = LIMITS } = settings
  const client = new S3Client({
    region,
    // Other services have one host for all buckets, but Amazon has one for each.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    credentials: { accessKeyId, secretAccessKey },
    // Compatible services don't all support the checksums that Amazon added later.
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

  /** @throws FileStoreUnavailable when the service fails or does not answer within the limit */
  async function withinLimit<T>(limitMs: number, work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController()
    const tooLong = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      tooLong.reject(new Error(`no answer within ${limitMs} ms`))
      stop.abort()
    }, limitMs)
    running++
    try {
      if (running > MAX_RUNNING) throw new Error(`Queue full: ${MAX_RUNNING} requests are already running.`)
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
      await withinLimit(limits.fileMs, async (abortSignal) => {
        const put = await client.send(command, { abortSignal })
        if (!put.ETag) throw new Error(NOT_A_STORE)
      })
    },
    read: (key) => readWithin(limits.fileMs, key),
    async delete(key) {
      const command = new DeleteObjectCommand(at(key))
      await withinLimit(limits.fileMs, async (abortSignal) => {
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
      await readWithin(limits.checkMs, NO_KEY)
    },
  }
}
