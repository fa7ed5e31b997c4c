import { type ChildProcess, spawn } from 'node:child_process'
import { scryptSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openPglite } from '../../app/adapters/database/pglite.server.ts'
import { freePort } from '../free-port.ts'
import { COMPILE_CACHE, prepareDatabase } from '../server-process.ts'

/** The product as `npm start` runs it: a process of its own, on a data folder of its own. */
type Running = { child: ChildProcess; output: () => string; ended: Promise<number | null> }

// Each starts whole servers, with a database made from nothing: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 180_000 })

/** What a password's hash costs in the product: 32 MB and a tenth of a second. */
const SCRYPT = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 }

let folder: string
const children: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jubilee-process-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

function start(env: Record<string, string>): Running {
  const child = spawn(process.execPath, ['server/start.ts'], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: folder, NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
  })
  children.push(child)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  return {
    child,
    output: () => output,
    ended: new Promise((resolve) => child.on('exit', (code) => resolve(code))),
  }
}

async function started(env: Record<string, string>): Promise<Running> {
  const running = start(env)
  await expect.poll(running.output, { timeout: 80_000, interval: 50 }).toContain('is at http://localhost')
  return running
}

it('says where it is and who can log in, keeps what it acknowledged through a kill -9, and stops when asked', async () => {
  const port = String(await freePort())
  const first = await started({ PORT: port, NODE_ENV: 'test' })
  expect(first.output()).toContain(`http://localhost:${port}`)
  for (const who of ['customer', 'vendor', 'operator'])
    expect(first.output()).toContain(`${who}@jubilee.example`)
  expect(first.output()).toContain('Payments are in test mode')

  const second = start({ PORT: String(await freePort()) })
  expect(await second.ended).toBe(1)
  expect(second.output()).toMatch(/data folder .* is in use by another Jubilee/)

  const origin = `http://localhost:${port}`
  const answer = await fetch(`${origin}/signup`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ displayName: 'Ines', email: 'ines@example.com', password: 'long enough' }),
    redirect: 'manual',
  })
  expect(answer.status).toBe(302)
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  first.child.kill('SIGKILL')
  await first.ended

  const again = await started({ PORT: port })
  const session = await fetch(`${origin}/api/session`, { headers: { cookie } })
  expect(await session.json()).toMatchObject({ user: { email: 'ines@example.com' } })

  again.child.kill('SIGINT')
  expect(await again.ended).toBe(0)

  // Hashes are cheap in tests: nothing that a process is started with makes them so in the product.
  const connection = await openPglite(folder)
  const { password: stored } = await connection.db
    .selectFrom('account_credentials')
    .innerJoin('users', 'users.id', 'account_credentials.user_id')
    .select('password')
    .where('email', '=', 'ines@example.com')
    .executeTakeFirstOrThrow()
  await connection.close()
  const [salt = '', key] = stored?.split(':') ?? []
  expect(scryptSync('long enough', salt, 64, SCRYPT).toString('hex')).toBe(key)
})

it('names a port that is taken', async () => {
  const port = String(await freePort())
  const other = mkdtempSync(join(tmpdir(), 'jubilee-process-'))
  for (const dataFolder of [folder, other]) await prepareDatabase(dataFolder)
  await started({ PORT: port })
  const second = start({ PORT: port, DATA_DIR: other })
  expect(await second.ended).toBe(1)
  expect(second.output()).toContain(`Port ${port} is taken`)
  rmSync(other, { recursive: true, force: true })
})

it.each([
  [{ PORT: 'eighty' }, /PORT: /],
  [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL: must be a postgres:\/\/ address/],
  [{ PUBLIC_URL: 'https://jubilee.example' }, /SMTP_URL: needed outside the demo/],
  [{ PUBLIC_URL: 'https://jubilee.example' }, /SECRET: needed outside the demo/],
  [{ SECRET: 'short' }, /SECRET: must have at least 32 characters/],
])('stops at the start with the name of a wrong setting: %j', async (env, message) => {
  const running = start(env)
  expect(await running.ended).toBe(1)
  expect(running.output()).toMatch(message)
  expect(running.output()).not.toMatch(/\n\s+at /)
})
