import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import { openPglite, type PgliteConnection } from '../app/adapters/database/pglite.server.ts'
import { openPostgres, type PostgresConnection } from '../app/adapters/database/postgres.server.ts'
import { newId } from '../app/shared/ids.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const migrationsFolder = join(root, 'database/migrations')
const cacheFolder = join(root, 'node_modules/.cache/jubilee-tests')

/**
 * A database of its own for one test file: real PostgreSQL in memory, with every table and no rows. It boots from a
 * dump, which takes a fifth of the time that migrating takes.
 */
export async function openTestDatabase(): Promise<PgliteConnection> {
  return openPglite(null, { dump: new Blob([readFileSync(await migratedDump())]) })
}

/**
 * The same on the server that TEST_DATABASE_URL names, where transactions really run side by side; without that
 * setting it is `openTestDatabase`. The server is a temporary one, so its databases are left to end with it.
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

/**
 * The path of a migrated database's dump, made on first use and whenever a migration changes. Two processes may make
 * it at once: the last one's file wins, and both are right.
 */
export async function migratedDump(): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const name of readdirSync(migrationsFolder).sort()) {
    hash.update(name).update(readFileSync(join(migrationsFolder, name)))
  }
  const name = `migrated-${hash.digest('hex').slice(0, 16)}.tar`
  const path = join(cacheFolder, name)
  mkdirSync(cacheFolder, { recursive: true })
  const kept = readdirSync(cacheFolder)
  if (kept.includes(name)) return path
  for (const old of kept.filter((file) => file.endsWith('.tar')))
    rmSync(join(cacheFolder, old), { force: true })
  const connection = await openPglite(null)
  try {
    await migrate(connection, migrationsFolder)
    const part = `${path}.${process.pid}.part`
    writeFileSync(part, await connection.pglite.dumpDataDir())
    renameSync(part, path)
  } finally {
    await connection.close()
  }
  return path
}
