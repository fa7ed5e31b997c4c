import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { lineText, priceText, stateText, validText } from '../messages.ts'
import { lastValidDay, type QuoteView, takenLines } from '../rules.ts'
import './quote-card.css'

/**
 * A quote in its conversation.
 * @param to the path of its page
 * @param isMine whether the viewer has sent it
 * @param action a form below it, such as withdrawing it
 */
export function QuoteCard({
  quote,
  to,
  now,
  isMine = false,
  action,
}: {
  quote: QuoteView
  to: string
  now: string
  isMine?: boolean
  action?: ReactNode
}) {
  const { state, timeZone, lines } = quote
  const isOpen = state === 'sent' || state === 'viewed'
  const shown = quote.takenLines ? takenLines(lines, quote.takenLines) : lines
  const isHeld = isOpen && quote.heldUntil !== null && quote.heldUntil > now
  return (
    <article
      className="quote-card"
      data-open={isOpen || undefined}
      data-mine={isMine || undefined}
      aria-label={`Quote, ${stateText(quote, isMine)}`}
    >
      <p className="quote-card-head">
        <span>Quote</span>
        <span>{stateText(quote, isMine)}</span>
      </p>
      <p className="price text-2xl">{priceText(quote)}</p>
      <p className="figures text-sm">{quote.span}</p>
      <ul className="text-sm text-quiet">
        {shown.map((line) => (
          <li key={line.id}>
            {lineText(line)}
            {line.isOptional && !quote.takenLines ? ' (optional)' : ''}
          </li>
        ))}
      </ul>
      {isOpen ? (
        <p className="text-sm">
          {validText(lastValidDay(new Date(quote.validUntil), timeZone))}.
          {isHeld && quote.heldUntil
            ? ` The time is held until ${formatInstant(new Date(quote.heldUntil), timeZone)}.`
            : null}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-3">
        <Link className={`button button-small ${isOpen ? 'button-brand' : 'button-secondary'}`} to={to}>
          See the quote
        </Link>
        {action}
      </div>
    </article>
  )
}
