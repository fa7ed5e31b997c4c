import type { Database } from '../../adapters/database/port.ts'
import { formatInstant } from '../../shared/dates.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { isPlaceholderEmail } from '../../shared/placeholder-email.ts'
import { hasEventEnded } from '../bookings/decisions/rules.ts'
import type { BookingStatus } from '../bookings/status-rules.ts'
import { findMoneyOf } from '../ledger/queries.server.ts'
import { listRefundsOfPayment, type Refund } from '../payments/queries.server.ts'
import type { RefundResolution, RefundState } from '../payments/rules.ts'
import { listProofs, type SentProof } from '../payouts/proof-commands.server.ts'
import { proofDueAt, proofRefusal } from '../payouts/proof-rules.ts'
import { needsSecondOperator } from '../payouts/rules.ts'
import { UNIT_WORDS } from '../receipts/messages.ts'
import { commissionOf, spanText } from '../sales/rules.ts'
import { TERMS_QUOTES } from './dispute-messages.ts'
import { type OperatorDispute, selectDisputes, toOperatorDispute } from './dispute-queries.server.ts'
import {
  type AnswerKind,
  type AnswerState,
  type CostOfLoss,
  costOfLoss,
  type DisputeEvent,
  daysLeft,
  disputeVersion,
  type EvidenceTexts,
  isAnswered,
  proposeEvidence,
  takesAcceptance,
  takesEvidence,
} from './dispute-rules.ts'
import { OPERATIONS_ZONE } from './messages.ts'

/** An operator's answer. Times are ISO 8601, UTC. */
export type DisputeAnswer = {
  id: string
  kind: AnswerKind
  state: AnswerState
  /** Null for an acceptance. */
  texts: EvidenceTexts | null
  reason: string
  placedBy: string
  placedAt: string
  /** The operator who let it go, or dropped it. */
  settledBy: string | null
  sentAt: string | null
  hasReceipt: boolean
  lastError: string | null
}

/** One dispute with everything that an operator needs to answer it. Times are ISO 8601, UTC. */
export type DisputeFacts = OperatorDispute & {
  /** Full days until the deadline; null without one, and once it is over. */
  daysLeft: number | null
  phone: string
  vendorUserId: string
  payment: { reference: string | null; amountCents: Cents; paidAt: string | null }
  booking: { id: string; quantity: string; receiptNumber: number | null } | null
  terms: { version: string; sha256: string | null; acceptedAt: string } | null
  refunds: { amountCents: Cents; state: RefundState; resolution: RefundResolution | null; at: string }[]
  /** Null for an unfulfilled payment. */
  cost: CostOfLoss | null
  events: DisputeEvent[]
  /** The vendor's proofs, oldest first. */
  proofs: SentProof[]
  /** Until when the vendor, who knows of the dispute, may send proof; null once they can't, or where the bank names no time. */
  proofUntil: string | null
  /** Newest first. */
  answers: DisputeAnswer[]
  /** The state that the page shows, by `disputeVersion`. An answer names it. */
  version: string
  canSubmit: boolean
  canAccept: boolean
  needsSecondOperator: boolean
  /** The form's first texts: the last answer that wasn't sent, else the texts put together from the facts. */
  texts: EvidenceTexts
}

/**
 * Finds one dispute with its booking, its history and our answers.
 * @param input.secondOperatorCents the limit above which a second operator confirms
 * @returns null when there is none with this id
 */
export async function findDispute(
  db: Database,
  input: { disputeId: string; now: Date; brand: string; secondOperatorCents: Cents },
): Promise<DisputeFacts | null> {
  const { disputeId, now, brand, secondOperatorCents } = input
  const row = await selectFacts(db, disputeId)
  if (!row) return null
  const dispute = toOperatorDispute(row)
  const { sale } = row
  const [refunds, answers, money, reminders, proofs] = await Promise.all([
    listRefundsOfPayment(db, row.payment_id),
    listAnswers(db, disputeId),
    row.booking_id ? findMoneyOf(db, row.booking_id) : null,
    listReminders(db, row.booking_id),
    listProofs(db, [disputeId]).then((all) => all.get(disputeId) ?? []),
  ])
  const newest = answers[0] ?? null
  const standing = { status: row.status, evidenceDueAt: row.evidence_due_at }
  const isFree = !isAnswered(standing, newest)
  const [one, many] = UNIT_WORDS[sale.bookingType]
  const quantity = `${sale.quantity.toLocaleString('en-AU')} ${sale.quantity === 1 ? one : many}`
  const events = eventsOf(row, { refunds, reminders })
  const terms = {
    version: row.accepted_version ?? sale.termsVersion,
    sha256: row.sha256,
    acceptedAt: (row.accepted_at ?? row.started_at).toISOString(),
  }
  const unsent = answers.find(({ kind }) => kind === 'evidence')
  const kept = unsent && (unsent.state === 'refused' || unsent.state === 'dropped') ? unsent.texts : null
  return {
    ...dispute,
    daysLeft: row.evidence_due_at && daysLeft(row.evidence_due_at, now),
    phone: sale.customer.phone,
    vendorUserId: sale.ownerUserId,
    payment: {
      reference: row.provider_reference,
      amountCents: Number(row.charged_cents),
      paidAt: row.paid_at?.toISOString() ?? null,
    },
    booking: row.booking_id ? { id: row.booking_id, quantity, receiptNumber: row.receipt_number } : null,
    terms,
    refunds: refunds.map(({ amountCents, state, resolution, doneAt, dueAt }) => ({
      amountCents,
      state,
      resolution,
      at: (doneAt ?? dueAt).toISOString(),
    })),
    cost: money && costOfLoss(dispute.amountCents, money, commissionOf(sale)),
    events,
    proofs,
    proofUntil: proofUntilOf(row, { isAnswered: !isFree, proofs: proofs.length, now }),
    answers: answers.map(({ answeredStatus: _, ...answer }) => answer),
    version: disputeVersion(dispute, newest, proofs.length),
    canSubmit: isFree && takesEvidence(standing, now),
    canAccept: isFree && takesAcceptance(standing),
    needsSecondOperator: needsSecondOperator(dispute.amountCents, secondOperatorCents),
    texts:
      kept ??
      proposeEvidence({
        brand,
        businessName: sale.businessName,
        place: sale.place,
        span: dispute.span,
        quantity,
        total: formatMoney(Number(row.charged_cents)),
        isEventOver: hasEventEnded(sale.event, now),
        bookingStatus: row.booking_status,
        terms: {
          version: terms.version,
          acceptedAt: inWords(terms.acceptedAt),
          quote: TERMS_QUOTES[terms.version] ?? null,
        },
        refunds: refunds
          .filter(({ state }) => state === 'done')
          .map(
            ({ amountCents, doneAt, dueAt }) => `${formatMoney(amountCents)} on ${inWords(doneAt ?? dueAt)}`,
          ),
        events: events.map((event) => ({ ...event, at: inWords(event.at) })),
        vendorWords: proofs.flatMap(({ words }) => words || []),
      }),
  }
}

const inWords = (at: Date | string) => formatInstant(new Date(at), OPERATIONS_ZONE)

function selectFacts(db: Database, disputeId: string) {
  return selectDisputes(db)
    .leftJoin('acceptances', 'acceptances.payment_id', 'payments.id')
    .leftJoin('receipt_numbers', 'receipt_numbers.booking_id', 'bookings.id')
    .select([
      'payments.provider_reference',
      'payments.amount_cents as charged_cents',
      'payments.paid_at',
      'payments.created_at as started_at',
      'bookings.id as booking_id',
      'bookings.created_at as booked_at',
      'bookings.decided_at',
      'acceptances.version as accepted_version',
      'acceptances.sha256',
      'acceptances.accepted_at',
      'receipt_numbers.number as receipt_number',
      'sales.event_until',
    ])
    .where('disputes.id', '=', disputeId)
    .limit(1)
    .executeTakeFirst()
}

type FactsRow = NonNullable<Awaited<ReturnType<typeof selectFacts>>>

function proofUntilOf(
  { status, funds, evidence_due_at: evidenceDueAt, created_at: learnedAt }: FactsRow,
  { isAnswered: answered, proofs, now }: { isAnswered: boolean; proofs: number; now: Date },
): string | null {
  const dispute = { status, evidenceDueAt, learnedAt, isAnswered: answered, proofs }
  // Vendors aren't told of an inquiry, which holds no money yet.
  const isTaken = funds !== 'held' && proofRefusal(dispute, now) === null
  return isTaken ? (proofDueAt(dispute)?.toISOString() ?? null) : null
}

const DECISIONS: Record<BookingStatus, string | null> = {
  pending: null,
  approved: 'The vendor approved the booking',
  declined: 'The vendor declined the booking',
  withdrawn: 'The customer withdrew the booking',
}

/**
 * The history of the sale for the bank, oldest first. A mail has no row of its own: the transaction that stores an event
 * queues its mail.
 */
function eventsOf(
  row: FactsRow,
  { refunds, reminders }: { refunds: readonly Refund[]; reminders: readonly Date[] },
): DisputeEvent[] {
  const { sale } = row
  const { fullName, email, phone } = sale.customer
  const mailed = isPlaceholderEmail(email) ? '' : `Mail to ${email}`
  const events: (Omit<DisputeEvent, 'at'> & { at: Date })[] = []
  const add = (at: Date | null, what: string | null, detail = '') => {
    if (at && what) events.push({ at, what, detail })
  }
  add(
    row.accepted_at ?? row.started_at,
    `The customer accepted the Terms of Service, version ${row.accepted_version ?? sale.termsVersion}`,
    `${fullName}, ${email}, ${phone}`,
  )
  add(
    row.paid_at,
    `The customer paid ${formatMoney(Number(row.charged_cents))} by card`,
    row.provider_reference ?? '',
  )
  add(
    row.booked_at,
    `${sale.businessName} was booked: ${spanText(sale)}`,
    mailed && `${mailed}, with the booking’s details and the receipt`,
  )
  if (row.booking_status)
    add(row.decided_at, DECISIONS[row.booking_status], row.booking_status === 'withdrawn' ? '' : mailed)
  for (const at of reminders) add(at, 'The customer was reminded of the event', mailed)
  if (row.booking_status === 'approved' && row.event_until < row.opened_at)
    add(row.event_until, 'The event’s time was over')
  for (const { amountCents, state, doneAt } of refunds)
    if (state === 'done') add(doneAt, `We refunded ${formatMoney(amountCents)} to the card`)
  add(row.opened_at, `The customer’s bank disputed ${formatMoney(Number(row.amount_cents))}`)
  return events
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map((event) => ({ ...event, at: event.at.toISOString() }))
}

/** Lists when a customer got mails about the coming event, oldest first. */
async function listReminders(db: Database, bookingId: string | null): Promise<Date[]> {
  if (bookingId === null) return []
  const rows = await db
    .selectFrom('event_reminders')
    .select('sent_at')
    .where('booking_id', '=', bookingId)
    .orderBy('sent_at')
    .execute()
  return rows.map((row) => row.sent_at)
}

async function listAnswers(db: Database, disputeId: string) {
  const rows = await db
    .selectFrom('dispute_answers')
    .selectAll()
    .where('dispute_id', '=', disputeId)
    .orderBy('number', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    state: row.state,
    answeredStatus: row.answered_status,
    texts: row.texts,
    reason: row.reason,
    placedBy: row.placed_by_email,
    placedAt: row.placed_at.toISOString(),
    settledBy: row.settled_by_email,
    sentAt: row.sent_at?.toISOString() ?? null,
    hasReceipt: row.provider_receipt !== null,
    lastError: row.last_error,
  }))
}
