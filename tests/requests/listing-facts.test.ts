import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  findAvailability,
  findSettingsVersion,
} from '../../app/features/availability/hours-queries.server.ts'
import { aBusiness, agrees, aTypedListing, setsAvailability } from '../builders.ts'
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

const path = '/dashboard/list-business/new'
const editPath = (id: string) => `/dashboard/list-business/${id}/edit`
const FACTS = {
  factsAsked: '1',
  maxGuests: '90',
  seated: '80',
  stepFree: 'yes',
  parking: 'no',
  travelKm: '60',
}
function typed(facts: Record<string, string> = {}) {
  const body = new URLSearchParams({ ...aTypedListing(), priceUnit: 'perPerson', ...facts })
  if (facts.factsAsked) for (const diet of ['halal', 'vegan']) body.append('dietary', diet)
  return body
}
/** The page as a browser without JavaScript has it, without React's comments between texts. */
const pageOf = async (answer: Response) => (await answer.text()).replaceAll('<!-- -->', '')
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, '|').replaceAll(/\|+/g, '|')
const stored = (where: 'id' | 'user_id', value: string) =>
  server.services.db
    .selectFrom('businesses')
    .select(['id', 'max_guests', 'facts'])
    .where(where, '=', value)
    .executeTakeFirstOrThrow()

describe('the facts of a listing', () => {
  it('appear on its page and its cards once saved, and limit bookings', async () => {
    const { cookie, userId } = await vendorNamed('facts-of-a-listing@example.com')
    expect((await send(path, { body: typed(FACTS), cookie })).status).toBe(200)
    const { id, max_guests, facts } = await stored('user_id', userId)
    expect({ max_guests, facts }).toEqual({
      max_guests: 90,
      facts: { seated: 80, stepFree: true, parking: false, dietary: ['vegan', 'halal'] },
    })
    const html = await pageOf(await send(`/business/${id}`))
    expect(textOf(html)).toContain(
      'At a glance|Maximum guests|90 guests|Lasts|7 hours, if booked per person|Seated|80 guests|Step-free access|Yes|Parking on site|No|Dietary needs|Vegan and halal|',
    )
    expect(textOf(html)).not.toContain('BYO drinks|')
    expect(html).toContain('"maximumAttendeeCapacity":90')
    const list = await pageOf(await send('/venues?step-free=1'))
    expect(textOf(list)).toContain('|Up to 90 guests|')
    expect(textOf(list)).toContain('|Step-free|')
    expect((await findAvailability(server.services.db, id))?.maxGuests).toBe(90)
  })

  it('change on the public page as soon as they are saved, and stay if the form doesn’t ask for them', async () => {
    const { cookie, userId } = await vendorNamed('changed-facts@example.com')
    await send(path, { body: typed(FACTS), cookie })
    const { id } = await stored('user_id', userId)
    const shown = () => send(`/business/${id}`).then(pageOf).then(textOf)
    expect(await shown()).toContain('|Seated|80 guests|')
    expect((await send(editPath(id), { body: typed(), cookie })).status).toBe(200)
    expect(await stored('id', id)).toMatchObject({ max_guests: 90, facts: { seated: 80 } })
    expect((await send(editPath(id), { body: typed({ ...FACTS, seated: '70' }), cookie })).status).toBe(200)
    await expect.poll(shown).toContain('|Seated|70 guests|')
    const body = new URLSearchParams({ ...aTypedListing(), factsAsked: '1' })
    expect((await send(editPath(id), { body, cookie })).status).toBe(200)
    expect(await stored('id', id)).toEqual({ id, max_guests: null, facts: {} })
    await expect.poll(shown).not.toContain('|Seated|')
  })

  it('show an error beside each odd field, and lose nothing that was typed', async () => {
    const { cookie, userId } = await vendorNamed('odd-facts@example.com')
    const body = typed({ ...FACTS, maxGuests: 'lots', minHours: '0', byo: 'perhaps' })
    body.append('languages', 'Greek')
    const answer = await send(path, { body, cookie })
    expect(answer.status).toBe(400)
    const html = await pageOf(answer)
    for (const text of [
      'Enter a whole number of guests, from 1 to 10,000, or leave it empty.',
      'value="lots"',
      'value="80"',
    ])
      expect(html).toContain(text)
    expect(html).toMatch(/<input[^>]*name="dietary"[^>]*checked=""[^>]*value="halal"/)
    expect(html).toMatch(/<input[^>]*name="languages"[^>]*checked=""[^>]*value="Greek"/)
    await expect(stored('user_id', userId)).rejects.toThrow()
    const tooMany = await send(path, { body: typed({ ...FACTS, seated: '91' }), cookie })
    expect(await pageOf(tooMany)).toContain('You can’t have more guests seated than your maximum of 90.')
  })

  it('can’t be changed by nobody, nor by another vendor', async () => {
    const { id } = await aBusiness(server.services.db, { max_guests: 40 })
    const { cookie } = await vendorNamed('another-vendor-of-facts@example.com')
    expect((await send(editPath(id), { body: typed(FACTS) })).status).toBe(401)
    expect((await send(editPath(id), { body: typed(FACTS), cookie })).status).toBe(404)
    expect(await stored('id', id)).toMatchObject({ max_guests: 40, facts: {} })
  })

  it('put a listing before a newer one without any, as three good reviews do, on cached lists too', async () => {
    const { db } = server.services
    const [older, newer] = await Promise.all(
      ['2021-01-01', '2021-02-01'].map((day, index) =>
        aBusiness(db, {
          id: `order-${index}`,
          category: 'Event Planners',
          created_at: new Date(`${day}T00:00:00Z`),
        }),
      ),
    )
    const names = async () => {
      const html = await pageOf(await send('/event-planners'))
      return [...html.matchAll(/href="\/business\/(order-\d)"/g)].map(([, id]) => id)
    }
    const [first, second] = [older?.id ?? '', newer?.id ?? '']
    expect(new Set(await names())).toEqual(new Set([second, first]))
    expect((await names())[0]).toBe(second)
    await db.updateTable('businesses').set({ facts: '{"minHours":2}' }).where('id', '=', first).execute()
    await expect.poll(async () => (await names())[0]).toBe(first)
    await db
      .insertInto('reviews')
      .values(
        [5, 5, 4].map((rating, index) => ({
          id: `order-${index}`,
          business_id: second,
          author_name: 'Kim',
          rating,
          body: 'Good.',
          approved: true,
        })),
      )
      .execute()
    await expect.poll(async () => (await names())[0]).toBe(second)
    await db.updateTable('reviews').set({ rating: 1 }).where('business_id', '=', second).execute()
    await expect.poll(async () => (await names())[0]).toBe(first)
    await db.deleteFrom('reviews').where('business_id', '=', second).execute()
    expect(
      await db.selectFrom('search_listings').select('rating').where('business_id', '=', second).execute(),
    ).toEqual([{ rating: 400 }])
  })

  it('share the maximum number of guests with the availability settings, whichever form was saved last', async () => {
    const { db } = server.services
    const { id } = await aBusiness(db, { max_guests: 40 })
    const version = await findSettingsVersion(db, id)
    await setsAvailability(db, id, { maxGuests: 55 })
    expect((await stored('id', id)).max_guests).toBe(55)
    await db.updateTable('businesses').set({ max_guests: 70 }).where('id', '=', id).execute()
    const settings = db.selectFrom('availability_settings').selectAll().where('business_id', '=', id)
    expect((await settings.executeTakeFirstOrThrow()).max_guests).toBe(70)
    // An open settings form has to be loaded again.
    expect(await findSettingsVersion(db, id)).not.toBe(version)
    await db.deleteFrom('availability_settings').where('business_id', '=', id).execute()
    expect((await findAvailability(db, id))?.maxGuests).toBe(70)
    expect(await findSettingsVersion(db, id)).toBe('70 guests')
  })
})
