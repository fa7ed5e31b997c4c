/**
 * The server of embedded-stall.ts: the product with the embedded database on its own thread, or, for comparison, on the
 * thread that answers requests. While it serves, it runs a slow query repeatedly.
 */
import { join } from 'node:path'
import { argv, env } from 'node:process'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, sql } from 'kysely'
import { extensions } from '../app/adapters/database/pglite-extensions.server.ts'
import type { Tables } from '../app/adapters/database/port.ts'

const SLOW_MS = 150
const PAUSE_MS = 50

const built = (await import('../build/server/index.js' as string)) as typeof import('../server/entry.ts')
const config = built.readConfig(env)
const services = await built.createServices(config, {
  databaseFolder: 'database',
  ...(argv[2] === 'same-thread' ? { openDatabase: openOnThisThread as never } : {}),
})
const app = built.createApp(services, { build: built.pages, clientFolder: 'build/client' })
await built.serve(app, { host: '127.0.0.1', port: config.port })

const count = (rows: number) =>
  sql`select count(*) from generate_series(1, ${rows}::int) as n where n % 7 = 3`.execute(services.db)
let rows = 100_000
for (;;) {
  const started = performance.now()
  await count(rows)
  const ms = performance.now() - started
  if (ms > SLOW_MS / 2) break
  rows *= 2
}
// Measures once more when warm, then scales the query to the target time.
const started = performance.now()
await count(rows)
rows = Math.round((rows * SLOW_MS) / (performance.now() - started))
process.stdout.write('serving\n')
while (argv[2] !== 'no-queries') {
  await count(rows)
  await new Promise((done) => setTimeout(done, PAUSE_MS))
}

async function openOnThisThread() {
  const pglite = await PGlite.create({ dataDir: join(config.dataFolder, 'database'), extensions })
  return {
    kind: 'pglite',
    db: new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) }),
    pglite,
    executeScript: (script: string) => pglite.exec(script),
    listen: (channel: string, { onMessage }: { onMessage(payload: string): void }) =>
      pglite.listen(channel, onMessage),
    withLock: (work: () => Promise<unknown>) => work(),
    close: () => pglite.close(),
  }
}
