import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBusiness } from '../../app/features/businesses/queries.server.ts'
import { aBusiness, agrees, aTypedListing } from '../builders.ts'
import { requestsTo, signUp } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase })
})
afterAll(() => server.close())

/** Sends a request as one of our pages would, with or without cookies. */
const { send } = requestsTo(() => server)

async function vendorNamed(email: string) {
  const vendor = await signUp(server, email)
  await agrees(server.services.db, vendor.userId)
  return vendor
}

describe('the terms of a listing', () => {
  const path = '/dashboard/list-business/new'
  const editPath = (id: string) => `/dashboard/list-business/${id}/edit`
  const typed = (terms: Record<string, string> = {}) =>
    new URLSearchParams({ ...aTypedListing(), price: '145', priceUnit: 'perPerson', ...terms })
  const DEPOSIT = { policy: 'long', plan: 'deposit', depositPercent: '12.5', balanceDays: '45' }
  /** The page as a browser without JavaScript has it, without React's comments between texts. */
  const pageOf = async (answer: Response) => (await answer.text()).replaceAll('<!-- -->', '')
  const termsOf = async (id: string) => {
    const business = await findBusiness(server.services.db, id)
    return business && business !== 'gone' ? business.terms : null
  }
  const listingOf = async (userId: string) => {
    const { id } = await server.services.db
      .selectFrom('businesses')
      .select('id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return id
  }

  it('take their defaults without the fields, and change on the public page as soon as they are saved', async () => {
    const { cookie, userId } = await vendorNamed('terms-of-a-listing@example.com')
    expect((await send(path, { body: typed(), cookie })).status).toBe(200)
    const id = await listingOf(userId)
    expect(await termsOf(id)).toEqual({ policy: 'moderate', plan: { kind: 'full' } })
    const shown = () => send(`/business/${id}`).then(pageOf)
    expect(await shown()).toContain('>Free cancellation until 30 days before<')
    expect(await shown()).toContain('>Free cancellation until 30 days before<')

    expect((await send(editPath(id), { body: typed(DEPOSIT), cookie })).status).toBe(200)
    await expect.poll(shown).toContain('>Free cancellation until 90 days before · 12.5% deposit<')
    expect(await shown()).toContain(
      '>You get everything back until 90 days before the event, 50% until 30 days before, 25% until 14 days before, and nothing after that.<',
    )
    // A form from before the terms leaves them alone.
    expect((await send(editPath(id), { body: typed(), cookie })).status).toBe(200)
    expect(await termsOf(id)).toEqual({
      policy: 'long',
      plan: { kind: 'deposit', depositBasisPoints: 1_250, balanceDaysBefore: 45 },
    })
  })

  it('count in the score once the vendor has saved the form, also without another choice', async () => {
    const { cookie, userId } = await vendorNamed('score-of-terms@example.com')
    const { id } = await aBusiness(server.services.db, { user_id: userId })
    const scoreOf = async () =>
      Number(/(\d+)% complete/.exec(await pageOf(await send('/dashboard/list-business', { cookie })))?.[1])
    const chose = async () =>
      (
        await server.services.db
          .selectFrom('businesses')
          .select('chose_terms')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).chose_terms
    // A form from before the terms chooses nothing.
    expect((await send(editPath(id), { body: typed(), cookie })).status).toBe(200)
    expect(await chose()).toBe(false)
    const before = await scoreOf()
    const defaults = { policy: 'moderate', plan: 'full', depositPercent: '20', balanceDays: '30' }
    expect((await send(editPath(id), { body: typed(defaults), cookie })).status).toBe(200)
    expect(await chose()).toBe(true)
    expect(await termsOf(id)).toEqual({ policy: 'moderate', plan: { kind: 'full' } })
    expect(await scoreOf()).toBeGreaterThan(before)
    // Once is enough.
    expect((await send(editPath(id), { body: typed(), cookie })).status).toBe(200)
    expect(await chose()).toBe(true)
  })

  it('have an example in the vendor’s price without JavaScript too', async () => {
    const { cookie, userId } = await vendorNamed('terms-by-example@example.com')
    await send(path, { body: typed({ ...DEPOSIT, depositPercent: '20', balanceDays: '30' }), cookie })
    const html = await pageOf(await send(editPath(await listingOf(userId)), { cookie }))
    expect(html).toContain(
      '60 guests at $145.00, 200 days ahead: $1,740.00 when they book, $6,960.00 30 days before.',
    )
    const cells = html.replaceAll(/<\/?t[hdr][^>]*>/g, '|')
    expect(cells).toContain('Until 14 days before||$2,175.00||$6,525.00|')
  })

  it('get a refusal beside the field if they are odd, and nothing typed is lost', async () => {
    const { cookie, userId } = await vendorNamed('odd-terms@example.com')
    const body = typed({ policy: 'strict', plan: 'deposit', depositPercent: '50', balanceDays: 'soon' })
    const answer = await send(path, { body, cookie })
    expect(answer.status).toBe(400)
    const html = await pageOf(answer)
    for (const text of [
      'Choose a cancellation policy.',
      'Enter a deposit from 10 to 30%.',
      'Enter 14 to 60 days, in whole days.',
    ])
      expect(html).toContain(text)
    for (const value of ['value="50"', 'value="soon"', 'value="Tide House"']) expect(html).toContain(value)
    expect(html).toMatch(/<input[^>]*name="plan"[^>]*checked=""[^>]*value="deposit"/)
    await expect(listingOf(userId)).rejects.toThrow()
  })

  it('can’t be changed by nobody, nor by another vendor', async () => {
    const { id } = await aBusiness(server.services.db)
    const { cookie } = await vendorNamed('another-vendor@example.com')
    expect((await send(editPath(id), { body: typed(DEPOSIT) })).status).toBe(401)
    expect((await send(editPath(id), { body: typed(DEPOSIT), cookie })).status).toBe(404)
    expect(await termsOf(id)).toEqual({ policy: 'moderate', plan: { kind: 'full' } })
  })
})
