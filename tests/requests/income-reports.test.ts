import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WRITE_LIMIT } from '../../app/features/accounts/rules.ts'
import { sendMonthsToAccountants } from '../../app/features/tax/accountant-commands.server.ts'
import { accountantToken } from '../../app/features/tax/accountant-queries.server.ts'
import { issueSaleDocuments } from '../../app/features/tax/commands.server.ts'
import { taxDeps } from '../../app/services/deps.server.ts'
import { aBusiness } from '../builders.ts'
import { Client } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { aPayoutAccount, fillEarnings } from '../earnings.ts'
import { readPdfText } from '../pdf-text.ts'
import { startServer, type TestServer } from '../server.ts'

const ADMIN = 'first-admin@example.com'
const HALF = '2026-01-01'
const ABN = '51824753556'

let at = new Date('2026-06-20T01:00:00Z')
let server: TestServer
let operator: Client
beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: {
      ...{ PAYOUTS: 'sandbox', TRUSTED_PROXY: '1', OPERATOR_EMAILS: ADMIN },
      ...{ PLATFORM_NAME: 'Jubilee', PLATFORM_ABN: ABN },
    },
    now: () => at,
  })
  operator = await aPerson(ADMIN)
})
afterAll(() => server.close())

let people = 0
async function aPerson(email = `person-${++people}@example.com`): Promise<Client> {
  const person = new Client(server)
  await person.signUp(email)
  await server.services.db
    .updateTable('users')
    .set({ email_verified: true, name: 'Nia Lee' })
    .where('email', '=', email)
    .execute()
  return person
}
const idOf = async ({ email }: Client) => {
  const { id } = await server.services.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return id
}

/** A venue's vendor without a registration, with one booking of $8,700.00 that was paid in February. */
async function aVendor() {
  const { db } = server.services
  const vendor = await aPerson()
  const userId = await idOf(vendor)
  const business = await aBusiness(db, { user_id: userId, name: `Harbour Light ${people}` })
  const accountId = await aPayoutAccount(db, userId)
  await fillEarnings(db, [
    {
      ...{ vendorUserId: userId, accountId, businessId: business.id, progress: 'at_bank' },
      bookedAt: new Date('2026-02-10T00:00:00Z'),
      eventUntil: new Date('2026-03-10T12:00:00Z'),
    },
  ])
  return { vendor, userId, business }
}

const DETAILS = {
  ...{ intent: 'save-income-details', fullName: 'Nia Lee', birthDate: '1990-02-03' },
  ...{ address: '7 Private Lane, Melbourne', phone: '0400 000 000' },
}
const statusOf = async (answer: Promise<Response>) => (await answer).status
const textOf = async (answer: Promise<Response>) => (await answer).text()

describe('the operators’ files', () => {
  const files = [`preview-${HALF}.csv`, `preview-${HALF}.xml`, `income-report-${HALF}-v1.xml`]

  it('answer 404 to nobody, a customer and a vendor, and 403 to support', async () => {
    const { vendor } = await aVendor()
    const support = await aPerson()
    await server.services.db
      .updateTable('users')
      .set({ operator_role: 'support' })
      .where('email', '=', support.email)
      .execute()
    for (const path of ['/operations/tax', ...files.map((file) => `/operations/tax/${file}`)]) {
      for (const person of [new Client(server), await aPerson(), vendor])
        expect(await statusOf(person.get(path)), path).toBe(404)
      expect(await statusOf(support.get(path)), path).toBe(403)
    }
    expect(await statusOf(operator.get(`/operations/tax/${files[2]}`))).toBe(404)
    expect(await statusOf(operator.get('/operations/tax/preview-2026-05-01.csv'))).toBe(404)
  })

  it('have what the screen leaves out, and each download is in the log', async () => {
    const { vendor } = await aVendor()
    await vendor.post('/dashboard/payouts', DETAILS)
    const screen = await textOf(operator.get(`/operations/tax?half=${HALF}`))
    expect(screen).toContain('Nia Lee')
    for (const secret of ['7 Private Lane', '1990-02-03']) expect(screen).not.toContain(secret)
    const csv = await operator.get(`/operations/tax/preview-${HALF}.csv`)
    expect(csv.headers.get('cache-control')).toBe('private, no-store')
    expect(await csv.text()).toContain('8700')
    const logged = await server.services.db
      .selectFrom('operator_log')
      .select('subject_label')
      .where('action', '=', 'export-list')
      .execute()
    expect(logged.map(({ subject_label: label }) => label)).toContain(`preview-${HALF}.csv`)
  })
})

describe('a vendor’s details', () => {
  it('stand on Payouts as a form once customers have paid, until they are saved', async () => {
    const { vendor, business } = await aVendor()
    expect(await textOf((await aPerson()).get('/dashboard/payouts'))).not.toContain(
      'Report to the Tax Office',
    )
    const before = await textOf(vendor.get('/dashboard/payouts'))
    for (const text of ['Report to the Tax Office', 'Date of birth', `Street address of ${business.name}`])
      expect(before).toContain(text)
    expect(await statusOf(vendor.post('/dashboard/payouts', DETAILS))).toBe(200)
    const property = { intent: 'save-property', businessId: business.id, property: '2 Pier Road' }
    expect(await statusOf(vendor.post('/dashboard/payouts', property))).toBe(200)
    const after = await textOf(vendor.get('/dashboard/payouts'))
    expect(after).toContain('We have everything')
    // It can be seen and changed.
    for (const text of [
      'What you’ve added',
      '7 Private Lane',
      '3 February 1990',
      '2 Pier Road',
      'Change my details',
    ])
      expect(after).toContain(text)
    await vendor.post('/dashboard/payouts', { ...DETAILS, address: '8 Private Lane, Melbourne' })
    await vendor.post('/dashboard/payouts', { ...property, property: '3 Pier Road' })
    const changed = await textOf(vendor.get('/dashboard/payouts'))
    for (const text of ['8 Private Lane', '3 Pier Road']) expect(changed).toContain(text)
    await vendor.post('/dashboard/payouts', DETAILS)
    await vendor.post('/dashboard/payouts', property)
    const mine = await textOf(vendor.get('/settings-privacy/my-data.json'))
    for (const text of ['7 Private Lane', '1990-02-03', '2 Pier Road']) expect(mine).toContain(text)
    // No visitor sees it.
    expect(await textOf(new Client(server).get(`/business/${business.id}`))).not.toContain('2 Pier Road')
  })

  it('come from their vendor alone: nobody goes to the login, and another vendor’s venue is 404', async () => {
    const { business, userId } = await aVendor()
    const { vendor: other } = await aVendor()
    const property = { intent: 'save-property', businessId: business.id, property: '2 Pier Road' }
    expect(await statusOf(new Client(server).post('/dashboard/payouts', DETAILS))).toBe(302)
    expect(await statusOf(other.post('/dashboard/payouts', property))).toBe(404)
    const rows = await server.services.db
      .selectFrom('property_addresses')
      .selectAll()
      .where('business_id', '=', business.id)
      .execute()
    expect(rows).toEqual([])
    const details = await server.services.db
      .selectFrom('identities')
      .selectAll()
      .where('user_id', '=', userId)
      .execute()
    expect(details).toEqual([])
  })

  it('answer what is wrong at its field', async () => {
    const { vendor } = await aVendor()
    for (const wrong of [
      { birthDate: '2030-01-01' },
      { birthDate: '1990-02-30' },
      { fullName: '王' },
      { address: '' },
      { phone: 'none' },
    ])
      expect(
        await statusOf(vendor.post('/dashboard/payouts', { ...DETAILS, ...wrong })),
        JSON.stringify(wrong),
      ).toBe(422)
    expect(await statusOf(vendor.post('/dashboard/payouts', { intent: 'other' }))).toBe(400)
  })

  it('wait with 429 once the account has saved too often', async () => {
    const { vendor, userId } = await aVendor()
    const row = { key: `write:${userId}`, window_start: at, count: WRITE_LIMIT.max }
    await server.services.db.insertInto('rate_limits').values(row).execute()
    expect(await statusOf(vendor.post('/dashboard/payouts', DETAILS))).toBe(429)
    const stop = { intent: 'stop-accountant' }
    expect(await statusOf(vendor.post('/dashboard/payouts', stop))).toBe(429)
  })

  it('appear on the deletion screen before they are kept', async () => {
    const { vendor } = await aVendor()
    const kept = 'we also keep your name, date of birth, address'
    expect(await textOf(vendor.get('/confirm-deletion'))).toContain(kept)
    expect(await textOf((await aPerson()).get('/confirm-deletion'))).not.toContain(kept)
  })
})

describe('a customer’s way to paying', () => {
  it('says nothing about the report', async () => {
    const { business } = await aVendor()
    for (const path of [`/business/${business.id}`, `/book/${business.id}`, '/cart', '/payment'])
      expect(await textOf(new Client(server).get(path)), path).not.toMatch(/Tax Office|street address of/i)
  })
})

describe('the year’s first report', () => {
  it('keeps its file from the making to the lodging', async () => {
    const { vendor, business } = await aVendor()
    await vendor.post('/dashboard/payouts', DETAILS)
    await vendor.post('/dashboard/payouts', {
      ...{ intent: 'save-property', businessId: business.id, property: '2 Pier Road' },
    })
    const make = () =>
      operator.post('/operations/tax', { intent: 'make-income-report', id: HALF, incomplete: 'leave' })
    expect(await statusOf(make())).toBe(409)
    at = new Date('2026-07-02T01:00:00Z')
    expect(await statusOf(make())).toBe(200)
    const xml = await textOf(operator.get(`/operations/tax/income-report-${HALF}-v1.xml`))
    expect(xml).toContain('<PropertyAddress>2 Pier Road</PropertyAddress>')
    expect(xml).toContain('<GrossIncome>8700.00</GrossIncome>')
    // The file may be lodged by now.
    expect(await statusOf(make())).toBe(409)
    const seenId = async () =>
      (await server.services.db.selectFrom('income_reports').select('id').executeTakeFirstOrThrow()).id
    const again = { intent: 'make-income-report', id: HALF, incomplete: 'leave', seen: await seenId() }
    expect(await textOf(operator.get(`/operations/tax?half=${HALF}`))).toContain('The report made before')
    expect(await statusOf(operator.post('/operations/tax', again))).toBe(409)
    expect(await statusOf(operator.post('/operations/tax', { ...again, before: 'replace' }))).toBe(200)
    const { id } = await server.services.db
      .selectFrom('income_reports')
      .select('id')
      .executeTakeFirstOrThrow()
    await server.services.db.updateTable('sessions').set({ created_at: at, proved_at: at }).execute()
    expect(
      await statusOf(operator.post('/operations/tax', { intent: 'lodge-income-report', id, receipt: 'R-1' })),
    ).toBe(200)
    expect(await textOf(operator.get(`/operations/tax?half=${HALF}`))).toContain('receipt R-1')
    expect(await textOf(operator.get(`/operations/tax/income-report-${HALF}-v1.xml`))).toBe(xml)
    at = new Date('2026-06-20T01:00:00Z')
  })
})

describe('a vendor’s accountant', () => {
  /** An accountant who has agreed, with the link of September's mail. */
  async function aMonth() {
    const { db, config } = server.services
    const { vendor, userId } = await aVendor()
    await issueSaleDocuments(taxDeps(server.services))
    const { supplied } = await db
      .selectFrom('tax_documents')
      .select((eb) => eb.fn<string>('to_char', ['supplied_on', eb.val('YYYY-MM')]).as('supplied'))
      .where('vendor_user_id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(
      await statusOf(
        vendor.post('/dashboard/payouts', { intent: 'ask-accountant', accountant: 'ada@accounts.example' }),
      ),
    ).toBe(200)
    const { id } = await db
      .selectFrom('accountants')
      .select('id')
      .where('vendor_user_id', '=', userId)
      .executeTakeFirstOrThrow()
    const question = `/accountant/${await accountantToken(config.secret, id, 'confirm')}`
    return { vendor, userId, id, question, month: supplied }
  }

  it('agrees without an account by a press, and a GET changes nothing', async () => {
    const { vendor, question } = await aMonth()
    const accountant = new Client(server)
    expect(await textOf(accountant.get(question))).toContain('Yes, send them to me')
    expect(await textOf(vendor.get('/dashboard/payouts'))).toContain('They have 7 days to agree')
    expect(await statusOf(accountant.post(question, { intent: 'confirm' }))).toBe(302)
    expect(await textOf(vendor.get('/dashboard/payouts'))).toContain(
      'gets your documents at the start of each month',
    )
  })

  it('comes back to their own page in a browser that runs our scripts', async () => {
    const { question } = await aMonth()
    const answer = await new Client(server).post(`${question}.data`, { intent: 'confirm' })
    expect(answer.status).toBe(202)
    const text = await answer.text()
    expect(text).toContain(`"${question}"`)
    expect(text).not.toContain('.data')
  })

  it('opens a month’s files, until either side ends it by one press', async () => {
    const { db, config } = server.services
    const { vendor, id, question, month } = await aMonth()
    const accountant = new Client(server)
    await accountant.post(question, { intent: 'confirm' })
    await db
      .updateTable('accountants')
      .set({ confirmed_at: new Date(`${month}-10T00:00:00Z`) })
      .where('id', '=', id)
      .execute()
    await sendMonthsToAccountants(server.services)
    const link = `/accountant/${await accountantToken(config.secret, id, month)}`
    const page = await accountant.get(link)
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    expect(await page.text()).toContain('Sales for Xero (CSV)')
    const csv = await textOf(accountant.get(`${link}/files/sales.csv`))
    expect(csv).toContain('S-000001')
    const pdf = await accountant.get(`${link}/files/S-000001.pdf`)
    expect(await readPdfText(new Uint8Array(await pdf.arrayBuffer()))).toContain('S-000001')
    for (const file of ['S-000002.pdf', 'commission.csv', 'other.csv', 'C-000001.pdf'])
      expect(await statusOf(accountant.get(`${link}/files/${file}`)), file).toBe(404)
    expect(await statusOf(accountant.get(`${question}/files/sales.csv`))).toBe(404)
    expect(await statusOf(accountant.get(`${link.slice(0, -1)}_/files/sales.csv`))).toBe(404)
    // The button of a mail program.
    expect(await statusOf(accountant.post(link, { 'List-Unsubscribe': 'One-Click' }))).toBe(200)
    expect(await textOf(accountant.get(link))).toContain('These emails have stopped')
    expect(await statusOf(accountant.get(`${link}/files/sales.csv`))).toBe(404)
    expect(
      await statusOf(
        vendor.post('/dashboard/payouts', { intent: 'ask-accountant', accountant: 'ada@accounts.example' }),
      ),
    ).toBe(409)
  })

  it('sends nobody to the login, and answers 422 to a wrong address and 404 to a link that is over', async () => {
    const { vendor, question } = await aMonth()
    expect(
      await statusOf(
        new Client(server).post('/dashboard/payouts', {
          intent: 'ask-accountant',
          accountant: 'a@b.example',
        }),
      ),
    ).toBe(302)
    expect(await statusOf(vendor.post('/dashboard/payouts', { intent: 'stop-accountant' }))).toBe(200)
    expect(await statusOf(new Client(server).get(question))).toBe(404)
    expect(await statusOf(new Client(server).post(question, { intent: 'confirm' }))).toBe(404)
    expect(
      await statusOf(vendor.post('/dashboard/payouts', { intent: 'ask-accountant', accountant: 'nobody' })),
    ).toBe(422)
    expect(await statusOf(new Client(server).post('/accountant/x', {}))).toBe(400)
  })
})
