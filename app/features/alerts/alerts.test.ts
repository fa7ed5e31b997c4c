import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  aBusiness,
  aClock,
  aPlace,
  aUser,
  createKeptJobs,
  setsAvailability,
} from '../../../tests/builders.ts'
import { openTestDatabase, type TestConnection } from '../../../tests/database.ts'
import { leavesAsIs } from '../../../tests/leaves-as-is.ts'
import type { JobData } from '../../adapters/jobs/port.ts'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import type { RateLimits } from '../../adapters/rate-limits/port.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { WEEKDAYS, type WeeklyHours } from '../availability/rules.ts'
import { NO_SEARCH } from '../search/schema.ts'
import { alertAddress, alertOffer, readAlertAddress } from './address-queries.server.ts'
import {
  confirmAlert,
  endByLink,
  endOwnAlert,
  followSearch,
  forgetAlertsOf,
  forgetEndedAlerts,
  mailQuestion,
} from './commands.server.ts'
import type { AlertDeps } from './deps.server.ts'
import { closedAlertText } from './messages.ts'
import { alertToken, exportAlerts, listOwnAlerts, openAlertLink } from './queries.server.ts'
import {
  ASK_LIMIT,
  alertEnd,
  CONFIRM_MAIL_LIMIT,
  CONFIRM_WITHIN_MS,
  LOOK_EACH_MS,
  MAX_ALERTS,
  MAX_UNCONFIRMED,
  PAGES_READ,
  readAlertToken,
} from './rules.ts'
import { mailAlerts, tellAlerts } from './telling-commands.server.ts'

let connection: TestConnection
let jobs: Awaited<ReturnType<typeof createKeptJobs>>
let clock: ReturnType<typeof aClock>
let deps: AlertDeps & { rateLimits: RateLimits }
let sent: MailMessage[] = []

beforeAll(async () => {
  connection = await openTestDatabase()
  await aPlace(connection.db)
  jobs = await createKeptJobs(connection.db)
})
afterAll(() => connection.close())

beforeEach(async () => {
  const { db } = connection
  for (const table of ['alert_recipients', 'rate_limits', 'businesses'] as const)
    await db.deleteFrom(table).execute()
  await jobs.takeAll()
  sent = []
  clock = aClock()
  deps = {
    ...{ db, jobs, now: clock.now, rateLimits: createRateLimits(db, clock.now), nearKm: 25 },
    ...{ brand: 'Jubilee', publicUrl: new URL('https://jubilee.example'), secret: 'secret' },
  }
})

const mail = { send: async (message: MailMessage) => void sent.push(message) }

/** Runs the queued jobs, as the product would. */
async function runs(): Promise<void> {
  for (const { name, data } of await jobs.takeAll()) {
    if (name === 'send-alert-question')
      await mailQuestion({ ...deps, mail }, data as JobData['send-alert-question'])
    if (name === 'send-alerts') await mailAlerts({ ...deps, mail }, data as JobData['send-alerts'])
  }
}

/** Looks for news after a time, and sends what is to be told. @returns the mails since the last call */
async function tellsAfter(ms: number): Promise<MailMessage[]> {
  clock.forward(ms)
  sent = []
  await tellAlerts(deps)
  await runs()
  return sent
}

const SEARCH = '/photographers?guests=90'
const anEmail = () => `${newId(8)}@example.com`.toLowerCase()
const follows = (email: string, address = SEARCH, by: Partial<Parameters<typeof followSearch>[1]> = {}) =>
  followSearch(deps, { address, email, network: newId(), owner: null, ...by })

/** The token of the last mail's first link to an alert's page. */
const tokenIn = (message: MailMessage | undefined) =>
  /\/alerts\/(\S+)/.exec(message?.text ?? '')?.[1] ?? message?.unsubscribeUrl?.split('/').at(-1) ?? ''

/** Follows a search as a guest who confirms it. @returns the address */
async function followsAndConfirms(address = SEARCH, email = anEmail()): Promise<string> {
  expect(await follows(email, address)).toEqual({ ok: true, isOn: false })
  await runs()
  expect(await confirmAlert(deps, tokenIn(sent.at(-1)))).toMatchObject({ ok: true })
  return email
}

/** Follows a search each day for eight days, as a stranger who types the address of somebody else. @returns the mails */
async function followsEachDay(email: string, then = async () => {}): Promise<MailMessage[]> {
  const mails: MailMessage[] = []
  for (let day = 0; day < 8; day++) {
    await follows(email)
    sent = []
    await runs()
    mails.push(...sent)
    await then()
    clock.forward(DAY_MS)
    await deps.rateLimits.forgetOld()
    await forgetEndedAlerts(deps)
  }
  return mails
}

async function anAccount(given: { verified?: boolean } = {}) {
  const user = await aUser(deps.db, { email: anEmail(), email_verified: given.verified ?? true })
  return { userId: user.id, verifiedEmail: given.verified === false ? null : user.email, email: user.email }
}

const aPhotographer = (given: Parameters<typeof aBusiness>[1] = {}) =>
  aBusiness(deps.db, {
    category: 'Photographers',
    name: `Studio ${newId(4)}`,
    created_at: clock.now(),
    ...given,
  })

const alertsOf = (email: string) =>
  deps.db
    .selectFrom('alerts')
    .innerJoin('alert_recipients', 'alert_recipients.id', 'alerts.recipient_id')
    .selectAll('alerts')
    .where('email', '=', email)
    .execute()

describe('the address of a search', () => {
  it.each([
    ['/photographers?guests=90', '/photographers?guests=90'],
    ['/venues-vendors?category=Photographers&guests=90', '/photographers?guests=90'],
    ['/venues-vendors?guests=90&sort=price&after=5.abc', '/venues-vendors?guests=90'],
    ['/venues-vendors?service=florist', '/venues-vendors?service=florist'],
    ['/venues-vendors?category=Venues', '/venues'],
    ['/venues', '/venues'],
  ])('%s is kept as %s, and read again', (address, canonical) => {
    const search = readAlertAddress(address)
    expect(search && alertAddress(search)).toBe(canonical)
    expect(readAlertAddress(canonical)).toEqual(search)
  })

  it.each([
    '',
    '/',
    '/venues-vendors',
    '/my-bookings?guests=90',
    '//evil.example/venues?guests=9',
    'https://evil.example/venues?guests=9',
    `/venues?q=${'x'.repeat(2_000)}`,
  ])('is refused: %s', (address) => expect(readAlertAddress(address)).toBeNull())

  it('reads the tokens of our links, and no other text', () => {
    const signature = 'x'.repeat(43)
    expect(readAlertToken(`all.abc.${signature}`)).toEqual({ about: 'all', id: 'abc', signature })
    for (const token of [
      '',
      'all.abc',
      `some.abc.${signature}`,
      `all.a/b.${signature}`,
      `all.abc.${signature}x`,
    ])
      expect(readAlertToken(token)).toBeNull()
  })
})

describe('the end of an alert', () => {
  const now = new Date('2026-11-20T01:00:00Z')
  it.each([
    ['the day of its search', { date: '2027-03-13', months: null }, '2027-03-13T13:00:00.000Z'],
    ['today', { date: '2026-11-20', months: null }, '2026-11-20T13:00:00.000Z'],
    [
      'the last of its months',
      { date: null, months: { first: '2027-01', last: '2027-02' } },
      '2027-02-28T13:00:00.000Z',
    ],
    ['a year, without a day', { date: null, months: null }, '2027-11-20T13:00:00.000Z'],
    ['a year, before a later day', { date: '2028-06-01', months: null }, '2027-11-20T13:00:00.000Z'],
  ] as const)('comes after %s', (_, search, end) => expect(alertEnd(search, now)?.toISOString()).toBe(end))

  it('lies in the past for yesterday and last month, so nothing is offered', () => {
    for (const search of [
      { ...NO_SEARCH, date: '2026-11-19' },
      { ...NO_SEARCH, months: { first: '2026-10', last: '2026-10' } },
    ]) {
      expect(alertEnd(search, now)).toBeNull()
      expect(alertOffer(search, 'none', now)).toBeNull()
    }
  })
})

describe('following a search', () => {
  it('asks an address once by mail, which has nothing in it that was typed', async () => {
    const email = anEmail()
    expect(await follows(email, '/photographers?guests=90&q=you+won+a+prize')).toEqual({
      ok: true,
      isOn: false,
    })
    await runs()
    expect(sent.map(({ to }) => to)).toEqual([email])
    expect(JSON.stringify(sent)).not.toMatch(/won|prize/)
    expect(sent[0]?.text).toContain('Photographers, 90 guests')
    // Nothing is told before the address has confirmed.
    await aPhotographer()
    expect(await tellsAfter(HOUR_MS)).toEqual([])
  })

  it('names nothing typed, such as words and places', () => {
    const search = {
      ...NO_SEARCH,
      q: 'evil.example',
      place: 'Evil, VIC',
      guests: 90,
      category: 'Venues',
    } as const
    expect(closedAlertText(search)).toBe('Venues, 90 guests')
  })

  it('tells the confirmed address of the account that asks at once, and any other only after its mail', async () => {
    const account = await anAccount()
    expect(await follows(account.email, SEARCH, { owner: account })).toEqual({ ok: true, isOn: true })
    expect(await follows(anEmail(), SEARCH, { owner: account })).toEqual({ ok: true, isOn: false })
    const unproven = await anAccount({ verified: false })
    expect(await follows(unproven.email, SEARCH, { owner: unproven })).toEqual({ ok: true, isOn: false })
  })

  it('renews the alert of the same search instead of adding a second one', async () => {
    const email = await followsAndConfirms()
    clock.forward(2 * DAY_MS)
    expect((await follows(email)).ok).toBe(true)
    const alerts = await alertsOf(email)
    expect(alerts).toHaveLength(1)
    expect(alerts[0]?.confirmed_at).not.toBeNull()
    expect(alerts[0]?.ends_at.toISOString()).toBe('2027-11-22T13:00:00.000Z')
  })

  it('asks an address once in its week, though a stranger types it each day', async () => {
    expect(await followsEachDay(anEmail())).toHaveLength(2)
  })

  it('asks no address that has confirmed the search', async () => {
    const email = await followsAndConfirms()
    expect(await followsEachDay(email)).toEqual([])
    // One that confirms before its second mail is sent gets none.
    const other = anEmail()
    await follows(other)
    const [job] = await jobs.takeAll()
    await deps.db.updateTable('alerts').set({ confirmed_at: clock.now() }).execute()
    sent = []
    await mailQuestion({ ...deps, mail }, job?.data as JobData['send-alert-question'])
    expect(sent).toEqual([])
  })

  it('asks an address that refuses three times in a week, and no more', async () => {
    // A week of the limit begins on a Thursday.
    clock.forward(6 * DAY_MS)
    const email = anEmail()
    const refuses = async () => {
      if (sent.length > 0) await endByLink(deps, tokenIn(sent.at(-1)), null)
      expect(await alertsOf(email)).toEqual([])
    }
    // The last one is in the next week.
    expect(await followsEachDay(email, refuses)).toHaveLength(4)
  })

  it('counts no mail that was confirmed, so a guest may follow more than three searches in a week', async () => {
    const email = anEmail()
    for (let day = 0; day < 5; day++) {
      await followsAndConfirms(`/photographers?guests=${day + 10}`, email)
      clock.forward(DAY_MS)
    }
    expect(await alertsOf(email)).toHaveLength(5)
  })

  it('refuses a search whose address would be too long to read again, and doesn’t offer it', async () => {
    const address = `/venues?q=${'宴'.repeat(250)}`
    const search = readAlertAddress(address)
    expect(search && alertOffer(search, 'none', clock.now())).toBeNull()
    expect(await follows(anEmail(), address)).toEqual({ ok: false, reason: 'no_search' })
  })

  it('refuses a list without a search, an unknown place and a past day', async () => {
    expect(await follows(anEmail(), '/')).toEqual({ ok: false, reason: 'no_search' })
    expect(await follows(anEmail(), '/venues?place=Xyzzyville')).toEqual({ ok: false, reason: 'no_search' })
    expect(await follows(anEmail(), '/venues?date=2026-11-19')).toEqual({ ok: false, reason: 'past' })
  })

  it('stops at its limits for an address and for a network', async () => {
    const email = anEmail()
    for (let count = 1; count <= MAX_UNCONFIRMED; count++)
      expect((await follows(email, `/venues?guests=${count}`)).ok).toBe(true)
    expect(await follows(email, '/venues?guests=99')).toEqual({ ok: false, reason: 'too_often' })
    clock.forward(CONFIRM_MAIL_LIMIT.windowMs)
    expect(await follows(email, '/venues?guests=99')).toEqual({ ok: false, reason: 'too_often' })
    // The limit's week ends, and three still wait for an answer.
    clock.forward(5 * DAY_MS)
    const another = () => follows(email, '/venues?guests=99')
    expect(await leavesAsIs(connection.db, 'followSearch', another)).toEqual({ ok: false, reason: 'full' })
    clock.forward(CONFIRM_WITHIN_MS)
    expect((await follows(email, '/venues?guests=99')).ok).toBe(true)

    const account = await anAccount()
    for (let count = 1; count <= MAX_ALERTS; count++)
      expect((await follows(account.email, `/venues?guests=${count}`, { owner: account })).ok).toBe(true)
    expect(await follows(account.email, '/venues?guests=99', { owner: account })).toEqual({
      ok: false,
      reason: 'full',
    })
    expect((await follows(account.email, '/venues?guests=1', { owner: account })).ok).toBe(true)

    const network = newId()
    for (let count = 1; count <= ASK_LIMIT.max; count++) await follows(anEmail(), SEARCH, { network })
    expect(await follows(anEmail(), SEARCH, { network })).toEqual({ ok: false, reason: 'too_often' })
  })
})

describe('the link that confirms', () => {
  it('works for a week, twice, and for nobody without it', async () => {
    const email = anEmail()
    await follows(email)
    await runs()
    const token = tokenIn(sent[0])
    expect(await openAlertLink(deps, token)).toMatchObject({ about: 'confirm', state: 'open' })
    expect((await alertsOf(email))[0]?.confirmed_at).toBeNull()
    for (const forged of [
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      token.replace('confirm.', 'all.'),
      'x',
    ])
      expect(await confirmAlert(deps, forged)).toEqual({ ok: false, reason: 'not_found' })
    clock.forward(CONFIRM_WITHIN_MS - 1)
    expect(await confirmAlert(deps, token)).toMatchObject({ ok: true })
    clock.forward(DAY_MS)
    expect(await confirmAlert(deps, token)).toMatchObject({ ok: true })
  })

  it('keeps the account’s alert of the same search, with the guest’s confirmation and end', async () => {
    const account = await anAccount({ verified: false })
    await follows(account.email, '/photographers?guests=90', { owner: account })
    await deps.db
      .updateTable('users')
      .set({ email_verified: true })
      .where('id', '=', account.userId)
      .execute()
    const owner = { userId: account.userId, verifiedEmail: account.email }
    await follows(account.email, '/photographers?guests=50', { owner })
    const own = async () =>
      (await listOwnAlerts(deps.db, owner, clock.now())).find(({ href }) => href === SEARCH)
    expect(await own()).toMatchObject({ isConfirmed: false, until: '20 November 2027' })
    clock.forward(DAY_MS)
    expect(await follows(account.email)).toEqual({ ok: true, isOn: false })
    sent = []
    await runs()
    const confirmed = await confirmAlert(deps, tokenIn(sent.at(-1)))
    const kept = await own()
    expect(confirmed).toEqual({ ok: true, alertId: kept?.id })
    expect(kept).toMatchObject({ isConfirmed: true, until: '21 November 2027' })
    const token = await alertToken(deps.secret, 'confirm', kept?.id ?? '')
    expect(await openAlertLink(deps, token)).toMatchObject({ state: 'confirmed' })
  })

  it('gives a closed account’s alert to the address, which is told', async () => {
    const account = await anAccount()
    await deps.db
      .updateTable('users')
      .set({ deactivated_at: clock.now() })
      .where('id', '=', account.userId)
      .execute()
    await followsAndConfirms(SEARCH, account.email)
    await aPhotographer()
    expect((await tellsAfter(HOUR_MS)).map(({ to }) => to)).toEqual([account.email])
  })

  it('expires after a week, and its address is forgotten', async () => {
    const email = anEmail()
    await follows(email)
    await runs()
    clock.forward(CONFIRM_WITHIN_MS)
    expect(await confirmAlert(deps, tokenIn(sent[0]))).toEqual({ ok: false, reason: 'expired' })
    await forgetEndedAlerts(deps)
    expect(await deps.db.selectFrom('alert_recipients').selectAll().execute()).toEqual([])
  })

  it('gives the alert to the account that has confirmed the address, which gets one mail for all', async () => {
    const account = await anAccount()
    await follows(account.email, SEARCH, { owner: account })
    await follows(account.email, '/photographers?guests=50')
    await runs()
    expect(await confirmAlert(deps, tokenIn(sent.at(-1)))).toMatchObject({ ok: true })
    await aPhotographer()
    const mails = await tellsAfter(HOUR_MS)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('Photographers, 50 guests')
    expect(mails[0]?.text).toContain('Photographers, 90 guests')
  })
})

describe('a mail about a search', () => {
  it('tells of each new business once, in one mail a day, with its one-click end', async () => {
    await aPhotographer({ name: 'There Before' })
    const email = await followsAndConfirms()
    expect(await tellsAfter(HOUR_MS)).toEqual([])
    await aPhotographer({ name: 'Lumen & Co' })
    const [first, ...others] = await tellsAfter(HOUR_MS)
    expect(others).toEqual([])
    expect(first).toMatchObject({ to: email, subject: 'New: 1 business for your search' })
    expect(first?.text).toContain('Lumen & Co')
    expect(first?.text).not.toContain('There Before')
    expect(first?.text).toContain('https://jubilee.example/photographers?guests=90')
    expect(first?.unsubscribeUrl).toMatch(/^https:\/\/jubilee\.example\/alerts\/all\./)
    // A second within the day waits for its end, and the first isn't told again.
    await aPhotographer({ name: 'Second Light' })
    expect(await tellsAfter(DAY_MS - 1)).toEqual([])
    const [second] = await tellsAfter(1)
    expect(second?.text).toContain('Second Light')
    expect(second?.text).not.toContain('Lumen')
    expect(await tellsAfter(DAY_MS)).toEqual([])
  })

  it('reaches the account that its recipient joins while it is queued', async () => {
    const account = await anAccount({ verified: false })
    await followsAndConfirms(SEARCH, account.email)
    await aPhotographer()
    clock.forward(HOUR_MS)
    await tellAlerts(deps)
    await deps.db
      .updateTable('users')
      .set({ email_verified: true })
      .where('id', '=', account.userId)
      .execute()
    const owner = { userId: account.userId, verifiedEmail: account.email }
    await follows(account.email, '/photographers?guests=50', { owner })
    sent = []
    await runs()
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      [account.email, 'New: 1 business for your search'],
    ])
  })

  it('leaves once, however many processes look at the same moment', async () => {
    await followsAndConfirms()
    await aPhotographer()
    clock.forward(HOUR_MS)
    await Promise.all([1, 2, 3].map(() => tellAlerts(deps)))
    expect((await jobs.takeAll()).map(({ name }) => name)).toEqual(['send-alerts'])
  })

  it('tells of a time that is free again', async () => {
    const business = await aPhotographer()
    const closed = { weekly: Object.fromEntries(WEEKDAYS.map((day) => [day, []])) as unknown as WeeklyHours }
    await setsAvailability(deps.db, business.id, closed)
    await followsAndConfirms('/photographers?date=2027-03-13')
    expect(await tellsAfter(HOUR_MS)).toEqual([])
    await setsAvailability(deps.db, business.id)
    const [told] = await tellsAfter(HOUR_MS)
    expect(told?.text).toContain(business.name)
  })

  it('tells of a business that has changed so that it fits', async () => {
    const business = await aPhotographer({ max_guests: 20 })
    await followsAndConfirms()
    expect(await tellsAfter(HOUR_MS)).toEqual([])
    await deps.db
      .updateTable('availability_settings')
      .set({ max_guests: 200 })
      .where('business_id', '=', business.id)
      .execute()
    await deps.db
      .updateTable('businesses')
      .set({ max_guests: 200, markers: ['c/Photographers', 'g/200'] })
      .where('id', '=', business.id)
      .execute()
    const found = await tellsAfter(HOUR_MS)
    expect(found.map(({ text }) => text.includes(business.name))).toEqual([true])
  })

  it('never tells of a hidden or deleted business, nor of one that is hidden before it is sent', async () => {
    await followsAndConfirms()
    await aPhotographer({ hidden_at: clock.now(), hidden_by: 'operator' })
    await aPhotographer({ hidden_at: clock.now(), hidden_by: 'agreement' })
    await aPhotographer({ deleted_at: clock.now() })
    expect(await tellsAfter(HOUR_MS)).toEqual([])
    const business = await aPhotographer()
    clock.forward(HOUR_MS)
    await tellAlerts(deps)
    await deps.db
      .updateTable('businesses')
      .set({ hidden_at: clock.now(), hidden_by: 'disabling' })
      .where('id', '=', business.id)
      .execute()
    await runs()
    expect(sent.filter(({ subject }) => subject.startsWith('New'))).toEqual([])
  })

  it('counts only younger businesses as new for a search that found more than it can note', async () => {
    const { db } = deps
    const owner = (await aUser(db)).id
    const before = new Date(clock.now().getTime() - DAY_MS)
    const count = PAGES_READ * 24 + 1
    for (let number = 0; number < count; number++) await aPhotographer({ user_id: owner, created_at: before })
    const older = await aPhotographer({
      user_id: owner,
      created_at: clock.now(),
      hidden_at: before,
      hidden_by: 'owner',
    })
    await followsAndConfirms('/photographers')
    expect(await tellsAfter(HOUR_MS)).toEqual([])
    // Among so many, one that comes back may have been there before.
    await db
      .updateTable('businesses')
      .set({ hidden_at: null, hidden_by: null })
      .where('id', '=', older.id)
      .execute()
    expect(await tellsAfter(HOUR_MS)).toEqual([])
    await aPhotographer({ name: 'Youngest' })
    const [told] = await tellsAfter(HOUR_MS)
    expect(told?.text).toContain('Youngest')
    expect(told?.subject).toBe('New: 1 business for your search')
  })

  it('leaves out a search that its address hasn’t confirmed, beside one that it has', async () => {
    const email = await followsAndConfirms()
    await follows(email, '/photographers?guests=50')
    await aPhotographer()
    await runs()
    const [told] = await tellsAfter(HOUR_MS)
    expect(told?.text).not.toContain('50 guests')
    expect(told?.subject).toBe('New: 1 business for your search')
  })

  it('ends with its day, and leaves nothing behind', async () => {
    await followsAndConfirms('/photographers?date=2026-11-22')
    await aPhotographer()
    expect(await tellsAfter(3 * DAY_MS)).toEqual([])
    await forgetEndedAlerts(deps)
    for (const table of ['alerts', 'alert_listings', 'alert_recipients'] as const)
      expect(await deps.db.selectFrom(table).selectAll().execute()).toEqual([])
  })

  it('goes to the present, confirmed address of an account, and to none that is closed', async () => {
    const account = await anAccount()
    await follows(account.email, SEARCH, { owner: account })
    const sets = (columns: object) =>
      deps.db.updateTable('users').set(columns).where('id', '=', account.userId).execute()
    const to = anEmail()
    await sets({ email: to })
    await aPhotographer()
    expect((await tellsAfter(HOUR_MS)).map((each) => each.to)).toEqual([to])
    for (const columns of [
      { disabled_at: new Date() },
      { disabled_at: null, deactivated_at: new Date() },
      { deactivated_at: null, email_verified: false },
    ]) {
      await sets(columns)
      await aPhotographer()
      expect(await tellsAfter(DAY_MS)).toEqual([])
    }
    // Once it is open again, it hears of all three.
    await sets({ email_verified: true })
    expect((await tellsAfter(HOUR_MS)).map(({ subject }) => subject)).toEqual([
      'New: 3 businesses for your search',
    ])
  })

  it('reaches everyone in one run, beside a recipient whose turn fails, who has the next one in an hour', async () => {
    const emails: string[] = []
    for (let count = 0; count < 3; count++) emails.push(await followsAndConfirms())
    const [first] = emails
    const [{ recipient_id: failing = '' } = {}] = await alertsOf(first ?? '')
    await aPhotographer()
    clock.forward(HOUR_MS)
    // The failing one is the first in the queue, and a batch of its own.
    await deps.db
      .updateTable('alert_recipients')
      .set({ next_at: new Date(clock.now().getTime() - HOUR_MS) })
      .where('id', '=', failing)
      .execute()
    const enqueue: typeof jobs.enqueue = (tx, name, data) =>
      (data as { recipientId?: string }).recipientId === failing
        ? Promise.reject(new Error('failed'))
        : jobs.enqueue(tx, name, data)
    await expect(tellAlerts({ ...deps, jobs: { ...jobs, enqueue } }, 1)).rejects.toThrow(AggregateError)
    sent = []
    await runs()
    expect(sent.map(({ to }) => to).sort()).toEqual(emails.slice(1).sort())
    expect(await tellsAfter(LOOK_EACH_MS - 1)).toEqual([])
    expect((await tellsAfter(1)).map(({ to }) => to)).toEqual([first])
  })
})

describe('the end by a mail', () => {
  it('ends one or all of its recipient, without an account, and no other recipient’s', async () => {
    const other = await followsAndConfirms()
    const email = await followsAndConfirms()
    await follows(email, '/photographers?guests=50')
    await runs()
    await confirmAlert(deps, tokenIn(sent.at(-1)))
    await aPhotographer()
    const mails = await tellsAfter(HOUR_MS)
    const token = tokenIn(mails.find(({ to }) => to === email))
    const [one] = await alertsOf(email)
    const [foreign] = await alertsOf(other)
    // The link of another recipient:
    expect(await endByLink(deps, token, foreign?.id ?? '')).toEqual({ ok: true })
    expect(await alertsOf(other)).toHaveLength(1)
    expect(await endByLink(deps, token, one?.id ?? '')).toEqual({ ok: true })
    expect(await alertsOf(email)).toHaveLength(1)
    expect(await endByLink(deps, token, null)).toEqual({ ok: true })
    expect(await endByLink(deps, token, null)).toEqual({ ok: true })
    expect(await alertsOf(email)).toEqual([])
    expect(await alertsOf(other)).toHaveLength(1)
    // A visitor without one of our links:
    expect(await endByLink(deps, 'no-such-token', null)).toEqual({ ok: false, reason: 'not_found' })
    expect(await endByLink({ ...deps, secret: 'another' }, token, null)).toEqual({
      ok: false,
      reason: 'not_found',
    })
  })

  it('ends by an old mail what was followed after its recipient had been forgotten', async () => {
    const email = await followsAndConfirms()
    await aPhotographer()
    const token = tokenIn((await tellsAfter(HOUR_MS))[0])
    await endByLink(deps, token, null)
    clock.forward(2 * DAY_MS)
    await forgetEndedAlerts(deps)
    expect(await deps.db.selectFrom('alert_recipients').selectAll().execute()).toEqual([])
    await followsAndConfirms(SEARCH, email)
    expect(await openAlertLink(deps, token)).toMatchObject({ alerts: [{ href: SEARCH }] })
    await endByLink(deps, token, null)
    expect(await alertsOf(email)).toEqual([])
  })

  it.each([
    ['had none of its own', false],
    ['had its own', true],
  ])(
    'ends by a guest’s mail the alerts of the account that its address joined, which %s',
    async (_, hasOwn) => {
      const account = await anAccount({ verified: false })
      await followsAndConfirms(SEARCH, account.email)
      await aPhotographer()
      const token = tokenIn((await tellsAfter(HOUR_MS))[0])
      await deps.db
        .updateTable('users')
        .set({ email_verified: true })
        .where('id', '=', account.userId)
        .execute()
      const owner = { userId: account.userId, verifiedEmail: account.email }
      if (hasOwn) await follows(account.email, '/photographers?guests=50', { owner })
      await followsAndConfirms('/photographers?guests=60', account.email)
      expect(await alertsOf(account.email)).toEqual([])
      const foreign = await anAccount()
      await follows(foreign.email, SEARCH, { owner: foreign })
      const opened = await openAlertLink(deps, token)
      expect(opened?.about === 'all' && opened.alerts).toHaveLength(hasOwn ? 3 : 2)
      await endByLink(deps, token, null)
      expect(await listOwnAlerts(deps.db, owner, clock.now())).toEqual([])
      expect(await listOwnAlerts(deps.db, foreign, clock.now())).toHaveLength(1)
      // Forgotten and back again, it is still the address of those mails.
      clock.forward(2 * DAY_MS)
      await forgetEndedAlerts(deps)
      await follows(account.email, SEARCH, { owner })
      await endByLink(deps, token, null)
      expect(await listOwnAlerts(deps.db, owner, clock.now())).toEqual([])
    },
  )

  it('stops a mail that is queued already', async () => {
    const email = await followsAndConfirms()
    await aPhotographer()
    clock.forward(HOUR_MS)
    await tellAlerts(deps)
    const [{ recipient_id: id = '' } = {}] = await alertsOf(email)
    await endByLink(deps, await alertToken(deps.secret, 'all', id), null)
    sent = []
    await runs()
    expect(sent).toEqual([])
  })
})

describe('an account', () => {
  it('sees, exports and ends its own alerts and those of its confirmed address, and no others', async () => {
    const account = await anAccount()
    const stranger = await anAccount()
    await follows(account.email, SEARCH, { owner: account })
    const own = await listOwnAlerts(deps.db, account, clock.now())
    expect(own).toMatchObject([
      { text: 'Photographers, 90 guests', href: SEARCH, until: '20 November 2027', isConfirmed: true },
    ])
    const told = await aPhotographer()
    await tellsAfter(HOUR_MS)
    expect(await exportAlerts(deps.db, account)).toMatchObject({
      searchAlerts: [{ search: SEARCH, told: [{ businessId: told.id, toldAt: clock.now() }] }],
    })
    const id = own[0]?.id ?? ''
    for (const nobody of [stranger, { userId: 'nobody', verifiedEmail: null }]) {
      expect(await listOwnAlerts(deps.db, nobody, clock.now())).toEqual([])
      expect(await exportAlerts(deps.db, nobody)).toEqual({ searchAlerts: [] })
      expect(await endOwnAlert(deps, nobody, id)).toEqual({ ok: false, reason: 'not_found' })
    }
    expect(await endOwnAlert(deps, account, id)).toEqual({ ok: true })
    expect(await listOwnAlerts(deps.db, account, clock.now())).toEqual([])
  })

  it('sees what its address followed as a guest once it has confirmed the address', async () => {
    const email = await followsAndConfirms()
    const user = await aUser(deps.db, { email, email_verified: false })
    expect(await listOwnAlerts(deps.db, { userId: user.id, verifiedEmail: null }, clock.now())).toEqual([])
    const owner = { userId: user.id, verifiedEmail: email }
    expect(await listOwnAlerts(deps.db, owner, clock.now())).toHaveLength(1)
    await deps.db.transaction().execute((tx) => forgetAlertsOf(tx, email))
    expect(await listOwnAlerts(deps.db, owner, clock.now())).toEqual([])
  })

  it('takes its alerts with it', async () => {
    const account = await anAccount()
    await follows(account.email, SEARCH, { owner: account })
    await deps.db.deleteFrom('users').where('id', '=', account.userId).execute()
    for (const table of ['alerts', 'alert_recipients'] as const)
      expect(await deps.db.selectFrom(table).selectAll().execute()).toEqual([])
  })
})
