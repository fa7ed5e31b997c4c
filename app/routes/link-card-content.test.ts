import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingWorld, aBusiness } from '../../tests/builders.ts'
import { createRateLimits } from '../adapters/rate-limits/database.server.ts'
import { addEntry, endSharing, noteEntry, shareList } from '../features/shortlists/commands.server.ts'
import { findList } from '../features/shortlists/queries.server.ts'
import { linkTokenOf } from '../features/shortlists/rules.ts'
import { describeList } from '../features/shortlists/vote-commands.server.ts'
import { findCardContent } from './link-card-content.server.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())

const find = (path: string, query = '') => {
  const services = { db: world.db, now: world.deps.now, config: { nearKm: 25 } }
  return findCardContent(services as Parameters<typeof findCardContent>[0], path, new URLSearchParams(query))
}

describe('the card of a business', () => {
  it('shows its name, suburb and price', async () => {
    const { id } = await aBusiness(world.db, { name: 'Saltbush House' })
    expect(await find(`business/${id}`)).toMatchObject({
      title: 'Saltbush House',
      lines: ['Melbourne, VIC'],
      price: expect.stringContaining('$45.50'),
      rating: null,
      pictures: [expect.stringMatching(/^\/illustrations\//)],
    })
  })

  it('exists while visitors see the page', async () => {
    const hidden = await aBusiness(world.db, { hidden_at: new Date(), hidden_by: 'operator' })
    const gone = await aBusiness(world.db, { deleted_at: new Date() })
    for (const id of [hidden.id, gone.id, 'no-such-business', ''])
      expect(await find(`business/${id}`)).toBeNull()
  })
})

describe('the card of a list', () => {
  it('says what is searched, and how many are found', async () => {
    await aBusiness(world.db, { category: 'Photographers' })
    expect(await find('photographers', 'place=Melbourne%2C+VIC&near=1&guests=40')).toMatchObject({
      title: 'Photographers near Melbourne',
      lines: ['40 guests', '1 business'],
    })
  })

  it('says nothing that was typed into the address', async () => {
    for (const query of ['q=you+won+a+prize', 'place=Evil+Prize', 'q=prize&place=Prizetown', 'bounds=prize'])
      expect(JSON.stringify(await find('venues', query))).not.toMatch(/prize/i)
  })

  it.each([
    '',
    'my-bookings',
    'venues/x',
    'services',
    'services/no-such-service',
    'venues/in/nowhere',
    'shortlist',
    'shortlist/x',
  ])('isn’t drawn for /%s', async (path) => expect(await find(path)).toBeNull())

  it('exists for the occasions', async () => {
    expect((await find('events'))?.pictures).toHaveLength(3)
  })
})

describe('the card of a shared shortlist', () => {
  it('shows its title, day, guests and visible businesses, but no notes', async () => {
    const { db, deps } = world
    const list = { ...deps, rateLimits: createRateLimits(db, deps.now) }
    const owner = { userId: null, ownId: null as string | null, joinedHash: null, address: '203.0.113.5' }
    const shown = await aBusiness(db, { name: 'Saltbush House' })
    const other = await aBusiness(db, { name: 'Hidden House' })
    for (const { id } of [shown, other]) {
      const added = await addEntry(list, owner, id)
      owner.ownId = added.ok ? added.id : null
    }
    await noteEntry(list, owner, { businessId: shown.id, note: 'too dear' })
    await db
      .updateTable('businesses')
      .set({ hidden_at: new Date(), hidden_by: 'owner' })
      .where('id', '=', other.id)
      .execute()
    await describeList(list, owner, { title: 'Our wedding', date: '2027-03-13', guests: 90 })
    await shareList(list, owner)
    const link = await linkTokenOf(list.secret, (await findList(db, owner))?.shareKey ?? '')
    const content = await find(`shortlist/${link}`)
    expect(content).toMatchObject({
      isPrivate: true,
      title: 'Our wedding',
      lines: ['Saturday 13 March 2027', '90 guests', 'Saltbush House'],
    })
    expect(JSON.stringify(content)).not.toMatch(/too dear|Hidden/)
    await endSharing(list, owner)
    expect(await find(`shortlist/${link}`)).toBeNull()
  })
})
