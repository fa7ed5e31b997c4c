import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../tests/free-port.ts'
import { findPostgres, startPostgres } from '../../../tests/postgres.ts'
import { PoolerRefused, refusePooler } from './pooler.server.ts'
import { openPostgres } from './postgres.server.ts'

/**
 * The clients of a pooler that has some connections to its server. In transaction mode each transaction gets the free
 * connection that was used last, or the first used if `isShuffled`.
 */
function poolerClients(given: { mode: 'session' | 'transaction'; size: number; isShuffled?: boolean }) {
  const free = Array.from({ length: given.size }, (_, index) => 100 + index)
  const waiting: ((pid: number) => void)[] = []
  const take = async () => free.pop() ?? (await new Promise<number>((resolve) => void waiting.push(resolve)))
  const give = (pid: number) => {
    const next = waiting.shift()
    if (next) next(pid)
    else if (given.isShuffled) free.unshift(pid)
    else free.push(pid)
  }
  return () => {
    let held: number | null = null
    let isOpen = false
    return {
      async query(text: string) {
        held ??= await take()
        const pid = held
        isOpen = text === 'begin' || (isOpen && text !== 'rollback')
        if (given.mode === 'transaction' && !isOpen) {
          held = null
          give(pid)
        }
        return { rows: [{ pid }] }
      },
    }
  }
}

describe('a pooler', () => {
  it.each([
    { size: 1 },
    { size: 2 },
    { size: 20 },
    { size: 2, isShuffled: true },
    { size: 20, isShuffled: true },
  ])('fails if it shares its connections between transactions: %j', async (given) => {
    const open = poolerClients({ mode: 'transaction', ...given })
    await expect(refusePooler(open(), open())).rejects.toThrow(PoolerRefused)
  })

  it('passes if it gives each client a connection of its own', async () => {
    const open = poolerClients({ mode: 'session', size: 2 })
    await refusePooler(open(), open())
  })
})

const programs = findPostgres()
const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find((path) =>
  existsSync(path),
)
if (!PGBOUNCER) process.stdout.write('No PgBouncer on this machine: poolers are tested with a fake alone.\n')

describe.skipIf(!programs || !PGBOUNCER)('PgBouncer before PostgreSQL', () => {
  it.each([
    { mode: 'transaction', isRefused: true },
    { mode: 'statement', isRefused: true },
    { mode: 'session', isRefused: false },
  ])('in $mode mode is refused: $isRefused', async ({ mode, isRefused }) => {
    const cluster = await startPostgres(programs ?? '')
    const pooler = await startPooler(new URL(cluster.url), mode)
    const connection = openPostgres(pooler.url, () => {}, { areStatementsLimited: true })
    try {
      const refusal = await connection.refusePooler().catch((error: Error) => error.name)
      expect(refusal).toBe(isRefused ? 'PoolerRefused' : undefined)
    } finally {
      await connection.close()
      await pooler.stop()
      cluster.stop()
    }
  })

  it('isn’t found on a direct connection, which passes', async () => {
    const cluster = await startPostgres(programs ?? '')
    const connection = openPostgres(cluster.url, () => {})
    try {
      await connection.refusePooler()
    } finally {
      await connection.close()
      cluster.stop()
    }
  })

  async function startPooler(server: URL, mode: string) {
    const folder = mkdtempSync(join(tmpdir(), 'jubilee-pooler-'))
    const port = await freePort()
    const file = join(folder, 'pgbouncer.ini')
    writeFileSync(join(folder, 'users'), '"jubilee" ""\n')
    writeFileSync(
      file,
      `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = ${mode}
ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout
`,
    )
    // It refuses to run as root. Every machine has the user 'nobody'.
    const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    if (identity.uid)
      for (const path of [folder, file, join(folder, 'users')]) chownSync(path, 65_534, 65_534)
    const child = spawn(PGBOUNCER ?? '', ['-q', file], { stdio: 'ignore', ...identity })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const url = new URL(server)
    url.port = String(port)
    const probe = openPostgres(url.href, () => {})
    await expect
      .poll(() => probe.executeScript('select 1').then(() => 'up', String), { timeout: 10_000 })
      .toBe('up')
    await probe.close()
    return {
      url: url.href,
      async stop() {
        child.kill()
        await ended
        rmSync(folder, { recursive: true, force: true })
      },
    }
  }
})
