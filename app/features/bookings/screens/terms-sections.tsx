import { HelpLink } from '../../../ui/help-link.tsx'
import { TermsTimeline } from '../../terms/components/terms-timeline.tsx'
import type { EventStart, SaleTerms } from '../../terms/rules.ts'
import {
  FAR_AHEAD,
  ONCE_ANSWERED,
  payPlanText,
  TIMELINE_TITLE,
  UNTIL_ANSWERED,
} from '../../terms/timeline-messages.ts'
import { timelineBefore } from '../../terms/timeline-rules.ts'
import { type CustomerBooking, lineOfBooking } from '../rules.ts'

/** The terms that a booking agrees to if it is paid now. */
type OfferedTerms = { terms: SaleTerms; event: EventStart; now: Date }

/**
 * The payments and the cancellation costs on the booking form.
 * @param isFarAhead whether the event is so far ahead that a listing without a deposit takes one
 */
export function FormTerms({ terms, event, now, isFarAhead }: OfferedTerms & { isFarAhead: boolean }) {
  const plan = payPlanText(terms, event.timeZone)
  return (
    <section aria-label={TIMELINE_TITLE}>
      <h2 className="text-xl">{TIMELINE_TITLE}</h2>
      {plan ? <p className="figures mt-4 font-medium">{plan}.</p> : null}
      {isFarAhead ? <p className="mt-1 text-sm text-quiet">{FAR_AHEAD}</p> : null}
      <p className="mt-4 mb-5 text-sm text-quiet">{UNTIL_ANSWERED}</p>
      <TermsTimeline line={timelineBefore(terms, event, now)} timeZone={event.timeZone} isPaid={false} />
      <HelpLink article="book-and-pay" part="what-you-pay">
        How paying works
      </HelpLink>
    </section>
  )
}

/**
 * The same beside 'Pay $', with the consent to saving the card.
 * @param isQuoted whether the vendor has agreed by a quote, so that they have nothing to answer
 */
export function PaymentTerms({
  terms,
  event,
  now,
  consent,
  isQuoted,
}: OfferedTerms & { consent: string | null; isQuoted: boolean }) {
  const { timeZone } = event
  const plan = payPlanText(terms, timeZone)
  return (
    <>
      {isQuoted ? null : <p>{ONCE_ANSWERED}</p>}
      <div className="my-4 text-base">
        <TermsTimeline line={timelineBefore(terms, event, now)} timeZone={timeZone} isPaid={false} />
      </div>
      {plan ? <p className="figures text-base font-medium">{plan}.</p> : null}
      {consent ? <p className="figures">{consent}</p> : null}
    </>
  )
}

/** The timeline of a booking as of now. Renders nothing for a booking from before there were terms. */
export function BookingTimeline({ booking, now }: { booking: CustomerBooking; now: string }) {
  const line = lineOfBooking(booking, new Date(now))
  if (!line) return null
  return (
    <section className="mt-12 print:mt-6" aria-label={TIMELINE_TITLE}>
      <h2 className="mb-4 text-xl">{TIMELINE_TITLE}</h2>
      {booking.stored.status === 'pending' && booking.bank.returns.length === 0 ? (
        <p className="mb-5 text-sm text-quiet">{UNTIL_ANSWERED}</p>
      ) : null}
      <TermsTimeline line={line} timeZone={booking.timeZone} isPaid />
      <HelpLink article="withdraw-or-cancel">How cancelling works</HelpLink>
    </section>
  )
}
