import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPglite } from '../../app/adapters/database/pglite.server.ts'
import { createJobs } from '../../app/adapters/jobs/pg-boss.server.ts'
import type { MailMessage } from '../../app/adapters/mail/port.ts'
import { readConfig } from '../../app/config.server.ts'
import { registerMailJob } from '../../app/features/accounts/jobs.server.ts'
import { createServices } from '../../app/services.server.ts'
import { aBookingForm, aBusiness, aUser } from '../builders.ts'
import { requestsTo, signUp } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { startServer } from '../server.ts'
import { prepareDatabase, serverSettings, startServerProcess } from '../server-process.ts'

describe('a booking whose process dies before it sends mails', () => {
  let folder: string
  let child: ChildProcess | null = null
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jubileemails-'))
  })
  afterEach(() => {
    child?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  it('still reaches both sides, with one notification and one Message-ID per mail', async () => {
    const place = { folder, databaseUrl: null }
    await prepareDatabase(folder)
    const connection = await openPglite(folder)
    const business = await aBusiness(connection.db)
    await connection.close()

    // Crashes right after the booking is committed, before any mail can be sent.
    const server = await startServerProcess(place, { CRASH_AT: 'settled' })
    const { ended } = server
    child = server.child
    const { postJson } = requestsTo(() => server)
    const made = await postJson('/create-payment-intent', {
      amount: 45_500,
      submitKey: crypto.randomUUID(),
      businessId: business.id,
      booking: aBookingForm({ date: '2037-03-14' }),
    })
    const { clientSecret } = (await made.json()) as { clientSecret: string }
    const card = { clientSecret, cardNumber: '4242 4242 4242 4242', expiry: '12 / 39', cvc: '123' }
    await postJson('/api/sandbox/confirm', card).catch(() => null)
    await postJson('/api/payment-report', { clientSecret }).catch(() => null)
    expect(await ended).toBe('SIGKILL')

    const services = await createServices(readConfig(serverSettings(place, await freePort())), {
      databaseFolder: 'database',
    })
    try {
      expect(await services.outbox?.list(10)).toEqual([])
      // The queue retries a dead process's jobs once their heartbeat is overdue. Here that happens at once.
      await sql`update jobs.job set state = 'retry', start_after = now() where state = 'active'`.execute(
        services.db,
      )
      await services.startJobs()
      const booking = await services.db
        .selectFrom('bookings')
        .select('id')
        .where('vendor_id', '=', business.id)
        .executeTakeFirstOrThrow()
      const sent = async () =>
        (await services.outbox?.list(50))
          ?.map(({ messageId }) => messageId)
          .filter((id) => id.includes(booking.id))
      await expect
        .poll(async () => (await sent())?.toSorted(), { timeout: 30_000 })
        .toEqual([`<booking-${booking.id}-new@localhost>`, `<booking-${booking.id}-paid@localhost>`])
      const told = await services.db
        .selectFrom('notifications')
        .select(['user_id', 'event_key'])
        .where('user_id', '=', business.user_id)
        // Its owner has accepted no agreement, and may be asked meanwhile.
        .where('event_key', 'like', 'booking-%')
        .execute()
      expect(told).toEqual([{ user_id: business.user_id, event_key: `booking-new:${booking.id}` }])
    } finally {
      await services.close()
    }
  }, 150_000)
})

describe('the queue’s rows', () => {
  it('contain none of the secret links in the sent mails', async () => {
    const server = await startServer({ openDatabase: openTestDatabase })
    const { db, outbox } = server.services
    try {
      const business = await aBusiness(db)
      const { post, postJson } = requestsTo(() => server)
      const made = await postJson('/create-payment-intent', {
        amount: 45_500,
        submitKey: crypto.randomUUID(),
        businessId: business.id,
        booking: aBookingForm({ date: '2037-03-14' }),
      })
      const { clientSecret } = (await made.json()) as { clientSecret: string }
      await postJson('/api/sandbox/confirm', {
        clientSecret,
        cardNumber: '4242 4242 4242 4242',
        expiry: '12 / 39',
        cvc: '123',
      })
      await postJson('/api/payment-report', { clientSecret })
      const email = 'ines@example.com'
      await signUp(server, email)
      await post('/forgot-password', { email })
      await post('/newsletter', { email })

      const subjects = async () => (await outbox?.list(50))?.map(({ subject }) => subject) ?? []
      for (const subject of [
        /^Sent to .*: answer by /,
        /^New booking: /,
        /^Confirm your email/,
        /^Choose a new/,
        /^Welcome/,
      ])
        await expect.poll(subjects, { timeout: 30_000 }).toContainEqual(expect.stringMatching(subject))

      const mails = await outbox?.list(50)
      const secrets = new Set(
        mails?.flatMap(
          ({ text, html }) => `${text} ${html}`.match(/(?<=\/bookings\/|token=)[\w-]{27,}/g) ?? [],
        ),
      )
      // One each for booking, verification, reset and newsletter. The vendor's receipt link has the booking's id.
      const ids = await db.selectFrom('bookings').select('id').execute()
      for (const { id } of ids) secrets.delete(id)
      expect(secrets.size).toBe(4)
      const { rows } = await sql<{ name: string; row: string }>`
        select name, to_jsonb(job)::text as row from jobs.job where name not like '\\_\\_pgboss%'`.execute(db)
      expect(rows.map(({ name }) => name)).toContain('send-booking-mail')
      for (const secret of secrets) for (const { row } of rows) expect(row).not.toContain(secret)
      // No mail still has the placeholder of its link.
      for (const mail of mails ?? []) expect(JSON.stringify(mail)).not.toContain('token-when-sent')
    } finally {
      await server.close()
    }
  }, 90_000)
})

/** Starts the mail job with a mail server that accepts everything. */
async function startMailJob() {
  const connection = await openTestDatabase('started')
  const jobs = createJobs(connection, () => {})
  const sent: string[] = []
  const send = async ({ messageId }: { messageId: string }) => {
    sent.push(messageId)
  }
  registerMailJob(jobs, { send }, connection.db)
  await jobs.start()
  return { connection, jobs, sent }
}

describe('the mail job', () => {
  it('retries under the same Message-ID and respects the owner’s mail preference', async () => {
    const connection = await openTestDatabase('started')
    const { db } = connection
    const quiet = await aUser(db)
    await db.updateTable('users').set({ mail_new_bookings: false }).where('id', '=', quiet.id).execute()
    const jobs = createJobs(connection, () => {})
    const sent: string[] = []
    registerMailJob(
      jobs,
      {
        async send({ messageId }) {
          sent.push(messageId)
          // As if the process had ended after the mail server accepted the message.
          if (sent.length === 1) throw new Error('gone')
        },
      },
      db,
    )
    await jobs.start()
    try {
      const mail = { to: 'shop@example.com', subject: 'New booking', text: '', html: '' }
      await db.transaction().execute(async (tx) => {
        // The mail goes to the business's address, but the owner's preference decides.
        const wanted = { preference: 'newBookings', preferenceOf: quiet.id } as const
        await jobs.enqueue(tx, 'send-mail', { ...mail, messageId: '<unwanted@localhost>', ...wanted })
        await jobs.enqueue(tx, 'send-mail', { ...mail, messageId: '<one@localhost>' })
      })
      await expect.poll(() => sent, { timeout: 10_000 }).toEqual(['<one@localhost>'])
      await expect
        .poll(
          async () => {
            // Skips the wait of half a minute before a retry.
            await sql`update jobs.job set start_after = now() where state = 'retry'`.execute(db)
            return sent
          },
          { timeout: 20_000, interval: 200 },
        )
        .toEqual(['<one@localhost>', '<one@localhost>'])
    } finally {
      await jobs.stop(10_000)
      await connection.close()
    }
  })

  it('works through a backlog without a pause', async () => {
    const { connection, jobs, sent } = await startMailJob()
    try {
      const mail = { to: 'kim@example.com', subject: 'Paid', text: '', html: '' }
      // One NOTIFY for all of them.
      await connection.db.transaction().execute(async (tx) => {
        for (let nth = 0; nth < 40; nth++)
          await jobs.enqueue(tx, 'send-mail', { ...mail, messageId: `<${nth}@localhost>` })
      })
      await expect.poll(() => sent.length, { timeout: 15_000 }).toBe(40)
    } finally {
      await jobs.stop(10_000)
      await connection.close()
    }
  }, 30_000)

  it('sends a mail that the previous version queued, with the link already in it', async () => {
    const connection = await openTestDatabase('started')
    const jobs = createJobs(connection, () => {})
    const sent: MailMessage[] = []
    registerMailJob(jobs, { send: async (message) => void sent.push(message) }, connection.db)
    await jobs.start()
    try {
      const message = {
        messageId: '<booking-1-paid@localhost>',
        to: 'kim@example.com',
        subject: 'Paid',
        text: `See your booking: https://jubilee.example/bookings/${'x'.repeat(43)}`,
        html: '<p></p>',
      }
      await connection.db.transaction().execute((tx) => jobs.enqueue(tx, 'send-mail', message))
      await expect.poll(() => sent, { timeout: 10_000 }).toEqual([message])
    } finally {
      await jobs.stop(10_000)
      await connection.close()
    }
  })

  it('never sends a mail from a rolled-back transaction', async () => {
    const { connection, jobs, sent } = await startMailJob()
    try {
      const mail = { to: 'kim@example.com', subject: 'Paid', text: '', html: '' }
      const undone = connection.db.transaction().execute(async (tx) => {
        await jobs.enqueue(tx, 'send-mail', { ...mail, messageId: '<undone@localhost>' })
        throw new Error('taken back')
      })
      await expect(undone).rejects.toThrow('taken back')
      await connection.db
        .transaction()
        .execute((tx) => jobs.enqueue(tx, 'send-mail', { ...mail, messageId: '<kept@localhost>' }))
      await expect.poll(() => sent, { timeout: 10_000 }).toEqual(['<kept@localhost>'])
    } finally {
      await jobs.stop(10_000)
      await connection.close()
    }
  })
})
