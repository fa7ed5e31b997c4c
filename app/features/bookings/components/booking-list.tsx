import { Check, FileText, Mail, MessageSquareText, Phone, X } from 'lucide-react'
import { useRef } from 'react'
import { href, useFetcher, useRevalidator } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { CONNECTION_FAILED_TEXT } from '../../../ui/connection.ts'
import { useDialogs } from '../../../ui/dialog.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { useMounted } from '../../../ui/use-mounted.ts'
import {
  ALREADY_DECIDED,
  APPROVE,
  DECIDED_MEANWHILE,
  DECISION_FINAL,
  DECLINE,
  DECLINE_REFUNDS,
  STATUS_LABELS,
  STATUS_TOASTS,
  STATUS_UPDATE_FAILED,
  WITHDRAWN_MEANWHILE,
} from '../messages.ts'
import type { Decision, VendorBooking } from '../rules.ts'
import { keepTimesWhole, quantityText } from './booking-facts.tsx'
import { PaymentStatusTag, StatusTag, shownAmount } from './booking-status.tsx'
import { DateLeaf } from './customer-bookings.tsx'
import { BOOKING_TOAST_LIFE_MS } from './withdraw-button.tsx'

export type DecisionAnswer =
  | { ok: true; decision: Decision; changed: boolean }
  | { ok: false; reason: 'not_found' | 'withdrawn' | 'changed' | 'refund_claimed' | 'not_reached' | 'failed' }
  /** Approving a declined booking whose time is taken; the text names what has taken it. */
  | { ok: false; reason: 'gone'; text: string }

/** The vendor's bookings with their decision buttons (Specification, section 2). */
export function BookingList({
  bookings,
  graceMs,
  showBusiness,
}: {
  bookings: readonly VendorBooking[]
  /** How long a refund can still be undone (Decision 7). */
  graceMs: number
  showBusiness: boolean
}) {
  return (
    <ul className="border-t border-line">
      {bookings.map((booking) => (
        <BookingItem key={booking.id} booking={booking} graceMs={graceMs} showBusiness={showBusiness} />
      ))}
    </ul>
  )
}

function BookingItem({
  booking,
  graceMs,
  showBusiness,
}: {
  booking: VendorBooking
  graceMs: number
  showBusiness: boolean
}) {
  const { listed, stored } = booking
  const article = useRef<HTMLElement>(null)
  const { decide, wanted } = useDecision(booking, graceMs, () => {
    // The pressed button disappears, so the focus moves to its booking.
    const focused = document.activeElement
    if (focused === document.body || article.current?.contains(focused)) article.current?.focus()
  })
  return (
    <li
      className="grid gap-x-6 gap-y-4 border-b border-line py-6 sm:grid-cols-[76px_1fr]"
      data-booking={booking.id}
    >
      <DateLeaf date={listed.date} faded={listed.status === 'declined' || listed.status === 'withdrawn'} />
      <article ref={article} tabIndex={-1} aria-label={`Booking of ${listed.name}`} className="min-w-0">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <h2 className="min-w-0 text-xl leading-tight [overflow-wrap:anywhere]">{listed.name}</h2>
          <p className="flex flex-wrap gap-2" aria-live="polite">
            <StatusTag status={listed.status} />
            {stored.paymentStatus === 'paid' ? null : (
              <PaymentStatusTag paymentStatus={stored.paymentStatus} />
            )}
          </p>
        </div>
        <p className="figures mt-2 font-semibold text-balance">
          {/* 'at' between day and time, as observed. */}
          {keepTimesWhole(booking.span.replace(', ', ' at '))}
        </p>
        <p className="figures mt-0.5 text-quiet">
          {quantityText(stored.quantity, stored.bookingType)} · {shownAmount(stored.totalPrice)}
          {showBusiness ? ` · ${stored.vendorName}` : null}
        </p>
        {listed.message ? (
          <p className="mt-3 flex gap-2.5 rounded-control bg-sunk p-3">
            <MessageSquareText aria-hidden="true" className="mt-0.5 size-5 flex-none text-quiet" />
            {listed.message}
          </p>
        ) : null}
        <BookingLinks booking={booking} />
        <RefundNote booking={booking} />
        <DecisionButtons booking={booking} wanted={wanted} decide={decide} />
      </article>
    </li>
  )
}

/** The customer's phone and e-mail, and the receipt. */
function BookingLinks({ booking: { id, listed, stored } }: { booking: VendorBooking }) {
  return (
    <div className="mt-2 flex flex-wrap gap-x-6">
      <a
        className="link inline-flex min-h-11 items-center gap-2.5"
        href={`tel:${stored.phone.replace(/[^\d+]/g, '')}`}
      >
        <Phone aria-hidden="true" className="size-5" />
        {stored.phone}
      </a>
      <a
        className="link inline-flex min-h-11 items-center gap-2.5 [overflow-wrap:anywhere]"
        href={`mailto:${listed.email}`}
      >
        <Mail aria-hidden="true" className="size-5 flex-none" />
        {listed.email}
      </a>
      <a
        className="link inline-flex min-h-11 items-center gap-2.5"
        href={href('/bookings/:linkToken/receipt.pdf', { linkToken: id })}
        target="_blank"
        rel="noreferrer"
      >
        <FileText aria-hidden="true" className="size-5" />
        Receipt
      </a>
    </div>
  )
}

function DecisionButtons({
  booking,
  wanted,
  decide,
}: {
  booking: VendorBooking
  /** The decision that is being sent. */
  wanted: Decision | null
  decide: (decision: Decision) => Promise<void>
}) {
  if (booking.decisions.length === 0) return null
  return (
    <div className="mt-4 flex flex-wrap gap-3">
      {booking.decisions.includes('approved') ? (
        <Button
          variant="brand"
          className="grow sm:min-w-36 sm:grow-0"
          icon={<Check aria-hidden="true" />}
          pending={wanted === 'approved'}
          pendingText="Approving..."
          disabled={wanted !== null}
          onClick={() => void decide('approved')}
        >
          {APPROVE}
        </Button>
      ) : null}
      {booking.decisions.includes('declined') ? (
        <Button
          className="grow sm:min-w-36 sm:grow-0"
          icon={<X aria-hidden="true" />}
          pending={wanted === 'declined'}
          pendingText="Declining..."
          disabled={wanted !== null}
          onClick={() => void decide('declined')}
        >
          {DECLINE}
        </Button>
      ) : null}
    </div>
  )
}

/** The state of the refund, and until when a declined booking can still be approved (Decision 7). */
function RefundNote({ booking }: { booking: VendorBooking }) {
  const mounted = useMounted()
  const { refund, listed } = booking
  if (!refund) return null
  if (refund.state !== 'due') {
    return (
      <p className="mt-2 text-sm text-quiet">
        {listed.status === 'withdrawn'
          ? `The customer withdrew and gets a full refund of ${shownAmount(refund.amount)}.`
          : DECISION_FINAL}
      </p>
    )
  }
  // The server can't tell the vendor's time zone, so it renders east coast time until the browser takes over.
  const zone = mounted ? Intl.DateTimeFormat().resolvedOptions().timeZone : 'Australia/Sydney'
  const when = formatInstant(new Date(refund.dueAt), zone)
  return (
    <p className="mt-2 max-w-prose text-sm">
      {listed.status === 'withdrawn'
        ? `The customer withdrew and gets a full refund of ${shownAmount(refund.amount)}.`
        : `We’ll refund ${shownAmount(refund.amount)} to the customer by ${when}. Until then you can still approve instead.`}
    </p>
  )
}

const REFUSALS = {
  refund_claimed: DECISION_FINAL,
  withdrawn: WITHDRAWN_MEANWHILE,
  changed: DECIDED_MEANWHILE,
} as const satisfies Record<
  Exclude<Extract<DecisionAnswer, { ok: false }>['reason'], 'not_found' | 'not_reached' | 'failed' | 'gone'>,
  string
>

/**
 * Sends a decision about one booking. Declining asks for confirmation, since it refunds money. A toast or an alert
 * shows the outcome.
 * @param onDecided called once the decision is stored
 */
function useDecision(booking: VendorBooking, graceMs: number, onDecided: () => void) {
  const fetcher = useFetcher<DecisionAnswer>()
  const { alert, confirm } = useDialogs()
  const { revalidate } = useRevalidator()
  const fail = (text: string) => showToast({ type: 'error', text, lifeMs: BOOKING_TOAST_LIFE_MS })
  useAnswer(fetcher, (answer) => {
    if (answer.ok) {
      onDecided()
      const text = answer.changed ? STATUS_TOASTS[answer.decision] : ALREADY_DECIDED
      showToast({ type: answer.changed ? 'success' : 'info', text, lifeMs: BOOKING_TOAST_LIFE_MS })
      return
    }
    // React Router doesn't revalidate after a response with a status of 400 or more, as refusals have. Without a
    // connection the list can't be loaded again, so it stays as it is.
    if (answer.reason === 'not_reached') return fail(`${STATUS_UPDATE_FAILED}. ${CONNECTION_FAILED_TEXT}`)
    if (answer.reason === 'failed') return fail(STATUS_UPDATE_FAILED)
    void revalidate()
    if (answer.reason === 'not_found') fail(STATUS_UPDATE_FAILED)
    else void alert(answer.reason === 'gone' ? answer.text : REFUSALS[answer.reason])
  })

  const latest = useRef(booking)
  latest.current = booking
  const decide = async (decision: Decision) => {
    if (fetcher.state !== 'idle') return
    const seen = booking.listed.status
    if (decision === 'declined') {
      const yes = await confirm({
        title: `Decline ${booking.listed.name}?`,
        body: `${DECLINE_REFUNDS} We’ll refund ${shownAmount(booking.stored.totalPrice)} ${afterGrace(graceMs)}`,
        confirmLabel: 'Decline and refund',
        cancelLabel: 'Keep the booking',
        danger: true,
      })
      if (!yes) return
    }
    // The list is live. If the status has changed while the dialog was open, the decision must not overwrite it unseen.
    const { status } = latest.current.listed
    if (status !== seen) {
      await alert(`This booking is now ${STATUS_LABELS[status].toLowerCase()}. Check it before you answer.`)
      return
    }
    await fetcher.submit({ bookingId: booking.id, decision, seen }, { method: 'post' })
  }
  const submitted = fetcher.formData?.get('decision')
  const wanted: Decision | null = submitted === 'approved' || submitted === 'declined' ? submitted : null
  return { decide, wanted }
}

function afterGrace(graceMs: number): string {
  if (graceMs < 1000) return 'straight away, and the decision is final.'
  return `in ${durationText(graceMs)}. Until then you can still approve instead. After that the decision is final.`
}

/** '1 hour', '30 minutes' or '20 seconds': the largest unit that divides the duration, else rounded minutes. */
function durationText(durationMs: number): string {
  const units = [
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1000],
  ] as const
  const [name, unitMs] = units.find(([, ms]) => durationMs >= ms && durationMs % ms === 0) ?? [
    'minute',
    60_000,
  ]
  const count = Math.max(1, Math.round(durationMs / unitMs))
  return count === 1 ? `1 ${name}` : `${count} ${name}s`
}
