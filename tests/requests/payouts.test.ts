import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCUMENTS } from '../../app/features/agreements/rules.ts'
import { postTransactions } from '../../app/features/ledger/commands.server.ts'
import { findBookingMoney } from '../../app/features/ledger/queries.server.ts'
import { refund } from '../../app/features/ledger/rules.ts'
import { newId } from '../../app/shared/ids.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { TYPED_REGISTRATION } from '../builders.ts'
import { nextAddress, requestsTo, signUp } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { aPayoutAccount, fillEarnings } from '../earnings.ts'
import { readPdfText } from '../pdf-text.ts'
import { startServer, type TestServer } from '../server.ts'

const SCREENS = ['/dashboard/payouts', '/dashboard/payouts/setup', '/dashboard/payouts/return']
const FILES = ['/dashboard/payouts/bookings.csv', '/dashboard/payouts/statement-2026-10.pdf']
const NOW = new Date('2026-11-20T01:00:00Z')
const { version } = DOCUMENTS.vendor_agreement

let server: TestServer
beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { PAYOUTS: 'sandbox', TRUSTED_PROXY: '1' },
    now: () => NOW,
  })
})
afterAll(() => server.close())

type Person = { cookie: string; userId: string }

/** Each request comes from an address of its own, so no limit counts them together. */
const { get, post } = requestsTo(
  () => server,
  () => ({ address: nextAddress() }),
)

async function arrive({ isRegistered = true } = {}): Promise<Person> {
  const person = await signUp(server, `${crypto.randomUUID()}@example.com`, { address: nextAddress() })
  if (isRegistered)
    expect((await post('/dashboard/register-business', TYPED_REGISTRATION, person)).status).toBe(200)
  return person
}

/** A vendor with money at the bank in October, money held by a dispute, and an event to come. */
async function aPaidVendor(): Promise<Person> {
  const vendor = await arrive()
  const { db } = server.services
  const accountId = await aPayoutAccount(db, vendor.userId)
  const of = { vendorUserId: vendor.userId, accountId, bookedAt: new Date('2026-09-10T00:00:00Z') }
  await fillEarnings(db, [
    { ...of, eventUntil: new Date('2026-10-10T12:00:00Z'), progress: 'at_bank', customerName: '=Ada "Cole"' },
    { ...of, eventUntil: new Date(NOW.getTime() - 4 * DAY_MS), progress: 'due', heldReason: 'operator' },
    { ...of, eventUntil: new Date(NOW.getTime() + 9 * DAY_MS), customerName: 'Tom Berg' },
  ])
  return vendor
}

/** The page's text, without its scripts. */
async function textOf(answer: Response): Promise<string> {
  const html = (await answer.text()).replaceAll(/<script[\s\S]*?<\/script>|<!-- -->/g, '')
  return html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
}

describe('payouts', () => {
  it.each([...SCREENS, '/dashboard/payouts/refresh', ...FILES])(
    '%s leads nobody to sign in',
    async (path) => {
      const answer = await get(path)
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toMatch(/^\/login\?next=/)
    },
  )

  it('refuses the setup of nobody, and writes nothing', async () => {
    const answer = await post('/dashboard/payouts/setup', { intent: 'accept', accepted: 'yes', version })
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toMatch(/^\/login\?next=/)
    expect(await server.services.db.selectFrom('acceptances').select('id').execute()).toEqual([])
    expect(await server.services.db.selectFrom('payout_accounts').select('id').execute()).toEqual([])
  })

  it('shows a vendor their sums, their next money and each booking', async () => {
    const vendor = await aPaidVendor()
    const text = await textOf(await get('/dashboard/payouts', vendor))
    expect(text).toContain('Held until your events Before commission $8,700.00')
    expect(text).toContain('Earned and on its way After commission $7,830.00')
    expect(text).toContain('At your bank Since 1 July $7,830.00')
    expect(text).toContain('Tom Berg')
    expect(text).toContain('Paid $8,700.00 − commission $870.00 (including $79.09 GST)')
    expect(text).toContain('We’re looking into this payment')
    expect(text).not.toContain('Ada')
    expect(await textOf(await get('/dashboard/payouts?show=past', vendor))).toContain('Ada')
  })

  it('shows a customer and another vendor nothing of it, in files neither', async () => {
    await aPaidVendor()
    for (const person of [await arrive({ isRegistered: false }), await aPaidVendor()]) {
      const { db } = server.services
      await db
        .updateTable('sales')
        .set({ owner_user_id: 'gone' })
        .where('owner_user_id', '=', person.userId)
        .execute()
      const text = await textOf(await get('/dashboard/payouts', person))
      expect(text).not.toContain('Tom Berg')
      const csv = await get('/dashboard/payouts/bookings.csv', person)
      expect(csv.status).toBe(200)
      expect((await csv.text()).trim().split('\r\n')).toHaveLength(1)
    }
    const stranger = await arrive()
    expect((await get('/dashboard/payouts/statement-2026-10.pdf', stranger)).status).toBe(404)
  })

  it('never names an account to a browser', async () => {
    const vendor = await aPaidVendor()
    const { provider_account, id } = await server.services.db
      .selectFrom('payout_accounts')
      .select(['provider_account', 'id'])
      .where('vendor_user_id', '=', vendor.userId)
      .executeTakeFirstOrThrow()
    for (const path of [...SCREENS, '/dashboard/payouts.data', '/dashboard/payouts/setup.data', ...FILES]) {
      const body = await (await get(path, vendor)).text()
      expect(body, path).not.toContain(provider_account)
      expect(body, path).not.toContain(id)
    }
  })

  it('ignores a place in the list that never was one', async () => {
    const vendor = await aPaidVendor()
    for (const after of ['x', '2026-99-99T00:00:00.000Z_x', "2026-11-20T00:00:00.000Z_'--"])
      expect((await get(`/dashboard/payouts?after=${after}`, vendor)).status).toBe(200)
  })
})

describe('the CSV', () => {
  it('lists each booking with its money, and contains no formulas', async () => {
    const vendor = await aPaidVendor()
    const answer = await get('/dashboard/payouts/bookings.csv', vendor)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    const [head, ...rows] = (await answer.text()).trim().split('\r\n')
    expect(head).toMatch(/Booked,Event,Customer,Business,Paid \(AUD\)/)
    expect(rows).toHaveLength(3)
    expect(rows[2]).toMatch(
      /^2026-09-10,2026-10-10,"'=Ada ""Cole""",The Walled Garden,8700.00,0.00,870.00,79.09,7830.00,At your bank,7830.00,2026-10-12,2026-10-13,0.00,/,
    )
  })
})

describe('a statement', () => {
  it('comes as a PDF of the month', async () => {
    const vendor = await aPaidVendor()
    const answer = await get('/dashboard/payouts/statement-2026-10.pdf', vendor)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    const pdf = Buffer.from(await answer.arrayBuffer())
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    const words = await readPdfText(pdf)
    for (const part of ['Statement, October 2026', 'Nia & Co', '$8,700.00', '$870.00', '$79.09', '$7,830.00'])
      expect(words).toContain(part)
  })

  it('names a refund of earned money whole, and the commission that it gives back', async () => {
    const { db } = server.services
    const vendor = await arrive()
    const accountId = await aPayoutAccount(db, vendor.userId)
    const [bookingId = ''] = await fillEarnings(db, [
      {
        ...{ vendorUserId: vendor.userId, accountId, bookedAt: new Date('2026-09-10T00:00:00Z') },
        ...{ eventUntil: new Date('2026-10-10T12:00:00Z'), progress: 'at_bank' },
      },
    ])
    const refunds = async (key: string, at: Date) => {
      const money = (await findBookingMoney(db, [bookingId])).get(bookingId)
      if (!money) throw new Error('not posted')
      const terms = { basisPoints: 1_000, isGstRegistered: true }
      const entry = refund({ money, cents: 110_000, terms, borneBy: 'vendor', paidFrom: 'provider_balance' })
      const about = { vendorUserId: vendor.userId, bookingId, paymentId: null, providerReference: null, at }
      await db
        .transaction()
        .execute((tx) => postTransactions(tx, [{ ...entry, ...about, key: `${key}:${bookingId}` }]))
    }
    await refunds('refund-1', new Date('2026-10-20T00:00:00Z'))
    await refunds('refund-2', new Date('2026-11-02T00:00:00Z'))
    const wordsOfMonth = async (month: string) => {
      const answer = await get(`/dashboard/payouts/statement-${month}.pdf`, vendor)
      return readPdfText(new Uint8Array(await answer.arrayBuffer()))
    }
    const october = await wordsOfMonth('2026-10')
    for (const part of [
      'Our commission (including $69.09 GST) –$760.00',
      'Refunds, disputes and corrections –$1,100.00',
      'You owe at the end –$990.00',
      'Refunded to the customer –$1,100.00',
      'Our commission, given back (including $10.00 GST) $110.00',
    ])
      expect(october).toContain(part)
    const november = await wordsOfMonth('2026-11')
    for (const part of [
      'Owed to you at the beginning –$990.00',
      'Our commission, given back (including $10.00 GST) $110.00\nRefunds',
      'You owe at the end –$1,980.00',
    ])
      expect(november).toContain(part)
  })

  it.each(['2026-08.pdf', '2026-12.pdf', '2026-13.pdf', '2026-10', 'x.pdf', '2026-10.pdf.pdf'])(
    'answers 404 for %s',
    async (month) => {
      const vendor = await aPaidVendor()
      expect((await get(`/dashboard/payouts/statement-${month}`, vendor)).status).toBe(404)
    },
  )
})

describe('the setup', () => {
  it('begins with the business for a vendor without a registration, filled in from the account', async () => {
    const vendor = await arrive({ isRegistered: false })
    const page = await get('/dashboard/payouts/setup', vendor)
    const html = await page.clone().text()
    expect(await textOf(page)).toContain('Your business')
    const controls = [...html.matchAll(/<(?:input|select|textarea)[^>]* name="(\w+)"/g)].map(
      ([, name]) => name,
    )
    expect(controls.indexOf('abn')).toBeGreaterThan(0)
    expect(controls.indexOf('abn')).toBeLessThan(controls.indexOf('businessName'))
    const { email } = await server.services.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', vendor.userId)
      .executeTakeFirstOrThrow()
    expect(html).toMatch(
      new RegExp(`name="ownerEmail"[^>]* value="${email}"|value="${email}"[^>]* name="ownerEmail"`),
    )
    const answer = await post('/dashboard/payouts/setup', { intent: 'continue' }, vendor)
    expect(answer.status).toBe(409)
  })

  it('accepts the agreement, and leads to the provider’s form without JavaScript', async () => {
    const vendor = await arrive()
    const page = await textOf(await get('/dashboard/payouts/setup', vendor))
    expect(page).toContain('I accept the vendor agreement')
    // The whole of it is on the page.
    expect(page).toContain('The law of Victoria, Australia, governs it.')
    const accepted = await post(
      '/dashboard/payouts/setup',
      {
        intent: 'accept',
        accepted: 'yes',
        version,
      },
      vendor,
    )
    expect(accepted.status).toBe(303)
    expect(accepted.headers.get('location')).toMatch(/\/sandbox\/account\//)
    expect(
      await server.services.db
        .selectFrom('acceptances')
        .select(['version'])
        .where('user_id', '=', vendor.userId)
        .execute(),
    ).toEqual([{ version }])
    // It resumes where it was left.
    const again = await textOf(await get('/dashboard/payouts/setup', vendor))
    expect(again).toContain('Continue')
    expect(again).not.toContain('I accept the vendor agreement')
    const continued = await post('/dashboard/payouts/setup', { intent: 'continue' }, vendor)
    expect(continued.status).toBe(303)
    expect(continued.headers.get('location')).not.toBe(accepted.headers.get('location'))
  })

  it.each([
    ['?from=dashboard', '/dashboard'],
    ['', '/dashboard/payouts'],
    ['?from=https://evil.example', '/dashboard/payouts'],
  ])('leads back to where a vendor began once a changed agreement is accepted: %s', async (from, back) => {
    const vendor = await arrive()
    await server.services.db
      .insertInto('acceptances')
      .values({
        ...{ id: newId(), user_id: vendor.userId, document: 'vendor_agreement', payment_id: null },
        ...{ version: '2026-11-22', sha256: '', accepted_at: NOW },
      })
      .execute()
    const accepted = await post(
      `/dashboard/payouts/setup${from}`,
      { intent: 'accept', accepted: 'yes', version },
      vendor,
    )
    expect([accepted.status, accepted.headers.get('location')]).toEqual([303, back])
  })

  it.each([
    ['the box isn’t ticked', { intent: 'accept', version }, 422],
    ['another version was read', { intent: 'accept', accepted: 'yes', version: '2020-01-01' }, 409],
    ['the step is unknown', { intent: 'steal' }, 422],
  ])('opens no form when %s', async (_, form, status) => {
    const vendor = await arrive()
    const answer = await post('/dashboard/payouts/setup', form as Record<string, string>, vendor)
    expect(answer.status).toBe(status)
    const accounts = await server.services.db
      .selectFrom('payout_accounts')
      .select('id')
      .where('vendor_user_id', '=', vendor.userId)
      .execute()
    expect(accounts).toEqual([])
  })

  it('believes nothing of the address that leads back', async () => {
    const vendor = await arrive()
    await post('/dashboard/payouts/setup', { intent: 'accept', accepted: 'yes', version }, vendor)
    const text = await textOf(
      await get('/dashboard/payouts/return?state=active&account=acct_1&ready=1', vendor),
    )
    expect(text).toContain('Continue')
    expect(text).not.toContain('Ready')
  })

  it('makes a fresh link, or leads to the screen that begins', async () => {
    const vendor = await arrive()
    const before = await get('/dashboard/payouts/refresh', vendor)
    expect([before.status, before.headers.get('location')]).toEqual([302, '/dashboard/payouts/setup'])
    await post('/dashboard/payouts/setup', { intent: 'accept', accepted: 'yes', version }, vendor)
    const links = [
      await get('/dashboard/payouts/refresh', vendor),
      await get('/dashboard/payouts/refresh', vendor),
    ]
    const [one, two] = links.map((answer) => answer.headers.get('location'))
    expect(one).toMatch(/\/sandbox\/account\//)
    expect(two).not.toBe(one)
  })

  it('says in plain words what is wanted and until when', async () => {
    const vendor = await arrive()
    const { db } = server.services
    await db
      .insertInto('acceptances')
      .values({
        id: crypto.randomUUID(),
        user_id: vendor.userId,
        document: 'vendor_agreement',
        ...DOCUMENTS.vendor_agreement,
        payment_id: null,
        accepted_at: NOW,
      })
      .execute()
    const wants = (code: string, dueAt: string | null) => ({ code, awaiting: 'vendor' as const, dueAt })
    await aPayoutAccount(db, vendor.userId, {
      state: 'restricted',
      requirements: [
        wants('individual.verification.document', '2026-11-30T02:00:00Z'),
        wants('external_account', null),
        wants('never.heard.of', null),
        { code: 'individual.phone', awaiting: 'provider', dueAt: null },
      ],
    })
    const text = await textOf(await get('/dashboard/payouts/setup', vendor))
    expect(text).toContain('Still needed, by Monday 30 November')
    expect(text).toContain('A document that proves who you are')
    expect(text).toContain('Your bank account')
    expect(text).toContain('Something in the provider’s form')
    expect(text).not.toContain('phone number')
    expect(await textOf(await get('/dashboard/payouts', vendor))).toContain('Your payouts are paused')
    // My Dashboard also has it among what waits.
    expect(await textOf(await get('/dashboard', vendor))).toContain('It is needed by Monday 30 November.')
    const screens = ['bookings', 'calendar', 'availability', 'inbox', 'list-business', 'register-business']
    for (const screen of screens) {
      const shown = await textOf(await get(`/dashboard/${screen}`, vendor))
      expect([screen, shown.match(/Your payouts are paused/g)?.length]).toEqual([screen, 1])
      expect(shown).toContain('It is needed by Monday 30 November.')
    }
    // The screens that say it themselves say it once.
    const payouts = await textOf(await get('/dashboard/payouts', vendor))
    expect(payouts.match(/Your payouts are paused/g)).toHaveLength(1)
  })

  it('tells only the paused vendor', async () => {
    const paused = await arrive()
    const other = await arrive()
    const { db } = server.services
    await aPayoutAccount(db, paused.userId, { state: 'restricted' })
    await aPayoutAccount(db, other.userId)
    expect(await textOf(await get('/dashboard', paused))).toContain('Your payouts are paused')
    expect(await textOf(await get('/dashboard', other))).not.toContain('Your payouts are paused')
    expect(await textOf(await get('/dashboard/list-business'))).not.toContain('Your payouts are paused')
  })
})

describe('what a vendor receives', () => {
  it('stands in the listing form and in the list of bookings', async () => {
    const vendor = await arrive()
    const { db } = server.services
    const listed = await post(
      '/dashboard/list-business/new',
      {
        name: 'Tide House',
        category: 'Venues',
        description: 'A hall by the water.',
        price: '100',
        priceUnit: 'perPerson',
        bookingTypes: 'perPerson',
        location: 'Melbourne, VIC',
        servicesOffered: 'Tables',
      },
      vendor,
    )
    expect(listed.status).toBe(200)
    const { id } = await db
      .selectFrom('businesses')
      .select('id')
      .where('user_id', '=', vendor.userId)
      .executeTakeFirstOrThrow()
    const form = () => get(`/dashboard/list-business/${id}/edit`, vendor).then(textOf)
    expect(await form()).toContain(
      'You receive $90.00 of $100.00 per person. Our commission is 10%, GST included.',
    )
    // Payment in full can't be held for so long.
    const terms = await form()
    expect(terms).toContain(
      'Events within about 12 weeks are paid in full. For later ones, customers pay 20% now and the rest 30 days before.',
    )
    expect(terms).toContain(
      '60 guests at $100.00, 200 days ahead: $1,200.00 when they book, $4,800.00 30 days before. You receive $5,400.00 of $6,000.00, $1,080.00 of it before the event.',
    )
    await db
      .insertInto('commission_rates')
      .values({
        id: crypto.randomUUID(),
        category: null,
        vendor_user_id: vendor.userId,
        basis_points: 850,
        valid_from: NOW,
        created_at: NOW,
      })
      .execute()
    expect(await form()).toContain(
      'You receive $91.50 of $100.00 per person. Our commission is 8.5%, GST included.',
    )
    await fillEarnings(db, [
      {
        vendorUserId: vendor.userId,
        businessId: id,
        eventUntil: new Date('2026-12-24T00:00:00Z'),
        bookedAt: NOW,
      },
    ])
    expect(await textOf(await get('/dashboard/bookings', vendor))).toContain('You receive $7,830.00')
  })
})

describe('with PAYOUTS=off', () => {
  it('the product shows no screen, no file, no link and no figure of payouts', async () => {
    const { config } = server.services
    const { payouts } = config
    config.payouts = { provider: 'off' }
    try {
      const vendor = await aPaidVendor()
      for (const path of [...SCREENS, '/dashboard/payouts/refresh', ...FILES])
        expect((await get(path, vendor)).status, path).toBe(404)
      expect((await post('/dashboard/payouts/setup', { intent: 'continue' }, vendor)).status).toBe(404)
      for (const path of ['/dashboard/bookings', '/dashboard/list-business/new', '/dashboard'])
        expect(await (await get(path, vendor)).text(), path).not.toMatch(/payouts"|Payouts<|you receive/i)
    } finally {
      config.payouts = payouts
    }
  })
})
