import type { WeekPreset } from './preset-rules.ts'

// A module of its own, so that visitors' pages don't load these texts.

export const PRESET_LABELS = {
  weekends: 'Saturdays and Sundays',
  everyDay: 'Every day',
  evenings: 'Evenings',
} as const satisfies Record<WeekPreset, string>

/** The fold with the numbers of the settings form. */
export const NUMBERS_TITLE = 'Guests, set-up, notice and more'

/** How to find the address of a calendar in iCal format, by the service that it is on. */
export const CALENDAR_STEPS = [
  {
    name: 'Google Calendar',
    steps: [
      'On a computer, open Google Calendar and choose Settings.',
      'Under ‘Settings for my calendars’, choose your calendar.',
      'Under ‘Integrate calendar’, copy the ‘Secret address in iCal format’.',
      'Paste it below.',
    ],
  },
  {
    name: 'Apple Calendar',
    steps: [
      'Open Calendar on icloud.com.',
      'Press the share icon next to your calendar, and turn on ‘Public Calendar’.',
      'Copy the link, and paste it below.',
    ],
  },
  {
    name: 'Outlook',
    steps: [
      'Open Outlook in a browser, then Settings, Calendar, Shared calendars.',
      'Under ‘Publish a calendar’, choose your calendar, and press Publish.',
      'Copy the ICS link, and paste it below.',
    ],
  },
  {
    name: 'Airbnb',
    steps: [
      'Open your listing’s calendar, then Availability.',
      'Choose ‘Connect to another website’.',
      'Copy the export link, and paste it below.',
    ],
  },
] as const
