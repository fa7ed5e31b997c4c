import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../../tests/database.ts'
import { loadPlaces } from './commands.server.ts'
import { findPlaceByText, listPlaceSuggestions } from './queries.server.ts'
import { parsePlaceText } from './rules.ts'

let connection: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  connection = await openTestDatabase()
  await loadPlaces(connection.db, new URL('../../../database/places.tsv', import.meta.url).pathname)
})
afterAll(() => connection.close())

describe('parsePlaceText', () => {
  it.each([
    ['Geelong, VIC', 'Geelong', 'VIC'],
    ['geelong vic', 'geelong', 'VIC'],
    ['  Perth ,  Western Australia ', 'Perth', 'WA'],
    ['Mount Gambier, South Australia', 'Mount Gambier', 'SA'],
    ['Bovic', 'Bovic', null],
    ['Victoria', 'Victoria', null],
    ['vic', 'vic', null],
    ['Port Macquarie', 'Port Macquarie', null],
    ['Mt Eliza, VIC', 'Mount Eliza', 'VIC'],
    ['mt. gambier sa', 'Mount gambier', 'SA'],
    ['MT.BARKER', 'Mount BARKER', null],
    ['upper mt gravatt', 'upper Mount gravatt', null],
    ['Saint Kilda', 'St Kilda', null],
    ['st. kilda east vic', 'St kilda east', 'VIC'],
    ['St Ives', 'St Ives', null],
    ['North Saint Marys', 'North St Marys', null],
    ['Mount', 'Mount', null],
    ['mt', 'mt', null],
    ['Mtoko', 'Mtoko', null],
    ['Saintbury', 'Saintbury', null],
    ['Forest', 'Forest', null],
    ['', '', null],
  ])('reads %j', (text, name, state) => expect(parsePlaceText(text)).toEqual({ name, state }))
})

describe('listPlaceSuggestions', () => {
  it('lists the largest place first, and nothing for blank or odd text', async () => {
    expect((await listPlaceSuggestions(connection.db, 'geel', 3))[0]).toBe('Geelong, VIC')
    expect(await listPlaceSuggestions(connection.db, 'melb', 1)).toEqual(['Melbourne, VIC'])
    expect(await listPlaceSuggestions(connection.db, 'mt e', 5)).toContain('Mount Eliza, VIC')
    expect(await listPlaceSuggestions(connection.db, 'mt gravatt', 5)).toContain('Upper Mount Gravatt, QLD')
    for (const typed of ['saint k', 'st. k', 'st k'])
      expect((await listPlaceSuggestions(connection.db, typed, 1))[0]).toBe('St Kilda, VIC')
    expect(await listPlaceSuggestions(connection.db, '  ', 5)).toEqual([])
    expect(await listPlaceSuggestions(connection.db, '%', 5)).toEqual([])
    expect(await listPlaceSuggestions(connection.db, "x'; drop table places; --", 5)).toEqual([])
  })
})

describe('findPlaceByText', () => {
  it('finds a place by its name, with or without the state, in any case', async () => {
    for (const text of ['Geelong, VIC', 'geelong vic', 'GEELONG, Victoria', 'Geelong']) {
      expect(await findPlaceByText(connection.db, text)).toEqual({ ok: true, placeId: 'geelong-vic' })
    }
  })

  it.each([
    ['Mt Eliza, VIC', 'mount-eliza-vic'],
    ['mt. barker sa', 'mount-barker-sa'],
    ['Saint Kilda', 'st-kilda-vic'],
    ['St. Kilda East, Victoria', 'st-kilda-east-vic'],
  ])('finds a mountain or a saint that is abbreviated in another way: %s', async (text, placeId) => {
    expect(await findPlaceByText(connection.db, text)).toEqual({ ok: true, placeId })
  })

  it('refuses an ambiguous name, an unknown name and the wrong state', async () => {
    const twice = await connection.db
      .selectFrom('places')
      .select(['name'])
      .groupBy('name')
      .having((eb) => eb.fn.countAll(), '>', 1)
      .executeTakeFirstOrThrow()
    expect(await findPlaceByText(connection.db, twice.name)).toEqual({ ok: false, reason: 'ambiguous_place' })
    expect(await findPlaceByText(connection.db, 'Atlantis, NSW')).toEqual({
      ok: false,
      reason: 'unknown_place',
    })
    expect(await findPlaceByText(connection.db, 'Geelong, QLD')).toEqual({
      ok: false,
      reason: 'unknown_place',
    })
  })
})
