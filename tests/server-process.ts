import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startedDump } from './database.ts'
import { freePort } from './free-port.ts'

/** Where processes of the product keep what they compiled: most of a start is compiling the same files again. */
export const COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/jubilee-tests/compiled')
/** As `npm start` runs the built product. What it compiled is kept at once: a killed process keeps nothing. */
const RUN_SERVER = `
import { flushCompileCache } from 'node:module'
await (await import('./server/run.ts')).run()
flushCompileCache()`
/** The database's engine is optimised for who runs for days; a process of a test lives for seconds. */
const SHORT_LIVED = ['--liftoff-only']
const SECRET = 'only-for-this-test-only-for-this-test'

/**
 * What a server of its own process is started with: sandbox payments, mails in files.
 * @param place.databaseUrl a PostgreSQL database, or null for PGlite in the folder
 */
export function serverSettings(place: { folder: string; databaseUrl: string | null }, port: number) {
  return {
    NODE_ENV: 'test',
    PORT: String(port),
    HOST: 'localhost',
    PUBLIC_URL: `http://localhost:${port}`,
    DATA_DIR: place.folder,
    SECRET,
    LOG_LEVEL: 'silent',
    PAYMENTS: 'sandbox',
    MAIL: 'outbox',
    ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}),
  }
}

/**
 * Starts the built product in a separate process and resolves once it accepts connections. A new embedded database
 * there yet begins as one on which a server has run before, with the demo that it fills in.
 * @returns `ended` resolves with the signal that ended the process, or null
 */
export async function startServerProcess(
  place: { folder: string; databaseUrl: string | null },
  extra: Record<string, string> = {},
): Promise<{ origin: string; child: ChildProcess; ended: Promise<string | null> }> {
  if (!place.databaseUrl) await prepareDatabase(place.folder)
  const port = await freePort()
  const child = spawn(process.execPath, [...SHORT_LIVED, '--input-type=module', '--eval', RUN_SERVER], {
    env: {
      PATH: process.env.PATH ?? '',
      ...serverSettings(place, port),
      // Runs as deployed, except that only NODE_ENV 'test' honours CRASH_AT.
      ...(extra.CRASH_AT ? {} : { NODE_ENV: 'production' }),
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...extra,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<string | null>((resolve) =>
    child.once('exit', (_code, signal) => resolve(signal)),
  )
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes(' is at ')) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', () => reject(new Error(`The server did not start: ${output}`)))
  })
  return { origin: `http://localhost:${port}`, child, ended }
}

/**
 * Puts an embedded database with the demo into a data folder that has none: making one from nothing takes seconds of a
 * whole core.
 */
export async function prepareDatabase(dataFolder: string): Promise<void> {
  const folder = join(dataFolder, 'database')
  if (existsSync(folder)) return
  mkdirSync(folder, { recursive: true })
  const { status, stderr } = spawnSync('tar', ['-xf', await startedDump('demo'), '-C', folder], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The database could not be unpacked: ${stderr}`)
}
