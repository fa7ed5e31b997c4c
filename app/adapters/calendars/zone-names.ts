import { wallTimeToUtc } from '../../shared/dates.ts'
import { WINDOWS_ZONES } from './windows-zones.ts'

/** The zone that a name means: an IANA zone, or a fixed offset from UTC. */
export type MeantZone = { name: string } | { offsetMinutes: number }

/**
 * Abbreviations of the region, in minutes. They name an offset, so AEST is +10:00 in summer too. Intl knows EST, CST
 * and the like as zones of America, and those stay.
 */
const ABBREVIATIONS: ReadonlyMap<string, number> = new Map([
  ['Z', 0],
  ['AWST', 480],
  ['AWDT', 540],
  ['ACWST', 525],
  ['ACST', 570],
  ['ACDT', 630],
  ['AEST', 600],
  ['AEDT', 660],
  ['LHST', 630],
  ['LHDT', 660],
  ['NFT', 660],
  ['NZST', 720],
  ['NZDT', 780],
])
const MAX_OFFSET_MINUTES = 14 * 60

const windowsZones = new Map(Object.entries(WINDOWS_ZONES).map(([name, zone]) => [name.toLowerCase(), zone]))

/** The IANA zone of a Windows zone; null for any other name. */
export function windowsZone(name: string): string | null {
  return windowsZones.get(name.trim().toLowerCase()) ?? null
}

/** The IANA zone that a name has as Area/City, alone or at the end of '/mozilla.org/20050126_1/Australia/Perth'. */
export function areaZone(name: string): string | null {
  const segments = name.trim().replaceAll(' ', '_').split('/')
  for (const length of [3, 2]) {
    const zone = segments.length >= length ? ianaZone(segments.slice(-length).join('/')) : null
    if (zone) return zone
  }
  return null
}

/**
 * The zone that other programs mean by a name: 'UTC+10', 'AEST', '(UTC+08:00) Perth', 'tzone://Microsoft/Utc', a
 * Windows zone, a city. Null if nothing is known by it.
 */
export function meantZone(text: string): MeantZone | null {
  const name = text.trim()
  const zone = windowsZone(name) ?? areaZone(name)
  if (zone) return { name: zone }
  const abbreviated = ABBREVIATIONS.get(name.toUpperCase())
  if (abbreviated !== undefined) return { offsetMinutes: abbreviated }
  return offsetZone(name) ?? namedZone(name.split('/').at(-1) ?? '')
}

/** 'UTC+10', '+0930', or '(UTC+10:00) Canberra, Melbourne, Sydney', whose city has daylight saving time. */
function offsetZone(name: string): MeantZone | null {
  const match = /^\(?(UTC|GMT)?(?:([+-])(\d{1,2})(?::?([0-5]\d))?)?\)?(?:\s(.*))?$/i.exec(name)
  if (!match || (match[1] === undefined && match[2] === undefined)) return null
  const [, , sign, hours = '0', minutes = '0', cities = ''] = match
  const size = Number(hours) * 60 + Number(minutes)
  if (size > MAX_OFFSET_MINUTES) return null
  const offsetMinutes = sign === '-' ? -size : size
  for (const city of cities.split(',')) {
    const zone = namedZone(city)
    if (zone && standardMinutes(zone.name) === offsetMinutes) return zone
  }
  return { offsetMinutes }
}

let cities: Map<string, string> | null = null

/** A zone by its own name or its city's. */
function namedZone(text: string): { name: string } | null {
  const name = text.trim().replaceAll(' ', '_')
  if (name === '') return null
  cities ??= new Map(
    Intl.supportedValuesOf('timeZone').map((zone) => [zone.split('/').at(-1)?.toLowerCase() ?? '', zone]),
  )
  const zone = ianaZone(name) ?? ianaZone(`Australia/${name}`) ?? cities.get(name.toLowerCase())
  return zone ? { name: zone } : null
}

function ianaZone(name: string): string | null {
  // A plain offset ('+10:00') is not a name, although newer engines accept it as a zone.
  if (!/^[a-z]/i.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en-AU', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** A zone's offset without daylight saving time, in minutes. */
export function standardMinutes(zone: string): number {
  const offsets = ['2027-01-01', '2027-07-01'].map(
    (day) => Date.parse(`${day}T12:00:00Z`) - wallTimeToUtc(day, '12:00', zone).getTime(),
  )
  return Math.min(...offsets) / 60_000
}
