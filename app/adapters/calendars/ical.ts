import ICAL from 'ical.js'
import { addDays, type LocalDate } from '../../shared/dates.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { isDeclined, type Owner, ownerOf } from './calendar-owner.ts'
import { all, type Component, first, type Property, parseComponents, Unreadable } from './ical-text.ts'
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

export type CalendarText = {
  text: string
  /** Only events that overlap it are returned. */
  window: { from: Date; until: Date }
  /** The business's zone, for all-day events, times without a zone and unknown zones. */
  zone: string
  /** Events whose UID ends like this are our own, returned through another calendar. They get an `ownId`. */
  ownUidSuffix: string | null
  /** E-mail addresses of the calendar's owner, if we know them. Events that they declined don't count. */
  ownerAddresses: readonly string[]
}

export type ReadText =
  | { ok: true; events: BusyEvent[] }
  | { ok: false; reason: 'not_a_calendar' | 'too_many_events' }
  /** `event` is its title or day, one line of at most 200 characters. */
  | { ok: false; reason: 'unreadable_event'; event: string }

/**
 * Returns the times at which the owner of an iCalendar file (RFC 5545) is busy. Transparent, cancelled and declined
 * events don't count, tentative ones do. A truncated file is refused as a whole. So is one with an unreadable event that
 * may block a time of the window, because leaving that event out would offer a time that is taken. Any other unreadable
 * event is left out. Properties without times are not parsed.
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
    if (error instanceof UnreadableEvent)
      return { ok: false, reason: 'unreadable_event', event: error.message }
    // Any other error of the library or of ours means a malformed text.
    return { ok: false, reason: 'not_a_calendar' }
  }
}

class TooMany extends Error {}

/** An event that may block a time but can't be read. Its message names the event. */
class UnreadableEvent extends Error {}

type Event = {
  /** Null when the file gives none. The event then stands alone. */
  uid: string | null
  start: Wall
  /** The start has no zone of its own. */
  floating: boolean
  /** The duration of each occurrence; null for an override without one, which has its series'. */
  length: Duration | null
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
    for (const calendar of calendars) {
      const context = { zone: this.#zoneOf(calendar), owner: ownerOf(calendar, this.#input.ownerAddresses) }
      for (const component of calendar.children) {
        if (component.name === 'VFREEBUSY')
          this.#guard(component, true, () => this.#addFreeBusy(component, context.zone))
        if (component.name !== 'VEVENT') continue
        const busy = isBusy(component, context.owner)
        const event = this.#guard(component, busy, () => this.#event(component, busy, context.zone))
        if (!event) continue
        const group = event.uid === null ? undefined : groups.get(event.uid)
        if (group) group.push(event)
        else groups.set(event.uid ?? component, [event])
      }
    }
    for (const group of groups.values()) this.#addGroup(group)
    return this.#events
  }

  /** The zone of a calendar's floating times; null for the business's. */
  #zoneOf(calendar: Component): string | null {
    const named = [...all(calendar, 'X-WR-TIMEZONE'), ...all(calendar, 'TIMEZONE-ID')]
    return named.find(({ value }) => value !== '' && this.#zones.isZone(value))?.value ?? null
  }

  /** Runs a step for one component. A component that fails is left out if it blocks no time of the window. */
  #guard<T>(component: Component, busy: boolean, step: () => T): T | null {
    try {
      return step()
    } catch (error) {
      if (!busy || !mayTouch(component, this.#input.window)) return null
      throw error instanceof TooMany ? error : new UnreadableEvent(nameOf(component))
    }
  }

  /** @returns null for an event without a start, which blocks no time */
  #event(component: Component, busy: boolean, zone: string | null): Event | null {
    const dtstart = first(component, 'DTSTART') ?? first(component, 'RECURRENCE-ID')
    if (!dtstart) return null
    const written = wallOf(dtstart)
    const floating = !written.wholeDay && !written.utc && written.tzid === null
    const start = floating ? { ...written, tzid: zone } : written
    const recurrenceId = first(component, 'RECURRENCE-ID')
    return {
      uid: first(component, 'UID')?.value || null,
      start,
      floating,
      length: this.#length(component, start),
      busy,
      title: readTitle(first(component, 'SUMMARY')?.value ?? ''),
      sequence: Number(first(component, 'SEQUENCE')?.value) || 0,
      recurrence: recurrenceId
        ? {
            of: wallOf(recurrenceId, start),
            andFollowing: recurrenceId.parameters.RANGE?.toUpperCase() === 'THISANDFUTURE',
          }
        : null,
      component,
    }
  }

  /** @returns null without an end and a duration */
  #length(component: Component, start: Wall): Duration | null {
    const duration = first(component, 'DURATION')
    if (duration) return parseDuration(duration.value)
    const dtend = first(component, 'DTEND')
    if (!dtend) return null
    const end = wallOf(dtend, start)
    if (!start.wholeDay) return { days: 0, ms: this.#elapsedMs(start, end) }
    // Some programs write the last day instead of the day after it.
    const days = Math.ceil((countMs(end) - countMs(start)) / DAY_MS)
    if (days < 0) throw new Unreadable('end before start')
    return { days: Math.max(1, days), ms: 0 }
  }

  /** The time from start to end. An end that is earlier on the same day means the next one: a party until 1:00. */
  #elapsedMs(start: Wall, end: Wall): number {
    const startMs = this.#zones.instantMs(start)
    const ms = this.#zones.instantMs(end) - startMs
    if (ms >= 0) return ms
    const nextMs = this.#zones.instantMs({ ...end, date: addDays(end.date, 1) }) - startMs
    if (end.date !== start.date || nextMs < 0) throw new Unreadable('end before start')
    return nextMs
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
    const series = masters[0]
    const replaced = new Moments(this.#zones)
    for (const event of changed) if (event.recurrence) replaced.add(event.recurrence.of, series)
    const following = changed
      .filter((event) => event.recurrence?.andFollowing)
      .sort((a, b) => this.#recurrenceMs(a) - this.#recurrenceMs(b))
    const lengthOf = (event: Event) =>
      event.length ??
      (series && isAllDay(series) === isAllDay(event) ? series.length : null) ??
      shortest(event)

    for (const master of masters) {
      // Without a busy part there is nothing to add, however often it repeats.
      if (!master.busy && !following.some(({ busy }) => busy)) continue
      this.#guard(master.component, true, () => {
        for (const occurrence of this.#occurrences(master, lengthOf(master))) {
          if (replaced.has(occurrence.start)) continue
          const ms = this.#zones.instantMs(occurrence.start)
          const from = following.findLast((event) => this.#recurrenceMs(event) <= ms)
          if (!from) this.#add(master, occurrence)
          else {
            const shiftMs = countMs(from.start) - countMs((from.recurrence as { of: Wall }).of)
            const start = wallAt(countMs(occurrence.start) + shiftMs, from.start)
            this.#add(from, { start, length: lengthOf(from) })
          }
        }
      })
    }
    for (const event of changed) this.#add(event, { start: event.start, length: lengthOf(event) })
  }

  #recurrenceMs(event: Event): number {
    return this.#zones.instantMs((event.recurrence as { of: Wall }).of)
  }

  /** The occurrences of a master that begin before the window ends, without excluded ones. */
  *#occurrences(master: Event, length: Duration): Generator<Occurrence> {
    const removed = new Moments(this.#zones)
    for (const { value, parameters } of eachOf(master.component, 'EXDATE'))
      removed.add(parseWall(value, parameters.TZID ?? null, master.start), master)
    const seen = new Set<number>()
    const fresh = (start: Wall) => {
      if (seen.has(countMs(start)) || removed.has(start)) return false
      seen.add(countMs(start))
      return true
    }
    // The first occurrence counts even if the rule excludes it, because calendars show it.
    if (fresh(master.start)) yield { start: master.start, length }
    for (const rule of all(master.component, 'RRULE')) {
      for (const start of this.#ruleStarts(master, length, rule.value)) {
        if (fresh(start)) yield { start, length }
      }
    }
    for (const { value, parameters } of eachOf(master.component, 'RDATE')) {
      const [from = '', period] = value.split('/')
      const start = parseWall(from, parameters.TZID ?? null, master.start)
      if (!fresh(start)) continue
      if (!period) yield { start, length }
      else if (/^[+-]?P/i.test(period)) yield { start, length: parseDuration(period) }
      else yield { start, length: { days: 0, ms: this.#elapsedMs(start, parseWall(period, null, start)) } }
    }
  }

  /**
   * The start times of a rule. The library iterates over wall times. UNTIL is checked here: it is an instant, which the
   * library would compare with a time that has no zone.
   */
  *#ruleStarts(master: Event, length: Duration, value: string): Generator<Wall> {
    const { from, until: windowEnd } = this.#input.window
    // Two days of margin cover every zone and every clock change.
    const longMs = length.days * DAY_MS + length.ms + 2 * DAY_MS
    const untilMs = this.#untilMs(value, master.start)
    if (untilMs < from.getTime() - longMs) return
    const frequency = /(?:^|;)FREQ=\s*([A-Z]+)/i.exec(value)?.[1]?.toUpperCase()
    if (frequency && TOO_OFTEN.has(frequency)) throw new TooMany()
    const plain = value
      .replace(/\s+/g, '')
      .replace(/(?:^|;)UNTIL=[^;]*/i, '')
      .replace(/^;/, '')
    const own = withOwnDay(plain, master.start)
    if (own === null) return
    const rule = ICAL.Recur.fromString(own.rule)
    const { date, second, wholeDay } = master.start
    const [year, month, day] = date.split('-').map(Number) as [number, number, number]
    const iterator = rule.iterator(
      new ICAL.Time(
        { year, month, day, isDate: wholeDay, ...clockOf(second) },
        // Without a zone the library counts wall times. The zone is applied afterwards.
        ICAL.Timezone.localTimezone,
      ),
    )
    let counted = 0
    for (let time = iterator.next(); time; time = iterator.next()) {
      if (++this.#steps > MAX_STEPS) throw new TooMany()
      const ms = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second)
      if (ms > windowEnd.getTime() + 2 * DAY_MS || ms > untilMs + 2 * DAY_MS) return
      if (own.day !== null && time.day !== own.day) continue
      if (++counted > own.count) return
      if (ms < from.getTime() - longMs) continue
      const start = wallAt(ms, master.start)
      if (this.#zones.instantMs(start) > untilMs) return
      yield start
    }
  }

  /** The instant of a rule's UNTIL, Infinity without one. A date means the end of that day in the event's zone. */
  #untilMs(rule: string, start: Wall): number {
    const value = /(?:^|;)UNTIL=([^;]*)/i.exec(rule)?.[1]
    if (value === undefined) return Infinity
    const until = parseWall(value.trim(), null, start)
    // For all-day events, Google writes the last day's midnight in UTC.
    if (start.wholeDay) return this.#zones.instantMs({ ...start, date: dayOf(until, start, this.#zones) })
    const dayEnd = until.wholeDay ? { ...until, wholeDay: false, utc: start.utc, second: 86_399 } : until
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

  #addFreeBusy(component: Component, zone: string | null): void {
    for (const { value, parameters } of eachOf(component, 'FREEBUSY')) {
      if (parameters.FBTYPE?.toUpperCase() === 'FREE') continue
      const [from = '', to = ''] = value.split('/')
      const start = parseWall(from, zone)
      const fromMs = this.#zones.instantMs(start)
      const duration = /^[+-]?P/i.test(to) ? parseDuration(to) : null
      const untilMs = duration
        ? fromMs + duration.days * DAY_MS + duration.ms
        : fromMs + this.#elapsedMs(start, parseWall(to, zone, start))
      this.#addBusy(fromMs, untilMs, UNNAMED)
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

  /** @param series the event that it belongs to: a UTC time means a day of a floating or all-day series */
  add(wall: Wall, series?: Pick<Event, 'start' | 'floating'>): void {
    if (wall.utc && series && (series.floating || series.start.wholeDay))
      this.#days.add(dayOf(wall, series.start, this.#zones))
    else if (wall.wholeDay) this.#days.add(wall.date)
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

/**
 * The day that a time in UTC means in a floating or all-day series: that of the occurrence or the midnight at this
 * instant, else that of the digits, which some programs write without converting them.
 */
function dayOf(wall: Wall, start: Wall, zones: Zones): LocalDate {
  if (!wall.utc) return wall.date
  const ms = zones.instantMs(wall)
  const days = [-1, 0, 1].map((shift) => addDays(wall.date, shift))
  const atInstant = (second: number) =>
    days.find((date) => zones.instantMs({ ...start, date, second }) === ms)
  const known = atInstant(start.second) ?? (wall.second === start.second ? wall.date : atInstant(0))
  if (known !== undefined) return known
  // Midnight and the last minute are written without a conversion too. Any other time is on the day that a clock shows.
  if (!start.wholeDay || wall.second === 0 || wall.second >= 86_340) return wall.date
  return days.findLast((date) => zones.instantMs({ ...start, date, second: 0 }) <= ms) ?? wall.date
}

const isAllDay = ({ start }: Event) => start.wholeDay

/** RFC 5545, 3.6.1: without an end, an all-day event lasts one day and a timed event has no duration. */
const shortest = (event: Event): Duration => ({ days: isAllDay(event) ? 1 : 0, ms: 0 })

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * Names a rule's day in it, if the rule takes its day from the start. The library would move 29 February of a common
 * year to 1 March and count that, so `day` and `count` are left to the caller.
 * @returns null if none of the rule's months has that day, for which the library would search for ever
 */
function withOwnDay(
  rule: string,
  { date }: Wall,
): { rule: string; day: number | null; count: number } | null {
  const [, month, day] = date.split('-').map(Number) as [number, number, number]
  const frequency = /(?:^|;)FREQ=(YEARLY|MONTHLY)(?:;|$)/i.exec(rule)?.[1]?.toUpperCase()
  if (day <= 28 || !frequency || /(?:^|;)BY(?:DAY|MONTHDAY|YEARDAY|WEEKNO)=/i.test(rule))
    return { rule, day: null, count: Infinity }
  const months = /(?:^|;)BYMONTH=([^;]*)/i.exec(rule)?.[1]?.split(',').map(Number)
  if (months && !months.some((each) => (DAYS_IN_MONTH[each - 1] ?? 0) >= day)) return null
  const count = /(?:^|;)COUNT=(\d+)/i.exec(rule)?.[1]
  return {
    rule: `${rule.replace(/;COUNT=\d+/i, '').replace(/^COUNT=\d+;/i, '')};BYMONTHDAY=${day}${frequency === 'YEARLY' && !months ? `;BYMONTH=${month}` : ''}`,
    day,
    count: count === undefined ? Infinity : Number(count),
  }
}

function isBusy(component: Component, owner: Owner): boolean {
  return (
    first(component, 'STATUS')?.value.toUpperCase() !== 'CANCELLED' &&
    first(component, 'TRANSP')?.value.toUpperCase() !== 'TRANSPARENT' &&
    first(component, 'X-MICROSOFT-CDO-BUSYSTATUS')?.value.toUpperCase() !== 'FREE' &&
    !isDeclined(component, owner)
  )
}

/** The entries of a property that is a list. Empty ones are left out: 'EXDATE:', or a comma at the end. */
function eachOf(component: Component, name: string): Property[] {
  return all(component, name).flatMap(({ value, parameters }) =>
    value.split(',').flatMap((part) => (part.trim() === '' ? [] : { value: part.trim(), parameters })),
  )
}

/** The year at the beginning of a time, which may be readable when the time is not; null if it isn't. */
function yearOf(value: string | undefined): number | null {
  const year = /^\d{4}(?=\d)/.exec(value ?? '')?.[0]
  return year === undefined ? null : Number(year)
}

/** Whether an event that can't be read may block a time of the window, by what can be read of its years. */
function mayTouch(component: Component, window: CalendarText['window']): boolean {
  const start = yearOf(first(component, 'DTSTART')?.value ?? first(component, 'RECURRENCE-ID')?.value)
  if (start === null) return true
  const added = eachOf(component, 'RDATE').map(({ value }) => yearOf(value))
  // A year of margin covers an event's length and every zone.
  const [from, until] = [window.from.getUTCFullYear() - 1, window.until.getUTCFullYear() + 1]
  if ([start, ...added].every((year) => year !== null && year > until)) return false
  const ends = [
    ...all(component, 'DTEND').map(({ value }) => yearOf(value)),
    ...all(component, 'RRULE').map(({ value }) => yearOf(/(?:^|;)UNTIL=([^;]*)/i.exec(value)?.[1])),
  ]
  return [start, ...added, ...ends].some((year) => year === null || year >= from)
}

/** An event's name for its owner: its title, else its day, else the start as written, else its UID. */
function nameOf(component: Component): string {
  const start = first(component, 'DTSTART')?.value ?? ''
  const day = /^\d{8}(?!\d)/.exec(start)?.[0].replace(/(....)(..)(..)/, '$1-$2-$3')
  const names = [first(component, 'SUMMARY')?.value, day, start, first(component, 'UID')?.value]
  return names.map((name) => readTitle(name ?? '')).find((name) => name !== UNNAMED) ?? UNNAMED
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
