import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import S3rver from 's3rver'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createJobs } from '../app/adapters/jobs/pg-boss.server.ts'
import { createRenderedMail } from '../app/adapters/mail/rendered.server.ts'
import { createSmtpMail } from '../app/adapters/mail/smtp.server.ts'
import { createStripeProvider } from '../app/adapters/payments/stripe.server.ts'
import { registerMailJob } from '../app/features/accounts/jobs.server.ts'
import { sweepPayments } from '../app/features/payments/sweep-commands.server.ts'
import { bookingDeps } from '../app/services/deps.server.ts'
import { aBookingForm, aBusiness } from './builders.ts'
import { requestsTo, sendTo, signUp } from './client.ts'
import { openEmbeddedDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { startServer, type TestServer } from './server.ts'
import { type StripeServer, startStripeServer } from './stripe-server.ts'

/** A file store, mail server and payment provider that refuse, stay silent or talk nonsense, and then recover. */

/** Shorter than the product's, and still long enough for a slow machine's upload. */
const FILE_LIMITS = { fileMs: 4_000, checkMs: 1_500 }

type Mode = 'works' | 'refuses' | 'is silent' | 'talks nonsense'
const TROUBLES = ['refuses', 'is silent', 'talks nonsense'] as const

/** Starts a proxy before a real server. `set` chooses how it fails. */
async function startTrouble(targetPort: number) {
  let mode: Mode = 'works'
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    if (mode === 'refuses') return socket.destroy()
    if (mode === 'is silent') return socket.resume()
    if (mode === 'talks nonsense') {
      socket.once('data', () =>
        socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n<h1>Welcome to our hotel'),
      )
      // SMTP clients wait for a greeting, so they get one.
      setTimeout(() => socket.destroyed || socket.end('Welcome to our hotel\r\n'), 200)
      return socket
    }
    const onward = connect(targetPort, '127.0.0.1')
    sockets.add(onward)
    onward.on('error', () => socket.destroy())
    onward.on('close', () => {
      sockets.delete(onward)
      socket.destroy()
    })
    socket.on('close', () => onward.destroy())
    return socket.pipe(onward).pipe(socket)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    set(next: Mode) {
      mode = next
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Trouble = Awaited<ReturnType<typeof startTrouble>>

describe('the file store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-away-'))
  let store: S3rver
  let trouble: Trouble
  let server: TestServer
  let cookie: string
  let picture: string

  beforeAll(async () => {
    const port = await freePort()
    store = new S3rver({
      address: '127.0.0.1',
      port,
      directory: folder,
      silent: true,
      configureBuckets: [{ name: 'jubilee' }],
    })
    await store.run()
    trouble = await startTrouble(port)
    server = await startServer({
      openDatabase: openEmbeddedDatabase,
      env: {
        S3_BUCKET: 'jubilee',
        S3_REGION: 'ap-southeast-2',
        S3_ENDPOINT: `http://127.0.0.1:${trouble.port}`,
        S3_ACCESS_KEY_ID: 'S3RVER',
        S3_SECRET_ACCESS_KEY: 'S3RVER',
        LOG_LEVEL: 'silent',
      },
      changeConfig: (config) => ({
        ...config,
        fileStore: { ...config.fileStore, limits: FILE_LIMITS },
      }),
    })
    cookie = (await signUp(server, 'nia@example.com')).cookie
    picture = (await upload()).url
  })
  beforeEach(() => trouble.set('works'))
  afterAll(async () => {
    await server.close()
    await trouble.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function sendPicture() {
    const form = new FormData()
    const background = { r: 200, g: 120, b: 90 }
    const bytes = await sharp({ create: { width: 90, height: 60, channels: 3, background } })
      .png()
      .toBuffer()
    form.set('kind', 'listing')
    form.set('file', new File([new Uint8Array(bytes)], 'garden.png', { type: 'image/png' }))
    return sendTo(server, '/api/upload', { body: form, cookie })
  }
  async function upload(): Promise<{ url: string }> {
    const answer = await sendPicture()
    expect(answer.status).toBe(200)
    return ((await answer.json()) as { image: { url: string } }).image
  }
  const { get } = requestsTo(() => server)
  const ready = async () => (await get('/health/ready')).status

  it.each(TROUBLES)(
    '%s: uploads and pictures get 503 in time, pages still work, and it recovers on its own',
    async (mode) => {
      trouble.set(mode)
      const from = performance.now()
      const [sent, shown, page] = await Promise.all([sendPicture(), get(picture), get('/venues')])
      expect(performance.now() - from).toBeLessThan(15_000)
      for (const answer of [sent, shown]) {
        expect(answer.status).toBe(503)
        expect(answer.headers.get('retry-after')).toBe('5')
        expect(answer.headers.get('cache-control')).toBe('no-store')
      }
      expect(page.status).toBe(200)
      await expect.poll(ready, { timeout: 10_000 }).toBe(503)

      trouble.set('works')
      await expect.poll(ready, { timeout: 10_000 }).toBe(200)
      expect((await get(picture)).status).toBe(200)
      expect((await get((await upload()).url)).status).toBe(200)
    },
  )

  it('answers further requests with 503 at once while it is silent and a hundred wait', async () => {
    trouble.set('is silent')
    const from = performance.now()
    let quick = 0
    const answers = await Promise.all(
      Array.from({ length: 160 }, async () => {
        const { status } = await get(picture)
        if (performance.now() - from < FILE_LIMITS.fileMs / 2) quick++
        return status
      }),
    )
    expect(new Set(answers)).toEqual(new Set([503]))
    expect(quick).toBeGreaterThanOrEqual(60)
    trouble.set('works')
    // The outage has spent the client's retries, so that one more kept connection that broke may still cost one answer.
    await expect.poll(async () => (await get(picture)).status, { timeout: 10_000 }).toBe(200)
  })
})

describe('the mail server', () => {
  /** Accepts mails like an SMTP server without authentication. */
  function startSmtp(taken: string[]): Server {
    return createServer((socket) => {
      let mail: string | null = null
      let rest = ''
      socket.on('error', () => {})
      socket.write('220 mail.example\r\n')
      socket.on('data', (chunk) => {
        rest += chunk.toString()
        for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
          const line = rest.slice(0, end)
          rest = rest.slice(end + 2)
          if (mail !== null) {
            if (line !== '.') {
              mail += `${line}\n`
              continue
            }
            taken.push(mail)
            mail = null
            socket.write('250 taken\r\n')
          } else if (/^DATA/i.test(line)) {
            mail = ''
            socket.write('354 go on\r\n')
          } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
          else socket.write('250 fine\r\n')
        }
      })
    })
  }

  it('gets each mail exactly once after every kind of failure', async () => {
    const taken: string[] = []
    const smtp = startSmtp(taken)
    const port = await freePort()
    await new Promise<void>((resolve) => smtp.listen(port, '127.0.0.1', resolve))
    const trouble = await startTrouble(port)
    const connection = await openEmbeddedDatabase('started')
    const { db } = connection
    const failures: unknown[] = []
    const jobs = createJobs(connection, (error) => failures.push(error))
    const settings = {
      url: `smtp://127.0.0.1:${trouble.port}`,
      from: 'hello@jubilee.example',
      requireTls: false,
    }
    const site = { brand: 'Jubilee', publicUrl: new URL('http://localhost:3000'), runBy: 'Run by us.' }
    registerMailJob(jobs, createRenderedMail(createSmtpMail(settings, 1_500), site), db)
    await jobs.start()
    // Skips the wait of half a minute before a retry.
    const again = () => sql`update jobs.job set start_after = now() where state = 'retry'`.execute(db)
    try {
      trouble.set('refuses')
      const mail = { to: 'kim@example.com', subject: 'Paid', text: 'Thank you', html: '' }
      await db
        .transaction()
        .execute((tx) => jobs.enqueue(tx, 'send-mail', { ...mail, messageId: '<away@localhost>' }))
      for (const [index, mode] of TROUBLES.entries()) {
        trouble.set(mode)
        await expect
          .poll(async () => again().then(() => failures.length), { timeout: 25_000, interval: 200 })
          .toBeGreaterThan(index)
      }
      expect(taken).toEqual([])
      trouble.set('works')
      await expect
        .poll(async () => again().then(() => taken.length), { timeout: 25_000, interval: 200 })
        .toBe(1)
      await expect
        .poll(async () => (await jobs.count()).filter(({ name }) => name === 'send-mail'))
        .toEqual([])
      expect(taken).toHaveLength(1)
      expect(taken[0]).toContain('Message-ID: <away@localhost>')
    } finally {
      await jobs.stop(2_000)
      await connection.close()
      await trouble.close()
      smtp.close()
    }
  }, 90_000)
})

describe('the payment provider', () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_0000000000000000',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_0000000000000000',
    STRIPE_WEBHOOK_SECRET: 'whsec_test0000000000000000000000',
  }
  let stripe: StripeServer
  let trouble: Trouble
  let server: TestServer
  let businessId: string

  beforeAll(async () => {
    stripe = await startStripeServer({
      descriptionPath: undefined,
      webhookSecret: keys.STRIPE_WEBHOOK_SECRET,
      now: () => new Date(),
    })
    trouble = await startTrouble(stripe.port)
    server = await startServer({ openDatabase: openEmbeddedDatabase, env: { ...keys, LOG_LEVEL: 'silent' } })
    // The jobs would keep calling the real provider, so the test calls their work below.
    await server.services.jobs.stop(1_000)
    // Stripe's address is not a setting, so the test creates the adapter with this host and shorter timeouts.
    server.services.payments = createStripeProvider({
      secretKey: keys.STRIPE_SECRET_KEY,
      publishableKey: keys.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: keys.STRIPE_WEBHOOK_SECRET,
      now: () => new Date(),
      host: '127.0.0.1',
      port: trouble.port,
      protocol: 'http',
      timeoutMs: 1_000,
      retries: 0,
    })
    businessId = (await aBusiness(server.services.db)).id
  })
  afterAll(async () => {
    await server.close()
    await trouble.close()
    await stripe.close()
  })

  const json = (path: string, body: object) => sendTo(server, path, { json: body })
  const bookings = async (email: string) =>
    server.services.db.selectFrom('bookings').select('id').where('email', '=', email).execute()

  it.each(TROUBLES)(
    '%s when a payment begins: it is refused with 503, and the same press later books once',
    async (mode) => {
      const email = `${mode.replaceAll(' ', '-')}@example.com`
      const order = {
        amount: 45_500,
        submitKey: crypto.randomUUID(),
        businessId,
        booking: aBookingForm({ email, date: `2037-03-1${TROUBLES.indexOf(mode)}` }),
      }
      trouble.set(mode)
      const from = performance.now()
      const refused = await json('/create-payment-intent', order)
      expect(performance.now() - from).toBeLessThan(10_000)
      expect(refused.status).toBe(503)
      expect(await refused.json()).toMatchObject({
        error: { code: 'provider_unavailable', message: expect.stringMatching(/\w/) },
      })
      // The sweep of open payments meets the same failure and gives none up.
      await sweepPayments(bookingDeps(server.services))
      expect(await bookings(email)).toEqual([])

      trouble.set('works')
      const begun = await json('/create-payment-intent', order)
      expect(begun.status).toBe(200)
      const { clientSecret } = (await begun.json()) as { clientSecret: string }
      stripe.pay(clientSecret)

      // The payment succeeds while the provider can't be asked about it.
      trouble.set(mode)
      const unheard = await json('/api/payment-report', { clientSecret })
      expect(unheard.status).toBe(503)
      expect(await bookings(email)).toEqual([])
      await sweepPayments(bookingDeps(server.services))
      expect(await bookings(email)).toEqual([])

      trouble.set('works')
      expect((await json('/api/payment-report', { clientSecret })).status).toBe(200)
      await sweepPayments(bookingDeps(server.services))
      expect(await bookings(email)).toHaveLength(1)
    },
  )
})
