import { formatDay, formatTime, wallTimeAt } from '../../../shared/dates.ts'
import { cancellingText, stopText, TIMELINE_COLUMNS, TIMELINE_TITLE } from '../timeline-messages.ts'
import type { CancellingCost, LineStop, StopEvent } from '../timeline-rules.ts'
import './terms-timeline.css'

/**
 * The timeline of a booking: its payments and the costs of cancelling. It is a table for screen readers.
 * @param caption names the table if a screen has several
 * @param isPaid whether the first payment has been made
 */
export function TermsTimeline({
  line,
  timeZone,
  isPaid,
  caption = TIMELINE_TITLE,
}: {
  line: readonly LineStop[]
  timeZone: string
  isPaid: boolean
  caption?: string
}) {
  return (
    <table className="terms-timeline">
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {TIMELINE_COLUMNS.map((label) => (
            <th key={label} scope="col">
              <span className="unseen">{label}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {line.map((stop, index) => {
          const { at, events, mark, cancelling } = stop
          const { date, time } = wallTimeAt(at, timeZone)
          const isToday = events.some(({ kind }) => kind === 'today')
          const text = stopText(events)
          // One stretch may pass several stops, and its cost stands at the first.
          const isNew = cancelling !== null && cancelling !== line[index - 1]?.cancelling
          return (
            <tr key={at.getTime()} data-mark={mark} data-stop={stopOf(events)} data-cost={costOf(cancelling)}>
              <th scope="row" className="figures">
                <time dateTime={at.toISOString()}>
                  {isToday ? <span className="stop-today">Today</span> : shortDay(date)}
                  <span className="stop-time">{isToday ? shortDay(date) : formatTime(time)}</span>
                </time>
              </th>
              <td className="figures">
                {text ? <p className="stop-text">{text}</p> : null}
                {isNew ? (
                  <p className="stop-cancelling">{cancellingText(cancelling, timeZone, isPaid)}</p>
                ) : null}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** How a stop is drawn that is neither today nor a payment. */
function stopOf(events: readonly StopEvent[]): 'tier' | 'event' | undefined {
  if (events.every(({ kind }) => kind === 'tier')) return 'tier'
  return events.some(({ kind }) => kind === 'event') ? 'event' : undefined
}

/** How a stretch is drawn. Each is another stroke, so that colour alone tells nothing. */
function costOf(cancelling: CancellingCost | null): 'free' | 'part' | 'all' | undefined {
  if (!cancelling) return undefined
  if (cancelling.costCents === 0) return 'free'
  return cancelling.backCents === 0 ? 'all' : 'part'
}

/** '21 Sep 2028'. */
function shortDay(date: string): string {
  return formatDay(date).replace(/^\w+ (\d+ \w{3})\w*/, '$1')
}
