import type { S3Settings } from '../file-store/s3.server.ts'

/** Where everything is kept. */
export type DataSettings = {
  dataFolder: string
  /** null for the embedded database in the data folder. */
  databaseUrl: string | null
  /** Where files are: in the data folder, or in a bucket. */
  fileStore: { kind: 'disk'; folder: string } | ({ kind: 's3' } & S3Settings)
}

/** Money as it stands in one state: 'payments paid', 'refunds done'. */
export type MoneySum = { what: string; count: number; cents: string }
