import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { formatDay, formatTime, wallTimeAt } from '../../../shared/dates.ts'
import type { TimeSpan } from '../../../shared/time-span.ts'
import { zoneLabel } from '../../../shared/time-span.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Tag } from '../../../ui/tag.tsx'
import type { CalendarEntry } from '../calendar-rules.ts'
import { ENTRY_LABELS, LOCAL_TIMES, TO_DECIDE } from '../messages.ts'
import { isWholeDays, type ShownDays, shownDays } from '../month-layout-rules.ts'
import './vendor-time.css'

/** A listing whose entries are shown. */
export type ShownListing = { id: string; name: string; timeZone: string }

/** A calendar entry with its listing and the days on which it is shown. */
export type ShownEntry = CalendarEntry & { days: ShownDays; listing: ShownListing }

/** The time zone of these listings: 'Melbourne time'. */
export function zoneLabelOf(listings: readonly ShownListing[]): string {
  const [only, another] = new Set(listings.map(({ timeZone }) => zoneLabel(timeZone)))
  return only && !another ? only : LOCAL_TIMES
}

/** The look of a calendar entry: its kind, and for a booking its status. */
export type EntryLook = keyof typeof ENTRY_LABELS

export function lookOf(entry: CalendarEntry): EntryLook {
  if (entry.kind === 'booking') return entry.status ?? 'pending'
  // A hold has a customer's name where a booking would move.
  return entry.kind === 'hold' && entry.title ? 'change' : entry.kind
}

/** The title of an entry: its name or note, else its kind. */
export function titleOf(entry: CalendarEntry): string {
  return entry.title || ENTRY_LABELS[lookOf(entry)]
}

/** Formats a span: 'Friday 12 March 2027, 6:00 pm to 11:00 pm', '…, all day', or with its last day if that differs. */
export function spanText(span: TimeSpan, timeZone: string): string {
  const { first, last } = shownDays(span, timeZone)
  if (isWholeDays(span, timeZone)) {
    return first === last ? `${formatDay(first)}, all day` : `${formatDay(first)} to ${formatDay(last)}`
  }
  const from = wallTimeAt(span.from, timeZone)
  const until = wallTimeAt(span.until, timeZone)
  const end = first === last ? '' : `${formatDay(until.date)}, `
  return `${formatDay(from.date)}, ${formatTime(from.time)} to ${end}${formatTime(until.time)}`
}

/** '4:00 pm to 11:00 pm' or 'All day', without the first day. Names the last day of an entry over several. */
export function timesText(entry: ShownEntry, timeZone: string): string {
  if (isWholeDays(entry.event, timeZone)) {
    return entry.days.first === entry.days.last ? 'All day' : `All day, until ${shortDay(entry.days.last)}`
  }
  const from = wallTimeAt(entry.event.from, timeZone)
  const until = wallTimeAt(entry.event.until, timeZone)
  const end = entry.days.first === entry.days.last ? '' : `${shortDay(until.date)}, `
  return `${formatTime(from.time)} to ${end}${formatTime(until.time)}`
}

/** 'Sat 13 March'. */
export function shortDay(day: string): string {
  const [weekday = '', number, month] = formatDay(day).split(' ')
  return `${weekday.slice(0, 3)} ${number} ${month}`
}

const ICONS = {
  pending: 'party-popper',
  approved: 'party-popper',
  declined: 'x',
  hold: 'hourglass',
  change: 'hourglass',
  block: 'lock',
  outside: 'calendar-days',
} as const satisfies Record<EntryLook, unknown>

const TONES = {
  pending: 'glow',
  approved: 'success',
  declined: 'neutral',
  hold: 'neutral',
  change: 'neutral',
  block: 'neutral',
  outside: 'neutral',
} as const satisfies Record<EntryLook, 'glow' | 'success' | 'neutral'>

/** A calendar entry in full, with its time, title and actions. */
export function EntryDetails({
  entry,
  others,
  showsDay,
  showsListing,
  unblocking,
  onUnblock,
}: {
  entry: ShownEntry
  /** All shown entries, to name those at the same time. */
  others: readonly ShownEntry[]
  /** Whether to show the day, which otherwise stands above the entry. */
  showsDay: boolean
  /** Whether to name the listing, since entries of several are shown. */
  showsListing: boolean
  unblocking: boolean
  onUnblock: (entry: ShownEntry) => void
}) {
  const { timeZone } = entry.listing
  const look = lookOf(entry)
  const icon = ICONS[look]
  const label = entry.kind === 'outside' ? (entry.calendarName ?? ENTRY_LABELS.outside) : ENTRY_LABELS[look]
  const isTaken = entry.occupied.from < entry.event.from || entry.occupied.until > entry.event.until
  return (
    <div className="entry">
      <div>
        <Icon
          name={icon}
          className={classNames('mt-0.5 size-5', look === 'approved' ? 'text-brand' : 'text-quiet')}
        />
        <div className="min-w-0">
          <p className="figures font-semibold">
            {showsDay ? spanText(entry.event, timeZone) : timesText(entry, timeZone)}
          </p>
          <p className={classNames('[overflow-wrap:anywhere]', !entry.title && 'text-quiet')}>
            {titleOf(entry)}
          </p>
          {showsListing ? (
            <p className="text-sm text-quiet [overflow-wrap:anywhere]">{entry.listing.name}</p>
          ) : null}
          {isTaken ? (
            <p className="figures mt-0.5 text-sm text-quiet">
              With setting up and cleaning: {timeOf(entry.occupied.from, timeZone)} to{' '}
              {timeOf(entry.occupied.until, timeZone)}
            </p>
          ) : null}
          <p className="mt-2 flex flex-wrap gap-2 empty:hidden">
            {entry.title ? <Tag tone={TONES[look]}>{label}</Tag> : null}
            {entry.due ? <Tag tone={entry.due.isLate ? 'error' : 'brand'}>{entry.due.label}</Tag> : null}
            {entry.isConflict ? (
              <Tag tone="error" icon={<Icon name="circle-alert" />}>
                {TO_DECIDE}
              </Tag>
            ) : null}
          </p>
          {entry.due ? <p className="figures mt-2 text-sm">{entry.due.text}</p> : null}
          {entry.isConflict ? <Conflict entry={entry} others={others} /> : null}
        </div>
        {entry.kind === 'booking' || entry.kind === 'block' ? (
          <div className="entry-step">
            {entry.kind === 'booking' ? (
              <Link
                className="button button-quiet px-3"
                to={`${href('/dashboard/bookings')}?business=${encodeURIComponent(entry.listing.id)}`}
              >
                {entry.status === 'pending' ? 'Decide' : 'Open in Bookings'}
              </Link>
            ) : (
              <Button
                variant="quiet"
                className="px-3"
                pending={unblocking}
                pendingText="Unblocking..."
                aria-label={`Unblock ${titleOf(entry)}, ${spanText(entry.event, timeZone)}`}
                onClick={() => onUnblock(entry)}
              >
                Unblock
              </Button>
            )}
          </div>
        ) : null}
      </div>
    </div>
  )
}

/** The entries at the same time, and the vendor's options. A conflict never cancels anything automatically. */
function Conflict({ entry, others }: { entry: ShownEntry; others: readonly ShownEntry[] }) {
  const rivals = others.filter(
    (other) =>
      other.id !== entry.id &&
      other.businessId === entry.businessId &&
      other.isConflict &&
      other.occupied.from < entry.occupied.until &&
      entry.occupied.from < other.occupied.until,
  )
  return (
    <p className="mt-2 max-w-prose text-sm">
      {rivals.length > 0 ? (
        <>
          At the same time as{' '}
          {joined(rivals.map((rival) => `${titleOf(rival)}, ${timesText(rival, rival.listing.timeZone)}`))}.{' '}
        </>
      ) : null}
      {entry.kind === 'outside'
        ? 'Change it in the other calendar, or decline the booking.'
        : 'Nothing has been changed. Both stay until you decide.'}
    </p>
  )
}

function joined(parts: string[]): ReactNode {
  if (parts.length <= 1) return parts[0]
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

function timeOf(instant: Date, timeZone: string): string {
  return formatTime(wallTimeAt(instant, timeZone).time)
}
