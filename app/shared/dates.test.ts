import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as dates from './dates.ts'
import { HOUR_MS } from './time-units.ts'

const {
  addDays,
  formatDay,
  formatEventTime,
  formatDate,
  formatInstant,
  formatInstantMonth,
  formatMonth,
  formatTime,
  isLocalDate,
  isLocalTime,
} = dates

/** The module again, with formatters of its own. */
const AGAIN: string = './dates.ts?month-first'

const DateTimeFormat = Intl.DateTimeFormat

/** Canadian dates as ICU 72 and 73 write them: month/day/year. */
class MonthFirst extends DateTimeFormat {
  constructor(locales?: string, options?: Intl.DateTimeFormatOptions) {
    super(locales === 'en-CA' ? 'en-US' : locales, options)
  }
}

describe('isLocalDate', () => {
  it.each(['2027-03-14', '2028-02-29', '2027-12-31', '1001-01-01', '9999-12-31'])('accepts %s', (text) => {
    expect(isLocalDate(text)).toBe(true)
  })
  it.each([
    '2027-02-31',
    '2027-02-29',
    '2027-13-01',
    '2027-00-10',
    '2027-1-1',
    '0000-01-01',
    '1000-12-31',
    '',
    '2027-03-14T00:00',
  ])('refuses %j', (text) => {
    expect(isLocalDate(text)).toBe(false)
  })
})

describe('isLocalTime', () => {
  it('accepts only times of a 24-hour clock', () => {
    expect(['00:00', '09:30', '23:59'].every(isLocalTime)).toBe(true)
    expect(['24:00', '9:30', '12:60', '12:00:00', ''].some(isLocalTime)).toBe(false)
  })
})

/** The tests of the functions that ask Intl. @param clocks returns the module to test */
function describeClocks(clocks: () => typeof dates): void {
  describe('wallTimeAt', () => {
    it('names the date and time in its own order', () => {
      expect(clocks().wallTimeAt(new Date('2027-03-04T05:06:07Z'), 'UTC')).toEqual({
        date: '2027-03-04',
        time: '05:06',
      })
      expect(clocks().wallTimeAt(new Date('2027-03-04T13:30:00Z'), 'Australia/Melbourne')).toEqual({
        date: '2027-03-05',
        time: '00:30',
      })
    })
  })

  describe('wallTimeToUtc', () => {
    it('applies standard and daylight saving time', () => {
      expect(clocks().wallTimeToUtc('2027-03-14', '16:00', 'Australia/Sydney').toISOString()).toBe(
        '2027-03-14T05:00:00.000Z',
      )
      expect(clocks().wallTimeToUtc('2027-07-14', '16:00', 'Australia/Sydney').toISOString()).toBe(
        '2027-07-14T06:00:00.000Z',
      )
      expect(clocks().wallTimeToUtc('2027-03-14', '16:00', 'Australia/Brisbane').toISOString()).toBe(
        '2027-03-14T06:00:00.000Z',
      )
      expect(clocks().wallTimeToUtc('2027-03-14', '16:00', 'Australia/Adelaide').toISOString()).toBe(
        '2027-03-14T05:30:00.000Z',
      )
      expect(clocks().wallTimeToUtc('2027-03-14', '00:15', 'Australia/Lord_Howe').toISOString()).toBe(
        '2027-03-13T13:15:00.000Z',
      )
    })

    it('moves a time that the clock skips forward by the skipped hour', () => {
      // Clocks in Sydney jump from 2:00 to 3:00 on 3 October 2027.
      expect(clocks().wallTimeToUtc('2027-10-03', '01:59', 'Australia/Sydney').toISOString()).toBe(
        '2027-10-02T15:59:00.000Z',
      )
      expect(clocks().wallTimeToUtc('2027-10-03', '02:30', 'Australia/Sydney').toISOString()).toBe(
        '2027-10-02T16:30:00.000Z',
      )
      expect(clocks().wallTimeToUtc('2027-10-03', '03:00', 'Australia/Sydney').toISOString()).toBe(
        '2027-10-02T16:00:00.000Z',
      )
    })

    it('returns the first instant of a time that occurs twice', () => {
      // Clocks in Sydney go back from 3:00 to 2:00 on 4 April 2027.
      expect(clocks().wallTimeToUtc('2027-04-04', '02:30', 'Australia/Sydney').toISOString()).toBe(
        '2027-04-03T15:30:00.000Z',
      )
      expect(clocks().wallTimeToUtc('2027-04-04', '03:00', 'Australia/Sydney').toISOString()).toBe(
        '2027-04-03T17:00:00.000Z',
      )
    })

    it('inverts wallTimeAt all year in every Australian zone', () => {
      const zones = ['Sydney', 'Brisbane', 'Adelaide', 'Darwin', 'Perth', 'Hobart', 'Lord_Howe', 'Eucla']
      for (const zone of zones.map((name) => `Australia/${name}`)) {
        for (let at = Date.UTC(2027, 0, 1); at < Date.UTC(2028, 0, 1); at += 5 * HOUR_MS) {
          const { date, time } = clocks().wallTimeAt(new Date(at), zone)
          const back = clocks().wallTimeToUtc(date, time, zone)
          expect(clocks().wallTimeAt(back, zone)).toEqual({ date, time })
          expect(at - back.getTime()).toBeLessThanOrEqual(3_600_000)
        }
      }
    })

    it('throws for an invalid date', () => {
      expect(() => clocks().wallTimeToUtc('2027-02-31', '16:00', 'Australia/Sydney')).toThrow(RangeError)
    })
  })

  describe('zoneClock', () => {
    it('agrees with the slower functions throughout a year', () => {
      for (const zone of ['Australia/Sydney', 'Australia/Lord_Howe', 'Australia/Eucla', 'America/St_Johns']) {
        const clock = clocks().zoneClock(zone, '2027-01-01', '2027-12-31')
        for (let wallMs = Date.UTC(2027, 0, 1); wallMs < Date.UTC(2028, 0, 1); wallMs += 1_800_000 * 5) {
          const [date = '', time = ''] = new Date(wallMs).toISOString().slice(0, 16).split('T')
          const utcMs = clock.toUtcMs(wallMs)
          expect(utcMs).toBe(clocks().wallTimeToUtc(date, time, zone).getTime())
          const shown = new Date(clock.toWallMs(utcMs)).toISOString().slice(0, 16).split('T')
          expect(clocks().wallTimeAt(new Date(utcMs), zone)).toEqual({ date: shown[0], time: shown[1] })
        }
      }
    })
  })
}

describeClocks(() => dates)

describe('with an Intl that writes month/day/year', () => {
  let again: typeof dates

  beforeAll(async () => {
    Intl.DateTimeFormat = MonthFirst as typeof Intl.DateTimeFormat
    again = await import(/* @vite-ignore */ AGAIN)
  })

  afterAll(() => {
    Intl.DateTimeFormat = DateTimeFormat
  })

  it('writes Canadian dates as month/day/year', () => {
    expect(new Intl.DateTimeFormat('en-CA', { timeZone: 'UTC' }).format(Date.UTC(2027, 2, 4))).toBe(
      '3/4/2027',
    )
    expect(again).not.toBe(dates)
  })

  describeClocks(() => again)
})

describe('addDays', () => {
  it('crosses months, years and leap days', () => {
    expect(addDays('2027-12-31', 1)).toBe('2028-01-01')
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
    expect(addDays('2027-04-04', 0)).toBe('2027-04-04')
  })
})

describe('formats', () => {
  it('formatDate has no weekday', () => {
    expect(formatDate('2027-03-14')).toBe('14 March 2027')
    expect(formatDate('2026-12-01')).toBe('1 December 2026')
  })

  it('show day, month and year, and a 12-hour clock', () => {
    expect(formatDay('2027-03-14')).toBe('Sunday 14 March 2027')
    expect(formatMonth('2027-03')).toBe('March 2027')
    expect(formatInstantMonth(new Date('2027-03-31T13:30:00Z'), 'Australia/Perth')).toBe('March 2027')
    expect(formatInstantMonth(new Date('2027-03-31T13:30:00Z'), 'Australia/Sydney')).toBe('April 2027')
    expect(formatTime('00:05')).toBe('12:05 am')
    expect(formatTime('12:00')).toBe('12:00 pm')
    expect(formatEventTime('2027-03-13', '16:00')).toBe('Saturday 13 March 2027, 4:00 pm')
    expect(formatInstant(new Date('2027-03-13T13:30:00Z'), 'Australia/Perth')).toBe(
      'Saturday 13 March 2027, 9:30 pm',
    )
    expect(formatInstant(new Date('2027-03-13T13:30:00Z'), 'Australia/Sydney')).toBe(
      'Sunday 14 March 2027, 12:30 am',
    )
  })
})
