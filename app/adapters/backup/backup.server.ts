import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { listMigrations, migrate } from '../database/migrate.server.ts'
import type { PgliteConnection } from '../database/pglite.server.ts'
import type { DatabaseTransaction } from '../database/port.ts'
import type { PostgresConnection } from '../database/postgres.server.ts'
import { checkedKey } from '../file-store/keys.ts'
import type { FileStore } from '../file-store/port.ts'
import { fillJobQueue, listWaitingJobs, type WaitingJob } from '../jobs/pg-boss.server.ts'
import type { DataSettings, MoneySum } from './port.ts'
import {
  beginCopy,
  countRows,
  isEmptyDatabase,
  listSequences,
  listTableShapes,
  loadTables,
  readRows,
  type SequencePosition,
  setSequences,
  type TableShape,
  writeRows,
} from './table-copy.server.ts'

/** An operation that can't be done as things are. The message tells the operator what to do instead. */
export class BackupRefusal extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BackupRefusal'
  }
}

type Connection = PgliteConnection | PostgresConnection

/** The adapters and the features' SQL that a copy needs. */
export type Openers = {
  database(settings: DataSettings, onError: (error: Error) => void): Promise<Connection>
  files(settings: DataSettings['fileStore']): Promise<FileStore>
  /** Sums the money in the database by state. The sums must be equal to the cent on both sides of a copy. */
  sumMoney(tx: DatabaseTransaction): Promise<MoneySum[]>
}

/** The line count and hash that a file of lines in a backup must have when it is read again. */
type Lines = { count: number; sha256: string }

/** The manifest.json of a backup. */
type Manifest = {
  format: typeof FORMAT
  madeAt: string
  migrations: { name: string; hash: string }[]
  tables: (TableShape & Lines)[]
  sequences: SequencePosition[]
  sums: MoneySum[]
  jobs: Lines
  /** null when the backup contains no files. */
  files: Lines | null
}

type FileEntry = { key: string; contentType: string; bytes: number; sha256: string }

export type BackupReport = Pick<Manifest, 'tables' | 'sums' | 'jobs' | 'files'>

const FORMAT = 1
const MANIFEST = 'manifest.json'
const MIGRATIONS_TABLE = 'schema_migrations'
const FILES_AT_ONCE = 8
// The backup contains personal data.
const PRIVATE_FOLDER = { recursive: true, mode: 0o700 } as const

/**
 * `npm run backup -- folder`: backs up the embedded database, the waiting jobs and every file. The database serves one
 * process, so its server must be stopped. PostgreSQL has better tools of its own (decision 22).
 * @param folder created here; must not exist
 * @throws BackupRefusal, DataFolderInUse
 */
export async function backUp(open: Openers, settings: DataSettings, folder: string): Promise<BackupReport> {
  if (settings.databaseUrl)
    throw new BackupRefusal(
      'DATABASE_URL names a PostgreSQL, so nothing was backed up. Use pg_dump and copy the files: docs/operate.md has the commands.',
    )
  if (existsSync(folder)) throw new BackupRefusal(`${folder} already exists: name a new folder.`)
  const files = await open.files(settings.fileStore)
  return withDatabase(open, presentDatabase(settings), async (connection) => {
    // Written under another name until it is complete, so that half a backup is never mistaken for one.
    const part = `${folder}.part`
    await rm(part, { recursive: true, force: true })
    const report = await writeBackup(open, connection, files, part)
    await rename(part, folder)
    return report
  })
}

/**
 * `npm run restore -- folder`: fills an empty database and an empty file store from a backup. The whole backup is
 * checked before anything is written.
 * @param migrationsFolder this version's migrations; a backup made by a newer version is refused
 * @throws BackupRefusal, DataFolderInUse
 */
export async function restore(
  open: Openers,
  settings: DataSettings,
  folder: string,
  migrationsFolder: string,
): Promise<BackupReport> {
  const manifest = await readManifest(folder)
  refuseOtherMigrations(manifest, migrationsFolder)
  await checkBackup(folder, manifest)
  const files = await open.files(settings.fileStore)
  for await (const key of files.list())
    throw new BackupRefusal(`The file store already has files (${key}). A restore needs an empty one.`)
  return withDatabase(open, settings, async (connection) => {
    await refuseUnlessEmpty(connection)
    await fillFiles(folder, files)
    await fillDatabase(open, connection, folder, manifest, migrationsFolder)
    return manifest
  })
}

/**
 * `npm run move-to-postgres`: copies the embedded database into the empty PostgreSQL that DATABASE_URL names, and the
 * files into the bucket if one is set. The embedded database stays as it is.
 * @throws BackupRefusal, DataFolderInUse
 */
export async function moveToPostgres(
  open: Openers,
  settings: DataSettings,
  migrationsFolder: string,
): Promise<BackupReport & { filesCopied: number }> {
  if (!settings.databaseUrl) throw new BackupRefusal('Set DATABASE_URL to the PostgreSQL to move to.')
  const embedded = { ...settings, databaseUrl: null }
  return withDatabase(open, presentDatabase(embedded), (source) =>
    withDatabase(open, settings, async (target) => {
      await refuseUnlessEmpty(target)
      const folder = await mkdtemp(join(settings.dataFolder, 'moving-'))
      try {
        await writeBackup(open, source, null, folder)
        const manifest = await readManifest(folder)
        refuseOtherMigrations(manifest, migrationsFolder)
        const filesCopied = await copyFilesToBucket(open, settings)
        await fillDatabase(open, target, folder, manifest, migrationsFolder)
        return { ...manifest, filesCopied }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    }),
  )
}

async function withDatabase<Result>(
  open: Openers,
  settings: DataSettings,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  // No report of broken connections: the pending query fails with the error.
  const connection = await open.database(settings, () => {})
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

/** Refuses a data folder without a database, because opening it would create one. */
function presentDatabase(settings: DataSettings): DataSettings {
  if (!settings.databaseUrl && !existsSync(join(settings.dataFolder, 'database')))
    throw new BackupRefusal(
      `There is no database in ${settings.dataFolder}. Set DATA_DIR or DATABASE_URL to the server's own value.`,
    )
  return settings
}

async function refuseUnlessEmpty(connection: Connection): Promise<void> {
  if (await isEmptyDatabase(connection.db)) return
  throw new BackupRefusal(
    connection.kind === 'postgres'
      ? 'The database that DATABASE_URL names already has tables. Create a new one and name that.'
      : 'The data folder already has a database. Set DATA_DIR to a new folder.',
  )
}

// Writing ---------------------------------------------------------------------------------------------------------

async function writeBackup(open: Openers, connection: Connection, files: FileStore | null, folder: string) {
  await mkdir(join(folder, 'tables'), PRIVATE_FOLDER)
  const database = await connection.db.transaction().execute(async (tx) => {
    await beginCopy(tx)
    const tables: Manifest['tables'] = []
    for (const table of await listTableShapes(tx)) {
      if (table.name === MIGRATIONS_TABLE) continue
      tables.push({ ...table, ...(await writeLines(tableFile(folder, table.name), readRows(tx, table))) })
    }
    const waiting = (await listWaitingJobs(tx)).map((job) => JSON.stringify(job))
    return {
      migrations: await listApplied(tx),
      tables,
      sequences: await listSequences(tx),
      sums: await open.sumMoney(tx),
      jobs: await writeLines(jobsFile(folder), waiting),
    }
  })
  const manifest: Manifest = {
    format: FORMAT,
    madeAt: new Date().toISOString(),
    ...database,
    // After the database, so that every file that it names exists by then.
    files: files && (await writeLines(filesFile(folder), readFiles(files, folder))),
  }
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

async function* readFiles(files: FileStore, folder: string): AsyncGenerator<string> {
  for await (const keys of chunks(files.list(), FILES_AT_ONCE)) {
    const entries = await Promise.all(
      keys.map(async (key): Promise<FileEntry | null> => {
        const file = await files.read(key)
        // The file was deleted after it was listed.
        if (!file) return null
        const path = join(folder, 'files', checkedKey(key))
        await mkdir(dirname(path), PRIVATE_FOLDER)
        await writeFile(path, file.bytes)
        const { contentType, bytes } = file
        return { key, contentType, bytes: bytes.byteLength, sha256: sha256(bytes) }
      }),
    )
    for (const entry of entries) if (entry) yield JSON.stringify(entry)
  }
}

async function writeLines(path: string, lines: AsyncIterable<string> | Iterable<string>): Promise<Lines> {
  const hash = createHash('sha256')
  let count = 0
  await pipeline(
    async function* () {
      for await (const line of lines) {
        const text = `${line}\n`
        hash.update(text)
        count++
        yield text
      }
    },
    createGzip(),
    createWriteStream(path),
  )
  return { count, sha256: hash.digest('hex') }
}

// Reading ---------------------------------------------------------------------------------------------------------

async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST)
  if (!existsSync(path)) throw new BackupRefusal(`${folder} is not a backup: it has no ${MANIFEST}.`)
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest
  if (manifest.format !== FORMAT)
    throw new BackupRefusal(
      `This backup has format ${manifest.format}; this version of Jubilee reads format ${FORMAT}.`,
    )
  return manifest
}

/** Reads the whole backup once, so that a damaged one is refused before anything is written. */
async function checkBackup(folder: string, manifest: Manifest): Promise<void> {
  for (const table of manifest.tables) await checkLines(tableFile(folder, table.name), table)
  await checkLines(jobsFile(folder), manifest.jobs)
  if (!manifest.files) return
  await checkLines(filesFile(folder), manifest.files)
  for await (const entry of fileEntries(folder)) {
    const path = join(folder, 'files', checkedKey(entry.key))
    const bytes = await readFile(path).catch(() => null)
    if (!bytes || sha256(bytes) !== entry.sha256) throw damaged(path)
  }
}

async function checkLines(path: string, expected: Lines): Promise<void> {
  const hash = createHash('sha256')
  let count = 0
  try {
    for await (const line of readLines(path)) {
      hash.update(`${line}\n`)
      count++
    }
  } catch (error) {
    throw damaged(path, error)
  }
  if (count !== expected.count || hash.digest('hex') !== expected.sha256) throw damaged(path)
}

function damaged(path: string, cause?: unknown): BackupRefusal {
  const refusal = new BackupRefusal(`The backup is damaged: ${path} has changed since it was written.`)
  refusal.cause = cause
  return refusal
}

/** Splits at LF alone. Node's readline also splits at Unicode's other line ends, which people's texts can contain. */
async function* readLines(path: string): AsyncGenerator<string> {
  const unpacked = createGunzip().setEncoding('utf8')
  const source = createReadStream(path)
  source.on('error', (error) => unpacked.destroy(error))
  let rest = ''
  for await (const text of source.pipe(unpacked) as AsyncIterable<string>) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

async function* fileEntries(folder: string): AsyncGenerator<FileEntry> {
  for await (const line of readLines(filesFile(folder))) yield JSON.parse(line) as FileEntry
}

// Filling ---------------------------------------------------------------------------------------------------------

async function fillDatabase(
  open: Openers,
  connection: Connection,
  folder: string,
  manifest: Manifest,
  migrationsFolder: string,
): Promise<void> {
  await migrate(connection, migrationsFolder, new Set(manifest.migrations.map(({ name }) => name)))
  const jobs = await Array.fromAsync(readLines(jobsFile(folder)), (line) => JSON.parse(line) as WaitingJob)
  // Jobs before tables: once the tables have rows, the copy is complete.
  if (jobs.length > 0) await fillJobQueue(connection, jobs)
  await connection.db.transaction().execute(async (tx) => {
    await beginCopy(tx)
    await loadTables(
      tx,
      manifest.tables.map(({ name }) => name),
      async () => {
        for (const table of manifest.tables)
          await writeRows(tx, table, readLines(tableFile(folder, table.name)))
      },
    )
    await setSequences(tx, manifest.sequences)
    for (const { name, count } of manifest.tables) {
      const there = await countRows(tx, name)
      if (there !== count)
        throw new Error(`${name} has ${there} rows instead of ${count}. The copy was rolled back.`)
    }
    const sums = await open.sumMoney(tx)
    if (JSON.stringify(sums) !== JSON.stringify(manifest.sums))
      throw new Error(`The sums of money differ, so the copy was rolled back: ${JSON.stringify(sums)}`)
  })
  // Now rather than when autovacuum would, so that the first visitors get quick pages.
  await connection.executeScript('vacuum analyze')
}

async function fillFiles(folder: string, files: FileStore): Promise<void> {
  if (!existsSync(filesFile(folder))) return
  for await (const entries of chunks(fileEntries(folder), FILES_AT_ONCE)) {
    await Promise.all(
      entries.map(async ({ key, contentType }) =>
        files.put(key, { bytes: await readFile(join(folder, 'files', checkedKey(key))), contentType }),
      ),
    )
  }
}

/** Copies the files that the bucket lacks. Copies nothing when files stay on disk. @returns how many were copied */
async function copyFilesToBucket(open: Openers, settings: DataSettings): Promise<number> {
  if (settings.fileStore.kind === 'disk') return 0
  const from = await open.files({ kind: 'disk', folder: join(settings.dataFolder, 'files') })
  const to = await open.files(settings.fileStore)
  const there = new Set(await Array.fromAsync(to.list()))
  let copied = 0
  for await (const keys of chunks(from.list(), FILES_AT_ONCE)) {
    await Promise.all(
      keys.map(async (key) => {
        const file = there.has(key) ? null : await from.read(key)
        if (!file) return
        await to.put(key, file)
        copied++
      }),
    )
  }
  return copied
}

function refuseOtherMigrations(manifest: Manifest, migrationsFolder: string): void {
  const known = new Map(listMigrations(migrationsFolder).map(({ name, hash }) => [name, hash]))
  const unknown = manifest.migrations.filter(({ name, hash }) => known.get(name) !== hash)
  if (unknown.length > 0)
    throw new BackupRefusal(
      `This data is from another version of Jubilee, with ${unknown.map(({ name }) => name).join(', ')}. Use that version or a newer one.`,
    )
}

// Comparison ------------------------------------------------------------------------------------------------------

async function listApplied(tx: DatabaseTransaction): Promise<Manifest['migrations']> {
  const { rows } = await sql<{ name: string; hash: string }>`
    select name, hash from ${sql.table(MIGRATIONS_TABLE)} order by name`.execute(tx)
  return rows
}

// Paths and chunks ------------------------------------------------------------------------------------------------

const tableFile = (folder: string, name: string) => join(folder, 'tables', `${name}.ndjson.gz`)
const jobsFile = (folder: string) => join(folder, 'jobs.ndjson.gz')
const filesFile = (folder: string) => join(folder, 'files.ndjson.gz')
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function* chunks<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let chunk: Item[] = []
  for await (const item of items) {
    chunk.push(item)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
