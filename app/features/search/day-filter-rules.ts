import { formatDay, formatTime, type LocalDate, type LocalTime } from '../../shared/dates.ts'
import {
  type Months,
  periodText,
  readMonths,
  readWeekday,
  WEEKEND,
  weekdayOf,
  writeMonths,
} from '../../shared/periods.ts'
import { hoursText } from '../businesses/asked-rules.ts'
import { MAX_HOURS } from '../pricing/limits.ts'
import { type Chip, countParameter, dateParameter, type Filter, timeParameter } from './filter-schema.ts'
import { takeDate, takeTimes } from './query-date-schema.ts'
import { hoursOf } from './rules.ts'

type Day = {
  date: LocalDate | null
  /**
   * The typed weekday: with a date if that falls on another one, with months if only those days will do (or
   * `WEEKEND`), else ''.
   */
  weekday: string
  /** The months in which any day will do. Only without a date. */
  months: Months | null
}

/** The day of the event, or the months in which it may be. */
export const day: Filter<Day> = {
  parameters: {
    date: dateParameter('date'),
    weekday: {
      name: 'weekday',
      empty: '',
      read: readWeekday,
      write: (value) => value,
    },
    months: { name: 'months', empty: null, read: readMonths, write: writeMonths },
  },
  tidy({ date, weekday, months }) {
    if (!date) return { date, months, weekday: months ? weekday : '' }
    const isOther = weekday !== WEEKEND && weekday !== weekdayOf(date)
    return { date, months: null, weekday: isOther ? weekday : '' }
  },
  // The index has no bookings. `listBookable` checks each candidate.
  markers: null,
  changesWithMovesOnly: false,
  chips({ date, weekday, months }) {
    const none = { date: null, weekday: '', months: null }
    if (date) return [{ text: formatDay(date), without: none }]
    return months ? [{ text: periodText(months, weekday), without: none }] : []
  },
  relaxed({ date, weekday, months }) {
    const whole = months && weekday ? periodText(months, '') : ''
    return [
      ...(date
        ? [
            {
              without: 'date',
              loss: 20,
              text: `On any day, not only ${formatDay(date)}`,
              change: { date: null, weekday: '' },
            },
          ]
        : []),
      ...(whole
        ? [{ without: 'weekday', loss: 15, text: `On any day in ${whole}`, change: { weekday: '' } }]
        : []),
      ...(months
        ? [
            {
              without: 'months',
              loss: 20,
              text: `On any day, not only in ${periodText(months, '')}`,
              change: { months: null, weekday: '' },
            },
          ]
        : []),
    ]
  },
  query: { anywhere: { order: 4, take: takeDate } },
  form: {
    order: 4,
    fields: ({ date, months, weekday }) => [
      { kind: 'date', name: 'date', label: 'Day', value: date ?? '' },
      // A day replaces the months: see `tidy`.
      ...(months ? [{ kind: 'hidden' as const, name: 'months', value: writeMonths(months) }] : []),
      ...(months && weekday ? [{ kind: 'hidden' as const, name: 'weekday', value: weekday }] : []),
    ],
  },
}

type Time = {
  from: LocalTime | null
  /** The end, on the next day if it's before `from`. Only with `from`. */
  until: LocalTime | null
  /** The length in whole hours, if no end is given. */
  hours: number | null
}

/** Drops the time of day, but not the length: the customer still needs that many hours. */
export const withoutTime = (time: Time): Time => ({ from: null, until: null, hours: hoursOf(time) })

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
  relaxed: ({ from, until, hours }, { day: asked }) =>
    from && asked
      ? [
          {
            without: 'time',
            loss: 5,
            text: asked === 'date' ? 'At another time that day' : 'At another time of day',
            change: withoutTime({ from, until, hours }),
          },
        ]
      : [],
  query: { anywhere: { order: 3, take: takeTimes } },
  form: {
    order: 5,
    fields: ({ from, until, hours }) => [
      { kind: 'time', name: 'from', label: 'From', value: from ?? '', width: 'narrow' },
      { kind: 'time', name: 'until', label: 'Until', value: until ?? '', width: 'narrow' },
      {
        kind: 'count',
        name: 'hours',
        label: 'Duration (hours)',
        value: hours === null ? '' : String(hours),
        max: MAX_HOURS,
        width: 'narrow',
      },
    ],
  },
}
