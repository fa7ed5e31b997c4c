import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import { openPglite, type PgliteConnection } from '../app/adapters/database/pglite.server.ts'
import { openPostgres, type PostgresConnection } from '../app/adapters/database/postgres.server.ts'
import { newId } from '../app/shared/ids.ts'
import { cheapPasswords } from './cheap-passwords.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const databaseFolder = join(root, 'database')
const migrationsFolder = join(databaseFolder, 'migrations')
const cacheFolder = join(root, 'node_modules/.cache/jubilee-tests')

/**
 * The content of a new test database: 'tables' has every table and no rows, 'started' adds the rows of a server's first
 * start (places, the tables of the job queue), and 'demo' adds the demo.
 */
export type DatabaseContent = 'tables' | 'started' | 'demo'

/**
 * Opens a separate in-memory PostgreSQL for one test file. It boots from a dump, in a fraction of the time that filling
 * it takes.
 */
export async function openTestDatabase(content: DatabaseContent = 'tables'): Promise<PgliteConnection> {
  await holdEngine()
  const path = content === 'tables' ? await migratedDump() : await startedDump(content)
  return openPglite(null, { dump: new Blob([readFileSync(path)]) })
}

const held: WebAssembly.Module[] = []

/**
 * Holds PGlite's compiled code. The threads of a process share it while one of them holds it. Otherwise, each database
 * would compile and optimise the same code again.
 */
export async function holdEngine(): Promise<void> {
  if (held.length > 0) return
  const engine = readFileSync(join(root, 'node_modules/@electric-sql/pglite/dist/pglite.wasm'))
  held.push(await WebAssembly.compile(engine))
}

/**
 * Opens a new database on the server of TEST_DATABASE_URL, where transactions run concurrently. Without that setting it
 * is `openTestDatabase`. The server is temporary, so its databases are not dropped.
 */
export async function openTestDatabaseOfEitherKind(): Promise<PgliteConnection | PostgresConnection> {
  const serverUrl = process.env.TEST_DATABASE_URL
  if (!serverUrl) return openTestDatabase()
  const fail = (error: Error) => {
    throw error
  }
  const name = `test_${newId()}`
  const server = openPostgres(serverUrl, fail)
  await server.executeScript(`create database ${name}`)
  await server.close()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const connection = openPostgres(url.href, fail)
  await migrate(connection, migrationsFolder)
  return connection
}

/** The path of a migrated database's dump, created on first use and whenever a migration changes. */
export async function migratedDump(): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const name of readdirSync(migrationsFolder).sort()) {
    hash.update(name).update(readFileSync(join(migrationsFolder, name)))
  }
  return cachedDump('migrated', hash.digest('hex'), async () => {
    const connection = await openPglite(null)
    await migrate(connection, migrationsFolder)
    return connection
  })
}

/** The path of a dump on which the built server has run, created on first use of each build and each day. */
export async function startedDump(content: 'started' | 'demo'): Promise<string> {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'build/source-hash')))
    .update(readFileSync(join(root, 'tests/cheap-passwords.ts')))
    // The demo dates its listings and reviews relative to today.
    .update(new Date().toISOString().slice(0, 10))
  return cachedDump(content, hash.digest('hex'), async () => {
    const built = (await import('../build/server/index.js' as string)) as typeof import('../server/entry.ts')
    const connection = await openTestDatabase()
    const settings = { DATA_DIR: join(cacheFolder, `data-${process.pid}`), LOG_LEVEL: 'error' }
    const services = await built.createServices(built.readConfig(settings), {
      databaseFolder,
      // Closing the services must not close the database.
      openDatabase: async () => ({ ...connection, close: async () => {} }),
      passwords: cheapPasswords,
    })
    await services.startJobs()
    if (content === 'demo') await built.fillDemoData(services)
    await services.close()
    rmSync(settings.DATA_DIR, { recursive: true, force: true })
    return connection
  })
}

/** Returns the dump's path. Two processes may create it at once: the last file wins, and both are correct. */
async function cachedDump(
  kind: string,
  hash: string,
  fill: () => Promise<PgliteConnection>,
): Promise<string> {
  const path = join(cacheFolder, `${kind}-${hash.slice(0, 16)}.tar`)
  if (existsSync(path)) return path
  mkdirSync(cacheFolder, { recursive: true })
  for (const old of readdirSync(cacheFolder).filter((name) => name.startsWith(`${kind}-`)))
    rmSync(join(cacheFolder, old), { force: true })
  const connection = await fill()
  try {
    const part = `${path}.${process.pid}.part`
    writeFileSync(part, await connection.pglite.dumpDataDir())
    renameSync(part, path)
  } finally {
    await connection.close()
  }
  return path
}
