import ICAL from 'ical.js'
import { isLocalDate, type LocalDate, wallTimeToUtc } from '../../shared/dates.ts'
import { type Component, first, type Property, Unreadable } from './ical-text.ts'
import { WINDOWS_ZONES } from './windows-zones.ts'

/** A date and a time of day as a clock shows them, with the zone that the file names. */
export type Wall = {
  date: LocalDate
  /** Seconds since midnight; 0 for a whole day. */
  second: number
  wholeDay: boolean
  utc: boolean
  tzid: string | null
}

const WALL = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z)?)?$/i

/** @throws Unreadable for a malformed date or time, or a date that doesn't exist */
export function parseWall(value: string, tzid: string | null): Wall {
  const match = WALL.exec(value)
  if (!match) throw new Unreadable(`time ${value}`)
  const [, year, month, day, hour, minute, second, zulu] = match
  const date = `${year}-${month}-${day}`
  const seconds = Number(hour ?? 0) * 3600 + Number(minute ?? 0) * 60 + Math.min(59, Number(second ?? 0))
  if (!isLocalDate(date) || Number(minute ?? 0) > 59 || seconds >= 86_400)
    throw new Unreadable(`time ${value}`)
  return { date, second: seconds, wholeDay: hour === undefined, utc: zulu !== undefined, tzid }
}

/** A property's time, with the zone that it names. */
export function wallOf(property: Property): Wall {
  return parseWall(property.value, property.parameters.TZID ?? null)
}

/** The wall time as if it were UTC, for counting days and seconds. It is not an instant. */
export function countMs(wall: Pick<Wall, 'date' | 'second'>): number {
  return Date.parse(`${wall.date}T00:00:00Z`) + wall.second * 1000
}

/** The inverse of `countMs`: the wall time of a count. @param like gives its kind and zone */
export function wallAt(ms: number, like: Wall): Wall {
  const iso = new Date(ms).toISOString()
  const date = iso.slice(0, 10)
  return {
    ...like,
    date,
    second: like.wholeDay ? 0 : Math.floor((ms - Date.parse(`${date}T00:00:00Z`)) / 1000),
  }
}

type ToInstantMs = (date: LocalDate, second: number) => number

/** Converts wall times to instants. Each zone is looked up once per file. */
export class Zones {
  readonly #vtimezones = new Map<string, Component>()
  readonly #known = new Map<string, ToInstantMs>()
  readonly #fallback: ToInstantMs

  constructor(calendars: Component[], zone: string) {
    for (const child of calendars.flatMap((calendar) => calendar.children)) {
      const tzid = first(child, 'TZID')?.value
      if (child.name === 'VTIMEZONE' && tzid) this.#vtimezones.set(tzid, child)
    }
    this.#fallback = byName(zone)
  }

  instantMs(wall: Wall): number {
    if (wall.utc) return countMs(wall)
    // A whole day is a day in the business's zone, no matter whose calendar has it.
    if (wall.wholeDay || wall.tzid === null) return this.#fallback(wall.date, wall.second)
    let toInstantMs = this.#known.get(wall.tzid)
    if (!toInstantMs) {
      toInstantMs = this.#find(wall.tzid)
      this.#known.set(wall.tzid, toInstantMs)
    }
    return toInstantMs(wall.date, wall.second)
  }

  /**
   * Prefers well-known zone names to the file's own VTIMEZONE, as Google and Apple do. Many files have a VTIMEZONE that
   * is truncated or out of date. It serves only for names that the file itself defines.
   */
  #find(tzid: string): ToInstantMs {
    const name = knownZone(tzid)
    if (name) return byName(name)
    const component = this.#vtimezones.get(tzid)
    return component ? byVtimezone(component, tzid) : this.#fallback
  }
}

function byName(zone: string): ToInstantMs {
  // Each occurrence is looked up several times, and each conversion costs several calls to Intl.
  const known = new Map<string, number>()
  return (date, second) => {
    const key = `${date}/${second}`
    const cached = known.get(key)
    if (cached !== undefined) return cached
    const minute = Math.floor(second / 60)
    const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
    const ms = wallTimeToUtc(date, time, zone).getTime() + (second % 60) * 1000
    known.set(key, ms)
    return ms
  }
}

function byVtimezone(component: Component, tzid: string): ToInstantMs {
  const zone = new ICAL.Timezone({ component: libraryComponent(component), tzid })
  return (date, second) => {
    const [year, month, day] = date.split('-').map(Number) as [number, number, number]
    const time = new ICAL.Time({ year, month, day, ...clockOf(second) }, zone)
    return time.toUnixTime() * 1000
  }
}

/** Seconds since midnight in the library's form. */
export function clockOf(second: number): { hour: number; minute: number; second: number } {
  return { hour: Math.floor(second / 3600), minute: Math.floor(second / 60) % 60, second: second % 60 }
}

function libraryComponent(component: Component): ICAL.Component {
  const text = (each: Component): string[] => [
    `BEGIN:${each.name}`,
    ...each.lines,
    ...each.children.flatMap(text),
    `END:${each.name}`,
  ]
  return new ICAL.Component(ICAL.parse(text(component).join('\r\n')) as unknown[] as never)
}

/** The zone's IANA name: itself, that of a Windows zone, or the end of '/mozilla.org/20050126_1/Australia/Perth'. */
function knownZone(tzid: string): string | null {
  const candidates = [WINDOWS_ZONES[tzid], tzid, /[A-Za-z_]+\/[A-Za-z_]+(?:\/[A-Za-z_]+)?$/.exec(tzid)?.[0]]
  for (const name of candidates) {
    // A plain offset ('+10:00') is not a name, because it has no rules for daylight saving time.
    if (!name || /^[+-]?\d/.test(name)) continue
    try {
      return new Intl.DateTimeFormat('en-AU', { timeZone: name }).resolvedOptions().timeZone
    } catch {
      // Not a zone. Try the next candidate.
    }
  }
  return null
}

/** Calendar days plus elapsed time (RFC 5545, 3.3.6). */
export type Duration = { days: number; ms: number }

/** @throws Unreadable for a malformed duration */
export function parseDuration(value: string): Duration {
  const match = /^([+-]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(value)
  if (!match || !/\d/.test(value)) throw new Unreadable(`duration ${value}`)
  const [, sign, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
  const factor = sign === '-' ? -1 : 1
  return {
    days: factor * (Number(weeks) * 7 + Number(days)),
    ms: factor * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000,
  }
}
