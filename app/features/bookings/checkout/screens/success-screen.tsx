import { useEffect } from 'react'
import { href, Link, useLocation, useRevalidator } from 'react-router'
import { formatMoney } from '../../../../shared/money.ts'
import { Banner } from '../../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { useLiveData } from '../../../../ui/live-data.ts'
import { LiveDataNote } from '../../../../ui/live-data-note.tsx'
import { Picture, type PictureImage } from '../../../../ui/picture.tsx'
import { Spinner } from '../../../../ui/spinner.tsx'
import { useMounted } from '../../../../ui/use-mounted.ts'
import { useLiveUpdates } from '../../../notifications/browser/use-live-updates.ts'
import type { UnfulfilledReason } from '../../../payments/rules.ts'
import {
  BookingReceipt,
  CalendarLink,
  linkTokenOf,
  ReceiptLink,
  VendorContactCard,
} from '../../components/booking-receipt.tsx'
import { nextSentence } from '../../components/booking-status.tsx'
import { OnwardLinks } from '../../list/components/onward-links.tsx'
import { NOT_SAVED_YET, SAME_DAY, SAVED_AFTER_ALL, SEE_YOUR_BOOKING } from '../../messages.ts'
import type { CustomerBooking } from '../../rules.ts'
import { BookingTimeline } from '../../screens/terms-sections.tsx'
import { bookingDraft } from '../browser/booking-draft.ts'
import { reportPayment } from '../browser/payment-client.ts'
import type { BrowserPayment } from '../queries.server.ts'

/** The outcome of a payment. It polls the server until the outcome is known. */
export function SuccessScreen({
  loaderData: { payment, picture, onward, now },
  removeFromCart,
}: {
  /** `now` is the server's time, ISO 8601, UTC. */
  loaderData: {
    payment: BrowserPayment | null
    picture: PictureImage | null
    /** Searches for the other trades of the same day. */
    onward: readonly { text: string; to: string }[]
    now: string
  }
  /** Removes the booked business from this browser's cart. */
  removeFromCart: (businessId: string) => void
}) {
  if (!payment) return <Unknown />
  if (payment.booking) {
    return (
      <Paid
        payment={payment}
        booking={payment.booking}
        picture={picture}
        onward={onward}
        now={now}
        removeFromCart={removeFromCart}
      />
    )
  }
  if (payment.unbooked) return <Unbooked payment={payment} why={payment.unbooked} />
  if (payment.state === 'open' || payment.state === 'processing' || payment.state === 'paid') {
    return <Waiting payment={payment} />
  }
  return <Failed payment={payment} />
}

function Paid({
  payment,
  booking,
  picture,
  onward,
  now,
  removeFromCart,
}: {
  payment: BrowserPayment
  booking: CustomerBooking
  picture: PictureImage | null
  onward: readonly { text: string; to: string }[]
  now: string
  removeFromCart: (businessId: string) => void
}) {
  const { stored } = booking
  const wasNotSaved = useWasNotSaved()
  useLiveUpdates([`booking-${linkTokenOf(booking)}`])
  const { businessId, paymentId } = payment
  useEffect(() => {
    // Once per payment, because a reload must not remove a business that was added to the cart afterwards.
    if (!isFirstTime(`settled:${paymentId}`)) return
    bookingDraft(businessId).forget()
    removeFromCart(businessId)
  }, [businessId, paymentId, removeFromCart])
  return (
    <div className="page section">
      <title>{`Booked with ${stored.vendorName}`}</title>
      <div className="grid items-start gap-10 md:grid-cols-[minmax(0,1fr)_minmax(0,320px)] md:gap-12 lg:grid-cols-[minmax(0,640px)_360px] lg:justify-between">
        <div className="min-w-0">
          <h1>Thank you, {firstName(stored.customerName)}</h1>
          <p className="lede mt-5">
            {paidText(payment)}, and your booking is with {stored.vendorName}.
          </p>
          {wasNotSaved ? (
            <div role="status" className="mt-6 print:hidden">
              <Banner tone="success">{SAVED_AFTER_ALL}</Banner>
            </div>
          ) : null}
          <section className="mt-8 rounded-card bg-glow-soft p-5 md:p-6">
            <h2 className="text-lg">What happens next</h2>
            <p className="mt-2" aria-live="polite">
              {nextSentence(booking, new Date(now))}
            </p>
            <p className="mt-2">
              We’re sending the confirmation to{' '}
              <strong className="[overflow-wrap:anywhere]">{stored.email}</strong>, with a link to this
              booking that works without an account.
            </p>
          </section>
          <div className="mt-8 grid grid-cols-2 gap-3 sm:flex sm:flex-wrap print:hidden max-sm:[&>:nth-last-child(n+3)]:col-span-2 [&>*]:px-4">
            <ButtonLink variant="brand" to={booking.link}>
              {SEE_YOUR_BOOKING}
            </ButtonLink>
            <CalendarLink booking={booking} now={new Date(now)} />
            <ReceiptLink booking={booking} />
            <Button onClick={() => window.print()}>Print</Button>
          </div>
          <BookingTimeline booking={booking} now={now} />
          <div className="mt-10">
            <BookingReceipt booking={booking} />
          </div>
          <OnwardLinks heading={SAME_DAY} links={onward} />
        </div>
        <div className="grid gap-6">
          <span className="print:hidden">
            <Picture image={picture} alt="" sizes="(min-width: 769px) 360px, 90vw" ratio="4 / 3" />
          </span>
          <VendorContactCard booking={booking} />
        </div>
      </div>
      <LiveDataNote />
    </div>
  )
}

/** 'Your payment of $8,700.00 went through', or what of the price was paid as a deposit. */
function paidText({ amountCents, totalCents }: BrowserPayment): string {
  return amountCents < totalCents
    ? `Deposit paid: ${formatMoney(amountCents)} of ${formatMoney(totalCents)} went through`
    : `Your payment of ${formatMoney(amountCents)} went through`
}

const POLL_DELAYS_MS = [1500, 2500, 4000, 6000, 10_000]
const LAST_POLL_MS = 15_000

/** Shown until the outcome is known. Polls the server with growing delays. */
function Waiting({ payment }: { payment: BrowserPayment }) {
  useLiveData()
  const { revalidate } = useRevalidator()
  const wasNotSaved = useWasNotSaved()
  useEffect(() => {
    let tries = 0
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      // After the provider's own page, the address has the client secret that the report needs.
      const clientSecret = new URL(window.location.href).searchParams.get('payment_intent_client_secret')
      if (clientSecret && tries < 2) await reportPayment(clientSecret)
      await revalidate()
      timer = setTimeout(ask, POLL_DELAYS_MS[tries] ?? LAST_POLL_MS)
      tries += 1
    }
    timer = setTimeout(ask, POLL_DELAYS_MS[0])
    return () => clearTimeout(timer)
  }, [revalidate])
  return (
    <div className="page page-column section">
      <title>Checking your payment</title>
      <h1>Checking your payment</h1>
      <p className="lede mt-5">
        We’re checking your payment of {formatMoney(payment.amountCents)} for {payment.businessName}. This
        page updates automatically.
      </p>
      {wasNotSaved ? (
        <div className="mt-6">
          <Banner>{NOT_SAVED_YET}</Banner>
        </div>
      ) : null}
      <p role="status" className="mt-8 flex items-center gap-3">
        <Spinner />
        {payment.state === 'open' ? 'Waiting for the payment…' : 'The payment is being processed…'}
      </p>
      <p className="mt-8 text-quiet">
        You can close this page. We’ll send the confirmation to {payment.form.email}.
        {payment.state === 'open' ? (
          <>
            {' '}
            If you haven’t entered your card yet,{' '}
            <Link className="link" to={href('/payment')}>
              continue to payment
            </Link>
            . You won’t be charged twice.
          </>
        ) : null}
      </p>
    </div>
  )
}

const FAILED_TEXTS = {
  failed: 'The payment didn’t go through. Nothing was charged.',
  cancelled:
    'This payment was cancelled. If your card was charged in the meantime, you’ll get a full refund.',
  expired: 'This payment expired. If your card was charged in the meantime, you’ll get a full refund.',
} as const

function Failed({ payment }: { payment: BrowserPayment }) {
  return (
    <div className="page page-column section">
      <title>Payment not completed</title>
      <h1>This booking isn’t paid</h1>
      <p className="lede mt-5">{FAILED_TEXTS[payment.state as keyof typeof FAILED_TEXTS]}</p>
      <p className="mt-4">
        Your details for {payment.businessName} are saved. You can try again with the same or another card.
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <ButtonLink
          variant="primary"
          to={href('/book/:id', { id: payment.businessId })}
          state={{ booking: payment.form }}
        >
          Back to the booking
        </ButtonLink>
        <ButtonLink to={href('/advice-support')}>Advice and support</ButtonLink>
      </div>
    </div>
  )
}

const UNBOOKED_TEXTS = {
  paid_too_late: 'Your payment reached us after it had expired.',
  wrong_amount: 'Your payment isn’t the price of the booking.',
  time_gone:
    'Your payment reached us after our hold on your time had ended, and someone else had taken it by then.',
} as const satisfies Record<UnfulfilledReason, string>

/** Shown when the card was charged but nothing was booked. The charge is refunded in full. */
function Unbooked({ payment, why }: { payment: BrowserPayment; why: UnfulfilledReason }) {
  return (
    <div className="page page-column section">
      <title>Not booked, and refunded</title>
      <h1>Not booked, and refunded</h1>
      <p className="lede mt-5">{UNBOOKED_TEXTS[why]}</p>
      <p className="mt-4">
        {payment.businessName} isn’t booked, and we’re refunding all of your{' '}
        {formatMoney(payment.amountCents)} to your card. Most banks show it within five to ten business days.
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <ButtonLink
          variant="primary"
          to={href('/book/:id', { id: payment.businessId })}
          state={{ booking: payment.form }}
        >
          Choose another time
        </ButtonLink>
        <ButtonLink to={href('/advice-support')}>Advice and support</ButtonLink>
      </div>
    </div>
  )
}

function Unknown() {
  return (
    <>
      <title>Payment not found</title>
      <EmptyState
        heading="h1"
        title="We can’t find this payment"
        text="It was made in another browser, or more than a day ago. The email we sent you has a link to your booking."
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <ButtonLink to={href('/my-bookings')}>My Bookings</ButtonLink>
            <ButtonLink to={href('/advice-support')}>Advice and support</ButtonLink>
          </div>
        }
      />
    </>
  )
}

/** Whether the payment screen has just reported the booking as not saved. False until the browser has mounted. */
function useWasNotSaved(): boolean {
  const { state } = useLocation() as { state: { notSaved?: unknown } | null }
  return useMounted() && state?.notSaved === true
}

function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name
}

/** Whether this is the first time in this tab. Always true where storage is blocked. */
function isFirstTime(mark: string): boolean {
  try {
    if (sessionStorage.getItem(mark)) return false
    sessionStorage.setItem(mark, '1')
  } catch {
    // Storage is blocked, so a reload repeats the effect, which does little harm.
  }
  return true
}
