import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueSaleDocuments } from '../../app/features/tax/commands.server.ts'
import { issueCommissionDocuments } from '../../app/features/tax/commission-commands.server.ts'
import { taxDeps } from '../../app/services/deps.server.ts'
import { hashText } from '../../app/shared/signed.ts'
import { nextAddress, sendTo, signUp } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { aPayoutAccount, fillEarnings } from '../earnings.ts'
import { readPdfText } from '../pdf-text.ts'
import { startServer, type TestServer } from '../server.ts'

const NOW = new Date('2026-11-20T01:00:00Z')
const QUARTER = '2026-07-01'

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
const send = (path: string, { cookie }: Partial<Person> = {}, fields?: Record<string, string>) =>
  sendTo(server, path, {
    address: nextAddress(),
    ...(cookie ? { cookie } : {}),
    ...(fields ? { fields } : {}),
  })

const arrive = (): Promise<Person> =>
  signUp(server, `${crypto.randomUUID()}@example.com`, { address: nextAddress() })

/** A vendor with one booking of $8,700.00 that was earned in September, its documents, and the customer's link to it. */
async function aVendorWithDocuments() {
  const { db } = server.services
  const vendor = await arrive()
  const accountId = await aPayoutAccount(db, vendor.userId)
  const [bookingId = ''] = await fillEarnings(db, [
    {
      ...{ vendorUserId: vendor.userId, accountId, progress: 'at_bank' },
      bookedAt: new Date('2026-08-10T00:00:00Z'),
      eventUntil: new Date('2026-09-10T12:00:00Z'),
    },
  ])
  const linkToken = `${bookingId.replaceAll('-', '')}${'x'.repeat(43)}`.slice(0, 43)
  const link_hash = await hashText(linkToken)
  await db.updateTable('sales').set({ link_hash }).where('owner_user_id', '=', vendor.userId).execute()
  await issueSaleDocuments(taxDeps(server.services))
  await issueCommissionDocuments(taxDeps(server.services))
  const { number } = await db
    .selectFrom('tax_documents')
    .select('number')
    .where('vendor_user_id', '=', vendor.userId)
    .where('subject', '=', 'commission')
    .executeTakeFirstOrThrow()
  const commission = `C-${String(number).padStart(6, '0')}`
  return { ...vendor, bookingId, linkToken, commission }
}

/** The page's text, without its scripts. */
async function textOf(answer: Response): Promise<string> {
  const html = (await answer.text()).replaceAll(/<script[\s\S]*?<\/script>|<!-- -->/g, '')
  return html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
}

describe('a booking’s document', () => {
  it('comes as PDF and as the JSON that was hashed, to the link and to its vendor', async () => {
    const { bookingId, linkToken, ...vendor } = await aVendorWithDocuments()
    const pdf = await send(`/bookings/${linkToken}/documents/S-000001.pdf`)
    expect(pdf.status).toBe(200)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(pdf.headers.get('cache-control')).toBe('private, no-store')
    const text = await readPdfText(new Uint8Array(await pdf.arrayBuffer()))
    expect(text).toContain('Invoice')
    expect(text).toContain('Sample')
    const json = await (await send(`/bookings/${bookingId}/documents/S-000001.json`, vendor)).text()
    expect(JSON.parse(json)).toMatchObject({ number: 'S-000001', cents: 870_000 })
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(json))).toString(
      'hex',
    )
    expect(text).toContain(hash)
  })

  it('answers 404 to nobody, another vendor, another number and another link', async () => {
    const { bookingId, linkToken } = await aVendorWithDocuments()
    const other = await aVendorWithDocuments()
    for (const file of ['S-000001.pdf', 'S-000001.json']) {
      expect((await send(`/bookings/${bookingId}/documents/${file}`)).status).toBe(404)
      expect((await send(`/bookings/${bookingId}/documents/${file}`, other)).status).toBe(404)
      expect((await send(`/bookings/${bookingId}/documents/${file}`, await arrive())).status).toBe(404)
      expect((await send(`/bookings/${'x'.repeat(43)}/documents/${file}`)).status).toBe(404)
    }
    for (const file of ['S-000002.pdf', 'C-000001.pdf', 'S-1.pdf', 'S-999999999.pdf', 'receipt.pdf'])
      expect((await send(`/bookings/${linkToken}/documents/${file}`)).status).toBe(404)
  })

  it('stands beside the receipt on the booking’s page', async () => {
    const { linkToken } = await aVendorWithDocuments()
    const html = await (await send(`/bookings/${linkToken}`)).text()
    expect(html).toContain(`/bookings/${linkToken}/documents/S-000001.pdf`)
  })
})

describe('the vendor’s Tax block', () => {
  it('shows the sums of the quarter and of the year, and links to the documents', async () => {
    const vendor = await aVendorWithDocuments()
    const page = await send(`/dashboard/payouts?quarter=${QUARTER}`, vendor)
    const html = await page.clone().text()
    const text = await textOf(page)
    expect(text).toContain('July to September 2026 $8,700.00 $0.00 $870.00 $79.09')
    expect(text).toContain('Whole year $8,700.00 $0.00 $870.00 $79.09')
    expect(text).toContain('These documents are samples')
    for (const file of [
      'S-000001.pdf',
      `${vendor.commission}.pdf`,
      `xero-sales-${QUARTER}.csv`,
      `xero-bills-${QUARTER}.csv`,
    ])
      expect(html).toContain(`/dashboard/payouts/${file}`)
    for (const quarter of ['x', '2026-99-01', '1000-01-01'])
      expect((await send(`/dashboard/payouts?quarter=${quarter}`, vendor)).status).toBe(200)
  })

  it('appears with the first document', async () => {
    expect(await textOf(await send('/dashboard/payouts', await arrive()))).not.toContain('Whole year')
  })

  it('gives its files to the vendor alone', async () => {
    const vendor = await aVendorWithDocuments()
    const other = await aVendorWithDocuments()
    const own = ['S-000001.pdf', `${vendor.commission}.pdf`, `${vendor.commission}.json`]
    for (const file of [...own, `xero-sales-${QUARTER}.csv`, `xero-bills-${QUARTER}.csv`]) {
      expect((await send(`/dashboard/payouts/${file}`, vendor)).status, file).toBe(200)
      const nobody = await send(`/dashboard/payouts/${file}`)
      expect(nobody.status).toBe(302)
      expect(nobody.headers.get('location')).toMatch(/^\/login\?next=/)
      expect((await send(`/dashboard/payouts/${file}`, await arrive())).status, file).toBe(404)
    }
    expect((await send(`/dashboard/payouts/${vendor.commission}.pdf`, other)).status).toBe(404)
    expect((await send('/dashboard/payouts/xero-sales-2026-10-01.csv', vendor)).status).toBe(404)
    const csv = await (await send(`/dashboard/payouts/xero-sales-${QUARTER}.csv`, vendor)).text()
    expect(csv.split('\r\n')[1]).toMatch(/^Kim Lee,.*,S-000001,/)
  })
})

describe('a vendor’s documents once payouts are switched off', () => {
  /** Switches payouts off for one piece of work. */
  async function withoutPayouts(work: () => Promise<void>) {
    const { config } = server.services
    const { payouts } = config
    config.payouts = { provider: 'off' }
    try {
      await work()
    } finally {
      config.payouts = payouts
    }
  }

  it('stay on a screen of their own, with a link in the menu, for the vendor alone', async () => {
    const vendor = await aVendorWithDocuments()
    const other = await aVendorWithDocuments()
    const customer = await arrive()
    const files = ['S-000001.pdf', `${vendor.commission}.pdf`, `xero-sales-${QUARTER}.csv`]
    await withoutPayouts(async () => {
      const page = await send('/dashboard/payouts', vendor)
      expect(page.status).toBe(200)
      const text = await textOf(page)
      expect(text).toContain('July to September 2026 $8,700.00 $0.00 $870.00 $79.09')
      for (const word of ['Next payout', 'Report to the Tax Office', 'Payouts'])
        expect(text).not.toContain(word)
      expect(await (await send('/dashboard/bookings', vendor)).text()).toMatch(/href="\/dashboard\/payouts"/)
      for (const file of files)
        expect((await send(`/dashboard/payouts/${file}`, vendor)).status, file).toBe(200)
      for (const path of ['statement-2026-09.pdf', 'bookings.csv', 'refresh', 'setup'])
        expect((await send(`/dashboard/payouts/${path}`, vendor)).status, path).toBe(404)
      for (const file of files) {
        expect((await send(`/dashboard/payouts/${file}`, customer)).status, file).toBe(404)
        expect([302, 404], file).toContain((await send(`/dashboard/payouts/${file}`)).status)
      }
      expect((await send(`/dashboard/payouts/${vendor.commission}.pdf`, other)).status).toBe(404)
      expect((await send('/dashboard/payouts', customer)).status).toBe(404)
      expect(await (await send('/dashboard', customer)).text()).not.toMatch(/href="\/dashboard\/payouts"/)
    })
  })

  it('can go to an accountant whom their vendor asks, and nobody else can ask', async () => {
    const vendor = await aVendorWithDocuments()
    await server.services.db
      .updateTable('users')
      .set({ email_verified: true })
      .where('id', '=', vendor.userId)
      .execute()
    const ask = { intent: 'ask-accountant', accountant: 'ada@accounts.example' }
    await withoutPayouts(async () => {
      expect((await send('/dashboard/payouts', vendor, ask)).status).toBe(200)
      expect((await send('/dashboard/payouts', await arrive(), ask)).status).toBe(404)
      expect([302, 404]).toContain((await send('/dashboard/payouts', {}, ask)).status)
      expect((await send('/dashboard/payouts', vendor, { intent: 'save-property' })).status).toBe(404)
    })
  })
})
