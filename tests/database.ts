import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import { openPglite, type PgliteConnection } from '../app/adapters/database/pglite.server.ts'
import type { Database, DatabaseTransaction } from '../app/adapters/database/port.ts'
import { openPostgres, type PostgresConnection } from '../app/adapters/database/postgres.server.ts'
import { newId } from '../app/shared/ids.ts'
import { cheapPasswords } from './cheap-passwords.ts'
import { watchLocks } from './lock-watch.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const databaseFolder = join(root, 'database')
const migrationsFolder = join(databaseFolder, 'migrations')
const cacheFolder = join(root, 'node_modules/.cache/jubilee-tests')

/**
 * The content of a new test database: 'nothing' has not even tables, for tests of migrations; 'tables' has every table and
 * no rows, 'started' adds the rows of a server's first start (places, the tables of the job queue), and 'demo' adds the demo.
 */
export type DatabaseContent = 'nothing' | 'tables' | 'started' | 'demo'

/** A test's own database, of either kind. */
export type TestConnection = PgliteConnection | PostgresConnection

/**
 * Opens a new database for one test file: on a real server if this machine has PostgreSQL, since that takes half the
 * processor time and transactions run concurrently there, otherwise the embedded one.
 */
export async function openTestDatabase(content: DatabaseContent = 'tables'): Promise<TestConnection> {
  const serverUrl = process.env.TEST_DATABASE_URL
  if (!serverUrl) return watchTransactions(await openEmbeddedDatabase(content))
  const url = await createOnServer(serverUrl, content)
  const connection = openPostgres(url, failed)
  return watchTransactions({
    ...connection,
    async close() {
      await connection.close()
      await dropOnServer(serverUrl, url)
    },
  })
}

/**
 * Creates a database on the PostgreSQL server of this run, for server processes. They connect to it themselves.
 * @returns its address
 */
export async function createServerDatabase(content: DatabaseContent = 'started'): Promise<string> {
  const serverUrl = process.env.TEST_DATABASE_URL
  if (!serverUrl) throw new Error('This machine has no PostgreSQL server.')
  return createOnServer(serverUrl, content)
}

async function createOnServer(serverUrl: string, content: DatabaseContent): Promise<string> {
  const name = `test_${newId()}`
  // Written to disk neither now nor at the end: the server is temporary.
  await onServer(serverUrl, `create database ${name} template ${templateName(content)} strategy file_copy`)
  return urlOf(serverUrl, name)
}

const openTransaction = new AsyncLocalStorage<true>()

/**
 * Refuses the outer handle inside a transaction, as the embedded database does in its way: it would wait for ever. Refuses
 * locks that are out of order.
 */
export function watchTransactions<Connection extends { db: Database }>(connection: Connection): Connection {
  const { db } = connection
  const executor = db.getExecutor()
  const provide = executor.provideConnection.bind(executor)
  executor.provideConnection = async (consumer) => {
    if (openTransaction.getStore())
      throw new Error(
        'Inside a transaction only its own handle may be used: the embedded database would hang.',
      )
    return provide(consumer)
  }
  const begin = db.transaction.bind(db)
  db.transaction = () => guardBuilder(begin())
  return connection
}

type Builder = ReturnType<Database['transaction']>

function guardBuilder(builder: Builder): Builder {
  return new Proxy(builder, {
    get(target, name) {
      if (name === 'execute')
        return <T>(work: (tx: DatabaseTransaction) => Promise<T>) =>
          target.execute((tx) => {
            watchLocks(tx)
            return openTransaction.run(true, () => work(tx))
          })
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => guardBuilder(value.apply(target, args) as Builder)
    },
  })
}

/**
 * Opens a separate embedded PostgreSQL in memory, as the demo has it. It boots from a dump, in a fraction of the time that
 * filling it takes. Its notifications arrive before the statement returns, which tests of kept pages rely on.
 */
export async function openEmbeddedDatabase(content: DatabaseContent = 'tables'): Promise<PgliteConnection> {
  await holdEngine()
  const path =
    content === 'nothing'
      ? await emptyDump()
      : content === 'tables'
        ? await migratedDump()
        : await startedDump(content)
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

/** Creates the databases on a server that `openTestDatabase` copies. Without a build, only the one of tables. */
export async function createTemplates(serverUrl: string): Promise<void> {
  const fill = async (
    content: DatabaseContent,
    work: (connection: PostgresConnection) => Promise<unknown>,
  ) => {
    const name = templateName(content)
    await onServer(serverUrl, `drop database if exists ${name}`)
    await onServer(serverUrl, `create database ${name}`)
    const connection = openPostgres(urlOf(serverUrl, name), failed)
    await work(connection)
    await connection.close()
  }
  await fill('tables', (connection) => migrate(connection, migrationsFolder))
  if (!existsSync(join(root, 'build/source-hash'))) return
  for (const content of ['started', 'demo'] as const)
    await fill(content, (connection) => startProduct(connection, content))
}

/** PostgreSQL's error code for an object in use. */
const IN_USE = '55006'

const templateName = (content: DatabaseContent) =>
  content === 'nothing' ? 'template0' : `template_${content}`

const failed = (error: Error) => {
  throw error
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const server = openPostgres(serverUrl, failed)
  await server.executeScript(statement)
  await server.close()
}

/** Drops a database, unless a test still has a connection to it: the server's files are in memory. */
async function dropOnServer(serverUrl: string, url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await onServer(serverUrl, `drop database if exists ${name}`).catch((error: { code?: string }) => {
    if (error.code !== IN_USE) throw error
  })
}

/** The path of the dump of a database without tables, created on first use. */
function emptyDump(): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  return cachedDump('empty', hash.digest('hex'), () => openPglite(null))
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
    const connection = await openEmbeddedDatabase()
    await startProduct(connection, content)
    return connection
  })
}

/** Starts the built product on a database once, so that it has the rows of a first start. */
async function startProduct(connection: TestConnection, content: 'started' | 'demo'): Promise<void> {
  const built = (await import('../build/server/index.js' as string)) as typeof import('../server/entry.ts')
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
