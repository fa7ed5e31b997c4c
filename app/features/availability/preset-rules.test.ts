import { describe, expect, it } from 'vitest'
import { CATEGORIES } from '../businesses/rules.ts'
import { presetWeek, WEEK_PRESETS } from './preset-rules.ts'
import { defaultAvailability, WEEKDAYS, type WeeklyHours } from './rules.ts'

const usual = defaultAvailability('Photographers', 'Australia/Melbourne').weekly
const daysOpen = (week: WeeklyHours) => WEEKDAYS.filter((day) => week[day].length > 0)

describe('presetWeek', () => {
  it('opens Saturdays and Sundays alone, in the usual hours', () => {
    const week = presetWeek('weekends', usual)
    expect(daysOpen(week)).toEqual(['sat', 'sun'])
    expect(week.sat).toEqual([{ opensMinute: 300, closesMinute: 1560 }])
  })

  it('opens every day in the usual hours', () => {
    expect(presetWeek('everyDay', usual)).toEqual(usual)
  })

  it('opens evenings from 5 pm until the usual end', () => {
    const week = presetWeek('evenings', usual)
    expect(daysOpen(week)).toEqual([...WEEKDAYS])
    expect(week.mon).toEqual([{ opensMinute: 1020, closesMinute: 1560 }])
  })

  it('keeps no hours that end by 5 pm, and those that begin later as they are', () => {
    const mon = [
      { opensMinute: 480, closesMinute: 1020 },
      { opensMinute: 1080, closesMinute: 1200 },
    ]
    const week = presetWeek('evenings', { ...usual, mon, tue: [{ opensMinute: 960, closesMinute: 1021 }] })
    expect(week.mon).toEqual([{ opensMinute: 1080, closesMinute: 1200 }])
    expect(week.tue).toEqual([{ opensMinute: 1020, closesMinute: 1021 }])
  })

  it.each(CATEGORIES)('leaves no preset empty for %s', (category) => {
    const { weekly } = defaultAvailability(category, 'Australia/Perth')
    for (const preset of WEEK_PRESETS) expect(daysOpen(presetWeek(preset, weekly)).length).toBeGreaterThan(1)
  })
})
