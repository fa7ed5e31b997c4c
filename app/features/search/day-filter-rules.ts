import { formatDay, formatTime, type LocalDate, type LocalTime } from '../../shared/dates.ts'
import { type Chip, countParameter, dateParameter, type Filter, timeParameter } from './filter-schema.ts'
import { MAX_HOURS } from './limits.ts'
import { hoursText } from './messages.ts'
import { takeDate, takeTimes } from './query-date-schema.ts'
import { WEEKDAYS, weekdayOf } from './rules.ts'

type Day = {
  date: LocalDate | null
  /** The typed weekday if the date falls on another one, else ''. */
  weekday: string
}

/** The day of the event. */
export const day: Filter<Day> = {
  parameters: {
    date: dateParameter('date'),
    weekday: {
      name: 'weekday',
      empty: '',
      read: (text) => WEEKDAYS.find((each) => each === text) ?? '',
      write: (value) => value,
    },
  },
  tidy: ({ date, weekday }) => ({ date, weekday: date && weekday !== weekdayOf(date) ? weekday : '' }),
  // The index has no bookings. `listBookable` checks each candidate.
  markers: null,
  changesWithMovesOnly: false,
  chips: ({ date }) => (date ? [{ text: formatDay(date), without: { date: null, weekday: '' } }] : []),
  relaxed: ({ date }) =>
    date
      ? [
          {
            without: 'date',
            loss: 20,
            text: `On any day, not only ${formatDay(date)}`,
            change: { date: null },
          },
        ]
      : [],
  query: { anywhere: { order: 4, take: takeDate } },
  form: {
    order: 4,
    fields: ({ date }) => [{ kind: 'date', name: 'date', label: 'Day', value: date ?? '' }],
  },
}

type Time = {
  from: LocalTime | null
  /** The end, on the next day if it's before `from`. Only with `from`. */
  until: LocalTime | null
  /** The length in whole hours, if no end is given. */
  hours: number | null
}

/** The time of the event, or its length. */
export const time: Filter<Time> = {
  parameters: {
    from: timeParameter('from'),
    until: timeParameter('until'),
    hours: countParameter('hours', MAX_HOURS),
  },
  tidy({ from, until, hours }) {
    const end = from && until !== from ? until : null
    return { from, until: end, hours: end ? null : hours }
  },
  markers: null,
  changesWithMovesOnly: false,
  chips({ from, until, hours }) {
    const chips: Chip<Time>[] = []
    if (from)
      chips.push({
        text: until ? `${formatTime(from)} to ${formatTime(until)}` : `from ${formatTime(from)}`,
        without: { from: null, until: null },
      })
    if (hours) chips.push({ text: hoursText(hours), without: { hours: null } })
    return chips
  },
  // The time alone, without a day, never excludes a business.
  relaxed: null,
  query: { anywhere: { order: 3, take: takeTimes } },
  form: {
    order: 5,
    fields: ({ from, until, hours }) => [
      { kind: 'time', name: 'from', label: 'From', value: from ?? '', width: 'narrow' },
      { kind: 'time', name: 'until', label: 'Until', value: until ?? '', width: 'narrow' },
      {
        kind: 'count',
        name: 'hours',
        label: 'Or hours',
        value: hours === null ? '' : String(hours),
        max: MAX_HOURS,
        width: 'narrow',
      },
    ],
  },
}
