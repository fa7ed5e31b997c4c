import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { href, Link, useBlocker, useNavigate } from 'react-router'
import type { CardForm } from '../../../adapters/payments/browser-port.ts'
import { formatMoney, toNumericString } from '../../../shared/money.ts'
import { Button } from '../../../ui/button.tsx'
import { useDialogs } from '../../../ui/dialog.tsx'
import { LoadingText } from '../../../ui/skeleton.tsx'
import type { TimeProblem } from '../../availability/rules.ts'
import { firstHandedPicture } from '../browser/business-handoff.ts'
import {
  beginConfirmation,
  releaseHold,
  reportPayment,
  type StartedPayment,
  startPayment,
} from '../browser/payment-client.ts'
import { handedTotalCents, newSubmitKey, type PaymentHandoff } from '../browser/payment-handoff.ts'
import { BookingAside } from '../components/booking-aside.tsx'
import { Fact, quantityText } from '../components/booking-facts.tsx'
import { HoldCountdown } from '../components/hold-countdown.tsx'
import type { BookingFieldErrors } from '../rules.ts'
import {
  COMPLETE_YOUR_PAYMENT,
  CONNECTION_LOST,
  HOLD_AGAIN,
  HOLD_OVER,
  HOLD_OVER_DETAIL,
  LOADING_PAYMENT,
  PAID_BUT_NOT_SAVED,
  PAYMENT_INIT_FAILED,
  PAYMENT_INIT_REASONS,
  PAYMENT_TERMS,
  PROCESSING,
  payLabel,
} from '../wording.ts'

const formPathOf = ({ id }: PaymentHandoff['vendor']) => href('/book/:id', { id })

type Step =
  | { kind: 'loading' }
  | { kind: 'ready'; payment: StartedPayment }
  | { kind: 'failed'; message: string; reason?: string; canRetry: boolean }
  /** The time is kept no longer, and nothing was paid. */
  | { kind: 'over' }

/**
 * The payment screen (Specification, section 2). It asks for a payment secret when it opens, shows the provider's
 * card form and, once the card went through, has the booking stored.
 * @param loadCardForm brings the provider's form, loaded only here
 */
export function PaymentScreen({
  handoff,
  loadCardForm,
  termsPath,
}: {
  handoff: PaymentHandoff
  loadCardForm: (payment: StartedPayment) => Promise<CardForm>
  /** Where the Terms of Service are. */
  termsPath: string
}) {
  const navigate = useNavigate()
  const { alert, confirm } = useDialogs()
  const [step, setStep] = useState<Step>({ kind: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const [isMounted, setIsMounted] = useState(false)
  const [isProcessing, setIsProcessing] = useState(false)
  const [heldUntilMs, setHeldUntilMs] = useState(Number.POSITIVE_INFINITY)
  const cardBox = useRef<HTMLDivElement>(null)
  const cardForm = useRef<CardForm | null>(null)
  // Read at once, where state would be a render late for a double press.
  const isPaying = useRef(false)
  const renewedKeys = useRef(0)
  // The payment whose time is kept free while this screen waits for the card.
  const heldKey = useRef<string | null>(null)
  const totalCents = handedTotalCents(handoff)
  const { vendor, booking } = handoff

  const goTo = (next: PaymentHandoff) => navigate(href('/payment'), { replace: true, state: next })
  const goToSuccess = (reference: string, said: { notSaved: boolean } | null = null) => {
    heldKey.current = null
    const path = `${href('/success')}?payment_intent=${encodeURIComponent(reference)}`
    return navigate(path, { replace: true, state: said })
  }
  const formPath = formPathOf(vendor)
  /** Back where the trouble is put right: nothing that was typed is lost. */
  const goToForm = (trouble: { fieldErrors: BookingFieldErrors } | { timeGone: TimeProblem }) => {
    heldKey.current = null
    return navigate(formPath, { replace: true, state: { vendor, booking, ...trouble } })
  }
  const endHold = () => {
    heldKey.current = null
    setStep({ kind: 'over' })
  }

  // Whoever goes back gives the time back. A reload or the provider's own page does not.
  useEffect(
    () => () => {
      if (heldKey.current && window.location.pathname.startsWith(href('/book/:id', { id: '' })))
        releaseHold(heldKey.current)
    },
    [],
  )

  const start = useEffectEvent(async (signal: AbortSignal) => {
    const outcome = await startPayment(handoff, signal)
    if (signal.aborted) return
    if (outcome.ok) {
      heldKey.current = handoff.submitKey
      setHeldUntilMs(outcome.heldUntilMs)
      return setStep({ kind: 'ready', payment: outcome })
    }
    switch (outcome.reason) {
      case 'already_paid':
        return void goToSuccess(outcome.reference)
      case 'fields':
        return void goToForm({ fieldErrors: outcome.fields })
      case 'time_gone':
        return void goToForm({ timeGone: outcome.problem })
      case 'amount_differs': {
        const total = formatMoney(outcome.totalCents)
        const goesOn = await confirm({
          title: 'The price has changed',
          body: `The total is now ${total} instead of ${formatMoney(totalCents)}. Nothing has been charged.`,
          confirmLabel: `Go on with ${total}`,
          cancelLabel: 'Back to the booking',
        })
        if (signal.aborted) return
        if (!goesOn) return void navigate(formPath, { replace: true })
        const totalPrice = toNumericString(outcome.totalCents)
        return void goTo({ ...handoff, totalPrice, submitKey: newSubmitKey() })
      }
      case 'key_spent':
        // Once is enough for a payment that ran out of time; more would go in circles.
        renewedKeys.current += 1
        if (renewedKeys.current === 1) return void goTo({ ...handoff, submitKey: newSubmitKey() })
    }
    const reason = PAYMENT_INIT_REASONS[outcome.reason]
    setStep({ kind: 'failed', message: PAYMENT_INIT_FAILED, reason, canRetry: outcome.reason !== 'gone' })
    void alert(PAYMENT_INIT_FAILED, reason)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key or another try starts anew
  useEffect(() => {
    const controller = new AbortController()
    setStep({ kind: 'loading' })
    void start(controller.signal)
    return () => controller.abort()
  }, [handoff.submitKey, attempt])

  const payment = step.kind === 'ready' ? step.payment : null
  const onLoadFailed = useEffectEvent((error: unknown) => {
    console.error('The card form could not be loaded.', error)
    setStep({
      kind: 'failed',
      message: 'The card form could not be loaded. Check your connection and try again.',
      canRetry: true,
    })
  })
  const bringCardForm = useEffectEvent(loadCardForm)
  useEffect(() => {
    const box = cardBox.current
    if (!payment || !box) return
    let left = false
    let form: CardForm | null = null
    setIsMounted(false)
    const mount = async () => {
      form = await bringCardForm(payment)
      if (left) return
      await form.mount(box)
      if (left) return form.unmount()
      cardForm.current = form
      setIsMounted(true)
    }
    mount().catch((error: unknown) => {
      if (!left) onLoadFailed(error)
    })
    return () => {
      left = true
      cardForm.current = null
      form?.unmount()
    }
  }, [payment])

  const pay = async () => {
    if (isPaying.current || !payment || !cardForm.current) return
    isPaying.current = true
    setIsProcessing(true)
    const release = () => {
      isPaying.current = false
      setIsProcessing(false)
    }
    try {
      const begun = await beginConfirmation(handoff.submitKey)
      if (!begun.ok) {
        release()
        switch (begun.reason) {
          case 'already_paid':
            return await goToSuccess(begun.reference)
          case 'time_gone':
            return await goToForm({ timeGone: begun.problem })
          case 'over':
            return endHold()
          case 'unavailable':
            return await alert(CONNECTION_LOST)
        }
      }
      setHeldUntilMs(begun.heldUntilMs)
      const result = await cardForm.current.confirm(`${window.location.origin}${href('/success')}`)
      if (result.error) {
        release()
        return await alert(result.error.message)
      }
      const reference = result.payment?.id ?? payment.reference
      const notSaved = result.payment?.status === 'succeeded' && !(await reportPayment(payment.clientSecret))
      if (notSaved) await alert(PAID_BUT_NOT_SAVED)
      // Whatever the card form says, the success screen asks the server.
      isPaying.current = false
      await goToSuccess(reference, { notSaved })
    } catch (error) {
      console.error('The payment could not be confirmed.', error)
      release()
      await alert(CONNECTION_LOST)
    }
  }

  useLeaveWarning(isPaying, isProcessing)

  return (
    <div className="page pt-8 pb-16 md:pt-14 md:pb-24">
      <div className="grid items-start gap-8 md:grid-cols-[minmax(0,1fr)_280px] md:gap-12 lg:grid-cols-[minmax(0,640px)_360px] lg:justify-between">
        <div className="min-w-0">
          {step.kind === 'loading' ? <LoadingText heading="Payment">{LOADING_PAYMENT}</LoadingText> : null}
          {step.kind === 'failed' ? (
            <div className="py-10">
              <h1 className="text-2xl">{step.message}</h1>
              <p className="mt-3 text-quiet">
                {step.reason} Nothing has been charged, and your booking details are kept.
              </p>
              <div className="mt-6 flex flex-wrap gap-3">
                {step.canRetry ? (
                  <Button variant="primary" onClick={() => setAttempt((before) => before + 1)}>
                    Try again
                  </Button>
                ) : null}
                <BackToBooking handoff={handoff} />
              </div>
            </div>
          ) : null}
          {step.kind === 'over' ? (
            <div className="py-10">
              <h1 className="text-2xl" tabIndex={-1} ref={focusWhenShown}>
                {HOLD_OVER}
              </h1>
              <p className="mt-3 text-quiet">{HOLD_OVER_DETAIL}</p>
              <div className="mt-6 flex flex-wrap gap-3">
                <Button
                  variant="primary"
                  onClick={() => void goTo({ ...handoff, submitKey: newSubmitKey() })}
                >
                  {HOLD_AGAIN}
                </Button>
                <BackToBooking handoff={handoff} />
              </div>
            </div>
          ) : null}
          {payment ? (
            <form
              noValidate
              onSubmit={(event) => {
                event.preventDefault()
                void pay()
              }}
            >
              <h1 className="text-3xl md:text-4xl">{COMPLETE_YOUR_PAYMENT}</h1>
              {isProcessing ? null : <HoldCountdown untilMs={heldUntilMs} onEnd={endHold} />}
              <div ref={cardBox} className="mt-8 min-h-60 md:mt-10" />
              {isMounted ? null : <LoadingText>{LOADING_PAYMENT}</LoadingText>}
              <section
                aria-label="Terms and refunds"
                className="mt-8 grid gap-2 border-t border-line pt-6 text-sm"
              >
                {PAYMENT_TERMS.map((sentence) => (
                  <p key={sentence}>{sentence}</p>
                ))}
                <p className="text-quiet">
                  By paying you agree to the{' '}
                  <a className="link" href={termsPath} target="_blank" rel="noreferrer">
                    Terms of Service
                  </a>
                  .
                </p>
              </section>
              <div className="bottom-bar sticky bottom-0 z-10 -mx-(--gutter) mt-8 border-t border-line bg-ground px-(--gutter) pt-3 pb-[max(12px,env(safe-area-inset-bottom))] md:static md:mx-0 md:border-0 md:px-0">
                <Button
                  type="submit"
                  variant="primary"
                  size="large"
                  wide
                  disabled={!isMounted}
                  pending={isProcessing}
                  pendingText={PROCESSING}
                >
                  {payLabel(formatMoney(totalCents))}
                </Button>
              </div>
            </form>
          ) : null}
        </div>
        <div className="order-first md:order-last">
          <BookingAside
            vendor={{
              name: vendor.name,
              location: vendor.location,
              picture: firstHandedPicture(vendor.pictures),
            }}
            date={booking.date}
            time={booking.time}
            span={payment?.span}
            price={quantityText(booking.quantity, booking.bookingType)}
            totalCents={totalCents}
            compactOnPhone
          >
            <dl className="mt-4 hidden text-sm md:block">
              <Fact label="Name">{booking.fullName}</Fact>
              <Fact label="E-mail">{booking.email}</Fact>
              <Fact label="Phone">{booking.phone}</Fact>
            </dl>
            <p className="mt-3 text-sm md:mt-4">
              <Link className="link" to={formPath} state={{ vendor }}>
                Change the booking
              </Link>
            </p>
          </BookingAside>
        </div>
      </div>
    </div>
  )
}

/** What has replaced the screen under a person's hands is where they go on reading. */
function focusWhenShown(heading: HTMLElement | null) {
  heading?.focus()
}

function BackToBooking({ handoff: { vendor } }: { handoff: PaymentHandoff }) {
  return (
    <Link className="button button-secondary" to={formPathOf(vendor)} state={{ vendor }}>
      Back to the booking
    </Link>
  )
}

/** Warns whoever leaves while the card is being charged, and nobody else. */
function useLeaveWarning(isPaying: React.RefObject<boolean>, isProcessing: boolean) {
  const { confirm } = useDialogs()
  useEffect(() => {
    if (!isProcessing) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isProcessing])
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isPaying.current && nextLocation.pathname !== currentLocation.pathname,
  )
  const asked = useRef(false)
  useEffect(() => {
    if (blocker.state !== 'blocked' || asked.current) return
    asked.current = true
    void confirm({
      title: 'Your payment is being processed',
      body: 'If you leave now, the payment may still go through. You would find it by the mail we send you.',
      confirmLabel: 'Leave the page',
      cancelLabel: 'Wait here',
    }).then((leaves) => {
      asked.current = false
      if (leaves) blocker.proceed()
      else blocker.reset()
    })
  }, [blocker, confirm])
}
