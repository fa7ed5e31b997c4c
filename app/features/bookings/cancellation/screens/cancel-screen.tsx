import { Form, href, useNavigation } from 'react-router'
import { formatInstant } from '../../../../shared/dates.ts'
import { type Cents, formatMoney } from '../../../../shared/money.ts'
import { Banner } from '../../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { LiveDataNote } from '../../../../ui/live-data-note.tsx'
import { SendFailure } from '../../../../ui/send-failure.tsx'
import { useLiveUpdates } from '../../../notifications/browser/use-live-updates.ts'
import { returnedCentsOf } from '../../../sales/amount-rules.ts'
import { BANK_DECIDING, returnedText } from '../../bank-messages.ts'
import { Fact, keepTimesWhole } from '../../components/booking-facts.tsx'
import {
  CANCEL_AND_REFUND,
  CANCEL_BOOKING,
  CANCEL_FAILED,
  CANCEL_REFUSALS,
  KEEP_THE_BOOKING,
  NOTHING_COMES_BACK,
  QUOTE_CHANGED,
  QUOTE_LABELS,
} from '../../messages.ts'
import type { CustomerBooking } from '../../rules.ts'
import type { Cancelling, QuoteView } from '../queries.server.ts'
import type { CancelRefusal } from '../rules.ts'

/** The refusal of a press. A success leads back to the booking. */
export type CancelAnswer =
  | { ok: false; reason: 'stale'; quote: QuoteView }
  | { ok: false; reason: 'not_found' | 'failed' | CancelRefusal }

/** Shows what cancelling a booking refunds, with the button that cancels it. */
export function CancelScreen({
  booking,
  cancelling,
  answer,
  linkToken,
}: {
  booking: CustomerBooking
  cancelling: Cancelling
  answer: CancelAnswer | undefined
  linkToken: string
}) {
  useLiveUpdates([`booking-${linkToken}`])
  const { stored, timeZone } = booking
  const back = href('/bookings/:linkToken', { linkToken })
  const heading = (
    <>
      <title>{`Cancel your booking with ${stored.vendorName}`}</title>
      <h1>
        <span className="block text-lg leading-snug text-quiet">Cancel your booking with</span>{' '}
        {stored.vendorName}
      </h1>
    </>
  )
  // The vendor may have declined, or the event begun, while the quote was on the screen.
  const refusal = cancelling.refusal ?? (answer && isCancelRefusal(answer.reason) ? answer.reason : null)
  if (refusal || !cancelling.quote) {
    return (
      <div className="page page-column section">
        {heading}
        <p className="lede mt-5 mb-8">{CANCEL_REFUSALS[refusal ?? 'over']}</p>
        <ButtonLink to={back}>See your booking</ButtonLink>
      </div>
    )
  }
  // The page is live, so its quote may be newer than the refusal's.
  const refused = answer?.reason === 'stale' ? answer.quote : null
  const quote = refused && refused.shownAt > cancelling.quote.shownAt ? refused : cancelling.quote
  const { refundCents, keptCents } = quote
  const until = formatInstant(new Date(quote.until), timeZone)
  return (
    <div className="page page-column section">
      {heading}
      <p className="figures mt-5">
        <time dateTime={booking.event.from}>{keepTimesWhole(booking.span)}</time>
      </p>
      {answer ? (
        <div className="mt-6" role="alert">
          <Banner>{answer.reason === 'stale' ? QUOTE_CHANGED : CANCEL_FAILED}</Banner>
        </div>
      ) : null}
      <p className="lede mt-6" aria-live="polite">
        {backText(booking, refundCents)}
      </p>
      <QuoteFacts quote={quote} />
      <p className="mt-5 max-w-prose">
        {refundCents === 0
          ? 'Nothing further is charged.'
          : `This holds until ${until}. ${keptCents > 0 ? 'After that you get less back.' : 'After that cancelling costs something.'}`}{' '}
        Cancelling can’t be undone, and the time is free for others at once.
      </p>
      <CancelForm quote={quote} back={back} />
      <LiveDataNote />
    </div>
  )
}

/** Tells the refund of a cancellation, and what the customer's bank does with the payment. */
function backText({ bank }: CustomerBooking, refundCents: Cents): string {
  const returnedCents = returnedCentsOf(bank)
  const returned = returnedCents > 0 ? ` ${returnedText(returnedCents)}` : ''
  if (refundCents === 0) return `${NOTHING_COMES_BACK}${returned}`
  return `If you cancel now, you get ${formatMoney(refundCents)} back.${returned}${bank.isDeciding ? ` ${BANK_DECIDING}` : ''}`
}

const isCancelRefusal = (reason: CancelAnswer['reason']): reason is CancelRefusal => reason in CANCEL_REFUSALS

function QuoteFacts({
  quote: { paidCents, refundCents, keptCents, uncollectedCents },
}: {
  quote: QuoteView
}) {
  return (
    <dl className="mt-6 border-t border-line">
      <Fact label={QUOTE_LABELS.paid}>{formatMoney(paidCents)}</Fact>
      <Fact label={QUOTE_LABELS.refund}>
        <span className="price text-xl">{formatMoney(refundCents)}</span>
      </Fact>
      <Fact label={QUOTE_LABELS.kept}>{formatMoney(keptCents)}</Fact>
      {uncollectedCents > 0 ? (
        <Fact label={QUOTE_LABELS.uncollected}>{formatMoney(uncollectedCents)}</Fact>
      ) : null}
    </dl>
  )
}

function CancelForm({ quote, back }: { quote: QuoteView; back: string }) {
  const navigation = useNavigation()
  return (
    <Form method="post" className="mt-8 flex flex-wrap items-center gap-3">
      <input type="hidden" name="intent" value="cancel" />
      <input type="hidden" name="quote" value={quote.signed} />
      <Button
        type="submit"
        variant="danger"
        pending={navigation.formMethod === 'POST'}
        pendingText="Cancelling..."
      >
        {quote.refundCents > 0 ? CANCEL_AND_REFUND : CANCEL_BOOKING}
      </Button>
      <ButtonLink to={back}>{KEEP_THE_BOOKING}</ButtonLink>
      <SendFailure />
    </Form>
  )
}
