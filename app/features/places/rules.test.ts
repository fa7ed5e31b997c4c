import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { distanceKm, placeLabel, STATES, type State, stateNames } from './rules.ts'

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
    expect(header).toEqual(['id', 'name', 'state', 'latitude', 'longitude', 'time_zone', 'population'])
    expect(places.length).toBeGreaterThan(1500)
    expect(lines.filter((line) => line.length !== 7)).toEqual([])
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
