import type { RefObject } from 'react'
import { Link } from 'react-router'
import { type Cents, formatMoney } from '../../../../shared/money.ts'
import { Button } from '../../../../ui/button.tsx'
import { LoadingText } from '../../../../ui/skeleton.tsx'
import { Fact, quantityText } from '../../components/booking-facts.tsx'
import {
  BACK_TO_QUOTE,
  COMPLETE_YOUR_PAYMENT,
  HOLD_AGAIN,
  HOLD_OVER,
  HOLD_OVER_DETAIL,
  LOADING_PAYMENT,
  PROCESSING,
  payLabel,
  paymentTerms,
  QUOTE_PAYMENT_TERMS,
} from '../../messages.ts'
import { PaymentTerms } from '../../screens/terms-sections.tsx'
import { firstHandedPicture } from '../browser/business-handoff.ts'
import type { StartedPayment } from '../browser/payment-client.ts'
import { handedTotalCents, type PaymentHandoff } from '../browser/payment-handoff.ts'
import { formPathOf, type PaymentStep, usePayment } from '../browser/use-payment.ts'
import { BookingAside } from '../components/booking-aside.tsx'
import { HoldCountdown } from '../components/hold-countdown.tsx'

/**
 * The payment of a handed booking. It requests a payment secret when it opens, shows the provider's card form and, once
 * the card is charged, has the booking stored.
 */
export function HandedPayment({ handoff, termsPath }: { handoff: PaymentHandoff; termsPath: string }) {
  const run = usePayment(handoff)
  const { step, payment } = run
  return (
    <div className="page pt-8 pb-16 md:pt-14 md:pb-24">
      <div className="grid items-start gap-8 md:grid-cols-[minmax(0,1fr)_280px] md:gap-12 lg:grid-cols-[minmax(0,640px)_360px] lg:justify-between">
        <div className="min-w-0">
          {step.kind === 'loading' ? <LoadingText heading="Payment">{LOADING_PAYMENT}</LoadingText> : null}
          {step.kind === 'failed' ? (
            <StartFailure step={step} handoff={handoff} onTryAgain={run.tryAgain} />
          ) : null}
          {step.kind === 'over' ? (
            <HoldIsOver handoff={handoff} onHoldAgain={() => void run.holdAgain()} />
          ) : null}
          {payment ? (
            <CardStep
              totalCents={handedTotalCents(handoff)}
              chargedCents={payment.chargedCents ?? handedTotalCents(handoff)}
              offered={offeredTerms(payment, handoff)}
              answerWithinMs={payment.answerWithinMs}
              heldUntilMs={run.heldUntilMs}
              onHoldEnd={run.endHold}
              cardBox={run.cardBox}
              isMounted={run.isMounted}
              isProcessing={run.isProcessing}
              onPay={() => void run.pay()}
              termsPath={termsPath}
              isQuoted={handoff.quotePath !== undefined}
            />
          ) : null}
        </div>
        <div className="order-first md:order-last md:self-stretch">
          <PaymentAside handoff={handoff} span={payment?.span} />
        </div>
      </div>
    </div>
  )
}

function StartFailure({
  step,
  handoff,
  onTryAgain,
}: {
  step: Extract<PaymentStep, { kind: 'failed' }>
  handoff: PaymentHandoff
  onTryAgain: () => void
}) {
  return (
    <div className="py-10">
      <h1 className="text-2xl">{step.message}</h1>
      <p className="mt-3 text-quiet">
        {step.reason} Nothing has been charged, and your booking details are saved.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        {step.canRetry ? (
          <Button variant="primary" onClick={onTryAgain}>
            Try again
          </Button>
        ) : null}
        <BackToBooking handoff={handoff} />
      </div>
    </div>
  )
}

/** Shown when the hold has ended and nothing was paid. */
function HoldIsOver({ handoff, onHoldAgain }: { handoff: PaymentHandoff; onHoldAgain: () => void }) {
  return (
    <div className="py-10">
      <h1 className="text-2xl" tabIndex={-1} ref={focusWhenShown}>
        {HOLD_OVER}
      </h1>
      <p className="mt-3 text-quiet">{HOLD_OVER_DETAIL}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        {handoff.quotePath ? null : (
          <Button variant="primary" onClick={onHoldAgain}>
            {HOLD_AGAIN}
          </Button>
        )}
        <BackToBooking handoff={handoff} />
      </div>
    </div>
  )
}

/** The terms that this payment agrees to. */
function offeredTerms({ agreed }: StartedPayment, { booking: { date, time } }: PaymentHandoff) {
  if (!agreed) return null
  const { terms, timeZone, consent, now } = agreed
  return { terms, event: { date, time, timeZone }, consent, now }
}

function CardStep({
  totalCents,
  chargedCents,
  offered,
  answerWithinMs,
  heldUntilMs,
  onHoldEnd,
  cardBox,
  isMounted,
  isProcessing,
  onPay,
  termsPath,
  isQuoted,
}: {
  totalCents: Cents
  chargedCents: Cents
  offered: ReturnType<typeof offeredTerms>
  /** How long the vendor has to answer. */
  answerWithinMs: number
  heldUntilMs: number
  onHoldEnd: () => void
  /** The element that the provider's form is mounted in. */
  cardBox: RefObject<HTMLDivElement | null>
  isMounted: boolean
  isProcessing: boolean
  onPay: () => void
  termsPath: string
  /** Whether the vendor has agreed by a quote. */
  isQuoted: boolean
}) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onPay()
      }}
    >
      <h1 className="text-3xl md:text-4xl">{COMPLETE_YOUR_PAYMENT}</h1>
      {isProcessing ? null : <HoldCountdown untilMs={heldUntilMs} onEnd={onHoldEnd} />}
      <div ref={cardBox} className="mt-8 min-h-60 md:mt-10" />
      {isMounted ? null : <LoadingText>{LOADING_PAYMENT}</LoadingText>}
      <section aria-label="Terms and refunds" className="mt-8 grid gap-2 border-t border-line pt-6 text-sm">
        {(isQuoted ? QUOTE_PAYMENT_TERMS : paymentTerms(answerWithinMs)).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {offered ? <PaymentTerms {...offered} isQuoted={isQuoted} /> : null}
        <p className="text-quiet">
          By paying you agree to the{' '}
          <a className="link" href={termsPath} target="_blank" rel="noreferrer">
            Terms of Service
          </a>
          .
        </p>
      </section>
      <div className="bottom-bar sticky bottom-0 z-10 -mx-(--gutter) mt-8 border-t border-line bg-ground px-(--gutter) pt-3 pb-[max(12px,env(safe-area-inset-bottom))] md:static md:mx-0 md:border-0 md:px-0">
        {chargedCents < totalCents ? (
          <p className="mb-2 flex items-baseline justify-between gap-4 md:hidden">
            Total <span className="price text-2xl leading-tight">{formatMoney(totalCents)}</span>
          </p>
        ) : null}
        <Button
          type="submit"
          variant="primary"
          size="large"
          wide
          disabled={!isMounted}
          pending={isProcessing}
          pendingText={PROCESSING}
        >
          {payLabel(formatMoney(chargedCents))}
        </Button>
      </div>
    </form>
  )
}

function PaymentAside({ handoff, span }: { handoff: PaymentHandoff; span: string | null | undefined }) {
  const { vendor, booking } = handoff
  return (
    <BookingAside
      vendor={{
        name: vendor.name,
        location: vendor.location,
        picture: firstHandedPicture(vendor.pictures),
      }}
      date={booking.date}
      time={booking.time}
      span={span}
      price={quantityText(booking.quantity, booking.bookingType)}
      totalCents={handedTotalCents(handoff)}
      compactOnPhone
    >
      <dl className="mt-4 hidden text-sm md:block">
        <Fact label="Name">{booking.fullName}</Fact>
        <Fact label="Email">{booking.email}</Fact>
        <Fact label="Phone">{booking.phone}</Fact>
      </dl>
      <p className="mt-3 text-sm md:mt-4">
        <Link className="link" to={formPathOf(handoff)} state={{ vendor }}>
          {handoff.quotePath ? BACK_TO_QUOTE : 'Change the booking'}
        </Link>
      </p>
    </BookingAside>
  )
}

/** Moves the focus to the content that has replaced the form. */
function focusWhenShown(heading: HTMLElement | null) {
  heading?.focus()
}

function BackToBooking({ handoff }: { handoff: PaymentHandoff }) {
  const { vendor, quotePath } = handoff
  return (
    <Link className="button button-secondary" to={formPathOf(handoff)} state={{ vendor }}>
      {quotePath ? BACK_TO_QUOTE : 'Back to the booking'}
    </Link>
  )
}
