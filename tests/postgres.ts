import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from './free-port.ts'

// PostgreSQL refuses to run as root. Every machine has the user 'nobody'.
const NOBODY = 65_534

/** The folder of this machine's PostgreSQL server programs, or null. */
export function findPostgres(): string | null {
  const roots = ['/usr/lib/postgresql', '/usr/local/pgsql', '/opt/homebrew/opt']
  const folders = roots.flatMap((root) =>
    existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : [],
  )
  folders.push('/usr/local/pgsql/bin', '/usr/bin', '/usr/local/bin')
  const found = folders.findLast(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')),
  )
  // The folder may hold links to just these two. All programs are in the folder of their targets.
  return found ? dirname(realpathSync(join(found, 'initdb'))) : null
}

/** Creates a folder for a server's files. Returns it with the user that the programs run as. */
export function makePostgresFolder(): { folder: string; identity: { uid?: number; gid?: number } } {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-postgres-'))
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (identity.uid) chownSync(folder, NOBODY, NOBODY)
  return { folder, identity }
}

/** A temporary PostgreSQL server of a test. */
export type Cluster = {
  url: string
  /** Stops the server as a power cut would. `start` brings it back with its data. */
  halt(): void
  start(): void
  /** Starts a standby that replicates this server. */
  startStandby(): Promise<Cluster & { promote(): void }>
  /** Stops the server and removes its files. */
  stop(): void
}

/**
 * Starts a temporary cluster of its own on a free port.
 * @param programs from findPostgres
 * @param more settings such as 'shared_buffers=2GB'
 */
export async function startPostgres(programs: string, more: readonly string[] = []): Promise<Cluster> {
  return startCluster(programs, more, (run, data) => run('initdb', initdbArguments(data)))
}

/** Arguments for a new cluster with one role and no password. It need not survive a crash of the machine. */
export function initdbArguments(data: string): string[] {
  return ['-D', data, '-U', 'jubilee', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync']
}

/** Arguments for a standby of a running cluster. */
export function copyArguments(data: string, port: number): string[] {
  return [
    ...['-D', data, '-h', '127.0.0.1', '-p', String(port), '-U', 'jubilee', '-R', '-X', 'stream'],
    ...['-c', 'fast'],
  ]
}

type Run = (program: string, args: string[]) => void

async function startCluster(
  programs: string,
  more: readonly string[],
  fill: (run: Run, data: string) => void,
): Promise<Cluster & { promote(): void }> {
  const { folder, identity } = makePostgresFolder()
  const data = join(folder, 'data')
  const run: Run = (program, args) => {
    const result = spawnSync(join(programs, program), args, { encoding: 'utf8', cwd: folder, ...identity })
    if (result.status !== 0) throw new Error(`${program} failed: ${result.stderr || result.stdout}`)
  }
  fill(run, data)
  const port = await freePort()
  const extra = more.map((setting) => ` -c ${setting}`).join('')
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off${extra}`
  let isRunning = false
  const start = () => {
    run('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-w', '-o', settings, 'start'])
    isRunning = true
  }
  const halt = () => {
    if (isRunning) run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
    isRunning = false
  }
  start()
  return {
    url: `postgres://jubilee@127.0.0.1:${port}/postgres`,
    halt,
    start,
    startStandby: () =>
      startCluster(programs, more, (runThere, copy) => runThere('pg_basebackup', copyArguments(copy, port))),
    promote: () => run('pg_ctl', ['-D', data, '-w', 'promote']),
    stop() {
      halt()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
