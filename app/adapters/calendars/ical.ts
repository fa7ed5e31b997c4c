import ICAL from 'ical.js'
import type { LocalDate } from '../../shared/dates.ts'
import { all, type Component, first, parseComponents } from './ical-text.ts'
import {
  clockOf,
  countMs,
  type Duration,
  parseDuration,
  parseWall,
  type Wall,
  wallAt,
  wallOf,
  Zones,
} from './ical-times.ts'
import type { BusyEvent } from './port.ts'

/** The maximum of busy times in the window. A full diary of two years has a tenth of it. */
export const MAX_BUSY_EVENTS = 20_000
/** The maximum of occurrences to iterate over, in the window or before it. */
const MAX_STEPS = 300_000
/** Frequencies that no real diary has. */
const TOO_OFTEN = new Set(['SECONDLY', 'MINUTELY'])
const MAX_TITLE_LENGTH = 200
const UNNAMED = 'Busy'
const DAY_MS = 86_400_000

export type CalendarText = {
  text: string
  /** Only events that overlap it are returned. */
  window: { from: Date; until: Date }
  /** The business's zone, for all-day events, times without a zone and unknown zones. */
  zone: string
  /** Events whose UID ends like this are our own, returned through another calendar. They get an `ownId`. */
  ownUidSuffix: string | null
}

export type ReadText =
  | { ok: true; events: BusyEvent[] }
  | { ok: false; reason: 'not_a_calendar' | 'too_many_events' }

/**
 * Returns the times at which the owner of an iCalendar file (RFC 5545) is busy. Transparent and cancelled events don't
 * count, tentative ones do. A file that is truncated or has an event with an unreadable time is refused as a whole,
 * because leaving that event out would offer a time that is taken. Properties without times are not parsed.
 *
 * The file determines how long this runs, so call it in a worker thread (calendar-worker.ts).
 */
export function readCalendarText(input: CalendarText): ReadText {
  try {
    const calendars = parseComponents(input.text)
    const events = new Reading(input).read(calendars)
    return { ok: true, events: events.sort((a, b) => a.from.getTime() - b.from.getTime()) }
  } catch (error) {
    if (error instanceof TooMany) return { ok: false, reason: 'too_many_events' }
    // Any other error of the library or of ours means a malformed text.
    return { ok: false, reason: 'not_a_calendar' }
  }
}

class TooMany extends Error {}

type Event = {
  /** Null when the file gives none. The event then stands alone. */
  uid: string | null
  start: Wall
  /** The duration of each occurrence. */
  length: Duration
  busy: boolean
  title: string
  sequence: number
  recurrence: { of: Wall; andFollowing: boolean } | null
  component: Component
}

type Occurrence = { start: Wall; length: Duration }

/** Collects the busy times of one file. */
class Reading {
  readonly #input: CalendarText
  readonly #events: BusyEvent[] = []
  #zones!: Zones
  #steps = 0

  constructor(input: CalendarText) {
    this.#input = input
  }

  read(calendars: Component[]): BusyEvent[] {
    this.#zones = new Zones(calendars, this.#input.zone)
    const groups = new Map<string | Component, Event[]>()
    for (const component of calendars.flatMap((calendar) => calendar.children)) {
      if (component.name === 'VFREEBUSY') this.#addFreeBusy(component)
      if (component.name !== 'VEVENT') continue
      const event = this.#event(component)
      if (!event) continue
      const group = event.uid === null ? undefined : groups.get(event.uid)
      if (group) group.push(event)
      else groups.set(event.uid ?? component, [event])
    }
    for (const group of groups.values()) this.#addGroup(group)
    return this.#events
  }

  /** @returns null for an event without a start, which blocks no time */
  #event(component: Component): Event | null {
    const dtstart = first(component, 'DTSTART')
    if (!dtstart) return null
    const start = wallOf(dtstart)
    const summary = first(component, 'SUMMARY')?.value ?? ''
    const recurrenceId = first(component, 'RECURRENCE-ID')
    const status = first(component, 'STATUS')?.value.toUpperCase()
    return {
      uid: first(component, 'UID')?.value || null,
      start,
      length: this.#length(component, start),
      busy:
        status !== 'CANCELLED' &&
        first(component, 'TRANSP')?.value.toUpperCase() !== 'TRANSPARENT' &&
        first(component, 'X-MICROSOFT-CDO-BUSYSTATUS')?.value.toUpperCase() !== 'FREE',
      title: readTitle(summary),
      sequence: Number(first(component, 'SEQUENCE')?.value) || 0,
      recurrence: recurrenceId
        ? {
            of: parseWall(recurrenceId.value, recurrenceId.parameters.TZID ?? start.tzid),
            andFollowing: recurrenceId.parameters.RANGE?.toUpperCase() === 'THISANDFUTURE',
          }
        : null,
      component,
    }
  }

  #length(component: Component, start: Wall): Duration {
    const duration = first(component, 'DURATION')
    if (duration) return parseDuration(duration.value)
    const dtend = first(component, 'DTEND')
    // RFC 5545, 3.6.1: without an end, an all-day event lasts one day and a timed event has no duration.
    if (!dtend) return start.wholeDay ? { days: 1, ms: 0 } : { days: 0, ms: 0 }
    const end = wallOf(dtend)
    if (!start.wholeDay) return { days: 0, ms: this.#zones.instantMs(end) - this.#zones.instantMs(start) }
    // Some programs write the last day instead of the day after it.
    const days = Math.ceil((countMs(end) - countMs(start)) / DAY_MS)
    return { days: Math.max(1, days), ms: 0 }
  }

  /** Adds the events that share a UID: masters, which may repeat, and changed occurrences. */
  #addGroup(group: Event[]): void {
    const masters = latest(
      group.filter((event) => !event.recurrence),
      (event) => this.#zones.instantMs(event.start),
    )
    const changed = latest(
      group.filter((event) => event.recurrence !== null),
      (event) =>
        `${event.recurrence?.andFollowing}${this.#zones.instantMs((event.recurrence as { of: Wall }).of)}`,
    )
    const replaced = new Moments(this.#zones)
    for (const event of changed) if (event.recurrence) replaced.add(event.recurrence.of)
    const following = changed
      .filter((event) => event.recurrence?.andFollowing)
      .sort((a, b) => this.#recurrenceMs(a) - this.#recurrenceMs(b))

    for (const master of masters) {
      for (const occurrence of this.#occurrences(master)) {
        if (replaced.has(occurrence.start)) continue
        const ms = this.#zones.instantMs(occurrence.start)
        const from = following.findLast((event) => this.#recurrenceMs(event) <= ms)
        if (!from) this.#add(master, occurrence)
        else {
          const shiftMs = countMs(from.start) - countMs((from.recurrence as { of: Wall }).of)
          const start = wallAt(countMs(occurrence.start) + shiftMs, from.start)
          this.#add(from, { start, length: from.length })
        }
      }
    }
    for (const event of changed) this.#add(event, { start: event.start, length: event.length })
  }

  #recurrenceMs(event: Event): number {
    return this.#zones.instantMs((event.recurrence as { of: Wall }).of)
  }

  /** The occurrences of a master that begin before the window ends, without excluded ones. */
  *#occurrences(master: Event): Generator<Occurrence> {
    const removed = new Moments(this.#zones)
    for (const exdate of all(master.component, 'EXDATE')) {
      for (const value of exdate.value.split(','))
        removed.add(parseWall(value.trim(), exdate.parameters.TZID ?? master.start.tzid))
    }
    const seen = new Set<number>()
    const fresh = (start: Wall) => {
      if (seen.has(countMs(start)) || removed.has(start)) return false
      seen.add(countMs(start))
      return true
    }
    // The first occurrence counts even if the rule excludes it, because calendars show it.
    if (fresh(master.start)) yield { start: master.start, length: master.length }
    for (const rule of all(master.component, 'RRULE')) {
      for (const start of this.#ruleStarts(master, rule.value)) {
        if (fresh(start)) yield { start, length: master.length }
      }
    }
    for (const rdate of all(master.component, 'RDATE')) {
      for (const value of rdate.value.split(',')) {
        const [from = '', period] = value.trim().split('/')
        const start = parseWall(from, rdate.parameters.TZID ?? master.start.tzid)
        if (!fresh(start)) continue
        if (!period) yield { start, length: master.length }
        else if (/^[+-]?P/i.test(period)) yield { start, length: parseDuration(period) }
        else {
          const end = this.#zones.instantMs(parseWall(period, start.tzid))
          yield { start, length: { days: 0, ms: end - this.#zones.instantMs(start) } }
        }
      }
    }
  }

  /**
   * The start times of a rule. The library iterates over wall times. UNTIL is checked here: it is an instant, which the
   * library would compare with a time that has no zone.
   */
  *#ruleStarts(master: Event, value: string): Generator<Wall> {
    const until = /(?:^|;)UNTIL=([^;]*)/i.exec(value)?.[1]
    const untilMs = until === undefined ? Infinity : this.#untilMs(until.trim(), master.start)
    const frequency = /(?:^|;)FREQ=\s*([A-Z]+)/i.exec(value)?.[1]?.toUpperCase()
    if (frequency && TOO_OFTEN.has(frequency)) throw new TooMany()
    const rule = ICAL.Recur.fromString(
      value
        .replace(/\s+/g, '')
        .replace(/(?:^|;)UNTIL=[^;]*/i, '')
        .replace(/^;/, ''),
    )
    const { date, second, wholeDay } = master.start
    const [year, month, day] = date.split('-').map(Number) as [number, number, number]
    const iterator = rule.iterator(
      new ICAL.Time(
        { year, month, day, isDate: wholeDay, ...clockOf(second) },
        // Without a zone the library counts wall times. The zone is applied afterwards.
        ICAL.Timezone.localTimezone,
      ),
    )
    const { from, until: windowEnd } = this.#input.window
    // Two days of margin cover every zone and every clock change.
    const longMs = Math.abs(master.length.days) * DAY_MS + Math.abs(master.length.ms) + 2 * DAY_MS
    for (let time = iterator.next(); time; time = iterator.next()) {
      if (++this.#steps > MAX_STEPS) throw new TooMany()
      const ms = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second)
      if (ms > windowEnd.getTime() + 2 * DAY_MS || ms > untilMs + 2 * DAY_MS) return
      if (ms < from.getTime() - longMs) continue
      const start = wallAt(ms, master.start)
      if (this.#zones.instantMs(start) > untilMs) return
      yield start
    }
  }

  /** The instant of UNTIL. A date means the end of that day in the event's zone. */
  #untilMs(value: string, start: Wall): number {
    const until = parseWall(value, start.tzid)
    const dayEnd = until.wholeDay && !start.wholeDay ? { ...until, wholeDay: false, second: 86_399 } : until
    // For all-day events Google writes UNTIL in UTC.
    if (start.wholeDay && !until.wholeDay) return this.#zones.instantMs({ ...start, date: until.date })
    return this.#zones.instantMs(dayEnd)
  }

  #add(event: Event, { start, length }: Occurrence): void {
    if (!event.busy) return
    const fromMs = this.#zones.instantMs(start)
    const untilMs =
      (length.days === 0
        ? fromMs
        : this.#zones.instantMs(wallAt(countMs(start) + length.days * DAY_MS, start))) + length.ms
    this.#addBusy(fromMs, untilMs, event.title, this.#ownId(event.uid))
  }

  #ownId(uid: string | null): string | undefined {
    const suffix = this.#input.ownUidSuffix
    return suffix !== null && uid?.endsWith(suffix) ? uid.slice(0, -suffix.length) : undefined
  }

  #addFreeBusy(component: Component): void {
    for (const line of all(component, 'FREEBUSY')) {
      if (line.parameters.FBTYPE?.toUpperCase() === 'FREE') continue
      for (const value of line.value.split(',')) {
        const [from = '', to = ''] = value.trim().split('/')
        const fromMs = this.#zones.instantMs(parseWall(from, null))
        const duration = /^[+-]?P/i.test(to) ? parseDuration(to) : null
        const untilMs = duration
          ? fromMs + duration.days * DAY_MS + duration.ms
          : this.#zones.instantMs(parseWall(to, null))
        this.#addBusy(fromMs, untilMs, UNNAMED)
      }
    }
  }

  #addBusy(fromMs: number, untilMs: number, title: string, ownId?: string): void {
    const { from, until } = this.#input.window
    if (untilMs <= fromMs || untilMs <= from.getTime() || fromMs >= until.getTime()) return
    if (this.#events.length >= MAX_BUSY_EVENTS) throw new TooMany()
    this.#events.push({ from: new Date(fromMs), until: new Date(untilMs), title, ownId })
  }
}

/** Occurrences as EXDATE and RECURRENCE-ID name them: by instant, or by day. */
class Moments {
  readonly #zones: Zones
  readonly #instants = new Set<number>()
  readonly #days = new Set<LocalDate>()
  /** Some programs name a whole day by a time on that day. */
  readonly #daysOfTimes = new Set<LocalDate>()

  constructor(zones: Zones) {
    this.#zones = zones
  }

  add(wall: Wall): void {
    if (wall.wholeDay) this.#days.add(wall.date)
    else this.#instants.add(this.#zones.instantMs(wall))
    if (!wall.wholeDay && !wall.utc) this.#daysOfTimes.add(wall.date)
  }

  has(start: Wall): boolean {
    if (this.#days.has(start.date) || (start.wholeDay && this.#daysOfTimes.has(start.date))) return true
    return this.#instants.size > 0 && this.#instants.has(this.#zones.instantMs(start))
  }
}

/**
 * Keeps the version of each event with the highest SEQUENCE. Equal versions all stay, because some programs give all
 * events one UID, and one busy time too many is better than one too few.
 */
function latest(events: Event[], sameAs: (event: Event) => string | number): Event[] {
  const newest = new Map<string | number, number>()
  for (const event of events) {
    const id = sameAs(event)
    newest.set(id, Math.max(event.sequence, newest.get(id) ?? 0))
  }
  return events.filter((event) => event.sequence === newest.get(sameAs(event)))
}

/** Unescapes a text (RFC 5545, 3.3.11) and puts it on one line. */
function readTitle(value: string): string {
  const text = value.replace(/\\([nN,;\\])/g, (_, each: string) => (each.toLowerCase() === 'n' ? ' ' : each))
  return plain(text).replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH).toWellFormed().trim() || UNNAMED
}

/** Replaces control characters and lone surrogates, which a database refuses. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').toWellFormed()
}
