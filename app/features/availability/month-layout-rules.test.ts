import { describe, expect, it } from 'vitest'
import { isWholeDays, layOutWeek, monthWeeks, shownDays } from './month-layout-rules.ts'

const ZONE = 'Australia/Melbourne'
const span = (from: string, until: string) => ({ from: new Date(from), until: new Date(until) })

describe('monthWeeks', () => {
  it('returns weeks from Monday that cover every day of the month', () => {
    // February 2027 begins on a Monday and fits four weeks. August 2026 begins on a Saturday and takes six.
    expect(monthWeeks('2027-02').map((week) => week[0])).toEqual([
      '2027-02-01',
      '2027-02-08',
      '2027-02-15',
      '2027-02-22',
    ])
    const august = monthWeeks('2026-08')
    expect(august).toHaveLength(6)
    expect([august[0]?.[0], august[5]?.[6]]).toEqual(['2026-07-27', '2026-09-06'])
  })
})

describe('shownDays', () => {
  it('returns the days by the place’s clock', () => {
    expect(shownDays(span('2027-03-13T05:00:00Z', '2027-03-13T12:00:00Z'), ZONE)).toEqual({
      first: '2027-03-13',
      last: '2027-03-13',
    })
    expect(shownDays(span('2027-03-13T14:00:00Z', '2027-03-13T23:00:00Z'), ZONE).first).toBe('2027-03-14')
  })

  it('counts an end by 6 am as the evening before', () => {
    // From 6 pm to 2 am and to 6 am. An event to 7 am is on the next day too.
    for (const until of ['2027-03-13T15:00:00Z', '2027-03-13T19:00:00Z'])
      expect(shownDays(span('2027-03-13T07:00:00Z', until), ZONE).last).toBe('2027-03-13')
    expect(shownDays(span('2027-03-13T07:00:00Z', '2027-03-13T20:00:00Z'), ZONE).last).toBe('2027-03-14')
  })

  it('keeps an event that begins in the small hours on its own day', () => {
    expect(shownDays(span('2027-03-12T14:00:00Z', '2027-03-12T16:00:00Z'), ZONE)).toEqual({
      first: '2027-03-13',
      last: '2027-03-13',
    })
  })

  it('leaves out the day that begins as a span of whole days ends', () => {
    const days = span('2027-03-12T13:00:00Z', '2027-03-20T13:00:00Z')
    expect(shownDays(days, ZONE)).toEqual({ first: '2027-03-13', last: '2027-03-20' })
    expect(isWholeDays(days, ZONE)).toBe(true)
    expect(isWholeDays(days, 'Australia/Perth')).toBe(false)
  })
})

describe('layOutWeek', () => {
  const week = monthWeeks('2027-03')[1] as string[]
  const thing = (name: string, first: string, last = first) => ({ name, days: { first, last } })
  const placed = (things: ReturnType<typeof thing>[], lanes = 3) => {
    const { bars, hidden } = layOutWeek(week, things, lanes)
    return { bars: bars.map((bar) => `${bar.entry.name} ${bar.column}+${bar.days} in ${bar.lane}`), hidden }
  }

  it('shares a row between bars that don’t overlap', () => {
    const things = [
      thing('fortnight', '2027-03-01', '2027-03-14'),
      thing('Monday', '2027-03-08'),
      thing('Tuesday', '2027-03-09'),
      thing('midweek', '2027-03-09', '2027-03-11'),
    ]
    expect(placed(things).bars).toEqual([
      'fortnight 0+7 in 0',
      'Monday 0+1 in 1',
      'midweek 1+3 in 1',
      'Tuesday 1+1 in 2',
    ])
    const [fortnight] = layOutWeek(week, things, 3).bars
    expect(fortnight).toMatchObject({ startsBefore: true, endsAfter: false })
  })

  it('counts the entries without a free row, per day', () => {
    const things = [
      thing('one', '2027-03-10'),
      thing('two', '2027-03-10'),
      thing('three', '2027-03-10', '2027-03-11'),
      thing('elsewhere', '2027-03-20'),
    ]
    expect(placed(things, 1)).toEqual({
      bars: ['three 2+2 in 0'],
      hidden: [0, 0, 2, 0, 0, 0, 0],
    })
  })
})
