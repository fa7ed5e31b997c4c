import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, DatabaseTransaction } from '../app/adapters/database/port.ts'
import { cancelBooking } from '../app/features/bookings/cancellation/commands.server.ts'
import { findQuote } from '../app/features/bookings/cancellation/queries.server.ts'
import { signQuote } from '../app/features/bookings/cancellation/rules.ts'
import { withdrawBooking } from '../app/features/bookings/cancellation/withdrawal-commands.server.ts'
import { decideBooking } from '../app/features/bookings/decisions/commands.server.ts'
import type { LedgerCheck } from '../app/features/ledger/rules.ts'
import { placePayoutOrder } from '../app/features/operators/payout-commands.server.ts'
import { settleDisputes } from '../app/features/payments/dispute-commands.server.ts'
import { performDueRefunds } from '../app/features/payments/refund-sending-commands.server.ts'
import { sweepBankPayouts } from '../app/features/payouts/bank-commands.server.ts'
import { sweepPayouts } from '../app/features/payouts/settlement-commands.server.ts'
import { issueCommissionDocuments } from '../app/features/tax/commission-commands.server.ts'
import { addDays } from '../app/shared/dates.ts'
import { DAY_MS } from '../app/shared/time-units.ts'
import { aBookingWorld } from './builders.ts'
import { agrees, asCustomer, asVendor, paysChange, proposes, rowOf } from './change-stage.ts'
import { openEmbeddedDatabase } from './database.ts'
import { approves, booksWithDeposit } from './instalment-stage.ts'
import { findMoneyDifferences } from './money-proof.ts'
import {
  aPaidVendor,
  books,
  moneyOf,
  OPERATOR,
  passesEvent,
  payoutDepsOf,
  paysBalance,
  refundsAsOperator,
} from './payout-stage.ts'
import { issuesAll, registerSays, taxDepsOf } from './tax-stage.ts'

/**
 * Every way of changing money by SQL that anyone has thought of, tried one at a time on a market with a purchase of every kind. Each
 * is undone with its transaction. The proof names each, and finds nothing before and after.
 */

let world: Awaited<ReturnType<typeof aBookingWorld>>
let ids: Awaited<ReturnType<typeof fillMarket>>

beforeAll(async () => {
  world = await aBookingWorld(() => openEmbeddedDatabase())
  ids = await fillMarket()
}, 120_000)
afterAll(() => world.close())

/** Purchases of every kind, made by the product's own commands. */
async function fillMarket() {
  const { db, deps, clock, payments } = world
  const { business, userId } = await aPaidVendor(world)
  const plain = await books(world, business)
  const pending = await books(world, business, { isApproved: false })
  const declined = await books(world, business, { isApproved: false })
  await decideBooking(deps, { userId, bookingId: declined.bookingId, decision: 'declined', isAtOnce: true })
  const withdrawn = await books(world, business, { isApproved: false })
  const proofOf = async ({ paymentId }: { paymentId: string }) => {
    const row = await db
      .selectFrom('sales')
      .select('customer_user_id')
      .where('id', '=', paymentId)
      .executeTakeFirst()
    return { userId: row?.customer_user_id ?? '', verifiedEmail: 'kim@example.com' }
  }
  await withdrawBooking(deps, { bookingId: withdrawn.bookingId, by: await proofOf(withdrawn) })
  clock.forward(DAY_MS / 12)
  await performDueRefunds(deps)

  const inParts = await aPaidVendor(world, { hasDeposit: true, userId: (await aPaidVendor(world)).userId })
  const later = addDays(clock.now().toISOString().slice(0, 10), 90)
  const deposit = await booksWithDeposit(world, { businessId: inParts.business.id, date: later })
  await approves(world, deposit)
  const balance = await booksWithDeposit(world, { businessId: inParts.business.id, date: later })
  await approves(world, balance)
  await paysBalance(world, balance.paymentId)
  const changed = await booksWithDeposit(world, { businessId: inParts.business.id, date: later })
  await approves(world, changed)
  await paysBalance(world, changed.paymentId)
  const vendor = asVendor(inParts.userId)
  await proposes(deps, changed, vendor, { quantity: 70 })
  await agrees(deps, changed, asCustomer(changed))
  await paysChange(world, changed)
  const cancelled = await booksWithDeposit(world, { businessId: inParts.business.id, date: later })
  await approves(world, cancelled)
  const row = await rowOf(world, cancelled)
  const quote = await findQuote(db, row, 'customer', clock.now())
  if (!quote) throw new Error('a booking with terms has no quote')
  const signed = await signQuote(deps.secret, row.id, { ...quote, at: clock.now() })
  const ended = await cancelBooking(deps, {
    bookingId: cancelled.bookingId,
    by: { linkToken: cancelled.linkToken },
    signed,
  })
  if (!ended.ok) throw new Error(ended.reason)

  const refunded = await books(world, business)
  await refundsAsOperator(deps, {
    operator: OPERATOR,
    paymentId: refunded.paymentId,
    amountCents: 50_000,
    reason: 'The heater failed.',
  })
  const reversed = await books(world, business)
  const disputed = await books(world, business)
  await payments.openDispute(disputed.reference, 'dispute')
  await settleDisputes(deps, payments, { id: disputed.paymentId, provider_reference: disputed.reference })
  const lost = await books(world, business)
  await payments.openDispute(lost.reference, 'dispute')
  await payments.decideDispute(lost.reference, 'lost')
  await settleDisputes(deps, payments, { id: lost.paymentId, provider_reference: lost.reference })
  await performDueRefunds(deps)

  const payouts = payoutDepsOf(world)
  passesEvent(world)
  await sweepPayouts(payouts)
  await registerSays(world, { abn: '51824753556', gstSince: '2000-07-01' })
  await issuesAll(world)
  await refundsAsOperator(deps, {
    operator: OPERATOR,
    paymentId: reversed.paymentId,
    amountCents: 100_000,
    reason: 'The band left early.',
  })
  await performDueRefunds(deps)
  await sweepPayouts(payouts)
  clock.forward(8 * DAY_MS)
  await payments.runDueWork()
  await sweepBankPayouts(payouts)
  // A vendor without an account, whose share an operator has paid by bank.
  const waiting = await aPaidVendor(world, { isReady: false })
  const byBank = await books(world, waiting.business)
  passesEvent(world)
  await sweepPayouts(payouts)
  const { payableCents } = await moneyOf(world, byBank.bookingId)
  const order = {
    operator: OPERATOR,
    reason: 'No account.',
    bookingId: byBank.bookingId,
    kind: 'paid_by_bank',
  } as const
  const paid = await placePayoutOrder(
    { ...payouts, secondOperatorCents: Number.MAX_SAFE_INTEGER },
    { ...order, amountCents: payableCents, expectedCents: payableCents },
  )
  if (!paid.ok) throw new Error(paid.reason)
  await issuesAll(world)
  clock.forward(32 * DAY_MS)
  await issueCommissionDocuments(taxDepsOf(world))
  return {
    plain,
    pending,
    declined,
    withdrawn,
    deposit,
    balance,
    changed,
    cancelled,
    refunded,
    reversed,
    disputed,
    lost,
    byBank,
  }
}

type Tampering = {
  what: string
  by: (db: DatabaseTransaction) => Promise<unknown>
  /** The checks that name it, each with a part of what it says. */
  named: Partial<Record<LedgerCheck['name'], RegExp>>
}

const PRICE = /\$17,400\.00.*\$8,700\.00/

/** Each runs as the tables' owner who has turned the ledger's triggers and the foreign keys off. */
const TAMPERINGS: readonly Tampering[] = [
  {
    what: 'a booking’s price was doubled',
    by: (db) =>
      sql`update bookings set total_price_cents = total_price_cents * 2 where id = ${ids.plain.bookingId}`.execute(
        db,
      ),
    named: { prices_are_agreed: PRICE },
  },
  {
    what: 'a booking’s price was doubled in its sale too',
    by: async (db) => {
      await sql`update bookings set total_price_cents = total_price_cents * 2 where id = ${ids.plain.bookingId}`.execute(
        db,
      )
      await sql`update sales set price_cents = 1740000 where id = ${ids.plain.paymentId}`.execute(db)
    },
    named: { prices_are_agreed: PRICE },
  },
  {
    what: 'a booking’s number was changed',
    by: (db) => sql`update bookings set quantity = 61 where id = ${ids.plain.bookingId}`.execute(db),
    named: { prices_are_agreed: /61 times its unit price/ },
  },
  {
    what: 'a paid payment was called expired',
    by: (db) => sql`update payments set state = 'expired' where id = ${ids.plain.paymentId}`.execute(db),
    named: {
      payments_are_posted: /charged \$0\.00 by its state 'expired', \$8,700\.00 in the ledger/,
      payments_agree: /was paid, and its state is 'expired'/,
      purchases_are_booked: /the payment's state is 'expired'/,
    },
  },
  {
    what: 'a payment’s amount was changed',
    by: (db) =>
      sql`update payments set amount_cents = amount_cents - 1 where id = ${ids.plain.paymentId}`.execute(db),
    named: { payments_are_posted: /\$8,699\.99/, payments_agree: /its line items \$8,700\.00/ },
  },
  ...(['pending', 'declined', 'withdrawn'] as const).map(
    (status): Tampering => ({
      what: `an approved booking was called ${status}`,
      by: (db) => sql`update bookings set status = ${status} where id = ${ids.deposit.bookingId}`.execute(db),
      named: { statuses_are_decided: new RegExp(`its status is '${status}'`) },
    }),
  ),
  {
    what: 'an undecided booking was called approved',
    by: (db) => sql`update bookings set status = 'approved' where id = ${ids.pending.bookingId}`.execute(db),
    named: { statuses_are_decided: /'approved', and nobody has decided/ },
  },
  {
    what: 'a declined booking was called approved',
    by: (db) => sql`update bookings set status = 'approved' where id = ${ids.declined.bookingId}`.execute(db),
    named: { statuses_are_decided: /'approved', and it was called off/ },
  },
  {
    what: 'a withdrawn booking was called declined',
    by: (db) =>
      sql`update bookings set status = 'declined' where id = ${ids.withdrawn.bookingId}`.execute(db),
    named: { statuses_are_decided: /the other side has called it off/ },
  },
  {
    what: 'a refunded booking was called paid',
    by: (db) =>
      sql`update bookings set payment_status = 'paid' where id = ${ids.declined.bookingId}`.execute(db),
    named: { statuses_are_decided: /its money is 'paid', by its refunds 'refunded'/ },
  },
  {
    what: 'a refund that was made was called cancelled',
    by: (db) =>
      sql`update payment_actions set state = 'cancelled' where payment_id = ${ids.refunded.paymentId}`.execute(
        db,
      ),
    named: { refunds_are_posted: /its state is 'cancelled', although the provider has made it/ },
  },
  {
    what: 'a refund’s amount was changed',
    by: (db) =>
      sql`update payment_actions set amount_cents = 1 where payment_id = ${ids.refunded.paymentId}`.execute(
        db,
      ),
    named: { refunds_are_posted: /\$0\.01 left by its state 'done', \$500\.00 in the ledger/ },
  },
  {
    what: 'a refund was deleted',
    by: (db) => sql`delete from payment_actions where payment_id = ${ids.refunded.paymentId}`.execute(db),
    named: { ledger_names_payments: /is of a refund that the payment doesn't have/ },
  },
  {
    what: 'a refund was invented',
    by: (db) =>
      sql`insert into payment_actions (id, payment_id, line, kind, amount_cents, reason, due_at, state, created_at, provider_status)
        values ('invented', ${ids.plain.paymentId}, 1, 'refund', 100, 'operator', now(), 'done', now(), 'succeeded')`.execute(
        db,
      ),
    named: { refunds_are_posted: /\$1\.00 left by its state 'done', \$0\.00 in the ledger/ },
  },
  {
    what: 'the commission of a sale was set to 0',
    by: (db) =>
      sql`update sales set commission = jsonb_set(commission, '{basisPoints}', '0') where id = ${ids.plain.paymentId}`.execute(
        db,
      ),
    named: {
      commission_is_of_the_sale:
        /\$870\.00 with \$79\.09 GST of \$8,700\.00 earned; the sale's 0\.0* % are \$0\.00/,
    },
  },
  {
    what: 'a sale was deleted',
    by: (db) => sql`delete from sales where id = ${ids.pending.paymentId}`.execute(db),
    named: { payments_are_of_sales: /is a payment of no sale/ },
  },
  {
    what: 'a sale’s instalments were lowered',
    by: (db) =>
      sql`update sales set instalments = jsonb_set(instalments, '{1,cents}', '1') where id = ${ids.balance.paymentId}`.execute(
        db,
      ),
    named: { sales_agree: /its instalments add up to/ },
  },
  {
    what: 'a payment was moved to another sale',
    by: (db) =>
      sql`update payments set sale_id = ${ids.plain.paymentId} where id = ${ids.pending.paymentId}`.execute(
        db,
      ),
    named: { payments_are_of_sales: /began another sale than it pays for/ },
  },
  {
    what: 'an unpaid instalment was halved',
    by: (db) =>
      sql`update instalments set amount_cents = amount_cents / 2 where payment_id = ${ids.deposit.paymentId} and number = 2`.execute(
        db,
      ),
    named: {
      instalments_agree: /instalment 2 is \$3,480\.00 with \$0\.00 taken off, in the sale \$6,960\.00/,
    },
  },
  {
    what: 'an unpaid instalment was called paid',
    by: (db) =>
      sql`update instalments set state = 'paid', paid_at = now() where payment_id = ${ids.deposit.paymentId} and number = 2`.execute(
        db,
      ),
    named: { instalments_agree: /no payment of the purchase has paid it/ },
  },
  {
    what: 'a paid instalment was called scheduled',
    by: (db) =>
      sql`update instalments set state = 'scheduled' where payment_id = ${ids.balance.paymentId} and number = 2`.execute(
        db,
      ),
    named: { instalments_agree: /has paid no instalment/ },
  },
  {
    what: 'an unpaid instalment was called ended',
    by: (db) =>
      sql`update instalments set state = 'ended' where payment_id = ${ids.deposit.paymentId} and number = 2`.execute(
        db,
      ),
    named: { statuses_are_decided: /its balance has ended/ },
  },
  {
    what: 'all instalments of a purchase were deleted',
    by: (db) => sql`delete from instalments where payment_id = ${ids.deposit.paymentId}`.execute(db),
    named: { prices_are_agreed: /it has no instalments/ },
  },
  {
    what: 'a booking was deleted',
    by: (db) => sql`delete from bookings where id = ${ids.plain.bookingId}`.execute(db),
    named: {
      purchases_are_booked: /neither booked nor refunded/,
      ledger_names_bookings: /and its payment has bought none/,
    },
  },
  {
    what: 'a paid payment was deleted',
    by: (db) => sql`delete from payments where id = ${ids.plain.paymentId}`.execute(db),
    named: { ledger_names_payments: /names the payment .*, which doesn't exist/ },
  },
  {
    what: 'a paid payment and everything about it were deleted',
    by: async (db) => {
      const { bookingId, paymentId } = ids.plain
      await sql`delete from transfers where booking_id = ${bookingId}`.execute(db)
      await sql`delete from bookings where id = ${bookingId}`.execute(db)
      await sql`delete from payment_lines where payment_id = ${paymentId}`.execute(db)
      await sql`delete from payments where id = ${paymentId}`.execute(db)
    },
    named: {
      ledger_names_payments: /which doesn't exist/,
      ledger_names_transfers: /a transfer that the booking doesn't have/,
    },
  },
  {
    what: 'a charge’s postings were moved to a booking that doesn’t exist',
    by: async (db) => {
      const key = `charge:${ids.pending.paymentId}:1`
      await sql`update ledger_transactions set booking_id = 'nowhere' where key = ${key}`.execute(db)
      await sql`update ledger_postings set booking_id = 'nowhere' where transaction_id = (select id from ledger_transactions where key = ${key})`.execute(
        db,
      )
    },
    named: { ledger_names_bookings: /names the booking nowhere, and its payment has bought/ },
  },
  {
    what: 'a charge’s postings were moved to another booking',
    by: async (db) => {
      const key = `charge:${ids.pending.paymentId}:1`
      await sql`update ledger_transactions set booking_id = ${ids.reversed.bookingId} where key = ${key}`.execute(
        db,
      )
      await sql`update ledger_postings set booking_id = ${ids.reversed.bookingId} where transaction_id = (select id from ledger_transactions where key = ${key})`.execute(
        db,
      )
    },
    named: { ledger_names_bookings: /names the booking .*, and its payment has bought/ },
  },
  {
    what: 'a charge was moved to a payment that doesn’t exist',
    by: (db) =>
      sql`update ledger_transactions set payment_id = 'nowhere' where key = ${`charge:${ids.pending.paymentId}:1`}`.execute(
        db,
      ),
    named: {
      ledger_names_payments: /names the payment nowhere/,
      payments_are_posted: /\$0\.00 in the ledger/,
    },
  },
  {
    what: 'a charge was taken out of the ledger',
    by: async (db) => {
      const key = `charge:${ids.pending.paymentId}:1`
      await sql`delete from ledger_postings where transaction_id = (select id from ledger_transactions where key = ${key})`.execute(
        db,
      )
      await sql`delete from ledger_transactions where key = ${key}`.execute(db)
    },
    named: {
      payments_are_posted: /charged \$8,700\.00 by its state 'paid', \$0\.00 in the ledger/,
      balances_equal_postings: /^\n$/,
    },
  },
  {
    what: 'an open dispute was called won',
    by: (db) =>
      sql`update disputes set status = 'won', funds = 'reinstated', closed_at = now() where payment_id = ${ids.disputed.paymentId}`.execute(
        db,
      ),
    named: { payments_are_posted: /\$0\.00 disputed, \$8,700\.00 in the ledger/ },
  },
  {
    what: 'a lost dispute was deleted',
    by: (db) => sql`delete from disputes where payment_id = ${ids.lost.paymentId}`.execute(db),
    named: {
      payments_are_posted: /\$0\.00 lost to a bank, \$8,700\.00 in the ledger/,
      ledger_names_payments: /a dispute that the payment doesn't have/,
    },
  },
  {
    what: 'a transfer’s amount was changed',
    by: (db) =>
      sql`update transfers set amount_cents = amount_cents + 100 where booking_id = ${ids.plain.bookingId}`.execute(
        db,
      ),
    named: { transfers_are_posted: /\$7,831\.00 left by its state 'made', \$7,830\.00 in the ledger/ },
  },
  {
    what: 'a transfer was called due again',
    by: (db) => sql`update transfers set state = 'due' where booking_id = ${ids.plain.bookingId}`.execute(db),
    named: { transfers_are_posted: /\$0\.00 left by its state 'due'/ },
  },
  {
    what: 'a transfer was moved to another vendor',
    by: (db) =>
      sql`update transfers set vendor_user_id = 'another' where booking_id = ${ids.plain.bookingId}`.execute(
        db,
      ),
    named: { transfers_are_posted: /belongs to another booking or vendor/ },
  },
  {
    what: 'a transfer was deleted',
    by: (db) => sql`delete from transfers where booking_id = ${ids.plain.bookingId}`.execute(db),
    named: { ledger_names_transfers: /a transfer that the booking doesn't have/ },
  },
  {
    what: 'a transfer was invented',
    by: (db) =>
      sql`insert into transfers (id, booking_id, purpose, vendor_user_id, payment_id, provider, state, due_at, amount_cents, created_at)
        select 'invented', 'nowhere', 'share-9', vendor_user_id, 'nowhere', provider, 'made', now(), 100, now()
        from transfers where booking_id = ${ids.plain.bookingId}`.execute(db),
    named: { bank_payouts_agree: /is a transfer of no purchase/ },
  },
  {
    what: 'a reversal was called due again',
    by: (db) =>
      sql`update transfer_reversals set state = 'due' where transfer_id in (select id from transfers where booking_id = ${ids.reversed.bookingId})`.execute(
        db,
      ),
    named: { transfers_are_posted: /in the state 'due', and \$900\.00 in the ledger/ },
  },
  {
    what: 'a reversal was deleted',
    by: (db) =>
      sql`delete from transfer_reversals where transfer_id in (select id from transfers where booking_id = ${ids.reversed.bookingId})`.execute(
        db,
      ),
    named: {
      ledger_names_transfers: /a reversal that the booking doesn't have/,
      transfers_are_posted: /its reversals are \$0\.00/,
    },
  },
  {
    what: 'a bank payout was doubled',
    by: (db) => sql`update bank_payouts set amount_cents = amount_cents * 2`.execute(db),
    named: { bank_payouts_agree: /went to the bank of/ },
  },
  {
    what: 'a bank payout was deleted',
    by: (db) => sql`delete from bank_payouts`.execute(db),
    named: { bank_payouts_agree: /no payout to a bank has this id/ },
  },
  {
    what: 'a bank payout was called failed with its transfers',
    by: (db) => sql`update bank_payouts set state = 'failed'`.execute(db),
    named: { bank_payouts_agree: /in the state 'failed'/ },
  },
  {
    what: 'an operator’s order was changed',
    by: (db) => sql`update payout_orders set amount_cents = amount_cents + 1`.execute(db),
    named: { orders_are_posted: /in the ledger/ },
  },
  {
    what: 'an operator’s order was deleted',
    by: (db) => sql`delete from payout_orders`.execute(db),
    named: { ledger_names_transfers: /an operator's order that the booking doesn't have/ },
  },
  ...(['refund_cents', 'kept_cents', 'uncollected_cents'] as const).map(
    (column): Tampering => ({
      what: `a cancellation’s ${column} was changed`,
      by: (db) =>
        sql`update cancellations set ${sql.ref(column)} = ${sql.ref(column)} + 1 where booking_id = ${ids.cancelled.bookingId}`.execute(
          db,
        ),
      named: { cancellations_agree: /it says that/ },
    }),
  ),
  {
    what: 'a change’s price was changed',
    by: (db) =>
      sql`update changes set sale_after = jsonb_set(sale_after, '{priceCents}', '1') where booking_id = ${ids.changed.bookingId}`.execute(
        db,
      ),
    named: { changes_agree: /to \$0\.01/, prices_are_agreed: /its line item with the changes/ },
  },
  {
    what: 'a change’s due amount was changed',
    by: (db) =>
      sql`update changes set due_cents = due_cents + 1 where booking_id = ${ids.changed.bookingId}`.execute(
        db,
      ),
    named: { changes_agree: /with \$1,450\.01 due/ },
  },
  {
    what: 'a change was deleted',
    by: (db) => sql`delete from changes where booking_id = ${ids.changed.bookingId}`.execute(db),
    named: { prices_are_agreed: /its line item with the changes \$8,700\.00/ },
  },
  {
    what: 'a refunded booking’s note was deleted',
    by: (db) =>
      sql`delete from tax_documents where kind = 'adjustment' and booking_id = ${ids.reversed.bookingId}`.execute(
        db,
      ),
    named: {
      tax_documents_agree: /its documents come to \$8,700\.00 with .*, and its vendor keeps \$7,700\.00/,
      tax_numbers_are_dense: /its last number is \d+, and it has \d+ documents/,
    },
  },
  {
    what: 'an invoice charged another GST',
    by: (db) =>
      sql`update tax_documents set gst_cents = gst_cents + 1 where booking_id = ${ids.plain.bookingId}`.execute(
        db,
      ),
    named: {
      tax_documents_agree: /with \$790\.92 GST/,
      tax_numbers_are_dense: /its content isn't what was issued/,
    },
  },
  {
    what: 'an invoice was numbered a thousand too high',
    by: (db) =>
      sql`update tax_documents set number = number + 1000 where booking_id = ${ids.plain.bookingId}`.execute(
        db,
      ),
    named: { tax_numbers_are_dense: /documents up to/ },
  },
  {
    what: 'an approved booking lost its invoice and its place in the queue',
    by: (db) => sql`delete from tax_documents where booking_id = ${ids.balance.bookingId}`.execute(db),
    named: { tax_documents_agree: /come to \$0\.00 .* keeps \$8,700\.00/ },
  },
  {
    what: 'the register never had the GST of a tax invoice',
    by: (db) => sql`update register_answers set gst_since = null where abn = '51824753556'`.execute(db),
    named: { tax_documents_agree: /has never said that its seller was registered/ },
  },
  {
    what: 'a commission invoice charged another amount',
    by: (db) => sql`update tax_documents set cents = cents + 100 where subject = 'commission'`.execute(db),
    named: { commission_is_invoiced: /it charges .* and the ledger has/ },
  },
]

describe('the proof', () => {
  it('finds nothing in the market, whatever the size of its pages', async () => {
    expect(await findMoneyDifferences(world.db)).toEqual([])
    expect(await findMoneyDifferences(world.db, { purchases: 1, transactions: 2 })).toEqual([])
  })

  it.each(TAMPERINGS)('names it when $what', async ({ by, named }) => {
    const found = await tamperedProof(by)
    for (const [name, says] of Object.entries(named)) {
      const check = found.find((one) => one.name === name)
      expect(check?.count, `${name} in ${JSON.stringify(found)}`).toBeGreaterThan(0)
      expect(check?.differences.map(({ detail }) => detail ?? '').join('\n')).toMatch(says)
    }
  })

  it('finds nothing once the tamperings are undone', async () => {
    expect(await findMoneyDifferences(world.db)).toEqual([])
  })
})

/** Proves the market with a tampering, which is undone afterwards. */
async function tamperedProof(by: Tampering['by']): Promise<LedgerCheck[]> {
  const undone = new Error('undone')
  let found: LedgerCheck[] = []
  await world.db
    .transaction()
    .execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await by(tx)
      found = await findMoneyDifferences(withinTransaction(tx))
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return found
}

/** The database as a proof sees it that runs within a transaction: it begins none of its own. */
function withinTransaction(tx: DatabaseTransaction): Database {
  const begun = {
    setIsolationLevel: () => begun,
    setAccessMode: () => begun,
    execute: <T>(work: (within: DatabaseTransaction) => Promise<T>) => work(tx),
  }
  return new Proxy(tx, {
    get(target, name) {
      if (name === 'transaction') return () => begun
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  }) as unknown as Database
}
