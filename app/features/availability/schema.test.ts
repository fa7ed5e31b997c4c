import { describe, expect, it } from 'vitest'
import { SETTINGS_MESSAGES } from './messages.ts'
import { blockSchema, exceptionSchema, outsideCalendarSchema, settingsSchema } from './schema.ts'

const settings = {
  capacity: 1,
  weekly: {},
  eventHours: 7,
  setupMinutes: 120,
  cleanupMinutes: 60,
  noticeHours: 24,
  horizonDays: 730,
}

/** The first message, or null when the value is valid. */
function messageOf(schema: typeof settingsSchema | typeof blockSchema, value: unknown): string | null {
  return schema.safeParse(value).error?.issues[0]?.message ?? null
}

describe('the settings form', () => {
  it('converts into the rules that it sets', () => {
    const weekly = { sat: [{ opens: '08:00', closes: '02:00' }] }
    expect(settingsSchema.parse({ ...settings, maxGuests: 120, weekly })).toEqual({
      capacity: 1,
      maxGuests: 120,
      weekly: {
        mon: [],
        tue: [],
        wed: [],
        thu: [],
        fri: [],
        // A closing time at or before the opening is on the next day.
        sat: [{ opensMinute: 480, closesMinute: 1_560 }],
        sun: [],
      },
      eventMinutes: 420,
      setupMinutes: 120,
      cleanupMinutes: 60,
      noticeMinutes: 1_440,
      horizonDays: 730,
    })
    const { weekly: _, ...closed } = settings
    expect(settingsSchema.parse(closed)).toMatchObject({ maxGuests: null, weekly: { mon: [], sun: [] } })
  })

  it.each([
    ['capacity', [1, 50], [0, 51, 1.5, undefined], SETTINGS_MESSAGES.capacityWrong],
    ['maxGuests', [1, 10_000, null, undefined], [0, 10_001, 2.5], SETTINGS_MESSAGES.maxGuestsWrong],
    ['eventHours', [0.5, 7.5, 48], [0, 0.25, 48.5, 'long'], SETTINGS_MESSAGES.eventHoursWrong],
    ['setupMinutes', [0, 1_440], [-1, 1_441, 0.5], SETTINGS_MESSAGES.bufferWrong],
    ['cleanupMinutes', [0, 1_440], [-1, 1_441], SETTINGS_MESSAGES.bufferWrong],
    ['noticeHours', [0, 8_760], [-1, 8_761, 1.5], SETTINGS_MESSAGES.noticeHoursWrong],
    ['horizonDays', [1, 1_095], [0, 1_096], SETTINGS_MESSAGES.horizonWrong],
  ])('limits %s', (field, good, wrong, message) => {
    for (const value of good) {
      expect(messageOf(settingsSchema, { ...settings, [field]: value }), String(value)).toBeNull()
    }
    for (const value of wrong) {
      expect(messageOf(settingsSchema, { ...settings, [field]: value }), String(value)).toBe(message)
    }
  })

  it('sorts the openings of a day and refuses overlaps', () => {
    const monday = (...mon: { opens?: string; closes?: string }[]) => ({ ...settings, weekly: { mon } })
    expect(
      settingsSchema.parse(monday({ opens: '18:00', closes: '00:00' }, { opens: '09:00', closes: '18:00' }))
        .weekly.mon,
    ).toEqual([
      { opensMinute: 540, closesMinute: 1_080 },
      { opensMinute: 1_080, closesMinute: 1_440 },
    ])
    const refused = (...mon: { opens?: string; closes?: string }[]) =>
      messageOf(settingsSchema, monday(...mon))
    expect(refused({ opens: '09:00', closes: '12:01' }, { opens: '12:00', closes: '17:00' })).toBe(
      SETTINGS_MESSAGES.hoursOverlap,
    )
    // An opening until 2 am covers the evening.
    expect(refused({ opens: '18:00', closes: '02:00' }, { opens: '20:00', closes: '23:00' })).toBe(
      SETTINGS_MESSAGES.hoursOverlap,
    )
    expect(refused({ opens: '12:00', closes: '12:00' })).toBeNull()
    expect(refused({ opens: '12:30', closes: '12:30' })).toBe(SETTINGS_MESSAGES.hoursTooLate)
    expect(refused({ opens: '25:00', closes: '12:30' })).toBe(SETTINGS_MESSAGES.timeWrong)
    expect(refused({ closes: '12:30' })).toBe(SETTINGS_MESSAGES.opensMissing)
    expect(refused({ opens: '12:30', closes: '' })).toBe(SETTINGS_MESSAGES.closesMissing)
    expect(
      refused(
        ...['01', '03', '05', '07', '09'].map((hour) => ({ opens: `${hour}:00`, closes: `${hour}:30` })),
      ),
    ).toBe(SETTINGS_MESSAGES.tooManyHours)
  })
})

describe('an exception', () => {
  it('closes its days without openings, and must not end before it begins', () => {
    expect(exceptionSchema.parse({ from: '2026-12-24', to: '2026-12-26' })).toEqual({
      from: '2026-12-24',
      to: '2026-12-26',
      hours: [],
      note: '',
    })
    expect(exceptionSchema.safeParse({ from: '2026-12-26', to: '2026-12-26' }).success).toBe(true)
    const wrong = exceptionSchema.safeParse({ from: '2026-12-26', to: '2026-12-24' })
    expect(wrong.error?.issues).toMatchObject([{ path: ['to'], message: SETTINGS_MESSAGES.endBeforeStart }])
    expect(exceptionSchema.safeParse({ from: '2026-02-30', to: '2026-12-24' }).success).toBe(false)
  })
})

describe('a blocked time', () => {
  it('covers whole days without times', () => {
    expect(blockSchema.parse({ businessId: 'b', from: '2027-03-13', to: '2027-03-13' })).toEqual({
      from: '2027-03-13',
      fromTime: null,
      to: '2027-03-13',
      toTime: null,
      note: '',
    })
  })

  it('must end after it begins and within two years', () => {
    const block = (fromTime: string | null, toTime: string | null, to = '2027-03-13') =>
      messageOf(blockSchema, { businessId: 'b', from: '2027-03-13', fromTime, to, toTime })
    expect(block('09:00', '09:01')).toBeNull()
    expect(block('09:00', '09:00')).toBe(SETTINGS_MESSAGES.endBeforeStart)
    expect(block('23:59', null)).toBeNull()
    expect(block(null, '00:00')).toBe(SETTINGS_MESSAGES.endBeforeStart)
    expect(block(null, null, '2027-03-12')).toBe(SETTINGS_MESSAGES.endBeforeStart)
    expect(block(null, null, '2029-03-13')).toBeNull()
    expect(block(null, null, '2029-03-14')).toBe(SETTINGS_MESSAGES.tooLong)
    expect(block('9 am', null)).toBe(SETTINGS_MESSAGES.timeWrong)
  })

  it('belongs to one listing', () => {
    expect(messageOf(blockSchema, { from: '2027-03-13', to: '2027-03-13' })).toBe(
      SETTINGS_MESSAGES.businessMissing,
    )
  })
})

describe('an outside calendar', () => {
  const urlOf = (url: string) => outsideCalendarSchema.safeParse({ name: 'Ours', url }).data?.url ?? null
  it('accepts a web address, also with the webcal scheme', () => {
    expect(urlOf('https://example.com/a.ics')).toBe('https://example.com/a.ics')
    expect(urlOf('http://example.com/a.ics')).toBe('http://example.com/a.ics')
    expect(urlOf(' webcal://example.com/a.ics?key=1 ')).toBe('https://example.com/a.ics?key=1')
    expect(urlOf('WEBCALS://example.com/a.ics')).toBe('https://example.com/a.ics')
  })
  it.each([
    '',
    'example.com/a.ics',
    'ftp://example.com/a.ics',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://',
  ])('refuses %j', (url) => {
    expect(urlOf(url)).toBeNull()
  })
})
