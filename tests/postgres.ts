import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

// PostgreSQL refuses to run as root; 'nobody' is on every machine.
const NOBODY = 65_534

/** Where this machine has a PostgreSQL server's programs, or null. */
export function findPostgres(): string | null {
  const roots = ['/usr/lib/postgresql', '/usr/local/pgsql', '/opt/homebrew/opt']
  const folders = roots.flatMap((root) =>
    existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : [],
  )
  folders.push('/usr/local/pgsql/bin', '/usr/bin', '/usr/local/bin')
  return (
    folders.findLast((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl'))) ??
    null
  )
}

/**
 * Starts a temporary cluster on a free port, which nothing else uses.
 * @param programs from findPostgres
 * @param more settings such as 'shared_buffers=2GB'
 */
export async function startPostgres(
  programs: string,
  more: readonly string[] = [],
): Promise<{ url: string; stop(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-postgres-'))
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (identity.uid) chownSync(folder, NOBODY, NOBODY)
  const data = join(folder, 'data')
  const run = (program: string, args: string[]) => {
    const result = spawnSync(join(programs, program), args, { encoding: 'utf8', cwd: folder, ...identity })
    if (result.status !== 0) throw new Error(`${program} failed: ${result.stderr || result.stdout}`)
  }
  run('initdb', ['-D', data, '-U', 'jubilee', '--auth=trust', '--encoding=UTF8', '--no-locale'])
  const port = await freePort()
  const extra = more.map((setting) => ` -c ${setting}`).join('')
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off${extra}`
  run('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-w', '-o', settings, 'start'])
  return {
    url: `postgres://jubilee@127.0.0.1:${port}/postgres`,
    stop() {
      run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
