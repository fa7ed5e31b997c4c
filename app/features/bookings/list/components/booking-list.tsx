import { useRef, useState } from 'react'
import { href, useFetcher, useRevalidator } from 'react-router'
import { type Cents, formatMoney } from '../../../../shared/money.ts'
import { Button } from '../../../../ui/button.tsx'
import { CONNECTION_FAILED_TEXT } from '../../../../ui/connection.ts'
import { useDialogs } from '../../../../ui/dialog.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { showToast } from '../../../../ui/toast.tsx'
import { useAnswer } from '../../../../ui/use-answer.ts'
import { returnedCentsOf } from '../../../sales/amount-rules.ts'
import { BANK_DECIDING_FOR_VENDOR, returnedForVendorText } from '../../bank-messages.ts'
import { ChangeNote, canPropose, ProposeChangeLink } from '../../changes/components/change-note.tsx'
import { keepTimesWhole, quantityText, withDots } from '../../components/booking-facts.tsx'
import { DueTag, ListedPaymentTag, StatusTag, shownAmount } from '../../components/booking-status.tsx'
import { RefundNote } from '../../components/refund-note.tsx'
import {
  DeclineDialog,
  type DeclineForm,
  type DeclineRefusal,
} from '../../decisions/components/decline-dialog.tsx'
import { GraceNote } from '../../decisions/components/grace-note.tsx'
import { DECLINE_TOLD, REASON_GIVEN, REASON_TO_GIVE } from '../../decisions/messages.ts'
import {
  ALREADY_DECIDED,
  APPROVE,
  CANCEL_THIS_BOOKING,
  DECIDED_MEANWHILE,
  DECISION_FINAL,
  DECLINE,
  DECLINE_REFUNDS,
  DETAILS,
  EVENT_OVER,
  endsText,
  MORE,
  moreTimeText,
  offPriceText,
  PAYOUTS_MISSING,
  partPaymentText,
  STATUS_TOASTS,
  STATUS_UPDATE_FAILED,
  statusNow,
  UNPAID_TEXTS,
  WITHDRAWN_MEANWHILE,
  youReceiveText,
} from '../../messages.ts'
import type { VendorBooking, VendorDue } from '../../rules.ts'
import { type BookingStatus, type Decision, isCalledOff, needsReason } from '../../status-rules.ts'
import { DateLeaf } from './customer-bookings.tsx'
import { ExtendButton } from './extend-button.tsx'
import { TimeLeftTag } from './time-left-tag.tsx'

export type DecisionAnswer =
  | { ok: true; decision: Decision; changed: boolean }
  | {
      ok: false
      reason:
        | 'not_found'
        | 'withdrawn'
        | 'changed'
        | 'refund_claimed'
        | 'decline_told'
        | 'event_over'
        | 'payouts_missing'
        | 'not_reached'
        | 'failed'
    }
  /** Declining with words that its customer can't be told, or an approved booking without any. */
  | { ok: false; reason: 'reason_invalid'; errors: { reason: string[] } }
  /** Approving a declined booking whose time is taken; the text names what has taken it. */
  | { ok: false; reason: 'gone'; text: string }

/** The vendor's bookings with their decision buttons (Specification, section 2). */
export function BookingList({
  bookings,
  graceMs,
  cancelWarning,
  shares,
  showBusiness,
}: {
  bookings: readonly VendorBooking[]
  /** How long a refund can still be undone (Decision 7). */
  graceMs: number
  /** The warning how cancelling an approved booking affects the vendor's listings. */
  cancelWarning: string
  /** The vendor's share of bookings, in cents, by booking; null while vendors aren't paid by us. */
  shares: Readonly<Record<string, Cents>> | null
  showBusiness: boolean
}) {
  return (
    <ul className="border-t border-line">
      {bookings.map((booking) => (
        <BookingItem
          key={booking.id}
          booking={booking}
          graceMs={graceMs}
          cancelWarning={cancelWarning}
          shareCents={shares?.[booking.id] ?? null}
          showBusiness={showBusiness}
        />
      ))}
    </ul>
  )
}

function BookingItem({
  booking,
  graceMs,
  cancelWarning,
  shareCents,
  showBusiness,
}: {
  booking: VendorBooking
  graceMs: number
  cancelWarning: string
  shareCents: Cents | null
  showBusiness: boolean
}) {
  const { listed, stored, due } = booking
  const article = useRef<HTMLElement>(null)
  const focusAfterPress = () => {
    // The pressed button disappears, so the focus moves to its booking.
    const focused = document.activeElement
    if (focused === document.body || article.current?.contains(focused)) article.current?.focus()
  }
  const { decide, wanted, dialog } = useDecision(booking, focusAfterPress)
  return (
    <li
      className="grid gap-x-6 gap-y-4 border-b border-line py-6 sm:grid-cols-[76px_1fr]"
      id={`booking-${booking.id}`}
      data-booking={booking.id}
    >
      <DateLeaf date={listed.date} />
      <article ref={article} tabIndex={-1} aria-label={`Booking of ${listed.name}`} className="min-w-0">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <h2 className="min-w-0 text-xl leading-tight [overflow-wrap:anywhere]">{listed.name}</h2>
          <div className="flex flex-wrap gap-2">
            {/* Outside the live region, which would read the time aloud whenever the list is refreshed. */}
            {booking.left ? <TimeLeftTag left={booking.left} /> : null}
            <p className="flex flex-wrap gap-2" aria-live="polite">
              <StatusTag status={listed.status} cancellation={booking.cancellation} />
              {due ? <DueTag due={due} /> : null}
              <ListedPaymentTag booking={booking} />
            </p>
          </div>
        </div>
        <p className="figures mt-2 font-semibold text-balance">
          {/* 'at' between day and time, as observed. */}
          {keepTimesWhole(booking.span.replace(', ', ' at '))}
        </p>
        <p className="price mt-1 text-lg">
          {shareCents === null ? shownAmount(stored.totalPrice) : youReceiveText(shareCents)}
        </p>
        {due ? <UnpaidNote due={due} timeZone={booking.timeZone} /> : null}
        <ExtendButton
          bookingId={booking.id}
          canExtend={due?.canExtend ?? false}
          timeZone={booking.timeZone}
          onExtended={focusAfterPress}
        />
        {listed.message ? (
          <p className="mt-3 flex gap-2.5 rounded-control bg-sunk p-3">
            <Icon name="message-square-text" className="mt-0.5 size-5 flex-none text-quiet" />
            {listed.message}
          </p>
        ) : null}
        <ContactLinks booking={booking} />
        {booking.declineReason ? (
          <p className="mt-2 max-w-prose text-sm [overflow-wrap:anywhere]">
            {booking.waiting ? REASON_TO_GIVE : REASON_GIVEN} ‘{booking.declineReason}’
          </p>
        ) : null}
        <GraceNote booking={booking} onUndone={focusAfterPress} />
        <RefundNote booking={booking} />
        <ChangeNote booking={booking} onAnswered={focusAfterPress} />
        <DecisionButtons booking={booking} wanted={wanted} decide={decide} />
        <div className="mt-2 flex flex-wrap gap-x-6">
          <Details booking={booking} showBusiness={showBusiness} />
          <More booking={booking} wanted={wanted} decide={decide} />
        </div>
        {dialog ? (
          <DeclineDialog
            {...dialog}
            customerName={listed.name}
            consequence={declineConsequence(booking, graceMs)}
            warning={dialog.needsWords ? cancelWarning : null}
            pending={wanted === 'declined'}
            onClose={() => {
              dialog.onClose()
              // The browser has returned the focus to the pressed button, unless that is gone. It may still be in the
              // closed dialog then.
              const focused = document.activeElement
              if (focused === document.body || focused?.closest('dialog')) article.current?.focus()
            }}
          />
        ) : null}
      </article>
    </li>
  )
}

/** Tells the vendor what happens next with an unpaid balance. Renders nothing before it is due. */
function UnpaidNote({ due, timeZone }: { due: VendorDue; timeZone: string }) {
  const text = UNPAID_TEXTS[due.standing]
  if (!text) return null
  if (due.standing !== 'failing') return <p className="mt-2 max-w-prose text-sm">{text}</p>
  const { extendedUntil, endsAt } = due
  return (
    <p className="mt-2 max-w-prose text-sm">
      {text}{' '}
      {extendedUntil !== null
        ? moreTimeText(extendedUntil, timeZone)
        : endsAt !== null
          ? endsText(endsAt, timeZone)
          : null}
    </p>
  )
}

/** The customer's email, and their phone while the vendor needs it. */
function ContactLinks({ booking: { listed, stored } }: { booking: VendorBooking }) {
  return (
    <div className="mt-2 flex flex-wrap gap-x-6">
      {stored.phone ? (
        <a
          className="link inline-flex min-h-11 items-center gap-2.5"
          href={`tel:${stored.phone.replace(/[^\d+]/g, '')}`}
        >
          <Icon name="phone" className="size-5" />
          {stored.phone}
        </a>
      ) : null}
      <a
        className="link inline-flex min-h-11 items-center gap-2.5 [overflow-wrap:anywhere]"
        href={`mailto:${listed.email}`}
      >
        <Icon name="mail" className="size-5 flex-none" />
        {listed.email}
      </a>
    </div>
  )
}

/** The figures of a booking and its receipt, folded: the row says what the vendor receives. */
function Details({ booking, showBusiness }: { booking: VendorBooking; showBusiness: boolean }) {
  const { id, listed, stored, due } = booking
  return (
    <details className="group open:basis-full">
      <Summary text={DETAILS} />
      <p className="figures text-quiet">
        {withDots([
          quantityText(stored.quantity, stored.bookingType),
          shownAmount(stored.totalPrice),
          // The note above tells the refund of a booking that doesn't take place.
          isCalledOff(listed.status) ? null : offPriceText(booking.off),
          showBusiness ? stored.vendorName : null,
        ])}
      </p>
      {due ? <p className="figures mt-0.5 text-quiet">{partPaymentText(due, booking.timeZone)}</p> : null}
      <a
        className="link inline-flex min-h-11 items-center gap-2.5"
        href={href('/bookings/:linkToken/receipt.pdf', { linkToken: id })}
        target="_blank"
        rel="noreferrer"
      >
        <Icon name="file-text" className="size-5" />
        Receipt
      </a>
    </details>
  )
}

/** The line that unfolds a part of a row. */
function Summary({ text }: { text: string }) {
  return (
    <summary className="link inline-flex min-h-11 cursor-pointer items-center gap-1.5">
      {text}
      <Icon name="chevron-down" className="size-4 group-open:rotate-180" />
    </summary>
  )
}

/** Folded, the steps that are rare: proposing a change, and calling an approved booking off. */
function More({ booking, wanted, decide }: DecisionProps) {
  const cancels = booking.listed.status === 'approved' && booking.decisions.includes('declined')
  if (!cancels && !canPropose(booking)) return null
  return (
    <details className="group open:basis-full">
      <Summary text={MORE} />
      <div className="flex flex-wrap gap-3 py-2">
        <ProposeChangeLink booking={booking} />
        {cancels ? (
          <Button
            className="grow sm:grow-0"
            icon={<Icon name="x" />}
            pending={wanted === 'declined'}
            pendingText="Declining..."
            waiting={wanted !== null}
            onClick={() => void decide('declined')}
          >
            {CANCEL_THIS_BOOKING}
          </Button>
        ) : null}
      </div>
    </details>
  )
}

type DecisionProps = {
  booking: VendorBooking
  /** The decision that is being sent. */
  wanted: Decision | null
  decide: (decision: Decision) => Promise<void>
}

/** The buttons for the vendor's decisions about a booking. An approved one is called off under More. */
function DecisionButtons({ booking, wanted, decide }: DecisionProps) {
  return (
    <div className="mt-4 flex flex-wrap gap-3 empty:hidden">
      {booking.decisions.includes('approved') ? (
        <Button
          variant="brand"
          className="grow sm:min-w-36 sm:grow-0"
          icon={<Icon name="check" />}
          pending={wanted === 'approved'}
          pendingText="Approving..."
          waiting={wanted !== null}
          onClick={() => void decide('approved')}
        >
          {APPROVE}
        </Button>
      ) : null}
      {booking.decisions.includes('declined') && booking.listed.status !== 'approved' ? (
        <Button
          className="grow sm:min-w-36 sm:grow-0"
          icon={<Icon name="x" />}
          pending={wanted === 'declined'}
          pendingText="Declining..."
          waiting={wanted !== null}
          onClick={() => void decide('declined')}
        >
          {DECLINE}
        </Button>
      ) : null}
    </div>
  )
}

type Refused = Extract<DecisionAnswer, { ok: false }>

const REFUSALS = {
  refund_claimed: DECISION_FINAL,
  decline_told: DECLINE_TOLD,
  withdrawn: WITHDRAWN_MEANWHILE,
  changed: DECIDED_MEANWHILE,
  event_over: EVENT_OVER,
  payouts_missing: PAYOUTS_MISSING,
  not_found: STATUS_UPDATE_FAILED,
  failed: STATUS_UPDATE_FAILED,
  not_reached: `${STATUS_UPDATE_FAILED}. ${CONNECTION_FAILED_TEXT}`,
} as const satisfies Record<Exclude<Refused['reason'], 'gone' | 'reason_invalid'>, string>

function refusalText(answer: Exclude<Refused, { reason: 'reason_invalid' }>): string {
  return answer.reason === 'gone' ? answer.text : REFUSALS[answer.reason]
}

/** The answer that an alert shows. A toast shows the others. */
const isAlert = ({ reason }: Refused) =>
  reason !== 'not_reached' && reason !== 'failed' && reason !== 'not_found'

/**
 * Sends a decision about one booking. Declining asks why in a dialog, whose press on a reason declines. The dialog shows its
 * refusals itself, so that the words aren't lost. A toast or an alert shows every other outcome.
 * @param onDecided called once the decision is stored
 * @returns `dialog` has the state of the dialog of the reason; null until it is opened for the first time
 */
function useDecision(booking: VendorBooking, onDecided: () => void) {
  const fetcher = useFetcher<DecisionAnswer>()
  const { alert } = useDialogs()
  const { revalidate } = useRevalidator()
  // The status that the dialog was opened on; null once it is closed again.
  const [asked, setAsked] = useState<{ seen: BookingStatus; isOpen: boolean } | null>(null)
  const [refusal, setRefusal] = useState<DeclineRefusal | null>(null)
  const close = () => setAsked((present) => present && { ...present, isOpen: false })
  const handle = (answer: DecisionAnswer) => {
    if (answer.ok) {
      close()
      onDecided()
      const text = answer.changed ? STATUS_TOASTS[answer.decision] : ALREADY_DECIDED
      showToast({ type: answer.changed ? 'success' : 'info', text })
      return
    }
    // React Router doesn't revalidate after a response with a status of 400 or more, as refusals have. Without a
    // connection the list can't be loaded again, so it stays as it is.
    if (answer.reason !== 'not_reached' && answer.reason !== 'failed') void revalidate()
    if (answer.reason === 'reason_invalid') return setRefusal({ errors: answer.errors, problem: null })
    const text = refusalText(answer)
    if (asked?.isOpen) setRefusal({ errors: null, problem: text })
    else if (isAlert(answer)) void alert(text)
    else showToast({ type: 'error', text })
  }
  // A list of undecided bookings has lost this one once it is fresh.
  useAnswer(fetcher, handle, { isEarly: booking.listed.status === 'pending' })

  const latest = useRef(booking)
  latest.current = booking
  const submitted = fetcher.formData?.get('decision')
  // The live list may show the decision before its answer has come: then it is made, and no press is lost to it.
  const isMade = submitted === booking.listed.status
  const wanted: Decision | null =
    !isMade && (submitted === 'approved' || submitted === 'declined') ? submitted : null
  const decide = async (decision: Decision) => {
    if (wanted !== null) return
    const seen = booking.listed.status
    if (decision === 'declined') {
      setRefusal(null)
      setAsked({ seen, isOpen: true })
      return
    }
    if (fetcher.state !== 'idle') return
    await fetcher.submit({ bookingId: booking.id, decision, seen }, { method: 'post' })
  }
  const decline = ({ code, reason }: DeclineForm) => {
    // The list is live. If the status has changed while the dialog was open, the decision must not overwrite it unseen.
    const { status } = latest.current.listed
    const isStale = status !== asked?.seen
    setRefusal(isStale ? { errors: null, problem: statusNow(status) } : null)
    if (isStale) return
    void fetcher.submit(
      { bookingId: booking.id, decision: 'declined', seen: status, code, ...(reason ? { reason } : {}) },
      { method: 'post' },
    )
  }
  const dialog = asked && {
    open: asked.isOpen,
    needsWords: needsReason(asked.seen, 'declined'),
    refusal,
    onDecline: decline,
    onClose: close,
  }
  return { decide, wanted, dialog }
}

/** The refund of a decline, and until when it can be undone. */
function declineConsequence({ leftCents, bank }: VendorBooking, graceMs: number): string {
  const returnedCents = returnedCentsOf(bank)
  if (returnedCents > 0 && leftCents === 0) return returnedForVendorText(returnedCents)
  if (bank.isDeciding) return `${DECLINE_REFUNDS} ${BANK_DECIDING_FOR_VENDOR}`
  return `${DECLINE_REFUNDS} We’ll refund ${formatMoney(leftCents)} ${afterGrace(graceMs)}`
}

function afterGrace(graceMs: number): string {
  if (graceMs < 1000) return 'straight away, and the decision is final.'
  return `in ${durationText(graceMs)}, and tell them then. Until then you can undo it. After that the decision is final.`
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
