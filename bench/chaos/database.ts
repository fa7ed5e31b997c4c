import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../tests/free-port.ts'
import { copyArguments, findPostgres, initdbArguments, makePostgresFolder } from '../../tests/postgres.ts'
import { processTree } from '../measure.ts'
import { killAtOnce } from './processes.ts'

/**
 * A PostgreSQL with a synchronous standby on this machine: both have every acknowledged write on disk. A failover here
 * follows the runbook of docs/operate.md.
 */
export type DatabasePair = {
  /** The product's DATABASE_URL, with both hosts. */
  url: string
  /** The address of the host that accepts writes at present. */
  primaryUrl(): string
  /** Kills the primary with -9: its first process and all descendants at once. */
  killPrimary(): Promise<void>
  /** Promotes the standby; its commits don't wait for a standby until there is one again. */
  promoteStandby(): Promise<void>
  /** Builds a new standby in place of the dead primary; resolves once commits wait for it. */
  rebuildStandby(): Promise<void>
  stop(): Promise<void>
}

type Place = { port: number; url: string; data: string; run(program: string, args: string[]): Promise<void> }

/** Dynamic shared memory is in the data folder, so that a killed server's is deleted with it. */
const SETTINGS = '-c dynamic_shared_memory_type=mmap -c synchronous_commit=on'
const ANY_STANDBY = '*'

/** @returns null if this machine has no PostgreSQL */
export async function startDatabasePair(): Promise<DatabasePair | null> {
  const programs = findPostgres()
  if (!programs) return null
  const places = [await makePlace(programs), await makePlace(programs)] as const
  let [primary, standby] = places

  await primary.run('initdb', initdbArguments(primary.data))
  await start(primary)
  await waitForStandbys(primary, ANY_STANDBY)
  await follow(standby, primary)

  return {
    url: `postgres://jubilee@${places.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres?target_session_attrs=read-write`,
    primaryUrl: () => primary.url,
    async killPrimary() {
      const { first, memory } = readServer(primary)
      killAtOnce(processTree(first))
      // A restart of the killed server would free this memory, but its data folder is deleted instead.
      spawnSync('ipcrm', ['-m', memory])
    },
    async promoteStandby() {
      // Comes before the promotion, or the first commit would wait for a standby that doesn't exist.
      await waitForStandbys(standby, '')
      await ask(standby, 'select pg_promote()')
      ;[primary, standby] = [standby, primary]
    },
    async rebuildStandby() {
      rmSync(standby.data, { recursive: true, force: true })
      await follow(standby, primary)
      await waitForStandbys(primary, ANY_STANDBY)
    },
    async stop() {
      for (const place of places) {
        await place.run('pg_ctl', ['-D', place.data, '-m', 'immediate', '-w', 'stop']).catch(() => {})
        rmSync(join(place.data, '..'), { recursive: true, force: true })
      }
    },
  }
}

async function makePlace(programs: string): Promise<Place> {
  const { folder, identity } = makePostgresFolder()
  const port = await freePort()
  return {
    port,
    url: `postgres://jubilee@127.0.0.1:${port}/postgres`,
    data: join(folder, 'data'),
    // Not synchronously: the load continues in this process.
    run: (program, args) =>
      new Promise((resolve, reject) => {
        const child = spawn(join(programs, program), args, { cwd: folder, stdio: 'ignore', ...identity })
        child.once('error', reject)
        child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program}: ${code}`))))
      }),
  }
}

const start = ({ port, data, run }: Place) =>
  run('pg_ctl', [
    ...['-D', data, '-l', join(data, '..', 'log'), '-w'],
    ...['-o', `-p ${port} -k ${join(data, '..')} -c listen_addresses=127.0.0.1 ${SETTINGS}`, 'start'],
  ])

async function follow(standby: Place, primary: Place): Promise<void> {
  await standby.run('pg_basebackup', copyArguments(standby.data, primary.port))
  await start(standby)
  const isStreaming = `select count(*) from pg_stat_replication where state = 'streaming'`
  while ((await ask(primary, isStreaming)) !== '1') await new Promise((done) => setTimeout(done, 100))
}

async function waitForStandbys(place: Place, names: string): Promise<void> {
  await ask(place, `alter system set synchronous_standby_names = '${names}'`)
  await ask(place, 'select pg_reload_conf()')
}

/** @returns the first value of the first row, as text */
async function ask(place: Place, statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  try {
    const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' })
    return String(rows[0]?.[0])
  } finally {
    await client.end()
  }
}

/** A running server's first process, and the shared memory segment that keeps a second server off its data. */
function readServer({ data }: Place): { first: number; memory: string } {
  const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  return { first: Number(lines[0]), memory: lines[6]?.trim().split(/\s+/)[1] ?? '' }
}
