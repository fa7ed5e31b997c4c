import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { AREAS, areaNamed } from './area-rules.ts'
import { distanceKm, parsePlaceText, placeLabel, STATES, type State, stateNames } from './rules.ts'

const sydney = { latitude: -33.8678, longitude: 151.2073 }
const melbourne = { latitude: -37.814, longitude: 144.9633 }

describe('placeLabel', () => {
  it('writes the name and the state', () => {
    expect(placeLabel({ name: 'Geelong', state: 'VIC' })).toBe('Geelong, VIC')
  })
})

describe('stateNames', () => {
  it('includes a full name for every state', () => {
    expect(Object.keys(stateNames).sort()).toEqual([...STATES].sort())
  })
})

describe('distanceKm', () => {
  it('agrees with the known distance from Sydney to Melbourne', () => {
    expect(distanceKm(sydney, melbourne)).toBeCloseTo(713, -1)
    expect(distanceKm(melbourne, sydney)).toBe(distanceKm(sydney, melbourne))
  })

  it('returns zero for the same point and half the circumference for opposite points', () => {
    expect(distanceKm(sydney, sydney)).toBe(0)
    const antipode = { latitude: 33.8678, longitude: 151.2073 - 180 }
    expect(distanceKm(sydney, antipode)).toBeCloseTo(Math.PI * 6371.0088, 3)
  })

  it('takes the short way across the date line', () => {
    expect(distanceKm({ latitude: 0, longitude: 179 }, { latitude: 0, longitude: -179 })).toBeCloseTo(
      222.39,
      1,
    )
  })
})

describe('database/places.tsv', () => {
  const [header, ...lines] = readFileSync(new URL('../../../database/places.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  const places = lines.map(([id, name, state, latitude, longitude, timeZone, population]) => ({
    id: id ?? '',
    name: name ?? '',
    state: state as State,
    latitude: Number(latitude),
    longitude: Number(longitude),
    timeZone: timeZone ?? '',
    population: Number(population),
  }))
  const zoneOf = (id: string) => places.find((place) => place.id === id)?.timeZone

  it('contains the expected columns and only complete rows', () => {
    expect(header).toEqual([
      'id',
      'name',
      'state',
      'latitude',
      'longitude',
      'time_zone',
      'population',
      'areas',
      'postcodes',
    ])
    expect(places.length).toBeGreaterThan(1500)
    expect(lines.filter((line) => line.length !== 9)).toEqual([])
  })

  it('puts suburbs into areas, and each area into one state', () => {
    const areasOf = (id: string) => lines.find((line) => line[0] === id)?.[7]?.split(' ')
    expect(areasOf('fitzroy-vic')).toEqual(['melbourne'])
    expect(areasOf('healesville-vic')).toEqual(['yarra-valley', 'melbourne'])
    expect(areasOf('sorrento-vic')).toEqual(['mornington-peninsula', 'melbourne'])
    expect(areasOf('geelong-vic')).toEqual(['greater-geelong'])
    expect(areasOf('cowes-vic')).not.toContain('mornington-peninsula')
    expect(areasOf('mullumbimby-nsw')).toEqual(['northern-rivers', 'byron-shire'])
    expect(areasOf('penrith-nsw')).toEqual(['western-sydney', 'sydney'])
    expect(areasOf('wollongong-nsw')).toEqual(['illawarra'])
    for (const { key, state } of AREAS) {
      const inside = lines.filter((line) => line[7]?.split(' ').includes(key))
      expect(inside.length, key).toBeGreaterThan(0)
      expect(new Set(inside.map((line) => line[2])), key).toEqual(new Set([state]))
    }
    const known = new Set(AREAS.map(({ key }) => key))
    expect(
      lines.flatMap((line) => (line[7] ?? '').split(' ')).filter((key) => key && !known.has(key)),
    ).toEqual([])
  })

  it('leads each postcode to one place', () => {
    const postcodes = lines.flatMap((line) => (line[8] ?? '').split(' ').filter(Boolean))
    expect(postcodes.length).toBeGreaterThan(2_000)
    expect(new Set(postcodes).size).toBe(postcodes.length)
    const placeOf = (code: string) => lines.find((line) => line[8]?.split(' ').includes(code))?.[0]
    expect([placeOf('3220'), placeOf('2026'), placeOf('0870'), placeOf('7000')]).toEqual([
      'geelong-vic',
      'bondi-beach-nsw',
      'alice-springs-nt',
      'hobart-tas',
    ])
  })

  it('writes Mount and St in one way, as parsePlaceText does', () => {
    expect(places.filter(({ name }) => parsePlaceText(name).name !== name)).toEqual([])
  })

  it('gives each place a unique id and a unique label', () => {
    expect(new Set(places.map((place) => place.id)).size).toBe(places.length)
    expect(new Set(places.map(placeLabel)).size).toBe(places.length)
    expect(places.filter((place) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(place.id))).toEqual([])
  })

  it('contains only valid states, populations and points in Australia', () => {
    const strays = places.filter(
      ({ state, latitude, longitude, population }) =>
        !STATES.includes(state) ||
        !(latitude > -44 && latitude < -9) ||
        !(longitude > 112 && longitude < 160) ||
        !(Number.isInteger(population) && population >= 0),
    )
    expect(strays).toEqual([])
  })

  it('contains only time zones that this runtime supports', () => {
    for (const zone of new Set(places.map((place) => place.timeZone))) {
      expect(() => new Intl.DateTimeFormat('en-AU', { timeZone: zone })).not.toThrow()
    }
  })

  it('contains the exceptional time zones of Broken Hill and others', () => {
    expect(zoneOf('sydney-nsw')).toBe('Australia/Sydney')
    expect(zoneOf('broken-hill-nsw')).toBe('Australia/Broken_Hill')
    expect(zoneOf('lord-howe-island-nsw')).toBe('Australia/Lord_Howe')
    expect(zoneOf('hamilton-island-qld')).toBe('Australia/Lindeman')
    expect(zoneOf('eucla-wa')).toBe('Australia/Eucla')
    expect(zoneOf('canberra-act')).toBe('Australia/Sydney')
  })
})

describe('areaNamed', () => {
  it.each([
    ['melbourne', 'Melbourne'],
    ['Melbourne, VIC', 'Melbourne'],
    ['greater sydney', 'Sydney'],
    ['Perth CBD', 'Perth'],
    ['the Grampians', 'Grampians'],
    ['northern rivers nsw', 'Northern Rivers'],
    ['Barossa', 'Barossa Valley'],
  ])('knows %s', (text, name) => {
    expect(areaNamed(text)?.name).toBe(name)
  })

  it.each(['Perth, TAS', 'Geelong', 'melbourne street', '', 'the'])(
    'leaves other texts alone: %s',
    (text) => {
      expect(areaNamed(text)).toBeNull()
    },
  )

  it('gives no two areas the same name', () => {
    const names = AREAS.flatMap(({ name, others = [] }) => [name, ...others]).map((name) =>
      name.toLowerCase(),
    )
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(AREAS.map(({ key }) => key)).size).toBe(AREAS.length)
  })
})
