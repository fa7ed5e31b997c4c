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
    ['', '', null],
  ])('reads %j', (text, name, state) => expect(parsePlaceText(text)).toEqual({ name, state }))
})

describe('listPlaceSuggestions', () => {
  it('lists the largest place first, and nothing for blank or odd text', async () => {
    expect((await listPlaceSuggestions(connection.db, 'geel', 3))[0]).toBe('Geelong, VIC')
    expect(await listPlaceSuggestions(connection.db, 'melb', 1)).toEqual(['Melbourne, VIC'])
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
