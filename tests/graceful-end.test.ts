import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { createServerDatabase } from './database.ts'
import { findPostgres } from './postgres.ts'
import { startServerProcess } from './server-process.ts'

/** Real server processes that get SIGTERM in the middle of their work. */

let folder: string
const running: Awaited<ReturnType<typeof startServerProcess>>[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jubilee-graceful-'))
})
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function start(databaseUrl: string | null = null, extra: Record<string, string> = {}) {
  const server = await startServerProcess({ folder, databaseUrl }, extra)
  running.push(server)
  const exit = new Promise<number | null>((resolve) => server.child.once('exit', resolve))
  return { ...server, exit }
}

/** Opens a raw connection, so that a test controls what is sent and when. */
async function open(origin: string) {
  const { port } = new URL(origin)
  const socket = connect(Number(port), 'localhost')
  let heard = ''
  let error: NodeJS.ErrnoException | null = null
  socket.on('data', (chunk) => {
    heard += chunk
  })
  socket.on('error', (problem) => {
    error = problem
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await new Promise((resolve) => socket.once('connect', resolve))
  return { socket, closed, heard: () => heard, error: () => error }
}

function get(path: string, origin: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: ${new URL(origin).host}\r\n\r\n`
}

function refusesConnections(origin: string): Promise<boolean> {
  const socket = connect(Number(new URL(origin).port), 'localhost')
  return new Promise((resolve) => {
    socket.once('error', () => resolve(true))
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
  })
}

describe('a server that gets SIGTERM', () => {
  it('finishes running requests, reports that it is stopping, ends live streams, and refuses connections', async () => {
    const { origin, child, exit } = await start()
    const body = new URLSearchParams({
      displayName: 'Ines',
      email: 'ines@example.com',
      password: 'long enough',
    }).toString()
    const slow = await open(origin)
    slow.socket.write(
      `POST /signup HTTP/1.1\r\nhost: ${new URL(origin).host}\r\norigin: ${origin}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    )
    const idle = await open(origin)
    idle.socket.write(get('/health/ready', origin))
    await expect.poll(idle.heard).toContain('"ready":true')
    expect(idle.heard()).toMatch(/connection: keep-alive/i)

    const signedIn = await fetch(`${origin}/signup`, {
      method: 'POST',
      headers: { origin, connection: 'close' },
      body: new URLSearchParams({ displayName: 'Kim', email: 'kim@example.com', password: 'long enough' }),
      redirect: 'manual',
    })
    const cookie = signedIn.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const live = await fetch(`${origin}/api/live?subject=notifications`, { headers: { cookie } })
    expect(live.headers.get('content-type')).toBe('text/event-stream')
    const reader = live.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('retry: 1000')

    child.kill('SIGTERM')
    expect(await reader?.read()).toEqual({ done: true, value: undefined })
    await expect.poll(() => refusesConnections(origin)).toBe(true)

    // The request is on its way when shutdown begins: it is answered, not reset.
    idle.socket.write(get('/health/ready', origin))
    await expect.poll(idle.heard).toContain('"stopping":true')
    expect(idle.heard()).toMatch(/HTTP\/1.1 503[\s\S]*connection: close/i)
    await idle.closed
    expect(idle.error()).toBeNull()

    slow.socket.write(body.slice(10))
    await slow.closed
    expect(slow.error()).toBeNull()
    expect(slow.heard()).toMatch(/^HTTP\/1.1 302 /)
    expect(slow.heard()).toMatch(/^connection: close/im)
    expect(slow.heard()).toMatch(/^set-cookie: /im)
    expect(await exit).toBe(0)
  }, 120_000)

  it('waits no longer than the limit', async () => {
    const { origin, child, exit } = await start(null, { STOP_LIMIT_SECONDS: '1' })
    const slow = await open(origin)
    slow.socket.write(
      `POST /login HTTP/1.1\r\nhost: ${new URL(origin).host}\r\norigin: ${origin}\r\ncontent-length: 100\r\n\r\nhalf`,
    )
    const idle = await open(origin)
    idle.socket.write(get('/health/live', origin))
    await expect.poll(idle.heard).toContain('200 OK')
    child.kill('SIGTERM')
    await slow.closed
    expect(slow.heard()).toBe('')
    expect(await exit).toBe(0)
  }, 120_000)
})

const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write('No PostgreSQL server on this machine: jobs of a stopping server are not tested.\n')

describe.skipIf(!hasPostgres)('the jobs of a server that stops', () => {
  let mailServer: Server
  const sockets = new Set<Socket>()
  /** Whether the mail server accepts mails. Otherwise it accepts connections and stays silent. */
  let takesMail = false
  const received: string[] = []

  beforeEach(async () => {
    mailServer = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      if (takesMail) speakSmtp(socket, (mail) => received.push(mail))
    })
    await new Promise<void>((resolve) => mailServer.listen(0, 'localhost', resolve))
  })
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    mailServer.close()
  })

  it('go back to the queue, and another process does them', async () => {
    const databaseUrl = await createServerDatabase()
    const connection = openPostgres(databaseUrl, () => {})
    try {
      const address = mailServer.address()
      const port = typeof address === 'object' && address ? address.port : 0
      const env = { SMTP_URL: `smtp://localhost:${port}`, MAIL: '', STOP_LIMIT_SECONDS: '2' }
      const first = await start(databaseUrl, env)
      await fetch(`${first.origin}/signup`, {
        method: 'POST',
        headers: { origin: first.origin, connection: 'close' },
        body: new URLSearchParams({
          displayName: 'Ines',
          email: 'ines@example.com',
          password: 'long enough',
        }),
        redirect: 'manual',
      })
      await expect.poll(() => sockets.size, { timeout: 30_000 }).toBeGreaterThan(0)
      const states = async () => {
        const { rows } = await sql<{ state: string }>`
          select distinct state::text from jobs.job
          where name in ('send-mail', 'send-account-link') and state <> 'completed'`.execute(connection.db)
        return rows.map(({ state }) => state)
      }
      expect(await states()).toEqual(['active'])
      first.child.kill('SIGTERM')
      expect(await first.exit).toBe(0)
      expect(await states()).toEqual(['retry'])

      takesMail = true
      // Skips the wait of half a minute before a retry.
      await sql`update jobs.job set start_after = now() where state = 'retry'`.execute(connection.db)
      await start(databaseUrl, env)
      await expect.poll(() => received.join(), { timeout: 30_000 }).toContain('To: ines@example.com')
      await expect.poll(states, { timeout: 10_000 }).toEqual([])
    } finally {
      await connection.close()
      for (const { child, ended } of running.splice(0)) {
        child.kill('SIGKILL')
        await ended
      }
    }
  }, 120_000)
})

/** The part of SMTP that sending one mail takes (RFC 5321). */
function speakSmtp(socket: Socket, onMail: (mail: string) => void): void {
  let mail: string | null = null
  socket.write('220 here\r\n')
  socket.on('data', (chunk) => {
    for (const line of chunk.toString().split('\r\n').slice(0, -1)) {
      if (mail !== null && line !== '.') mail += `${line}\n`
      else if (mail !== null) {
        onMail(mail)
        mail = null
        socket.write('250 taken\r\n')
      } else if (line === 'DATA') {
        mail = ''
        socket.write('354 go on\r\n')
      } else socket.write(line.startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n')
    }
  })
}
