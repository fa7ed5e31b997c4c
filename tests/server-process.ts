import { type ChildProcess, spawn } from 'node:child_process'
import { freePort } from './free-port.ts'

/** As `npm start` runs the built product. */
const RUN_SERVER = "await (await import('./server/run.ts')).run()"
const SECRET = 'only-for-this-test-only-for-this-test'

/**
 * What a server of its own process is started with: sandbox payments, mails in files, no demo data.
 * @param place.databaseUrl a PostgreSQL, or null for PGlite in the folder
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
 * Starts the built product in a process of its own and resolves once it takes connections.
 * @returns `ended` resolves with the signal that ended it, or null
 */
export async function startServerProcess(
  place: { folder: string; databaseUrl: string | null },
  extra: Record<string, string> = {},
): Promise<{ origin: string; child: ChildProcess; ended: Promise<string | null> }> {
  const port = await freePort()
  const child = spawn(process.execPath, ['--input-type=module', '--eval', RUN_SERVER], {
    env: { PATH: process.env.PATH ?? '', ...serverSettings(place, port), ...extra },
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
