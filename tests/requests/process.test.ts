import { type ChildProcess, spawn } from 'node:child_process'
import { scryptSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openPglite } from '../../app/adapters/database/pglite.server.ts'
import { freePort } from '../free-port.ts'
import { COMPILE_CACHE, prepareDatabase, SHORT_LIVED } from '../server-process.ts'

/** The product as `npm start` runs it: a separate process with its own data folder. */
type Running = { child: ChildProcess; output: () => string; ended: Promise<number | null> }

// Each test starts whole servers with new databases, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

/** A server that stops waits for connections that may be used again. */
const CLOSE = { connection: 'close' }

/** The product's cost of a password hash: 32 MB and a tenth of a second. */
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
  const child = spawn(process.execPath, [...SHORT_LIVED, 'server/start.ts'], {
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

it('prints its address and accounts, keeps acknowledged writes through kill -9, and stops on SIGINT', async () => {
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
  const session = await fetch(`${origin}/api/session`, { headers: { cookie, ...CLOSE } })
  expect(await session.json()).toMatchObject({ user: { email: 'ines@example.com' } })

  again.child.kill('SIGINT')
  expect(await again.ended).toBe(0)

  // Tests use cheap hashes. No environment, NODE_ENV included, may make the product's cheap.
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

it('refuses to start on a taken port and names it', async () => {
  const port = String(await freePort())
  const other = mkdtempSync(join(tmpdir(), 'jubilee-process-'))
  for (const dataFolder of [folder, other]) await prepareDatabase(dataFolder)
  await started({ PORT: port })
  const second = start({ PORT: port, DATA_DIR: other })
  expect(await second.ended).toBe(1)
  expect(second.output()).toContain(`Port ${port} is in use`)
  rmSync(other, { recursive: true, force: true })
})

it.each([
  [{ PORT: 'eighty' }, /PORT: /],
  [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL: must be a postgres:\/\/ address/],
  [{ PUBLIC_URL: 'https://jubilee.example' }, /SMTP_URL: needed outside the demo/],
  [{ PUBLIC_URL: 'https://jubilee.example' }, /SECRET: needed outside the demo/],
  [{ SECRET: 'short' }, /SECRET: must have at least 32 characters/],
])('refuses to start with a wrong setting and names it: %j', async (env, message) => {
  const running = start(env)
  expect(await running.ended).toBe(1)
  expect(running.output()).toMatch(message)
  expect(running.output()).not.toMatch(/\n\s+at /)
})
