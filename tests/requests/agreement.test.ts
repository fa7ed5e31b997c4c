import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCUMENTS, FORMER_VENDOR_AGREEMENTS } from '../../app/features/agreements/rules.ts'
import { aTypedListing } from '../builders.ts'
import { requestsTo, signUp } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

const { version } = DOCUMENTS.vendor_agreement
const AGREEMENT = '/dashboard/agreement'
const FORM = '/dashboard/list-business/new'

let server: TestServer

beforeAll(async () => {
  // The agreement doesn't depend on whether vendors are paid by us.
  server = await startServer({ openDatabase: openTestDatabase, env: { PAYOUTS: 'off' } })
})
afterAll(() => server.close())

/** Sends a request as one of our pages would without JavaScript. */
const { get, post } = requestsTo(() => server)
const textOf = async (answer: Response) => (await answer.text()).replaceAll('<!-- -->', '')

/** Lists a business as a vendor, and returns its id with the page that answers. */
async function lists({ cookie, userId }: { cookie: string; userId: string }) {
  const answer = await post(FORM, { ...aTypedListing(), price: '145', priceUnit: 'perPerson' }, { cookie })
  const { id } = await server.services.db
    .selectFrom('businesses')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { id, status: answer.status, page: await textOf(answer) }
}

describe('a first listing without JavaScript', () => {
  it('leads to the agreement once it is saved, and goes public once that is accepted', async () => {
    const vendor = await signUp(server, 'first-listing@example.com')
    const { id, status, page } = await lists(vendor)
    expect(status).toBe(200)
    expect(page).toContain('Your listing is saved. It isn’t public yet.')
    expect(page).toContain(`href="${AGREEMENT}"`)
    expect(page).not.toContain('Your business is listed.')

    // Not to visitors, to search, to the owner's public profile, nor to bookings.
    expect((await get(`/business/${id}`)).status).toBe(410)
    expect(await textOf(await get('/venues'))).not.toContain(id)
    expect((await get(`/book/${id}`)).status).not.toBe(200)
    expect(await textOf(await get('/sitemap.xml'))).not.toContain(id)
    const mine = await textOf(await get('/dashboard/list-business', vendor))
    expect(mine).toContain('Not public yet')
    expect(mine).toContain('Read and accept')

    const agreement = await textOf(await get(AGREEMENT, vendor))
    expect(agreement).toContain('It becomes public when you accept the agreement.')
    expect(agreement).toContain(`name="version" value="${version}"`)
    expect(agreement).toContain('as your limited agent')
    expect(agreement).toContain('The operator of this website hasn’t set their own name, ABN and texts yet.')
    const accepted = await post(AGREEMENT, { version }, vendor)
    expect(accepted.status).toBe(200)
    expect(await textOf(accepted)).toContain('Your listing is public now.')
    expect((await get(`/business/${id}`)).status).toBe(200)

    // A second press, or a second tab, changes nothing and is no error.
    const again = await post(AGREEMENT, { version }, vendor)
    expect(again.status).toBe(200)
    expect(await textOf(again)).toContain('You’ve accepted the vendor agreement.')
    const next = await lists(vendor)
    expect(next.page).toContain('Your business is listed.')
  })
})

describe('accepting the agreement', () => {
  it('as nobody is refused, and its screen leads to the login', async () => {
    const stored = () => server.services.db.selectFrom('acceptances').selectAll().execute()
    const before = await stored()
    expect((await post(`${AGREEMENT}.data`, { version })).status).toBe(401)
    const login = [302, `/login?next=${encodeURIComponent(AGREEMENT)}`]
    for (const answer of [await post(AGREEMENT, { version }), await get(AGREEMENT)])
      expect([answer.status, answer.headers.get('location')]).toEqual(login)
    expect(await stored()).toEqual(before)
  })

  it('as someone else publishes nothing of this vendor', async () => {
    const vendor = await signUp(server, 'waits@example.com')
    const { id } = await lists(vendor)
    const other = await signUp(server, 'someone-else@example.com')
    const accepted = await post(AGREEMENT, { version }, other)
    expect(accepted.status).toBe(200)
    expect((await get(`/business/${id}`)).status).toBe(410)
  })

  it.each([
    ['an earlier version', { version: FORMER_VENDOR_AGREEMENTS[0]?.version ?? '' }],
    ['a version that doesn’t exist', { version: '2099-01-01' }],
    ['a version that is too long', { version: 'x'.repeat(41) }],
    ['no version', { version: '' }],
  ])('fails with the reason for %s, and the listing waits', async (name, fields) => {
    const vendor = await signUp(server, `${name.replaceAll(/\W/g, '-')}@example.com`)
    const { id } = await lists(vendor)
    const answer = await post(AGREEMENT, fields, vendor)
    expect(answer.status).toBe(409)
    const page = await textOf(answer)
    expect(page).toContain('The vendor agreement has changed in the meantime.')
    // The page has the version in force, to be accepted now.
    expect(page).toContain(`name="version" value="${version}"`)
    expect((await get(`/business/${id}`)).status).toBe(410)
  })
})

describe('the documents', () => {
  it.each([
    ['terms-of-service', 'Terms of Service'],
    ['privacy-policy', 'Privacy Policy'],
    ['vendor-agreement', 'Vendor agreement'],
    ['accessibility-statement', 'Accessibility statement'],
    ['privacy-policy-2026-11-26', 'Privacy Policy'],
    ['vendor-agreement-2026-11-24', 'Vendor agreement'],
  ])('/legal/%s is a page that says it is a sample, with its PDF', async (name, title) => {
    const answer = await get(`/legal/${name}`)
    expect(answer.status).toBe(200)
    const page = await textOf(answer)
    expect(page).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`))
    expect(page).toContain('The operator of this website hasn’t set their own name, ABN and texts yet.')
    expect(page).toContain(`href="/legal/${name}.pdf"`)
    expect(page.includes('This is an earlier version.')).toBe(/\d$/.test(name))
    const pdf = await get(`/legal/${name}.pdf`)
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  })

  it.each(['cookie-policy', 'vendor-agreement-2020-01-01', '..%2fpackage', 'privacy-policy-'])(
    '/legal/%s is not found',
    async (name) => {
      expect((await get(`/legal/${name}`)).status).toBe(404)
    },
  )

  it('can be reached from the foot of every page', async () => {
    for (const path of ['/', '/login', '/legal/terms-of-service'])
      expect(await textOf(await get(path))).toContain('href="/legal/accessibility-statement"')
  })
})
