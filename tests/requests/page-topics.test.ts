import { type SqlBool, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CATEGORY_PATHS, type Category, landingPath } from '../../app/features/businesses/rules.ts'
import { NO_SEARCH, type Search, searchHref } from '../../app/features/search/schema.ts'
import { newId } from '../../app/shared/ids.ts'
import { aBusiness } from '../builders.ts'
import { nextAddress, sendTo } from '../client.ts'
import { openEmbeddedDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

const HIT = 'pages; hit'

/** Sends each request from its own address, since rendering lists is limited per address. */
const get = (server: TestServer, path: string) => sendTo(server, path, { address: nextAddress() })
const isHit = (answer: Response) => answer.headers.get('cache-status') === HIT
const searched = (path: string, search: Partial<Search>) => searchHref(path, { ...NO_SEARCH, ...search })

/** Requests every page, so that each cacheable page is cached. */
async function keepAll(server: TestServer, paths: readonly string[]) {
  for (const path of paths) await (await get(server, path)).arrayBuffer()
}

function differences(kept: string, fresh: string): string {
  const at = [...kept].findIndex((letter, index) => letter !== fresh[index])
  return `${kept.slice(at - 200, at + 200)}\n----\n${fresh.slice(at - 200, at + 200)}\n`
}

describe('a cached page', () => {
  const PLACES = [
    'geelong-vic',
    'torquay-vic',
    'melbourne-vic',
    'ballarat-vic',
    'sydney-nsw',
    'perth-wa',
    'hobart-tas',
  ]
  // More vendors and venues than a page shows, so an edit can bring others onto it.
  const OWNERS = Array.from({ length: 30 }, (_, index) => `owner-${index}`)
  const LISTINGS = 48
  let server: TestServer

  beforeAll(async () => {
    server = await startServer({ openDatabase: openEmbeddedDatabase, env: { TRUSTED_PROXY: '1' } })
  })
  afterAll(() => server.close())

  /** A seeded generator, so that a failing series of edits can be repeated. */
  function seeded(seed: number) {
    let state = seed
    const next = () => {
      state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
      return state / 4_294_967_296
    }
    const below = (count: number) => Math.floor(next() * count)
    return { below, pick: <T>(values: readonly T[]) => values[below(values.length)] as T }
  }

  function pagesOf(ids: readonly string[]): string[] {
    const lists: [string, Partial<Search>][] = ['/venues-vendors', '/venues'].flatMap((path) =>
      [
        {},
        { sort: 'price' as const },
        { occasion: 'wedding' as const },
        { place: 'VIC' },
        { place: 'Geelong, VIC' },
        { place: 'Hobart, TAS' },
        { place: 'Torquay, VIC', near: true },
        { place: 'Perth, WA', sort: 'price' as const },
        { place: 'Geelong, VIC', near: true, occasion: 'birthday' as const },
      ].map((search): [string, Partial<Search>] => [path, search]),
    )
    return [
      '/',
      '/events',
      '/vendors',
      '/vendors?page=2',
      '/advice-support',
      '/list-your-business',
      '/help',
      '/help/refunds',
      '/photographers',
      searched('/venues-vendors', { category: 'Catering' }),
      ...lists.map(([path, search]) => searched(path, search)),
      ...PLACES.map((place) => landingPath('Venues', place)),
      ...PLACES.slice(0, 3).map((place) => landingPath('Catering', place)),
      '/catering',
      ...OWNERS.slice(0, 4).map((id) => `/vendorsprofile?id=${id}`),
      ...['ha', 'lou', 'wedding t', 'renam', 'photo', 'melb', 'chai'].map(
        (q) => `/api/suggestions?${new URLSearchParams({ q })}`,
      ),
      ...ids.map((id) => `/business/${id}`),
    ]
  }

  it('equals a fresh render after any series of edits', async () => {
    const { db } = server.services
    const random = seeded(20_261_120)
    const few = ['Venues', 'Venues', 'Venues', 'Venues', 'Catering', 'Photographers'] as const
    const aListing = async () => {
      const unit = random.pick(['perPerson', 'perHour'] as const)
      return (
        await aBusiness(db, {
          user_id: random.pick(OWNERS),
          name: `${random.pick(['Quiet', 'Loud', 'Wedding'])} ${random.pick(['Hall', 'Table', 'Light'])} ${newId(3)}`,
          category: random.pick(few),
          place_id: random.pick(PLACES),
          price_cents: random.below(5) * 1_000,
          price_unit: unit,
          booking_types: [unit],
          created_at: new Date(Date.UTC(2026, random.below(12), 1 + random.below(28))),
        })
      ).id
    }
    const ids: string[] = []
    for (let count = 0; count < LISTINGS; count++) ids.push(await aListing())
    const reviewed = ids.slice(0, 6)
    const aRegistration = (userId: string) =>
      sql`insert into business_registrations (id, user_id, business_name, abn,
      business_structure, industry_type, principal_address, business_phone, business_email, owner_name, owner_dob,
      owner_phone, owner_email) values (${newId()}, ${userId}, ${`Firm ${newId(3)}`}, '51824753556', 'Company', 'Venues',
      '1 Road', '03 5550 0100', 'a@example.com', 'A', '1980-01-01', '0400 000 000', 'a@example.com')
      on conflict (user_id) do update set business_name = excluded.business_name`.execute(db)
    const aReview = (id: string, approved: boolean) =>
      sql`insert into reviews (id, business_id, author_name, rating, body, approved)
        select ${newId()}, id, 'Jo Q.', ${1 + random.below(5)}, ${'A long and lovely evening. '.repeat(3)}, ${approved}
        from businesses where id = ${id}`.execute(db)
    const set = (change: ReturnType<typeof sql>, where: ReturnType<typeof sql<SqlBool>>) =>
      sql`update businesses set ${change} where ${where}`.execute(db)
    const one = (id: string) => sql<SqlBool>`id = ${id}`
    const edits: [what: string, edit: (id: string) => Promise<unknown>][] = [
      ['name', (id) => set(sql`name = ${`Renamed ${newId(3)}`}`, one(id))],
      [
        'a word of an occasion',
        (id) =>
          set(
            sql`description = ${random.pick(['For your wedding, reception and ceremony.', 'A room.'])}`,
            one(id),
          ),
      ],
      ['description', (id) => set(sql`description = description || ' More.'`, one(id))],
      ['card text', (id) => set(sql`seo_description = ${`Text ${newId(3)}`}`, one(id))],
      ['services', (id) => set(sql`services_offered = ${[random.pick(['Chairs', 'Tables'])]}`, one(id))],
      ['price', (id) => set(sql`price_cents = ${random.below(6) * 700}`, one(id))],
      [
        'second price',
        (id) =>
          set(
            sql`booking_types = array['perHour', 'perPerson'], second_price_cents = ${1 + random.below(6) * 700},
              second_price_unit = case price_unit when 'perHour' then 'perPerson' else 'perHour' end`,
            one(id),
          ),
      ],
      [
        'unit',
        (id) => set(sql`price_unit = 'perHour', booking_types = array['perHour', 'perPerson']`, one(id)),
      ],
      ['category', (id) => set(sql`category = ${random.pick(few)}`, one(id))],
      ['place', (id) => set(sql`place_id = ${random.pick(PLACES)}`, one(id))],
      [
        'place and category',
        (id) => set(sql`place_id = ${random.pick(PLACES)}, category = ${random.pick(few)}`, one(id)),
      ],
      ['hidden', (id) => set(sql`hidden_at = now(), hidden_reason = 'by its owner'`, one(id))],
      ['shown', () => set(sql`hidden_at = null, hidden_reason = null`, sql<SqlBool>`hidden_at is not null`)],
      ['deleted', (id) => set(sql`deleted_at = now()`, one(id))],
      [
        'all of an owner',
        (id) =>
          set(
            sql`hidden_at = case when hidden_at is null then now() end`,
            sql`user_id = (select user_id from businesses where id = ${id})`,
          ),
      ],
      ['date', (id) => set(sql`created_at = now()`, one(id))],
      ['last change', (id) => set(sql`updated_at = now()`, one(id))],
      [
        'picture',
        (id) =>
          set(
            sql`images = '[{"url":"/illustrations/venue-long-table/x","width":4,"height":3,"colour":"#000000"}]'`,
            one(id),
          ),
      ],
      ['owner', (id) => set(sql`user_id = ${random.pick(OWNERS)}`, one(id))],
      [
        'two at once',
        (id) =>
          set(
            sql`price_cents = price_cents + 100, place_id = 'geelong-vic'`,
            sql`id in (${id}, ${random.pick(ids)})`,
          ),
      ],
      ['nothing', (id) => set(sql`name = name`, one(id))],
      ['new listing', async () => ids.push(await aListing())],
      ['row gone', (id) => sql`delete from businesses where id = ${id}`.execute(db)],
      ['registration', () => aRegistration(random.pick(OWNERS))],
      ['registered name', () => aRegistration('owner-0')],
      [
        'registration gone',
        () => sql`delete from business_registrations where user_id = 'owner-0'`.execute(db),
      ],
      [
        'website',
        () =>
          sql`update business_registrations set website = 'https://example.com' where user_id = 'owner-0'`.execute(
            db,
          ),
      ],
      [
        'denial by the register',
        () =>
          sql`update business_registrations set register_problem = case when register_problem is null then 'unknown' end
            where user_id = 'owner-0'`.execute(db),
      ],
      ['review', (id) => aReview(id, true)],
      ['unapproved review', (id) => aReview(id, false)],
      [
        'approved reviews',
        () =>
          sql`update reviews set approved = not approved where business_id = ${random.pick(reviewed)}`.execute(
            db,
          ),
      ],
      [
        'author',
        () =>
          sql`update reviews set author_name = 'Nobody' where business_id = ${random.pick(reviewed)}`.execute(
            db,
          ),
      ],
      [
        'reviews gone',
        () => sql`delete from reviews where business_id = ${random.pick(reviewed)}`.execute(db),
      ],
      ['many at once', () => set(sql`price_cents = price_cents + 1`, sql`true`)],
    ]
    for (const id of reviewed) for (let count = 0; count < 3; count++) await aReview(id, true)
    await aRegistration('owner-0')

    let hits = 0
    for (const [what, edit] of edits) {
      const pages = pagesOf(ids.slice(-8))
      await keepAll(server, pages)
      const id = random.pick(ids)
      await edit(id)
      for (const path of pages) {
        const kept = await get(server, path)
        const text = await kept.text()
        if (!isHit(kept)) continue
        hits++
        const alone = await get(server, `${path}${path.includes('?') ? '&' : '?'}alone=1`)
        expect(alone.headers.get('cache-status')).toBeNull()
        const fresh = await alone.text()
        expect(alone.status).toBe(200)
        if (text !== fresh)
          expect.fail(`${differences(text, fresh)}${path} is stale after another ${what} of ${id}`)
      }
    }
    // Some edits affect every page here, most of them only a few.
    expect(hits / edits.length).toBeGreaterThan(15)
  }, 600_000)
})

describe('an edit', () => {
  const ROUNDS = 10
  const OTHER_CATEGORIES = ['/venues', '/photographers', '/sounds-dj', '/videographers', '/event-planners']
  let server: TestServer
  let businessId = ''
  let ownerId = ''
  let pages: string[] = []

  beforeAll(async () => {
    server = await startServer({
      openDatabase: openEmbeddedDatabase,
      env: { TRUSTED_PROXY: '1' },
      demo: true,
    })
    const { db } = server.services
    const business = await aBusiness(db, { category: 'Extras', place_id: await aListedPlace(0) })
    businessId = business.id
    ownerId = business.user_id
    const { rows } = await sql<{ id: string; user_id: string; category: Category; place_id: string }>`
      select id, user_id, category, place_id from businesses where id <> ${businessId} order by id`.execute(
      db,
    )
    const some = <T>(values: readonly T[], count: number) => [...new Set(values)].slice(0, count)
    pages = [
      '/',
      '/venues-vendors',
      '/events',
      '/vendors',
      '/advice-support',
      '/list-your-business',
      ...Object.values(CATEGORY_PATHS),
      ...some(
        rows.map(({ category, place_id }) => landingPath(category, place_id)),
        9,
      ),
      ...some(
        rows.map(({ id }) => `/business/${id}`),
        9,
      ),
      ...some(
        rows.map(({ user_id }) => `/vendorsprofile?id=${user_id}`),
        7,
      ),
      `/business/${businessId}`,
      `/vendorsprofile?id=${ownerId}`,
    ]
    expect(new Set(pages).size).toBe(41)
  })
  afterAll(() => server.close())

  /** A place with more than one listing. */
  async function aListedPlace(index: number): Promise<string> {
    const { rows } = await sql<{ place_id: string }>`select place_id from listed_places
      group by place_id having sum(listed) > 1 order by place_id offset ${index} limit 1`.execute(
      server.services.db,
    )
    return rows[0]?.place_id ?? ''
  }

  /** Caches every page and makes an edit. Returns which pages left the cache and which show the listing. */
  async function dropsOf(edit: ReturnType<typeof sql>) {
    await keepAll(server, pages)
    const dropped: string[] = []
    const showing: string[] = []
    const shows = (text: string) => text.includes(businessId)
    const before = new Map<string, boolean>()
    for (const path of pages) {
      const answer = await get(server, path)
      const text = await answer.text()
      // Only the pages of a hidden listing are not cached.
      if (answer.status === 200) expect(isHit(answer), path).toBe(true)
      if (isHit(answer)) before.set(path, shows(text))
    }
    await edit.execute(server.services.db)
    for (const path of before.keys()) {
      const answer = await get(server, path)
      const text = await answer.text()
      if (!isHit(answer)) dropped.push(path)
      if (before.get(path) || shows(text)) showing.push(path)
    }
    return { dropped, showing }
  }

  const own = () => sql`where id = ${businessId}`

  it('drops only the pages that show a listing when it changes that listing’s text', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      // With its markers, as a command writes them: the minutely job would write them between two looks.
      const { dropped, showing } = await dropsOf(
        sql`update businesses set name = ${`Edit ${round}`}, description = ${`Edited ${round} times.`},
          seo_description = ${`Edited ${round} times.`}, updated_at = now(),
          markers = markers ${own()}`,
      )
      expect(dropped).toEqual(showing)
      expect(dropped).toEqual([
        '/',
        '/vendors',
        '/extras',
        `/business/${businessId}`,
        `/vendorsprofile?id=${ownerId}`,
      ])
    }
  })

  it('also drops the pages of typical prices and of services, which are told as prices, when it changes a price', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { dropped, showing } = await dropsOf(
        sql`update businesses set price_cents = ${1_000 + round} ${own()}`,
      )
      expect(dropped.filter((path) => !showing.includes(path)).toSorted()).toEqual([
        '/advice-support',
        '/events',
      ])
    }
  })

  it('drops the lists of the old and the new category when it changes category and place', async () => {
    const place = await aListedPlace(1)
    const { dropped } = await dropsOf(
      sql`update businesses set category = 'Catering', place_id = ${place} ${own()}`,
    )
    expect(dropped).toContain('/extras')
    expect(dropped).toContain('/catering')
    for (const path of OTHER_CATEGORIES) expect(dropped).not.toContain(path)
  })

  it('keeps other categories cached when it hides or shows a listing', async () => {
    for (const hidden of [sql`now()`, sql`null`]) {
      const { dropped } = await dropsOf(sql`update businesses set hidden_at = ${hidden} ${own()}`)
      expect(dropped).toContain('/catering')
      for (const path of OTHER_CATEGORIES) expect(dropped).not.toContain(path)
    }
  })

  it('drops nothing when it changes nothing', async () => {
    const { dropped } = await dropsOf(
      sql`update businesses set name = name, price_cents = price_cents ${own()}`,
    )
    expect(dropped).toEqual([])
  })
})
