import type { S3Settings } from '../file-store/s3.server.ts'

/** The location of the data. */
export type DataSettings = {
  dataFolder: string
  /** null for the embedded database in the data folder. */
  databaseUrl: string | null
  /** Where files are stored: in the data folder, or in a bucket. */
  fileStore: { kind: 'disk'; folder: string } | ({ kind: 's3' } & S3Settings)
}

/** The money in one state: 'payments paid', 'refunds done'. */
export type MoneySum = { what: string; count: number; cents: string }
