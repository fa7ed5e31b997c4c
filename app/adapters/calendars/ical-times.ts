import ICAL from 'ical.js'
import { isLocalDate, type LocalDate, wallTimeToUtc } from '../../shared/dates.ts'
import { type Component, first, type Property, Unreadable } from './ical-text.ts'
import { areaZone, meantZone, standardMinutes, windowsZone } from './zone-names.ts'

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

/**
 * Reads a date or time.
 * @param tzid the zone that the property names; null for none
 * @param like the event's start, whose zone a time without a zone has
 * @throws Unreadable for a malformed date or time, or a date that doesn't exist
 */
export function parseWall(value: string, tzid: string | null, like: Wall | null = null): Wall {
  const match = WALL.exec(value)
  if (!match) throw new Unreadable(`time ${value}`)
  const [, year, month, day, hour, minute, second, zulu] = match
  const date = `${year}-${month}-${day}`
  const seconds = Number(hour ?? 0) * 3600 + Number(minute ?? 0) * 60 + Math.min(59, Number(second ?? 0))
  if (!isLocalDate(date) || Number(minute ?? 0) > 59 || seconds >= 86_400)
    throw new Unreadable(`time ${value}`)
  const wholeDay = hour === undefined
  const utc = zulu !== undefined || (tzid === null && !wholeDay && like?.utc === true)
  return { date, second: seconds, wholeDay, utc, tzid: tzid ?? like?.tzid ?? null }
}

/** A property's time. @param like the event's start, whose zone a time without a zone has */
export function wallOf(property: Property, like: Wall | null = null): Wall {
  return parseWall(property.value, property.parameters.TZID ?? null, like)
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
  readonly #known = new Map<string, ToInstantMs | null>()
  readonly #fallback: ToInstantMs

  constructor(calendars: Component[], zone: string) {
    for (const child of calendars.flatMap((calendar) => calendar.children)) {
      const tzid = first(child, 'TZID')?.value
      if (child.name === 'VTIMEZONE' && tzid && hasRules(child)) this.#vtimezones.set(tzid, child)
    }
    this.#fallback = byName(zone)
  }

  instantMs(wall: Wall): number {
    if (wall.utc) return countMs(wall)
    // A whole day is a day in the business's zone, no matter whose calendar has it.
    if (wall.wholeDay || wall.tzid === null) return this.#fallback(wall.date, wall.second)
    return (this.#zone(wall.tzid) ?? this.#fallback)(wall.date, wall.second)
  }

  /** Whether a name means a zone, by the file's own definition or a well-known one. */
  isZone(tzid: string): boolean {
    return this.#zone(tzid) !== null
  }

  #zone(tzid: string): ToInstantMs | null {
    let toInstantMs = this.#known.get(tzid)
    if (toInstantMs === undefined) {
      toInstantMs = this.#find(tzid.trim())
      this.#known.set(tzid, toInstantMs)
    }
    return toInstantMs
  }

  /**
   * Prefers Area/City names to the file's own VTIMEZONE, as Google and Apple do: in many files it is truncated
   * or out of date. The same goes for a Windows zone, unless the file puts it on another continent: programs call
   * Sydney's time 'Eastern Standard Time'. Any other name is the file's own before it is an abbreviation that we know.
   */
  #find(tzid: string): ToInstantMs | null {
    const area = areaZone(tzid)
    if (area) return byName(area)
    const component = this.#vtimezones.get(tzid)
    const windows = windowsZone(tzid)
    if (windows && (!component || standardOffsets(component).has(standardMinutes(windows))))
      return byName(windows)
    const own = component && byVtimezone(component, tzid)
    if (own) return own
    const meant = meantZone(tzid)
    if (!meant) return null
    if ('name' in meant) return byName(meant.name)
    return (date, second) => countMs({ date, second }) - meant.offsetMinutes * 60_000
  }
}

const OFFSET = /^([+-])(\d{2})(\d{2})(?:\d{2})?$/

/** Whether a VTIMEZONE has at least one complete rule. Without any, the library takes it for UTC. */
function hasRules(component: Component): boolean {
  return component.children.some(
    (rule) => first(rule, 'DTSTART') && OFFSET.test(first(rule, 'TZOFFSETTO')?.value ?? ''),
  )
}

/** The offsets of a VTIMEZONE outside daylight saving time, in minutes. */
function standardOffsets(component: Component): Set<number> {
  return new Set(
    component.children.flatMap((rule) => {
      const match = OFFSET.exec(first(rule, 'TZOFFSETTO')?.value ?? '')
      if (rule.name !== 'STANDARD' || !match) return []
      return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]))
    }),
  )
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

/** @returns null for a definition that the library can't read */
function byVtimezone(component: Component, tzid: string): ToInstantMs | null {
  let zone: ICAL.Timezone
  const toInstantMs: ToInstantMs = (date, second) => {
    const [year, month, day] = date.split('-').map(Number) as [number, number, number]
    const time = new ICAL.Time({ year, month, day, ...clockOf(second) }, zone)
    return time.toUnixTime() * 1000
  }
  try {
    zone = new ICAL.Timezone({ component: libraryComponent(component), tzid })
    return Number.isFinite(toInstantMs('2027-01-01', 0)) ? toInstantMs : null
  } catch {
    return null
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

/** Calendar days plus elapsed time (RFC 5545, 3.3.6). */
export type Duration = { days: number; ms: number }

/** @throws Unreadable for a malformed or negative duration */
export function parseDuration(value: string): Duration {
  const match = /^([+-]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(value)
  if (!match || !/\d/.test(value)) throw new Unreadable(`duration ${value}`)
  const [, sign, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
  const duration = {
    days: Number(weeks) * 7 + Number(days),
    ms: ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000,
  }
  if (sign === '-' && (duration.days > 0 || duration.ms > 0)) throw new Unreadable(`duration ${value}`)
  return duration
}
