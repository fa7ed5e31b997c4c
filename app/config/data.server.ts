import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { DataSettings } from '../adapters/backup/port.ts'
import { addressesOfHosts } from '../adapters/database/hosts.ts'
import { REPLICA_LAG_SECONDS } from '../adapters/database/limits.ts'
import type { S3Settings } from '../adapters/file-store/s3.server.ts'
import { text } from './checks.server.ts'

/** The settings for the data's location. */
export const dataEnvironment = z.object({
  DATA_DIR: text.default('data'),
  DATABASE_URL: text
    .refine(
      (address) => addressesOfHosts(address) !== null,
      'must be a postgres:// address of one or several hosts; of several, the writable one is used',
    )
    .optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket, like jubilee-files')
    .optional(),
  S3_REGION: text.min(1).optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_ACCESS_KEY_ID: text.min(1).optional(),
  S3_SECRET_ACCESS_KEY: text.min(1).optional(),
})

/** The settings for a standby. */
export const replicaEnvironment = z.object({
  DATABASE_READ_URL: text
    .refine(
      (address) => addressesOfHosts(address)?.length === 1,
      'must be a postgres:// address of one host, which is a standby of DATABASE_URL',
    )
    .optional(),
  DATABASE_READ_LAG_SECONDS: z.coerce.number().int().min(5).max(3_600).default(REPLICA_LAG_SECONDS),
})

/** The standby of searches. */
export type ReplicaConfig = {
  /** The standby that searches with words read, and the oldest data that they may see; null without one. */
  replica: { url: string; maxLagMs: number } | null
}

/** Reads where the data are, and which of these settings are missing. */
export function dataSettings(set: z.output<typeof dataEnvironment>): {
  settings: DataSettings
  problems: string[]
} {
  const dataFolder = resolve(set.DATA_DIR)
  const s3 = readS3(set)
  return {
    settings: {
      dataFolder,
      databaseUrl: set.DATABASE_URL ?? null,
      fileStore: s3.settings
        ? { kind: 's3', ...s3.settings }
        : { kind: 'disk', folder: join(dataFolder, 'files') },
    },
    problems: s3.problems,
  }
}

/** Reads the settings of the standby. */
export function replicaConfig(set: z.output<typeof replicaEnvironment>): ReplicaConfig {
  return {
    replica: set.DATABASE_READ_URL
      ? { url: set.DATABASE_READ_URL, maxLagMs: set.DATABASE_READ_LAG_SECONDS * 1_000 }
      : null,
  }
}

/** Finds settings of the standby that contradict those of the data. */
export function replicaProblems(
  set: z.output<typeof dataEnvironment> & z.output<typeof replicaEnvironment>,
): string[] {
  if (set.DATABASE_READ_URL && !set.DATABASE_URL)
    return ['DATABASE_READ_URL: only with DATABASE_URL, whose standby it is']
  if (set.DATABASE_READ_URL && set.DATABASE_READ_URL === set.DATABASE_URL)
    return ['DATABASE_READ_URL: must be another server than DATABASE_URL, its standby']
  return []
}

/** Reads the bucket's settings. Only some of them would fail at the first picture, so refuse that at the start. */
function readS3(set: {
  S3_BUCKET?: string | undefined
  S3_REGION?: string | undefined
  S3_ENDPOINT?: string | undefined
  S3_ACCESS_KEY_ID?: string | undefined
  S3_SECRET_ACCESS_KEY?: string | undefined
}): { settings: S3Settings | null; problems: string[] } {
  const { S3_BUCKET, S3_REGION, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = set
  const needed = { S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }
  if (!S3_ENDPOINT && !Object.values(needed).some(Boolean)) return { settings: null, problems: [] }
  if (!S3_BUCKET || !S3_REGION || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY)
    return {
      settings: null,
      problems: Object.entries(needed)
        .filter(([, value]) => !value)
        .map(
          ([name]) => `${name}: missing; an S3 file store needs its bucket, region and both keys, or none`,
        ),
    }
  return {
    settings: {
      bucket: S3_BUCKET,
      region: S3_REGION,
      endpoint: S3_ENDPOINT?.replace(/\/$/, '') ?? null,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
    },
    problems: [],
  }
}
