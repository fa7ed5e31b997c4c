import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { printedKeyOf } from '../app/config/operation.server.ts'
import { startedDump } from './database.ts'
import { freePort } from './free-port.ts'

/** The compile cache of the product's processes. Without it, they spend most of a start on compiling the same files. */
export const COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/jubilee-tests/compiled')
/** Runs the built product as `npm start` does. Flushes the compile cache at once, since a killed process can't. */
const RUN_SERVER = `
import { flushCompileCache } from 'node:module'
await (await import('./server/run.ts')).run()
flushCompileCache()`
/** Skips optimising the database's engine, which would not pay off in a test's process of a few seconds. */
export const SHORT_LIVED = ['--liftoff-only']
const SECRET = 'only-for-this-test-only-for-this-test'
/** The key that these processes print, as programs send it. */
export const PROCESS_KEY_HEADER = { authorization: `Bearer ${printedKeyOf(SECRET)}` }

/**
 * The environment of a separate server process: sandbox payments, no payouts, mails in files.
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
    PAYOUTS: 'off',
    MAIL: 'outbox',
    ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}),
  }
}

/**
 * Starts the built product in a separate process and resolves once it accepts connections, or has died at its fault point.
 * A new embedded database starts with the content of a server's first start and the demo.
 * @returns `ended` resolves with the signal that ended the process, or null
 */
export async function startServerProcess(
  place: { folder: string; databaseUrl: string | null },
  extra: Record<string, string> = {},
): Promise<{ origin: string; child: ChildProcess; ended: Promise<string | null>; output: () => string }> {
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
    child.once('exit', (_code, signal) => {
      // It may come to its fault point before it accepts connections, with the work that a killed process left.
      if (extra.CRASH_AT && signal === 'SIGKILL') resolve()
      else reject(new Error(`The server did not start: ${output}`))
    })
  })
  return { origin: `http://localhost:${port}`, child, ended, output: () => output }
}

/**
 * Unpacks an embedded database with the demo into a data folder without one: creating a database takes seconds of a
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
