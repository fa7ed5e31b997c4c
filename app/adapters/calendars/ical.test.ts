import { readFileSync } from 'node:fs'
import ical, { ICalEventRepeatingFreq, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import { describe, expect, it } from 'vitest'
import { MAX_BUSY_EVENTS, readCalendarText } from './ical.ts'

const WINDOW = { from: new Date('2026-09-01T00:00:00Z'), until: new Date('2028-09-01T00:00:00Z') }
const MELBOURNE = 'Australia/Melbourne'

const file = (name: string) =>
  readFileSync(new URL(`../../../tests/calendars/${name}`, import.meta.url), 'utf8')

function read(text: string, zone = MELBOURNE, window = WINDOW, ownUidSuffix: string | null = null) {
  return readCalendarText({ text, window, zone, ownUidSuffix, ownerAddresses: [] })
}

/** Every busy time as 'from/until title', in UTC to the minute. */
function busy(text: string, zone = MELBOURNE, window = WINDOW): string[] {
  const answer = read(text, zone, window)
  if (!answer.ok) throw new Error(answer.reason)
  const minute = (date: Date) => date.toISOString().slice(0, 16)
  return answer.events.map(({ from, until, title }) => `${minute(from)}/${minute(until)} ${title}`)
}

const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: string[]) =>
  calendar('BEGIN:VEVENT', 'UID:one', 'SUMMARY:Event', ...lines, 'END:VEVENT')

describe('reading a file', () => {
  it('handles Google’s series, exceptions, all-day events, and free and untitled events', () => {
    expect(busy(file('google.ics'))).toEqual([
      '2026-09-22T08:00/2026-09-22T11:00 Tasting, upstairs',
      '2026-09-29T08:00/2026-09-29T11:00 Tasting, upstairs',
      // Daylight saving begins on 4 October. The 6th is excluded, the 13th moved, the 20th cancelled.
      '2026-10-14T08:00/2026-10-14T11:30 Tasting, moved to Wednesday',
      '2026-10-27T07:00/2026-10-27T10:00 Tasting, upstairs',
      '2026-11-20T07:00/2026-11-20T12:00 Busy',
      '2026-12-23T13:00/2027-01-04T13:00 Closed over summer',
    ])
  })

  it('handles Apple’s half-hour zones, durations, monthly rules with a count, and excluded days', () => {
    expect(busy(file('apple.ics'), 'Australia/Adelaide')).toEqual([
      '2026-10-03T00:30/2026-10-03T02:00 Test shoot',
      '2026-11-06T23:30/2026-11-07T01:00 Test shoot',
      '2026-11-30T13:30/2026-12-01T13:30 Away',
      '2026-12-02T13:30/2026-12-03T13:30 Away',
      '2026-12-04T23:30/2026-12-05T01:00 Test shoot',
      '2026-12-31T08:30/2026-12-31T15:30 New Year’s Eve at the Quay 🎆',
      '2027-01-01T23:30/2027-01-02T01:00 Test shoot',
    ])
  })

  it('handles Outlook’s and Exchange’s Windows zones, rules since 1601, and free and tentative events', () => {
    expect(busy(file('outlook.ics'))).toEqual([
      '2027-02-26T06:00/2027-02-26T12:00 Members’ night',
      '2027-03-01T22:00/2027-03-01T23:00 Tentative',
      '2027-03-03T00:00/2027-03-03T01:00 Busy',
      // Every second Friday, with two excluded. Daylight saving ended on 4 April.
      '2027-04-09T07:00/2027-04-09T13:00 Members’ night',
    ])
  })

  it('handles Airbnb’s nights as days of the business, across a clock change', () => {
    expect(busy(file('airbnb.ics'), 'Australia/Sydney')).toEqual([
      '2026-12-03T13:00/2026-12-07T13:00 Reserved',
      '2027-04-03T13:00/2027-04-30T14:00 Airbnb (Not available)',
    ])
    // The same days begin at another hour in Perth.
    expect(busy(file('airbnb.ics'), 'Australia/Perth')[0]).toBe('2026-12-03T16:00/2026-12-07T16:00 Reserved')
  })

  it('handles zone names without a definition, and times without a zone', () => {
    const found = busy(file('no-zone-rules.ics'), 'Australia/Darwin')
    expect(new Set(found)).toEqual(
      new Set([
        '2027-01-10T01:00/2027-01-10T02:00 IANA',
        '2027-01-10T01:00/2027-01-10T02:00 Windows',
        '2027-01-10T02:00/2027-01-10T03:00 Windows, Queensland',
        '2027-01-10T04:00/2027-01-10T05:00 Thunderbird',
        '2027-01-10T02:30/2027-01-10T03:30 Nobody knows',
        '2027-01-10T02:30/2027-01-11T04:30 Floating',
      ]),
    )
  })

  it('handles a series that changes midway, added days, and one occurrence of another’s series', () => {
    expect(busy(file('changed-series.ics'))).toEqual([
      '2027-02-01T07:00/2027-02-01T08:00 Class',
      '2027-02-05T01:00/2027-02-05T02:00 Class',
      '2027-02-06T00:00/2027-02-06T00:30 Class',
      '2027-02-08T07:00/2027-02-08T08:00 Class',
      '2027-02-10T01:30/2027-02-10T02:00 Invited to one',
      '2027-02-15T07:00/2027-02-15T08:00 Class',
      '2027-02-23T08:30/2027-02-23T10:30 Class, later',
      '2027-03-02T08:30/2027-03-02T10:30 Class, later',
    ])
  })

  it('handles free and busy times instead of events', () => {
    expect(busy(file('free-busy.ics'))).toEqual([
      '2026-12-05T06:00/2026-12-05T11:00 Busy',
      '2026-12-06T06:00/2026-12-06T07:00 Busy',
      '2026-12-07T06:00/2026-12-07T07:00 Busy',
    ])
  })

  it('ignores malformed text in properties without times', () => {
    expect(busy(file('broken-text.ics'))).toEqual(['2026-11-20T07:00/2026-11-20T12:00 Site visit'])
  })

  it.each(['cut-off.ics', 'sign-in-page.ics', 'contact.ics'])('refuses %s', (name) => {
    expect(read(file(name))).toEqual({ ok: false, reason: 'not_a_calendar' })
  })
})

it('names the event of broken-time.ics by its start, since it has no title', () => {
  expect(read(file('broken-time.ics'))).toEqual({
    ok: false,
    reason: 'unreadable_event',
    event: '21/11/2026 7:00pm',
  })
})

describe('a calendar written by another library', () => {
  it('reads back as written', () => {
    const written = ical({ name: 'Venue', timezone: MELBOURNE })
    written.createEvent({
      id: 'weekly',
      summary:
        'Weekly; with, marks \\ and\nlines, long enough that the line has to be folded somewhere after it',
      start: '2027-03-20T18:00:00',
      end: '2027-03-20T20:00:00',
      repeating: {
        freq: ICalEventRepeatingFreq.WEEKLY,
        count: 4,
        exclude: ['2027-03-27T18:00:00'],
      },
    })
    written.createEvent({
      id: 'days',
      summary: 'Days',
      start: new Date('2027-05-01T00:00:00Z'),
      end: new Date('2027-05-03T00:00:00Z'),
      allDay: true,
      timezone: null,
    })
    written.createEvent({
      id: 'off',
      start: '2027-05-05T18:00:00',
      end: '2027-05-05T20:00:00',
      status: ICalEventStatus.CANCELLED,
    })
    written.createEvent({
      id: 'free',
      start: '2027-05-06T18:00:00',
      end: '2027-05-06T20:00:00',
      transparency: ICalEventTransparency.TRANSPARENT,
    })
    const title =
      'Weekly; with, marks \\ and lines, long enough that the line has to be folded somewhere after it'
    expect(busy(written.toString())).toEqual([
      `2027-03-20T07:00/2027-03-20T09:00 ${title}`,
      `2027-04-03T07:00/2027-04-03T09:00 ${title}`,
      `2027-04-10T08:00/2027-04-10T10:00 ${title}`,
      '2027-04-30T14:00/2027-05-02T14:00 Days',
    ])
  })
})

describe('the window', () => {
  it('bounds rules without an end, and keeps events that overlap its edges', () => {
    const window = { from: new Date('2027-01-01T00:00:00Z'), until: new Date('2027-01-04T00:00:00Z') }
    const daily = event('DTSTART:20200101T220000Z', 'DTEND:20200102T040000Z', 'RRULE:FREQ=DAILY')
    expect(busy(daily, MELBOURNE, window)).toEqual([
      '2026-12-31T22:00/2027-01-01T04:00 Event',
      '2027-01-01T22:00/2027-01-02T04:00 Event',
      '2027-01-02T22:00/2027-01-03T04:00 Event',
      '2027-01-03T22:00/2027-01-04T04:00 Event',
    ])
  })

  it('leaves out events that only touch it', () => {
    const window = { from: new Date('2027-01-01T00:00:00Z'), until: new Date('2027-01-02T00:00:00Z') }
    const touching = (start: string, end: string) =>
      busy(event(`DTSTART:${start}`, `DTEND:${end}`), MELBOURNE, window)
    expect(touching('20261231T230000Z', '20270101T000000Z')).toEqual([])
    expect(touching('20270102T000000Z', '20270102T010000Z')).toEqual([])
    expect(touching('20261231T230000Z', '20270101T000001Z')).toHaveLength(1)
    expect(touching('20270101T235959Z', '20270102T010000Z')).toHaveLength(1)
  })

  it('keeps an occurrence that was moved into it', () => {
    const window = { from: new Date('2027-01-01T00:00:00Z'), until: new Date('2027-01-08T00:00:00Z') }
    const text = calendar(
      ...['BEGIN:VEVENT', 'UID:one', 'DTSTART:20261001T000000Z', 'DTEND:20261001T010000Z'],
      ...['RRULE:FREQ=MONTHLY;COUNT=2', 'END:VEVENT'],
      ...['BEGIN:VEVENT', 'UID:one', 'RECURRENCE-ID:20261101T000000Z'],
      ...['DTSTART:20270105T000000Z', 'DTEND:20270105T010000Z', 'END:VEVENT'],
    )
    expect(busy(text, MELBOURNE, window)).toEqual(['2027-01-05T00:00/2027-01-05T01:00 Busy'])
  })
})

describe('a series across a clock change', () => {
  it('repeats its wall time', () => {
    const text = event(
      'DTSTART;TZID=Australia/Sydney:20270401T200000',
      'DTEND;TZID=Australia/Sydney:20270401T210000',
      'RRULE:FREQ=DAILY;COUNT=5',
    )
    expect(busy(text).map((each) => each.slice(0, 16))).toEqual([
      '2027-04-01T09:00',
      '2027-04-02T09:00',
      '2027-04-03T09:00',
      '2027-04-04T10:00',
      '2027-04-05T10:00',
    ])
  })

  it('includes an occurrence at the very instant of UNTIL', () => {
    const weekly = (until: string) =>
      busy(
        event(
          'DTSTART;TZID=Australia/Sydney:20270301T180000',
          'DTEND;TZID=Australia/Sydney:20270301T190000',
          `RRULE:FREQ=WEEKLY;UNTIL=${until}`,
        ),
      ).length
    // 15 March, 6 pm in Sydney is 07:00 UTC.
    expect(weekly('20270315T070000Z')).toBe(3)
    expect(weekly('20270315T065959Z')).toBe(2)
    expect(weekly('20270315')).toBe(3)
    expect(weekly('20270314')).toBe(2)
    expect(weekly('20270315T180000')).toBe(3)
  })

  it('moves a time that the clock skips forward by the skipped hour', () => {
    const text = event('DTSTART;TZID=Australia/Sydney:20261004T023000', 'DURATION:PT1H')
    expect(busy(text)).toEqual(['2026-10-03T16:30/2026-10-03T17:30 Event'])
  })
})

describe('grouping by UID', () => {
  it('keeps every event when UIDs are missing or repeated', () => {
    const two = (uid: string[]) =>
      calendar(
        ...['BEGIN:VEVENT', ...uid, 'DTSTART:20270101T000000Z', 'DURATION:PT1H', 'END:VEVENT'],
        ...['BEGIN:VEVENT', ...uid, 'DTSTART:20270101T000000Z', 'DURATION:PT2H', 'END:VEVENT'],
        ...['BEGIN:VEVENT', ...uid, 'DTSTART:20270102T000000Z', 'DURATION:PT1H', 'END:VEVENT'],
      )
    for (const uid of [[], ['UID:'], ['UID:same']]) expect(busy(two(uid))).toHaveLength(3)
  })

  it('keeps only the newest of several versions of an event', () => {
    const version = (sequence: number, hours: number) => [
      ...['BEGIN:VEVENT', 'UID:one', 'DTSTART:20270101T000000Z', `DURATION:PT${hours}H`],
      ...[`SEQUENCE:${sequence}`, 'END:VEVENT'],
    ]
    expect(busy(calendar(...version(3, 2), ...version(2, 1)))).toEqual([
      '2027-01-01T00:00/2027-01-01T02:00 Busy',
    ])
  })
})

it('makes titles storable, on one line and at most 200 characters long', () => {
  const title = (summary: string) =>
    busy(event('DTSTART:20270101T000000Z', 'DURATION:PT1H').replace('SUMMARY:Event', `SUMMARY:${summary}`))[0]
  expect(title('a\0b\\nc \ud800d')).toBe('2027-01-01T00:00/2027-01-01T01:00 a b c \ufffdd')
  expect(title(' ')).toBe('2027-01-01T00:00/2027-01-01T01:00 Busy')
  expect(title('x'.repeat(5000))?.length).toBe('2027-01-01T00:00/2027-01-01T01:00 '.length + 200)
})

it('identifies our own events that return through another calendar', () => {
  const text = calendar(
    ...['BEGIN:VEVENT', 'UID:abc@jubilee.test', 'DTSTART:20270101T000000Z', 'DURATION:PT1H', 'END:VEVENT'],
    ...['BEGIN:VEVENT', 'UID:abc@elsewhere', 'DTSTART:20270102T000000Z', 'DURATION:PT1H', 'END:VEVENT'],
  )
  const answer = read(text, MELBOURNE, WINDOW, '@jubilee.test')
  expect(answer.ok && answer.events.map(({ from, ownId }) => [from.toISOString(), ownId])).toEqual([
    ['2027-01-01T00:00:00.000Z', 'abc'],
    ['2027-01-02T00:00:00.000Z', undefined],
  ])
})

const UNREADABLE = { ok: false, reason: 'unreadable_event', event: 'Event' }

describe('bounds', () => {
  it('reads 10,000 events', () => {
    const events = Array.from({ length: 10_000 }, (_, index) => {
      const day = new Date(Date.UTC(2026, 8, 2 + (index % 700)))
        .toISOString()
        .slice(0, 10)
        .replaceAll('-', '')
      return [
        'BEGIN:VEVENT',
        `UID:${index}@example.com`,
        `DTSTART;TZID=Australia/Melbourne:${day}T${String(index % 23).padStart(2, '0')}0000`,
        'DURATION:PT30M',
        `SUMMARY:Event ${index}`,
        'DESCRIPTION:Something about it that nobody needs to know\\, and a little more',
        'END:VEVENT',
      ]
    })
    const answer = read(calendar(...events.flat()))
    expect(answer.ok && answer.events.length).toBe(10_000)
  })

  it('refuses more busy times than the limit', () => {
    const events = Array.from({ length: MAX_BUSY_EVENTS + 1 }, (_, index) => [
      ...['BEGIN:VEVENT', `UID:${index}`, 'DTSTART:20270101T000000Z', 'DURATION:PT30M', 'END:VEVENT'],
    ])
    expect(read(calendar(...events.flat()))).toEqual({ ok: false, reason: 'too_many_events' })
  })

  it.each([
    ['every second', 'DTSTART:20270101T000000Z', 'RRULE:FREQ=SECONDLY'],
    ['every minute, a huge count', 'DTSTART:20200101T000000Z', 'RRULE:COUNT=999999999;freq=minutely'],
    [
      'every quarter of an hour since long ago',
      'DTSTART:20000101T000000Z',
      'RRULE:FREQ=HOURLY;BYMINUTE=0,15,30,45',
    ],
  ])('refuses an event that repeats %s', (_, dtstart, rule) => {
    expect(read(event(dtstart, 'DURATION:PT1S', rule))).toEqual({ ok: false, reason: 'too_many_events' })
  })

  it.each([
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'],
    ['FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2'],
    ['FREQ=MONTHLY;BYDAY=1TH;BYSETPOS=2'],
  ])('ends with a rule that has no occurrences: %s', (rule) => {
    const answer = read(event('DTSTART:20270101T000000Z', 'DURATION:PT1H', `RRULE:${rule}`))
    if (answer.ok) expect(answer.events.length).toBeLessThan(30)
    else expect(answer.reason).toBe('not_a_calendar')
  })

  it('finds no events in components nested 100,000 deep', () => {
    const depth = 100_000
    const nested = (name: string) =>
      calendar(`BEGIN:${name}\n`.repeat(depth) + `END:${name}\n`.repeat(depth).trimEnd())
    for (const name of ['VALARM', 'VEVENT', 'VTIMEZONE']) {
      const answer = read(nested(name))
      expect(answer.ok ? answer.events : answer.reason).toEqual([])
    }
    expect(read('BEGIN:VEVENT\n'.repeat(depth))).toEqual({ ok: false, reason: 'not_a_calendar' })
  })

  it.each([
    'DTSTART:20270231T000000Z',
    'DTSTART:20270101T250000Z',
    'DTSTART:20270101T006000Z',
    'DTSTART:tomorrow',
    'DTSTART:',
    'DTSTART;TZID:20270101T000000',
  ])('refuses a malformed start: %s', (line) => {
    expect(read(event(line, 'DURATION:PT1H'))).toEqual(UNREADABLE)
  })

  it.each(['RRULE:FREQ=SOMETIMES', 'RRULE:WEEKLY', 'RRULE:', 'DURATION:PT', 'EXDATE:never', 'RDATE:never'])(
    'refuses a malformed property: %s',
    (line) => {
      const text = event('DTSTART:20270101T000000Z', 'DTEND:20270101T010000Z', line)
      expect(read(text)).toEqual(UNREADABLE)
    },
  )
})
