import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBusiness, aClock, aUser, createKeptJobs } from '../../../tests/builders.ts'
import { openTestDatabase, type TestConnection } from '../../../tests/database.ts'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time-units.ts'
import {
  askAccountant,
  confirmAccountant,
  dropAccountant,
  endByAccountant,
  sendMonthMail,
  sendMonthMailOfBefore,
  sendMonthsToAccountants,
  sendQuestion,
} from './accountant-commands.server.ts'
import {
  accountantToken,
  findAccountant,
  listForAccountant,
  openAccountantLink,
} from './accountant-queries.server.ts'
import { lastMonthToSend, monthsBetween, readAccountantToken, readMonthFile } from './accountant-rules.ts'
import { findMonthDocument } from './queries.server.ts'
import type { TaxDocument } from './rules.ts'

const SECRET = 'a secret of at least thirty-two characters'
const EMAIL = 'ada@accounts.example'

let connection: TestConnection
let clock: ReturnType<typeof aClock>
let jobs: Awaited<ReturnType<typeof createKeptJobs>>
let userId: string
const sent: MailMessage[] = []
/** Whether the mail server takes nothing. */
let isDown = false
beforeAll(async () => {
  connection = await openTestDatabase()
  jobs = await createKeptJobs(connection.db)
})
afterAll(() => connection.close())
beforeEach(async () => {
  clock = aClock('2026-11-20T01:00:00Z')
  userId = (await aUser(connection.db)).id
  await aBusiness(connection.db, { user_id: userId })
  await connection.db.deleteFrom('accountants').execute()
  await connection.db.deleteFrom('rate_limits').execute()
  await jobs.takeAll()
  sent.length = 0
  isDown = false
})

const deps = () => ({
  ...{ db: connection.db, jobs, now: clock.now, brand: 'Jubilee', secret: SECRET },
  publicUrl: new URL('https://jubilee.example'),
  rateLimits: createRateLimits(connection.db, clock.now),
  mail: {
    send: async (message: MailMessage) => {
      if (isDown) throw new Error('the mail server is down')
      sent.push(message)
    },
  },
})
const ask = (email = EMAIL, isProven = true) => askAccountant(deps(), { userId, isProven }, email)
/** Sends what was queued, as the jobs do. */
async function sends() {
  for (const { name, data } of await jobs.takeAll()) {
    if (name === 'send-accountant-question') await sendQuestion(deps(), (data as { id: string }).id)
    if (name === 'send-accountant-mail') await sendMonthMail(deps(), data as { id: string; month: string })
  }
}
const tokenOf = (mail: MailMessage | undefined) => mail?.content?.link?.url.split('/').at(-1) ?? ''
/** An accountant who has agreed. The mail to the vendor is taken from the jobs. */
async function agreed() {
  await ask()
  await sends()
  const token = tokenOf(sent.at(-1))
  expect(await confirmAccountant(deps(), token)).toEqual({ ok: true })
  expect((await jobs.takeAll()).map(({ name }) => name)).toEqual(['send-mail'])
  sent.length = 0
  return token
}

let lastNumber = 0
/** A document of a day, which is issued now. */
async function aDocument(suppliedOn: string, given: { vendor?: string } = {}) {
  const vendor = given.vendor ?? userId
  const number = ++lastNumber
  const content: Partial<TaxDocument> = {
    ...{ subject: 'sale', kind: 'invoice', isTaxed: true, number: `S-${String(number).padStart(6, '0')}` },
    ...{ issuedOn: suppliedOn, suppliedOn, cents: 110_000, gstCents: 10_000, month: null, adjusts: null },
    event: { business: 'Harbour Light', date: suppliedOn, place: 'Melbourne' },
  }
  const text = JSON.stringify(content)
  await connection.db
    .insertInto('tax_documents')
    .values({
      ...{ id: newId(), issuer: `sales:${vendor}`, number, subject: 'sale', kind: 'invoice', is_taxed: true },
      ...{ vendor_user_id: vendor, booking_id: newId(), month: null, adjusts: null, cents: 110_000 },
      ...{ gst_cents: 10_000, supplied_on: suppliedOn, issued_at: clock.now(), content: text },
      sha256: createHash('sha256').update(text).digest('hex'),
    })
    .execute()
  return number
}

describe('an accountant', () => {
  it('gets nothing but one question until they agree by its link', async () => {
    await aDocument('2026-11-21')
    expect(await ask()).toEqual({ ok: true })
    await sends()
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ to: EMAIL, subject: 'Tax documents from a Jubilee vendor?' })
    clock.forward(20 * DAY_MS)
    await sendMonthsToAccountants(deps())
    await sends()
    expect(sent).toHaveLength(1)
    expect(await findAccountant(connection.db, userId)).toEqual({ email: EMAIL, state: 'asked' })
  })

  it('may agree for 7 days, and pressing twice is once', async () => {
    await ask()
    await sends()
    const token = tokenOf(sent[0])
    clock.forward(7 * DAY_MS - 1)
    expect(await confirmAccountant(deps(), token)).toEqual({ ok: true })
    expect(await confirmAccountant(deps(), token)).toEqual({ ok: true })
    expect(await findAccountant(connection.db, userId)).toMatchObject({ state: 'confirmed' })
    await dropAccountant(deps(), userId)
    await ask()
    await sends()
    clock.forward(7 * DAY_MS)
    expect(await confirmAccountant(deps(), tokenOf(sent[1]))).toMatchObject({ reason: 'expired' })
  })

  it('gets a question only from a vendor with a proven address, who may ask five times a day, and once for each address', async () => {
    expect(await ask(EMAIL, false)).toMatchObject({ reason: 'unproven' })
    expect(await ask()).toEqual({ ok: true })
    expect(await ask(EMAIL.toUpperCase())).toMatchObject({ reason: 'asked' })
    for (const name of ['b', 'c', 'd']) expect(await ask(`${name}@accounts.example`)).toEqual({ ok: true })
    expect(await ask('e@accounts.example')).toMatchObject({ reason: 'too_often' })
    await sends()
    // The questions to the addresses before were withdrawn by the next one.
    expect(sent.map(({ to }) => to)).toEqual(['d@accounts.example'])
  })

  it('gets each month once, however many jobs run, from the third of the next month on', async () => {
    await agreed()
    await aDocument('2026-11-05')
    await aDocument('2026-11-30')
    clock = aClock('2026-12-02T12:59:59Z')
    await sendMonthsToAccountants(deps())
    expect(await jobs.takeAll()).toEqual([])
    clock = aClock('2026-12-02T13:00:00Z')
    // Each has its connection by then, so that they run side by side.
    const four = [0, 1, 2, 3]
    await Promise.all(four.map(() => findAccountant(connection.db, userId)))
    await Promise.all(four.map(() => sendMonthsToAccountants(deps())))
    await sendMonthsToAccountants(deps())
    await sends()
    expect(sent).toHaveLength(1)
    expect(sent[0]?.subject).toContain('for November 2026')
    expect(sent[0]?.text).not.toContain('Harbour Light')
  })

  it('gets the months of a server that was off, oldest first, and none without a document', async () => {
    await agreed()
    await aDocument('2026-11-30')
    await aDocument('2027-01-15')
    clock = aClock('2027-02-10T00:00:00Z')
    await sendMonthsToAccountants(deps())
    await sends()
    expect(sent.map(({ subject }) => subject.slice(-13))).toEqual(['November 2026', ' January 2027'])
  })

  it('opens a month’s documents for 30 days, and no other month’s or vendor’s', async () => {
    await agreed()
    const november = await aDocument('2026-11-30')
    const december = await aDocument('2026-12-01')
    const other = (await aUser(connection.db)).id
    const foreign = await aDocument('2026-11-30', { vendor: other })
    clock = aClock('2026-12-05T00:00:00Z')
    await sendMonthsToAccountants(deps())
    await sends()
    const token = tokenOf(sent[0])
    const link = await openAccountantLink(deps(), token)
    expect(link).toMatchObject({ about: 'month', month: '2026-11', state: 'open', userId })
    if (link?.about !== 'month') throw new Error('no month')
    const of = { ...link, subject: 'sale' as const }
    expect((await listForAccountant(connection.db, of)).map(({ number }) => Number(number.slice(2)))).toEqual(
      [november],
    )
    expect(await findMonthDocument(connection.db, { ...of, number: november })).not.toBeNull()
    expect(await findMonthDocument(connection.db, { ...of, number: december })).toBeNull()
    expect(await findMonthDocument(connection.db, { ...of, number: foreign })).toBeNull()
    clock.forward(30 * DAY_MS - 1)
    expect((await openAccountantLink(deps(), token))?.state).toBe('open')
    clock.forward(1)
    expect((await openAccountantLink(deps(), token))?.state).toBe('expired')
  })

  it('gets a document that is issued late with the next mail, and once', async () => {
    await agreed()
    const november = await aDocument('2026-11-25')
    clock = aClock('2026-12-03T01:00:00Z')
    await sendMonthsToAccountants(deps())
    await sends()
    clock = aClock('2026-12-10T01:00:00Z')
    const late = await aDocument('2026-11-28')
    // Nothing else was issued for December.
    for (const at of ['2027-01-03T01:00:00Z', '2027-02-03T01:00:00Z', '2027-03-03T01:00:00Z']) {
      clock = aClock(at)
      await sendMonthsToAccountants(deps())
      await sends()
    }
    expect(sent.map(({ subject }) => subject.slice(-13))).toEqual(['November 2026', 'December 2026'])
    clock = aClock('2027-01-04T01:00:00Z')
    const link = await openAccountantLink(deps(), tokenOf(sent[1]))
    if (link?.about !== 'month') throw new Error('no month')
    expect(await listForAccountant(connection.db, link)).toMatchObject([
      { number: `S-${String(late).padStart(6, '0')}`, lateFor: '2026-11' },
    ])
    const of = { ...link, subject: 'sale' as const }
    expect(await findMonthDocument(connection.db, { ...of, number: late })).not.toBeNull()
    expect(await findMonthDocument(connection.db, { ...of, number: november })).toBeNull()
  })

  it('gets no document as late that was issued before it agreed', async () => {
    await aDocument('2026-10-05')
    clock.forward(DAY_MS)
    await agreed()
    await aDocument('2026-11-25')
    clock = aClock('2026-12-03T01:00:00Z')
    await sendMonthsToAccountants(deps())
    await sends()
    const link = await openAccountantLink(deps(), tokenOf(sent[0]))
    if (link?.about !== 'month') throw new Error('no month')
    expect(await listForAccountant(connection.db, link)).toMatchObject([{ lateFor: null }])
  })

  it('gets a month that no mail server took once one does, and once alone', async () => {
    await agreed()
    await aDocument('2026-11-30')
    clock = aClock('2026-12-05T00:00:00Z')
    await sendMonthsToAccountants(deps())
    isDown = true
    await expect(sends()).rejects.toThrow('down')
    clock.forward(12 * HOUR_MS - 1)
    await sendMonthsToAccountants(deps())
    // The job of before is still being tried.
    expect(await jobs.takeAll()).toEqual([])
    clock.forward(1)
    await Promise.all([0, 1, 2].map(() => sendMonthsToAccountants(deps())))
    const again = await jobs.takeAll()
    expect(again.map(({ name }) => name)).toEqual(['send-accountant-mail'])
    isDown = false
    const month = again[0]?.data as { id: string; month: string }
    // The job of before, the new one, and one that a process has taken twice.
    await Promise.allSettled([0, 1, 2].map(() => sendMonthMail(deps(), month)))
    await sendMonthMail(deps(), month)
    expect(sent).toHaveLength(1)
    // Its link counts its days from then on.
    clock.forward(30 * DAY_MS - 1)
    expect((await openAccountantLink(deps(), tokenOf(sent[0])))?.state).toBe('open')
    await sendMonthsToAccountants(deps())
    expect(await jobs.takeAll()).toEqual([])
  })

  it('gets a month whose process died while sending it', async () => {
    await agreed()
    await aDocument('2026-11-30')
    clock = aClock('2026-12-05T00:00:00Z')
    await sendMonthsToAccountants(deps())
    const month = (await jobs.takeAll())[0]?.data as { id: string; month: string }
    await connection.db.updateTable('accountant_mails').set({ claimed_at: clock.now() }).execute()
    clock.forward(10 * MINUTE_MS - 1)
    // The queue tries it again.
    await expect(sendMonthMail(deps(), month)).rejects.toThrow('Another process')
    expect(sent).toEqual([])
    clock.forward(1)
    await sendMonthMail(deps(), month)
    expect(sent).toHaveLength(1)
    await sendMonthMail(deps(), month)
    expect(sent).toHaveLength(1)
  })

  it('gets a month that the version before has queued', async () => {
    await agreed()
    await aDocument('2026-11-30')
    clock = aClock('2026-12-05T00:00:00Z')
    const { id } = await connection.db.selectFrom('accountants').select('id').executeTakeFirstOrThrow()
    await sql`insert into accountant_mails (accountant_id, month, sent_at) values (${id}, '2026-11', ${clock.now()})`.execute(
      connection.db,
    )
    await sendMonthMailOfBefore(deps(), { id, month: '2026-11' })
    expect(sent).toHaveLength(1)
    clock.forward(20 * DAY_MS)
    await sendMonthsToAccountants(deps())
    expect(await jobs.takeAll()).toEqual([])
  })

  it('ends the mails by any link, however old, and can’t be asked again', async () => {
    await agreed()
    await aDocument('2026-11-30')
    clock = aClock('2026-12-05T00:00:00Z')
    await sendMonthsToAccountants(deps())
    await sends()
    const token = tokenOf(sent[0])
    expect(sent[0]?.unsubscribeUrl).toBe(`https://jubilee.example/accountant/${token}`)
    clock.forward(100 * DAY_MS)
    expect(await endByAccountant(deps(), token)).toEqual({ ok: true })
    expect((await openAccountantLink(deps(), token))?.state).toBe('ended')
    expect(await ask()).toMatchObject({ reason: 'ended' })
    await dropAccountant(deps(), userId)
    expect(await ask()).toMatchObject({ reason: 'ended' })
    await aDocument('2027-01-30')
    await sendMonthsToAccountants(deps())
    expect(await jobs.takeAll()).toEqual([])
  })

  it('isn’t asked again after the vendor has entered another address, whether it ended the mails or never answered', async () => {
    await ask()
    await sends()
    expect(await endByAccountant(deps(), tokenOf(sent[0]))).toEqual({ ok: true })
    expect(await ask('b@accounts.example')).toEqual({ ok: true })
    expect(await ask(EMAIL.toUpperCase())).toMatchObject({ reason: 'ended' })
    await dropAccountant(deps(), userId)
    clock.forward(8 * DAY_MS)
    expect(await ask('b@accounts.example')).toMatchObject({ reason: 'asked' })
    expect(await ask(EMAIL)).toMatchObject({ reason: 'ended' })
    const rows = await connection.db.selectFrom('accountant_addresses').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('@')
    // Another vendor may ask both.
    const other = await aUser(connection.db)
    expect(await askAccountant(deps(), { userId: other.id, isProven: true }, EMAIL)).toEqual({ ok: true })
  })

  it.each(['disabled_at', 'deactivated_at'] as const)(
    'gets nothing while the vendor’s account is closed (%s), and the months once it is open again',
    async (column) => {
      const close = (at: Date | null) =>
        connection.db
          .updateTable('users')
          .set({ [column]: at })
          .where('id', '=', userId)
          .execute()
      const question = await agreed()
      await aDocument('2026-11-30')
      clock = aClock('2026-12-05T00:00:00Z')
      await close(clock.now())
      await sendMonthsToAccountants(deps())
      expect(await jobs.takeAll()).toEqual([])
      expect((await openAccountantLink(deps(), question))?.state).toBe('closed')
      await close(null)
      await sendMonthsToAccountants(deps())
      await sends()
      expect(sent).toHaveLength(1)
      await close(clock.now())
      expect((await openAccountantLink(deps(), tokenOf(sent[0])))?.state).toBe('closed')
      expect(await endByAccountant(deps(), tokenOf(sent[0]))).toEqual({ ok: true })
      expect((await openAccountantLink(deps(), tokenOf(sent[0])))?.state).toBe('ended')
    },
  )

  it('tells the vendor once when it agrees', async () => {
    await ask()
    await sends()
    for (const token of [tokenOf(sent[0]), tokenOf(sent[0])]) await confirmAccountant(deps(), token)
    const mails = await jobs.mails()
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({ subject: 'Your accountant gets your tax documents' })
    expect(mails[0]?.text).toContain(EMAIL)
  })

  it('gets nothing more once the vendor has stopped, and earlier links are over', async () => {
    const question = await agreed()
    await aDocument('2026-11-30')
    clock = aClock('2026-12-05T00:00:00Z')
    await sendMonthsToAccountants(deps())
    await dropAccountant(deps(), userId)
    await sends()
    expect(sent).toEqual([])
    expect(await openAccountantLink(deps(), question)).toBeNull()
    expect(await confirmAccountant(deps(), question)).toMatchObject({ reason: 'not_found' })
  })

  it('opens nothing by a link that isn’t ours', async () => {
    await agreed()
    const { id } = await connection.db.selectFrom('accountants').select('id').executeTakeFirstOrThrow()
    const token = await accountantToken(SECRET, id, 'confirm')
    expect(await openAccountantLink(deps(), token)).not.toBeNull()
    const forged = [
      token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A'),
      token.replace('.confirm.', '.2026-11.'),
      await accountantToken('another secret of thirty-two letters', id, 'confirm'),
      // Ours, of a month that was never sent.
      await accountantToken(SECRET, id, '2026-11'),
      '',
      'x.confirm.y',
    ]
    for (const text of forged) expect(await openAccountantLink(deps(), text)).toBeNull()
  })
})

describe('the months of an accountant', () => {
  it('end with the last one that is over for three days', () => {
    expect(lastMonthToSend('2027-01-02')).toBe('2026-11')
    expect(lastMonthToSend('2027-01-03')).toBe('2026-12')
    expect(lastMonthToSend('2027-03-31')).toBe('2027-02')
    expect(monthsBetween('2026-11', '2027-02')).toEqual(['2026-11', '2026-12', '2027-01', '2027-02'])
    expect(monthsBetween('2026-11', '2026-10')).toEqual([])
  })

  it('stand in the token of a link', () => {
    expect(readAccountantToken(`a-b.2026-13.${'x'.repeat(43)}`)).toBeNull()
    expect(readAccountantToken(`a-b.2026-12.${'x'.repeat(43)}`)?.about).toBe('2026-12')
    expect([readMonthFile('sales.csv'), readMonthFile('commission.csv'), readMonthFile('x.csv')]).toEqual([
      'sale',
      'commission',
      null,
    ])
  })
})
