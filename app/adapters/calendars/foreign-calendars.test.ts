import { describe, expect, it } from 'vitest'
import { readCalendarText } from './ical.ts'

const SYDNEY = 'Australia/Sydney'
const WINDOW = { from: new Date('2026-11-27T00:00:00Z'), until: new Date('2028-11-27T00:00:00Z') }

const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const vevent = (...lines: string[]) => ['BEGIN:VEVENT', 'SUMMARY:Event', ...lines, 'END:VEVENT']
const event = (...lines: string[]) => calendar(...vevent('UID:one', ...lines))

function read(text: string, ownerAddresses: string[] = []) {
  return readCalendarText({ text, window: WINDOW, zone: SYDNEY, ownUidSuffix: null, ownerAddresses })
}

/** Every busy time as 'from/until', in UTC to the minute. */
function busy(text: string, ownerAddresses: string[] = []): string[] {
  const answer = read(text, ownerAddresses)
  if (!answer.ok) throw new Error(JSON.stringify(answer))
  const minute = (date: Date) => date.toISOString().slice(0, 16)
  return answer.events.map(({ from, until }) => `${minute(from)}/${minute(until)}`)
}

/** The days in Sydney on which an all-day series has an event. */
const days = (text: string) =>
  busy(text).map((span) =>
    new Date(`${span.slice(0, 16)}Z`).toLocaleDateString('sv-SE', { timeZone: SYDNEY }),
  )

const OTHER = vevent('UID:other', 'SUMMARY:Other', 'DTSTART:20270401T000000Z', 'DURATION:PT1H')
const OTHER_SPAN = '2027-04-01T00:00/2027-04-01T01:00'

describe('a time without a zone', () => {
  it('takes the zone of the start when it is the end', () => {
    expect(busy(event('DTSTART;TZID=Australia/Perth:20270313T100000', 'DTEND:20270313T180000'))).toEqual([
      '2027-03-13T02:00/2027-03-13T10:00',
    ])
    expect(busy(event('DTSTART:20270313T020000Z', 'DTEND:20270313T100000'))).toEqual([
      '2027-03-13T02:00/2027-03-13T10:00',
    ])
  })

  it('takes the zone of the series when it is an exception, an added time, a period or an override', () => {
    const series = ['DTSTART:20270313T020000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3']
    expect(busy(event(...series, 'EXDATE:20270314T020000'))).toHaveLength(2)
    expect(
      busy(event('DTSTART:20270313T020000Z', 'DURATION:PT1H', 'RDATE:20270320T020000/20270320T040000')),
    ).toEqual(['2027-03-13T02:00/2027-03-13T03:00', '2027-03-20T02:00/2027-03-20T04:00'])
    expect(
      busy(
        calendar(
          ...vevent('UID:one', ...series),
          ...vevent('UID:one', 'RECURRENCE-ID:20270314T020000', 'DTSTART:20270314T050000Z', 'DURATION:PT2H'),
        ),
      ),
    ).toEqual([
      '2027-03-13T02:00/2027-03-13T03:00',
      '2027-03-14T05:00/2027-03-14T07:00',
      '2027-03-15T02:00/2027-03-15T03:00',
    ])
  })

  it.each([
    'X-WR-TIMEZONE:Australia/Perth',
    'TIMEZONE-ID:Australia/Perth',
    'X-WR-TIMEZONE:W. Australia Standard Time',
  ])('takes the zone of its calendar: %s', (line) => {
    const text = calendar(line, ...vevent('DTSTART:20270313T100000', 'DTEND:20270313T180000'))
    expect(busy(text)).toEqual(['2027-03-13T02:00/2027-03-13T10:00'])
  })

  it('takes the business’s zone when the calendar’s is unknown, or another calendar’s of the same file', () => {
    const floating = vevent('DTSTART:20270313T100000', 'DTEND:20270313T180000')
    expect(busy(calendar('X-WR-TIMEZONE:Mars', ...floating))).toEqual(['2027-03-12T23:00/2027-03-13T07:00'])
    expect(busy(calendar('X-WR-TIMEZONE:Australia/Perth') + calendar(...floating))).toEqual([
      '2027-03-12T23:00/2027-03-13T07:00',
    ])
  })
})

describe('an all-day series', () => {
  it.each([
    ['20270304T130000Z', 'the last day’s midnight as UTC'],
    ['20270305', 'a date'],
    ['20270305T000000Z', 'the last day’s midnight, called UTC'],
    ['20270305T235959Z', 'the last day’s end, called UTC'],
    ['20270305T125959Z', 'the last day’s end as UTC'],
    ['20270305T100000', 'a time of the last day'],
  ])('ends with the day of UNTIL=%s, %s', (until) => {
    expect(days(event('DTSTART;VALUE=DATE:20270301', `RRULE:FREQ=DAILY;UNTIL=${until}`))).toEqual([
      '2027-03-01',
      '2027-03-02',
      '2027-03-03',
      '2027-03-04',
      '2027-03-05',
    ])
  })

  it.each(['20270301T130000Z', '20270302T000000Z', '20270302'])(
    'leaves out the day of EXDATE:%s',
    (exdate) => {
      expect(
        days(event('DTSTART;VALUE=DATE:20270301', 'RRULE:FREQ=DAILY;COUNT=3', `EXDATE:${exdate}`)),
      ).toEqual(['2027-03-01', '2027-03-03'])
    },
  )
})

describe('a yearly or monthly series without its own day in every year or month', () => {
  const series = (date: string, rule: string) => days(event(`DTSTART;VALUE=DATE:${date}`, `RRULE:${rule}`))

  it('falls on 29 February in leap years only', () => {
    expect(series('20240229', 'FREQ=YEARLY')).toEqual(['2028-02-29'])
    expect(series('20240229', 'FREQ=YEARLY;BYMONTH=2')).toEqual(['2028-02-29'])
    expect(series('20240229', 'FREQ=YEARLY;COUNT=2')).toEqual(['2028-02-29'])
  })

  it('skips months without a 31st, and counts only those with one', () => {
    expect(series('20270131', 'FREQ=MONTHLY;COUNT=3')).toEqual(['2027-01-31', '2027-03-31', '2027-05-31'])
    expect(series('20270131', 'FREQ=YEARLY;BYMONTH=1,2,3;COUNT=3')).toEqual([
      '2027-01-31',
      '2027-03-31',
      '2028-01-31',
    ])
  })

  it('keeps a rule that names its days itself', () => {
    expect(series('20270131', 'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3')).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
    ])
    expect(series('20270331', 'FREQ=YEARLY;COUNT=2')).toEqual(['2027-03-31', '2028-03-31'])
    expect(series('20270331', 'FREQ=MONTHLY;BYDAY=-1WE;COUNT=2')).toEqual(['2027-03-31', '2027-04-28'])
  })
})

describe('a floating series', () => {
  const series = (exdate: string) =>
    busy(
      event('DTSTART:20270312T100000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3', `EXDATE:${exdate}`),
    ).map((span) => span.slice(0, 10))

  it.each(['20270313T100000Z', '20270312T230000Z', '20270312T130000Z', '20270313T000000Z', '20270313'])(
    'leaves out the day of EXDATE:%s',
    (exdate) => expect(series(exdate)).toEqual(['2027-03-11', '2027-03-13']),
  )
})

describe('an override', () => {
  const series = vevent('UID:one', 'DTSTART:20270313T020000Z', 'DURATION:PT3H', 'RRULE:FREQ=DAILY;COUNT=2')

  it('without an end has the length of its series', () => {
    const override = vevent('UID:one', 'RECURRENCE-ID:20270314T020000Z', 'DTSTART:20270314T060000Z')
    for (const text of [calendar(...series, ...override), calendar(...override, ...series)])
      expect(busy(text)).toEqual(['2027-03-13T02:00/2027-03-13T05:00', '2027-03-14T06:00/2027-03-14T09:00'])
  })

  it('without a start is at the time that it overrides', () => {
    const override = (...lines: string[]) =>
      busy(calendar(...series, ...vevent('UID:one', 'RECURRENCE-ID:20270314T020000Z', ...lines)))
    expect(override('STATUS:CANCELLED')).toEqual(['2027-03-13T02:00/2027-03-13T05:00'])
    expect(override('SUMMARY:Renamed')).toEqual([
      '2027-03-13T02:00/2027-03-13T05:00',
      '2027-03-14T02:00/2027-03-14T05:00',
    ])
  })
})

describe('an end before its start', () => {
  it('moves to the next day if it names the same day', () => {
    expect(busy(event('DTSTART:20270313T200000', 'DTEND:20270313T010000'))).toEqual([
      '2027-03-13T09:00/2027-03-13T14:00',
    ])
    expect(
      busy(
        event(
          'DTSTART;TZID=Australia/Perth:20270313T200000',
          'DTEND;TZID=Australia/Perth:20270313T010000',
          'RRULE:FREQ=DAILY;COUNT=2',
        ),
      ),
    ).toEqual(['2027-03-13T12:00/2027-03-13T17:00', '2027-03-14T12:00/2027-03-14T17:00'])
  })

  it.each([
    ['DTSTART:20270313T200000', 'DTEND:20270312T210000'],
    ['DTSTART:20270313T200000', 'DURATION:-PT1H'],
    ['DTSTART:20270313T200000Z', 'RDATE:20270320T200000Z/20270319T200000Z'],
    ['DTSTART;VALUE=DATE:20270313', 'DTEND;VALUE=DATE:20270301'],
  ])('refuses the calendar and names the event otherwise: %s, %s', (...lines) => {
    expect(read(event(...lines))).toEqual({ ok: false, reason: 'unreadable_event', event: 'Event' })
  })
})

describe('lists of dates', () => {
  it.each(['EXDATE:', 'RDATE:', 'RDATE:20270314T000000Z,', 'EXDATE:,20270314T000000Z,,'])(
    'may have empty entries: %s',
    (line) => {
      const found = busy(event('DTSTART:20270313T000000Z', 'DURATION:PT1H', line))
      expect(found).toContain('2027-03-13T00:00/2027-03-13T01:00')
      expect(found).toHaveLength(line.startsWith('RDATE:2') ? 2 : 1)
    },
  )

  it('may be those of free and busy times', () => {
    const text = calendar('BEGIN:VFREEBUSY', 'FREEBUSY:20270401T000000Z/PT1H,', 'END:VFREEBUSY')
    expect(busy(text)).toEqual([OTHER_SPAN])
  })
})

describe('an unreadable event', () => {
  it.each([
    ['TRANSP:TRANSPARENT', 'DTSTART:20270313T000000Z', 'DURATION:an hour'],
    ['STATUS:CANCELLED', 'DTSTART:20270313T000000Z', 'DURATION:an hour'],
    ['STATUS:CANCELLED', 'DTSTART:tomorrow'],
    ['TRANSP:TRANSPARENT', 'DTSTART:20270313T000000Z', 'RRULE:FREQ=SOMETIMES'],
    ['X-MICROSOFT-CDO-BUSYSTATUS:FREE', 'DTSTART:20270313T000000Z', 'DTEND:20270312T000000Z'],
    ['TRANSP:TRANSPARENT', 'DTSTART:20270313T000000Z', 'DURATION:PT1H', 'RRULE:FREQ=SECONDLY'],
  ])('never refuses its calendar if it blocks no time: %s, %s', (...lines) => {
    expect(busy(calendar(...vevent('UID:one', ...lines), ...OTHER))).toEqual([OTHER_SPAN])
  })

  it.each([
    ['DTSTART:00250301T000000'],
    ['DTSTART:199829050T000000'],
    ['DTSTART:199829050T000000', 'DTEND:199829050T010000'],
    ['DTSTART:19980231T000000', 'DURATION:PT1H'],
    ['DTSTART:20180301T000000', 'DURATION:an hour'],
    ['DTSTART:20180301T000000', 'DTEND:201803010T010000'],
    ['DTSTART:20991301T000000', 'RRULE:FREQ=DAILY'],
    ['DTSTART:20180301T000000', 'DURATION:PT1H', 'RRULE:FREQ=SOMETIMES;UNTIL=20190101'],
    ['DTSTART:20180301T000000', 'DURATION:PT1H', 'RRULE:FREQ=SECONDLY;UNTIL=20190101T000000Z'],
  ])('never refuses its calendar if it can’t touch the window: %s %s', (...lines) => {
    expect(busy(calendar(...vevent('UID:one', ...lines), ...OTHER))).toEqual([OTHER_SPAN])
  })

  it.each([
    ['DTSTART:tomorrow'],
    ['DTSTART:202702050T000000'],
    ['DTSTART:00250301T000000', 'RRULE:FREQ=YEARLY'],
    ['DTSTART:199829050T000000', 'RDATE:20270313T000000Z'],
    ['DTSTART:20180301T000000', 'DTEND:sometime'],
    ['DTSTART:20270301T000000', 'DURATION:an hour'],
    ['DTSTART:20180301T000000', 'DURATION:PT1H', 'RRULE:FREQ=SOMETIMES'],
    ['DTSTART:20270301T000000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:never'],
  ])('goes by its name if it may block a time: %s %s', (...lines) => {
    expect(read(calendar(...vevent('UID:one', ...lines), ...OTHER))).toEqual({
      ok: false,
      reason: 'unreadable_event',
      event: 'Event',
    })
  })

  it('goes by its title on one line, or by its day without one', () => {
    const named = (...lines: string[]) => {
      const answer = read(calendar('BEGIN:VEVENT', ...lines, 'DURATION:no', 'END:VEVENT'))
      return !answer.ok && 'event' in answer ? answer.event : answer
    }
    expect(named('DTSTART:20270301T000000')).toBe('2027-03-01')
    expect(named('DTSTART:a\u0007b')).toBe('a b')
    expect(named('SUMMARY:Two\\nlines', 'DTSTART:20270301T000000')).toBe('Two lines')
    expect(named(`SUMMARY:${'x'.repeat(500)}`, 'DTSTART:20270301T000000')).toHaveLength(200)
  })
})

describe('a zone', () => {
  const start = (parameter: string, ...before: string[]) =>
    busy(calendar(...before, ...vevent(`DTSTART;${parameter}:20270313T100000`, 'DURATION:PT1H')))[0]?.slice(
      0,
      16,
    )
  const vtimezone = (name: string, offset: string) => [
    ...['BEGIN:VTIMEZONE', `TZID:${name}`, 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
    ...[`TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`, 'END:STANDARD', 'END:VTIMEZONE'],
  ]

  it.each(['EST', 'GMT', 'CST', 'AEST', 'Z', 'UTC+3', 'Eastern Standard Time', 'Perth'])(
    'follows the file’s own definition before any name of ours: %s',
    (name) => {
      expect(start(`TZID=${name}`, ...vtimezone(name, '+1000'))).toBe('2027-03-13T00:00')
    },
  )

  it('falls back to the well-known one if the file’s own definition is empty', () => {
    expect(start('TZID=AEST', 'BEGIN:VTIMEZONE', 'TZID:AEST', 'END:VTIMEZONE')).toBe('2027-03-13T00:00')
  })

  it.each([
    ['TZID=tzone://Microsoft/Utc', '2027-03-13T10:00'],
    ['TZID="tzone://Microsoft/Utc"', '2027-03-13T10:00'],
    ['TZID=Z', '2027-03-13T10:00'],
    ['TZID=Zulu', '2027-03-13T10:00'],
    ['TZID=UTC', '2027-03-13T10:00'],
    ['TZID=UTC+10', '2027-03-13T00:00'],
    ['TZID=GMT+10:00', '2027-03-13T00:00'],
    ['TZID=UTC+0930', '2027-03-13T00:30'],
    ['TZID=UTC-3', '2027-03-13T13:00'],
    ['TZID=+08:00', '2027-03-13T02:00'],
    ['TZID=Etc/GMT-10', '2027-03-13T00:00'],
    ['TZID=AEST', '2027-03-13T00:00'],
    ['TZID=AEDT', '2027-03-12T23:00'],
    ['TZID=ACST', '2027-03-13T00:30'],
    ['TZID=ACDT', '2027-03-12T23:30'],
    ['TZID=AWST', '2027-03-13T02:00'],
    ['TZID=NZDT', '2027-03-12T21:00'],
    ['TZID="(UTC+08:00) Perth"', '2027-03-13T02:00'],
    ['TZID=(UTC+08:00) Perth', '2027-03-13T02:00'],
    // In the city's zone, not at the fixed offset: Sydney has daylight saving time on this day.
    ['TZID="(UTC+10:00) Canberra, Melbourne, Sydney"', '2027-03-12T23:00'],
    ['TZID="(GMT+10:00) Brisbane"', '2027-03-13T00:00'],
    ['TZID="(UTC+10:00) Somewhere"', '2027-03-13T00:00'],
    ['TZID=(UTC) Coordinated Universal Time', '2027-03-13T10:00'],
    ['TZID=/freeassociation.sourceforge.net/Australia/Perth', '2027-03-13T02:00'],
    ['TZID=/citadel.org/20250101_1/Australia/Perth', '2027-03-13T02:00'],
    ['TZID=/freeassociation.sourceforge.net/America/Argentina/Buenos_Aires', '2027-03-13T13:00'],
    ['TZID=/example.org/UTC', '2027-03-13T10:00'],
    ['TZID=australia/perth', '2027-03-13T02:00'],
    ['TZID=w. australia standard time', '2027-03-13T02:00'],
    ['TZID=Perth', '2027-03-13T02:00'],
    ['TZID=America/Argentina/Buenos Aires', '2027-03-13T13:00'],
    // Unknown: the business's.
    ['TZID=tzone://Microsoft/Custom', '2027-03-12T23:00'],
    ['TZID=Our own time', '2027-03-12T23:00'],
    ['TZID=UTC+99', '2027-03-12T23:00'],
  ])('gives the time that is meant: %s', (parameter, expected) => {
    expect(start(parameter)).toBe(expected)
  })
})

describe('an invitation that the calendar’s owner has declined', () => {
  const invitation = (...attendees: string[]) =>
    vevent(
      ...['UID:one', 'DTSTART:20270313T000000Z', 'DURATION:PT1H', 'ORGANIZER:mailto:boss@example.com'],
      ...attendees,
    )
  const DECLINED = 'ATTENDEE;CN=Kim Lee;PARTSTAT=DECLINED:mailto:Kim@Example.com'
  const GUEST = 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:sam@example.com'

  it.each([
    ['X-WR-CALNAME:kim@example.com'],
    ['X-WR-CALNAME:Kim Lee'],
    ['X-WR-RELCALID:kim@example.com'],
    ['X-OWNER;CN="Kim Lee":mailto:kim@example.com'],
  ])('doesn’t block time: the owner is named by %s', (line) => {
    expect(busy(calendar(line, ...invitation(GUEST, DECLINED)))).toEqual([])
  })

  it('doesn’t block time: the owner is named by the calendar’s address', () => {
    expect(busy(calendar(...invitation(GUEST, DECLINED)), ['kim@example.com'])).toEqual([])
  })

  it('doesn’t block time: the owner is the one person in every event of the calendar', () => {
    const second = vevent(
      ...['UID:two', 'DTSTART:20270401T000000Z', 'DURATION:PT1H', 'ORGANIZER:mailto:anna@example.com'],
      ...['ATTENDEE;PARTSTAT=ACCEPTED:mailto:kim@example.com'],
    )
    expect(
      busy(calendar(...invitation(GUEST, DECLINED), ...second, ...vevent('DTSTART:20270501T000000Z'))),
    ).toEqual([OTHER_SPAN])
  })

  it('leaves out only the declined occurrence of a series', () => {
    const series = vevent('UID:one', 'DTSTART:20270313T020000Z', 'DURATION:PT3H', 'RRULE:FREQ=DAILY;COUNT=2')
    const override = vevent(
      ...['UID:one', 'RECURRENCE-ID:20270314T020000Z', 'DTSTART:20270314T020000Z', 'DURATION:PT3H', DECLINED],
    )
    expect(busy(calendar('X-WR-CALNAME:kim@example.com', ...series, ...override))).toEqual([
      '2027-03-13T02:00/2027-03-13T05:00',
    ])
  })

  it.each([
    ['another person’s answer', 'X-WR-CALNAME:sam@example.com', [GUEST, DECLINED]],
    ['an unknown owner', 'X-WR-CALNAME:Work', [GUEST, DECLINED]],
    [
      'no answer yet',
      'X-WR-CALNAME:kim@example.com',
      ['ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:kim@example.com'],
    ],
    [
      'a tentative answer',
      'X-WR-CALNAME:kim@example.com',
      ['ATTENDEE;PARTSTAT=TENTATIVE:mailto:kim@example.com'],
    ],
  ])('still blocks time with %s', (_, line, attendees) => {
    expect(busy(calendar(line, ...invitation(...attendees)))).toHaveLength(1)
  })
})
