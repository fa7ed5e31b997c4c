import { WEEKDAYS, type WeeklyHours } from './rules.ts'

/** The weeks that a vendor chooses by one press. */
export const WEEK_PRESETS = ['weekends', 'everyDay', 'evenings'] as const
export type WeekPreset = (typeof WEEK_PRESETS)[number]

const EVENING_MINUTE = 17 * 60

/**
 * The hours of a preset.
 * @param usual the usual week of the listing's category, whose times the preset takes
 * @returns weekends: Saturday and Sunday alone. Evenings: every day from 5 pm until the usual end
 */
export function presetWeek(preset: WeekPreset, usual: WeeklyHours): WeeklyHours {
  const days = WEEKDAYS.map((day) => {
    const hours = usual[day]
    if (preset === 'everyDay') return [day, hours]
    if (preset === 'weekends') return [day, day === 'sat' || day === 'sun' ? hours : []]
    const evening = hours
      .filter(({ closesMinute }) => closesMinute > EVENING_MINUTE)
      .map(({ opensMinute, closesMinute }) => ({
        opensMinute: Math.max(opensMinute, EVENING_MINUTE),
        closesMinute,
      }))
    return [day, evening]
  })
  return Object.fromEntries(days) as WeeklyHours
}
