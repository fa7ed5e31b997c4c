import { sql } from 'kysely'
import { href } from 'react-router'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { MailMessage } from '../../adapters/mail/port.ts'
import type { Cents } from '../../shared/money.ts'
import { formatMoney } from '../../shared/money.ts'
import { findVendorContacts } from '../bookings/contact-queries.server.ts'
import type { BookingRow } from '../bookings/row-queries.server.ts'
import { lockLedger } from '../ledger/commands.server.ts'
import { addNotification } from '../notifications/commands.server.ts'
import { spanText } from '../sales/rules.ts'
import type { PayoutDeps } from './deps.server.ts'
import {
  accountNeedsMail,
  accountReadyMail,
  bankReturnedMail,
  bookingDisputedMail,
  debtMail,
  disputeDecidedMail,
  moneyHeldMail,
  moneySentMail,
  type PaidBooking,
} from './mails.ts'
import { HELD_TEXTS, requirementText } from './messages.ts'
import { proofDueAt, proofRefusal } from './proof-rules.ts'
import type { Obstacle } from './queries.server.ts'
import type { HeldReason, PayoutAccountState, StoredRequirement } from './rules.ts'

/**
 * Puts all bookings of a vendor at the front of the work list, since what held their money may have changed. Locks the
 * vendor's ledger, since a posting writes places in the list too, in another order.
 */
export async function queueVendor(tx: DatabaseTransaction, vendorUserId: string): Promise<void> {
  await lockLedger(tx, [vendorUserId])
  await sql`
    update payout_queue set look_at = '-infinity' from bookings, sales
    where bookings.id = payout_queue.booking_id and sales.id = bookings.payment_row_id
      and sales.owner_user_id = ${vendorUserId}`.execute(tx)
}

/**
 * Tells a vendor about their money by a notification and a mail, once for each key however often the event is processed.
 * @param mailTo makes the mail from the vendor's contact
 */
async function tellVendor(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  notice: { userId: string; key: string; title: string; body: string; link?: string },
  mailTo: (to: { name: string; email: string }) => MailMessage,
): Promise<void> {
  const { userId, key, title, body, link = href('/dashboard/payouts') } = notice
  const contact = (await findVendorContacts(tx, [userId])).get(userId)
  // The account is deleted.
  if (!contact) return
  const notification = {
    userId,
    kind: 'payout',
    title,
    body,
    link,
    eventKey: key,
  }
  if (!(await addNotification(tx, notification, deps.now()))) return
  await deps.jobs.enqueue(tx, 'send-mail', mailTo({ name: contact.person, email: contact.email }))
  await deps.liveUpdates.publish(tx, `notifications:${userId}`)
}

/** A booking as mails mention it. */
function paid(row: BookingRow): PaidBooking {
  return { businessId: row.vendor_id, vendorName: row.vendor_name, span: spanText(row.sale) }
}

export async function tellAccountReady(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  account: { id: string; vendorUserId: string; checked_at: Date | null },
): Promise<void> {
  const key = `payout-account-ready:${account.id}:${deps.now().getTime()}`
  const notice = {
    userId: account.vendorUserId,
    key,
    title: 'Your payouts are ready',
    body: 'We send your share of each booking after its event.',
  }
  await tellVendor(deps, tx, notice, (to) => accountReadyMail(key, to, deps))
}

/** Tells a vendor who has sent the form once what the provider still wants, once for each list of it. */
export async function tellAccountNeeds(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  account: {
    id: string
    vendorUserId: string
    state: PayoutAccountState
    requirements: readonly StoredRequirement[]
  },
): Promise<void> {
  const { state } = account
  if (state !== 'active' && state !== 'restricted' && state !== 'in_review') return
  const wanted = account.requirements.filter(({ awaiting }) => awaiting === 'vendor')
  if (wanted.length === 0 && state !== 'restricted') return
  const codes = wanted.map(({ code }) => code).toSorted()
  const dueTimes = wanted.flatMap(({ dueAt }) => (dueAt ? [dueAt] : [])).toSorted()
  const dueAt = dueTimes[0] ? new Date(dueTimes[0]) : null
  const key = `payout-account-needs:${account.id}:${state}:${codes.join(',')}:${dueAt?.getTime() ?? ''}`
  const isPaused = state === 'restricted'
  const texts = [...new Set(codes.map(requirementText))].join(', ')
  const notice = {
    userId: account.vendorUserId,
    key,
    title: isPaused ? 'Your payouts are paused' : 'Your payouts need something',
    body: texts === '' ? 'The payment provider has paused your account.' : `It asks for: ${texts}.`,
  }
  await tellVendor(deps, tx, notice, (to) => accountNeedsMail({ key, codes, dueAt, isPaused }, to, deps))
}

export async function tellMoneySent(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  transfer: { id: string; amountCents: Cents; nettedCents: Cents },
): Promise<void> {
  const { amountCents, nettedCents } = transfer
  const key = `payout-sent:${transfer.id}`
  const notice = {
    userId: row.owner_user_id,
    key,
    title: amountCents > 0 ? `${formatMoney(amountCents)} is on its way to you` : 'A debt was paid',
    body: `For ${row.vendor_name}, ${spanText(row.sale)}.`,
  }
  const sent = { key, booking: paid(row), amountCents, nettedCents }
  await tellVendor(deps, tx, notice, (to) => moneySentMail(sent, to, deps))
}

export async function tellMoneyHeld(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  held: { transferId: string; amountCents: Cents; reason: HeldReason },
): Promise<void> {
  const { amountCents, reason } = held
  const key = `payout-held:${held.transferId}:${reason}`
  const notice = {
    userId: row.owner_user_id,
    key,
    title: `${formatMoney(amountCents)} is waiting`,
    body: HELD_TEXTS[reason],
  }
  const about = { key, booking: paid(row), amountCents, reason }
  await tellVendor(deps, tx, notice, (to) => moneyHeldMail(about, to, deps))
}

export async function tellBankReturned(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  payout: { id: string; vendorUserId: string; amountCents: Cents; bankLast4: string | null },
): Promise<void> {
  const { amountCents, bankLast4 } = payout
  const key = `payout-returned:${payout.id}`
  const notice = {
    userId: payout.vendorUserId,
    key,
    title: `Your bank returned ${formatMoney(amountCents)}`,
    body: 'Check your bank details in the provider’s form.',
  }
  await tellVendor(deps, tx, notice, (to) => bankReturnedMail({ key, amountCents, bankLast4 }, to, deps))
}

/** Tells a vendor of a dispute of their booking, and of the bank's decision. */
export async function tellDispute(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  dispute: Pick<Obstacle, 'id' | 'status' | 'amountCents' | 'evidenceDueAt' | 'learnedAt'>,
): Promise<void> {
  const { id, amountCents } = dispute
  const takesProof = proofRefusal({ ...dispute, isAnswered: false, proofs: 0 }, deps.now()) === null
  const proof = takesProof ? { by: proofDueAt(dispute) } : null
  const booking = paid(row)
  const about = `${row.vendor_name}, ${spanText(row.sale)}.`
  const openedKey = `payout-dispute:${dispute.id}`
  const opened = {
    userId: row.owner_user_id,
    key: openedKey,
    title: 'A bank disputes a booking',
    body: proof ? `${about} Tell us what happened.` : about,
    link: href('/dashboard/disputes/:id', { id }),
  }
  await tellVendor(deps, tx, opened, (to) =>
    bookingDisputedMail(
      { key: openedKey, id, booking, amountCents, proof, timeZone: row.sale.timeZone },
      to,
      deps,
    ),
  )
  if (dispute.status !== 'won' && dispute.status !== 'lost') return
  const isWon = dispute.status === 'won'
  const key = `payout-dispute:${dispute.id}:${dispute.status}`
  const title = isWon ? 'The bank decided in your favour' : 'The bank decided in the customer’s favour'
  const decided = { userId: row.owner_user_id, key, title, body: about }
  await tellVendor(deps, tx, decided, (to) =>
    disputeDecidedMail({ key, booking, amountCents, isWon }, to, deps),
  )
}

export async function tellDebt(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  debt: { key: string; owedCents: Cents },
): Promise<void> {
  const { owedCents } = debt
  const key = `payout-debt:${debt.key}`
  const notice = {
    userId: row.owner_user_id,
    key,
    title: `You owe ${formatMoney(owedCents)}`,
    body: 'We take it from your next bookings.',
  }
  await tellVendor(deps, tx, notice, (to) => debtMail({ key, booking: paid(row), owedCents }, to, deps))
}
