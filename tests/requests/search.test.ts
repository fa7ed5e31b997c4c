import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchTermsOf } from '../../app/features/search/filter-messages.ts'
import type { Field } from '../../app/features/search/filter-schema.ts'
import { QUERY_EXAMPLE } from '../../app/features/search/messages.ts'
import { fieldsOf, NO_SEARCH, readSearch, searchHref } from '../../app/features/search/schema.ts'
import { requestsTo, sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    demo: true,
    now: () => new Date('2026-11-20T01:00:00Z'),
  })
})
afterAll(() => server.close())

const { get } = requestsTo(() => server)
const query = (parameters: Record<string, string>) => new URLSearchParams(parameters)

async function read(path: string) {
  const answer = await get(path)
  expect(answer.status, path).toBe(200)
  const html = await answer.text()
  return {
    html,
    names: [...html.matchAll(/<article[\s\S]*?href="\/business\/([\w-]+)["?]/g)].map(([, id]) => id ?? ''),
    // React separates adjacent texts with comments.
    text: html
      .replace(/<!-- -->/g, '')
      .replace(/<(?:script|style)[\s\S]*?<\/(?:script|style)>/g, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/&amp;/g, '&')
      .replace(/&#x27;/g, '’')
      .replace(/\s+/g, ' '),
  }
}

describe('a typed query', () => {
  it('redirects to the canonical address of its parts', async () => {
    const line = 'Saturday 14 March 2027, 4 pm to 11 pm, 90 guests, near Geelong, up to $8,000'
    const answer = await get(`/venues-vendors?${query({ q: line })}`)
    expect(answer.status).toBe(302)
    const address = answer.headers.get('location') ?? ''
    expect(Object.fromEntries(new URL(address, server.origin).searchParams)).toEqual({
      place: 'Geelong, VIC',
      near: '1',
      date: '2027-03-14',
      weekday: 'Saturday',
      from: '16:00',
      until: '23:00',
      guests: '90',
      budget: '8000',
    })
    // That address is final and shows every part again: as chips, in the query and in fields.
    const { html, text } = await read(address)
    for (const searchTerm of [
      'Sunday 14 March 2027',
      '4:00 pm to 11:00 pm',
      '90 guests',
      'near Geelong VIC',
      'up to $8,000',
    ])
      expect(text).toContain(`Without ${searchTerm}`)
    expect(text).toContain('is not a Saturday')
    expect(html).toContain(
      'value="Sunday 14 March 2027, 4:00 pm to 11:00 pm, 90 guests, near Geelong VIC, up to $8,000"',
    )
    expect(html).toMatch(/name="guests"[^>]*value="90"|value="90"[^>]*name="guests"/)
    expect(text).toMatch(/\d+ business(es)? can be booked then/)
  })

  it.each([
    ['/venues-vendors?q=lantern', null],
    // One service alone is a search of its own.
    ['/venues-vendors?q=woolshed', '/venues-vendors?service=barn'],
    ['/photographers?q=florist+melbourne', '/extras?place=Melbourne&service=florist'],
    // Empty fields are ignored: this is the cached page of the list itself.
    ['/venues-vendors?q=', null],
    ['/venues-vendors?q=&category=&place=&near=&date=&guests=', null],
    // The order of the parameters does not matter.
    ['/venues-vendors?q=garden&category=Venues', null],
    ['/venues-vendors?q=two%20words', null],
    ['/venues-vendors?page=3', '/venues-vendors'],
    ['/venues?category=Venues', '/venues'],
    ['/venues?category=Catering&q=jazz', '/catering?q=jazz'],
    // A fact is read from the words of any search.
    ['/venues?category=Catering&q=vegan', '/catering?diet=vegan'],
    ['/venues?q=DJ,+tomorrow', '/sounds-dj?date=2026-11-21'],
    // A business's name takes precedence over any other reading.
    ['/venues-vendors?q=Harbour+Light+Pavilion', null],
  ])('%s redirects to %s', async (path, target) => {
    const answer = await get(path)
    expect(answer.status).toBe(target ? 302 : 200)
    if (target) expect(answer.headers.get('location')).toBe(target)
  })
})

describe('the address of each field of the form', () => {
  const NEEDED = { place: 'Geelong, VIC', from: '16:00', guests: '80' }
  const TYPED = {
    words: 'jazz',
    place: 'Perth, WA',
    date: '2027-03-14',
    time: '17:00',
    count: '3',
    amount: '80',
    flag: '1',
  }
  const flat = (fields: readonly Field[]): Exclude<Field, { kind: 'group' }>[] =>
    fields.flatMap((field) => (field.kind === 'group' ? flat(field.fields) : [field]))
  const filled = flat(fieldsOf(NO_SEARCH, { nearKm: 25, withCategory: true, category: null })).map(
    (field) => {
      if (field.kind === 'hidden') throw new Error(`${field.name} can't be filled in`)
      return [field.name, field.kind === 'choice' ? field.options[0]?.value : TYPED[field.kind]] as const
    },
  )

  it.each(filled)('is final: %s=%s', async (name, value = '') => {
    const search = readSearch(query({ ...NEEDED, [name]: value }))
    const href = searchHref('/venues-vendors', search)
    expect(href).toContain(`${name}=`)
    const { text } = await read(href)
    // A chip shows that the value was understood.
    for (const searchTerm of searchTermsOf(search)) expect(text).toContain(`Without ${searchTerm.text}`)
  })
})

describe('a place without a preposition', () => {
  it('may be an area, whose listings are in its suburbs', async () => {
    const { names, text } = await read('/venues-vendors?category=Sounds+%26+DJ&place=Melbourne')
    expect(names.toSorted()).toEqual(['northside-five', 'saffron-sound', 'slow-circles'])
    expect(text).toContain('Without in Melbourne')
    const answer = await get('/venues-vendors?q=dj+melbourne')
    expect(answer.headers.get('location')).toBe('/venues-vendors?category=Sounds+%26+DJ&place=Melbourne')
  })

  it('may be a postcode in the field of the form', async () => {
    const { names } = await read('/venues?near=1&place=3220')
    expect(names[0]).toBe('moonah-garden')
    expect((await read('/venues?place=0001')).text).toContain('We don’t know a place called “0001”.')
  })
})

describe('a search near me', () => {
  const locate = (json: unknown) => sendTo(server, '/api/places', { json })

  it('asks where that is, and lists everywhere until then', async () => {
    const { text, names } = await read('/sounds-dj?near=1&place=me')
    expect(text).toContain('Use my location')
    expect(names.length).toBeGreaterThan(10)
    expect((await read('/sounds-dj?place=Melbourne')).text).not.toContain('Use my location')
  })

  it('finds the suburb of a position, and none outside Australia', async () => {
    const answer = await locate({ latitude: -37.7985, longitude: 144.979 })
    expect(await answer.json()).toEqual({ place: 'Fitzroy, VIC' })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await (await locate({ latitude: 51.5, longitude: 0 })).json()).toEqual({ place: null })
  })

  it.each([[null], ['here'], [{ latitude: 91, longitude: 0 }], [{ latitude: '1', longitude: 2 }]])(
    'refuses what is no position: %j',
    async (body) => {
      expect((await locate(body)).status).toBe(400)
    },
  )

  it('may ask the browser for a position on its own pages alone', async () => {
    expect((await get('/venues')).headers.get('permissions-policy')).toContain('geolocation=(self)')
  })
})

describe('months', () => {
  it('list the businesses that are free on one of their days', async () => {
    const { text, names } = await read('/venues?months=2027-03&weekday=Saturday')
    expect(text).toContain('Without Saturdays in March 2027')
    expect(text).toMatch(/\d+ businesses can be booked then/)
    expect(names.length).toBeGreaterThan(3)
    expect((await read('/venues?months=2020-03')).text).toContain('Those months have passed')
  })
})

describe('a search passed on', () => {
  it('keeps its day, time, guests and hours on the links of its cards', async () => {
    const { html } = await read('/venues?date=2027-03-13&from=16%3A00&guests=90&until=23%3A00')
    expect(html).toMatch(
      /href="\/business\/[\w-]+\?date=2027-03-13&amp;time=16%3A00&amp;guests=90&amp;hours=7"/,
    )
    expect((await read('/venues')).html).not.toMatch(/href="\/business\/[\w-]+\?/)
  })

  it('leaves the page of a business one document', async () => {
    const plain = await (await get('/business/harbour-light-pavilion')).text()
    const asked = await get('/business/harbour-light-pavilion?date=2027-03-13&guests=90')
    expect(await asked.text()).toBe(plain)
    expect(asked.headers.get('cache-status')).toContain('hit')
  })
})

describe('an order', () => {
  it('by rating, distance or the total for what was asked is offered where it can apply', async () => {
    expect((await read('/venues')).text).toContain('Best rated')
    expect((await read('/venues')).text).not.toContain('Nearest')
    expect((await read('/venues?near=1&place=Fitzroy%2C+VIC')).text).toContain('Nearest')
    expect((await get('/venues?sort=distance')).headers.get('location')).toBe('/venues')
  })

  it('by distance begins with the nearest', async () => {
    const { text } = await read('/venues-vendors?near=1&place=Fitzroy%2C+VIC&sort=distance')
    const km = [...text.matchAll(/about (\d+) km away/g)].map(([, each]) => Number(each))
    expect(km.length).toBeGreaterThan(3)
    expect(km).toEqual(km.toSorted((a, b) => a - b))
  })

  it('by rating begins with the best', async () => {
    const { names } = await read('/venues-vendors?sort=rating')
    const newest = (await read('/venues-vendors')).names
    expect(names.length).toBe(newest.length)
    expect(names).not.toEqual(newest)
  })
})

describe('a single match', () => {
  it('comes with others a little further away or with a term less', async () => {
    const { text, names } = await read('/venues?near=1&place=Geelong%2C+VIC')
    expect(names[0]).toBe('moonah-garden')
    expect(text).toContain('A little further')
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(1)
    expect((await read('/venues?place=Melbourne')).text).not.toContain('A little further')
  })
})

describe('a list', () => {
  it('corrects typing errors and says so', async () => {
    const { text, names } = await read('/venues-vendors?q=woolshde')
    expect(names).toContain('long-paddock-woolshed')
    expect(text).toContain('Showing “woolshed” for “woolshde”.')
    expect((await read('/venues-vendors?q=photograhper')).names.length).toBeGreaterThan(3)
  })

  it('shows distances and total prices', async () => {
    const near = await read(`/venues-vendors?${query({ place: 'Melbourne, VIC', near: '1' })}`)
    expect(near.names).toContain('harbour-light-pavilion')
    expect(near.text).toMatch(/about \d+ km away/)
    const asked = await read('/venues-vendors?q=harbour+light+pavilion&guests=90')
    expect(asked.names[0]).toBe('harbour-light-pavilion')
    expect(asked.text).toContain('$13,050.00 for 90 guests')
  })

  it('gives each page its own address, forwards and back', async () => {
    const seen: string[] = []
    const pages: string[][] = []
    let path: string | undefined = '/venues-vendors'
    let back: string | undefined
    while (path) {
      const { html, names } = await read(path)
      pages.push(names)
      seen.push(...names)
      const link = (rel: string) =>
        new RegExp(`<a[^>]*rel="${rel}"[^>]*href="([^"]+)"|<a[^>]*href="([^"]+)"[^>]*rel="${rel}"`)
          .exec(html)
          ?.slice(1)
          .find(Boolean)
          ?.replaceAll('&amp;', '&')
      path = link('next')
      back = link('prev')
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBeGreaterThan(100)
    expect(back).toBeDefined()
    expect((await read(back ?? '')).names).toEqual(pages.at(-2))
  })

  it('offers close matches when nothing fits', async () => {
    const { text, names, html } = await read(
      `/venues-vendors?${query({ q: 'limestone', place: 'Darwin, NT' })}`,
    )
    expect(text).toContain('0 businesses')
    expect(text).toContain('Nothing matches all of that')
    expect(text).toContain('Anywhere in Australia')
    expect(names.length).toBeGreaterThan(0)
    expect(html).toContain('Close matches')
  })

  it('finds a business for the example in its own field', async () => {
    const line = await get(`/venues-vendors?${query({ q: QUERY_EXAMPLE })}`)
    const { text, names } = await read(line.headers.get('location') ?? '')
    expect(names[0]).toBe('moonah-garden')
    expect(text).toContain('$7,560.00 for 90 guests')
    expect(text).not.toContain('Showing “')
  })

  it('offers the nearest place with a match', async () => {
    const { text, names } = await read(`/sounds-dj?${query({ near: '1', place: 'Lorne, VIC' })}`)
    expect(text).toContain('Near Fitzroy, VIC, about 120 km away')
    expect(names).toEqual(['slow-circles', 'northside-five', 'saffron-sound'])
    expect(text).toContain('Fitzroy, VIC · about 120 km away')
  })

  it('names a place or date that it can’t use', async () => {
    expect((await read('/venues-vendors?place=Atlantis')).text).toContain(
      'We don’t know a place called “Atlantis”',
    )
    expect((await read('/venues-vendors?place=Gelong')).text).toContain('so this is Geelong, VIC')
    expect((await read('/venues-vendors?date=2020-01-01')).text).toContain('That day has passed')
  })
})

describe('the count of a list for a day', () => {
  const path = '/venues-vendors?date=2027-03-13&guests=40'
  const countIn = (text: string) => /(\d+)(\+?) business(?:es)? can be booked then/.exec(text)
  const linkIn = (html: string, name: string) => {
    const [, link] = new RegExp(`href="([^"]*[?&;]${name}=[^"]*)"`).exec(html) ?? []
    return link?.replaceAll('&amp;', '&') ?? null
  }

  it('grows from page to page, ends exact, and is the same on the way back', async () => {
    const seen: { address: string; count: string; names: string[] }[] = []
    let total = 0
    for (let next: string | null = path; next && seen.length < 30; ) {
      const { html, text, names } = await read(next)
      const [, count = '', plus = ''] = countIn(text) ?? []
      total += names.length
      const after = linkIn(html, 'after')
      expect([Number(count), plus], next).toEqual([total, after ? '+' : ''])
      seen.push({ address: next, count: count + plus, names })
      next = after
    }
    expect(seen.length).toBeGreaterThan(2)
    const last = seen.at(-1)
    for (let at = seen.length - 2, page = await read(last?.address ?? ''); at >= 0; at--) {
      page = await read(linkIn(page.html, 'before') ?? '')
      expect(page.names).toEqual(seen[at]?.names)
      expect(countIn(page.text)?.[0]).toContain(seen[at]?.count)
    }
  })

  it('ignores what an address claims to have seen before its first page', async () => {
    const answer = await get(`${path}&seen=400`)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).not.toContain('seen')
  })
})

describe('an odd search address', () => {
  const odd = [
    'q=%00',
    'q[]=a&q[]=b',
    'q=a&q=b&category=Venues&category=Extras',
    `q=${'x'.repeat(6_000)}`,
    'q=%F0%9F%8E%89%ED%A0%80',
    "q='%20or%201=1--",
    'q=%25%5C_%27%22%26%7C!()*:<->',
    'guests=99999999999999999999&budget=1e309&min=-0&max=NaN',
    'date=9999-12-31&from=23:59&until=00:00&guests=10000',
    'date=0001-01-01',
    'date=2027-02-29',
    'date=2026-12-01&from=24:00',
    'near=1&place=%00x',
    `place=${'é'.repeat(3_000)}&near=1`,
    'after=1.2.3.4&before=x',
    'after=999999999999999999.a&sort=newest',
    'before=0.0.a&sort=price',
    'sort=price&after=99999999.1.a&guests=3',
    'per=perPerson&per=perHour&min=1&max=0',
    'page=-1&page=1e9',
    'weekday=Saturday&date=2027-03-13',
    'occasion=__proto__&category=constructor',
    'q=constructor',
    'q=dj+near+__proto__&guests=20',
    'q=toString+valueOf&place=hasOwnProperty&near=1',
  ]
  it.each(odd)('never causes a server error: %s', async (parameters) => {
    for (const path of ['/venues-vendors', '/catering', '/api/suggestions']) {
      let answer = await get(`${path}?${parameters}`)
      // At most one redirect to the canonical address, never a loop.
      const target = answer.headers.get('location')
      if (answer.status === 302 && target) answer = await get(target)
      // Some exceed the longest address that the server accepts.
      expect([200, 400, 414], `${path}?${parameters}`).toContain(answer.status)
    }
  })
})

describe('suggestions', () => {
  const suggest = async (q: string) => (await get(`/api/suggestions?${query({ q })}`)).json()

  it('lead to categories, businesses and places', async () => {
    expect(await suggest('photogr')).toMatchObject({
      categories: [
        { label: 'Photographers', to: '/photographers' },
        { label: 'Portrait photographers', to: '/photographers?service=portraits' },
        { label: 'Drone photographers', to: '/photographers?service=aerial-photos' },
      ],
    })
    expect((await suggest('flor')).categories[0]).toEqual({
      label: 'Florists',
      to: '/extras?service=florist',
    })
    expect(await suggest('harbour li')).toMatchObject({
      businesses: [
        {
          label: 'Harbour Light Pavilion',
          detail: 'Williamstown, VIC',
          to: '/business/harbour-light-pavilion',
        },
      ],
    })
    // The town comes before its suburbs.
    const { places } = await suggest('geel')
    expect(places[0]).toEqual({
      label: 'Geelong, VIC',
      to: '/venues-vendors?near=1&place=Geelong%2C+VIC',
    })
    expect(await suggest('')).toEqual({ categories: [], businesses: [], places: [] })
  })

  it('include what a search for the text understands, and the text without each term', async () => {
    const { reading } = await suggest('dj near geelong, 90 guests')
    expect(reading).toEqual([
      { text: 'Sounds & DJ', rest: 'near geelong, 90 guests' },
      { text: '90 guests', rest: 'dj near geelong' },
      { text: 'near Geelong VIC', rest: 'dj, 90 guests' },
    ])
    // Words alone, and the name of a business, are searched as they are.
    expect(await suggest('garden')).not.toHaveProperty('reading')
    expect(await suggest('Harbour Light Pavilion')).not.toHaveProperty('reading')
  })

  it('may be cached publicly for a minute', async () => {
    expect((await get('/api/suggestions?q=wool')).headers.get('cache-control')).toBe('public, max-age=60')
  })

  it('come from the page cache, unless they depend on the date', async () => {
    const statusOf = async (q: string) =>
      (await get(`/api/suggestions?${query({ q })}`)).headers.get('cache-status')
    expect([await statusOf('wool'), await statusOf('woolst')]).toEqual(['pages; hit', 'pages; fwd=miss'])
    for (const _ of ['first', 'second']) expect(await statusOf('dj tomorrow')).toBe('pages; fwd=miss')
  })
})
