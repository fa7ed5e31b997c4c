import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Database } from '../../adapters/database/port.ts'
import type { ProviderRefundStatus } from '../../adapters/payments/port.ts'
import { toNumericString } from '../../shared/money.ts'
import { wasCalledOff } from '../bookings/open-queries.server.ts'
import type { ChangeRow } from '../bookings/tables.server.ts'
import { type Facts, factsOnBooking } from '../businesses/fact-rules.ts'
import { countsAsRefund, isUnfulfilled } from '../payments/queries.server.ts'
import {
  type RefundReason,
  type RefundResolution,
  type RefundStatus,
  refundStateOf,
} from '../payments/rules.ts'
import type { InstalmentState } from '../sales/plan-rules.ts'

/** Bookings as the data export has them. */

/** Selects bookings with their payments, refunds and cancellation, without their customers' cards. */
export function selectBookings(db: Database) {
  return db
    .selectFrom('bookings')
    .innerJoin('payments', 'payments.id', 'bookings.payment_row_id')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .selectAll('bookings')
    .select((eb) => [
      jsonObjectFrom(
        eb
          .selectFrom('cancellations')
          .select(['cancelled_by', 'refund_cents', 'kept_cents', 'reason', 'cancellations.created_at'])
          .whereRef('cancellations.booking_id', '=', 'bookings.id')
          .where(wasCalledOff())
          .orderBy('cancellations.created_at', 'desc')
          .limit(1),
      ).as('cancellation'),
      jsonArrayFrom(
        eb
          .selectFrom('payment_actions as refunds')
          .innerJoin('payments as charged', 'charged.id', 'refunds.payment_id')
          .select([
            'refunds.amount_cents',
            'refunds.state',
            'refunds.provider_status',
            'refunds.resolution',
            'refunds.reason',
            'refunds.done_at',
          ])
          .where(sql<boolean>`charged.sale_id = sales.id`)
          .whereRef('refunds.line', '=', 'bookings.line')
          .where('refunds.kind', '=', 'refund')
          .where(countsAsRefund())
          .orderBy('refunds.created_at')
          .orderBy('refunds.id'),
      ).as('refunds'),
      jsonArrayFrom(
        eb
          .selectFrom('instalments')
          .select([
            // A change lowers a paid instalment by what it gives back. Its payment and that refund are listed as they were.
            sql<string>`case when instalments.state = 'paid' then coalesce((
              select charged.amount_cents from payments charged where charged.id = instalments.paid_by
            ), instalments.amount_cents) else instalments.amount_cents end`.as('amount_cents'),
            'instalments.reduced_cents',
            'instalments.due_at',
            'instalments.extended_at',
            'instalments.state',
            'instalments.paid_at',
          ])
          .whereRef('instalments.payment_id', '=', 'payments.id')
          .orderBy('instalments.number'),
      ).as('instalments'),
      jsonArrayFrom(
        eb
          .selectFrom('disputes')
          .innerJoin('payments as charged', 'charged.id', 'disputes.payment_id')
          .select(['disputes.amount_cents', 'disputes.closed_at', 'disputes.opened_at'])
          .where(sql<boolean>`charged.sale_id = sales.id`)
          .where('disputes.status', '=', 'lost')
          .where(({ not }) => not(isUnfulfilled('disputes.payment_id')))
          .orderBy('disputes.opened_at')
          .orderBy('disputes.id'),
      ).as('lost_disputes'),
      'sales.facts',
      'payments.paid_at',
      'payments.amount_cents as paid_cents',
      sql<string>`to_char(bookings.date, 'YYYY-MM-DD')`.as('date_text'),
      sql<string>`to_char(bookings.time, 'HH24:MI')`.as('time_text'),
    ])
    .orderBy('bookings.created_at')
    .orderBy('bookings.id')
}

/** Selects the bookings of a customer, with the card that was saved for them. */
export function selectBookingsWithCard(db: Database) {
  return selectBookings(db).select((eb) =>
    jsonObjectFrom(
      eb
        .selectFrom('saved_cards')
        .select([
          'brand',
          'last_four',
          'expires_month',
          'expires_year',
          'consent',
          'consented_at',
          'detached_at',
        ])
        .whereRef('saved_cards.payment_id', '=', 'payments.id'),
    ).as('card'),
  )
}

type CardColumns = NonNullable<
  Awaited<ReturnType<ReturnType<typeof selectBookingsWithCard>['execute']>>[number]['card']
>

/** The saved card of a booking, for its customer alone; null for none. */
export function cardOf({ card }: { card: CardColumns | null }) {
  return (
    card && {
      brand: card.brand,
      lastFour: card.last_four,
      expiresMonth: card.expires_month,
      expiresYear: card.expires_year,
      consent: card.consent,
      // Times are text inside JSON.
      consentedAt: new Date(card.consented_at).toISOString(),
      deletedAt: card.detached_at && new Date(card.detached_at).toISOString(),
    }
  )
}

/** The changes of a booking, proposed by either side. They have dates and sums alone. */
export function changesOf(changes: readonly ChangeRow[], bookingId: string) {
  const sale = ({ date, time, quantity, priceCents }: ChangeRow['sale_before']) => ({
    date,
    time,
    quantity,
    totalPrice: toNumericString(priceCents),
  })
  return changes
    .filter((change) => change.booking_id === bookingId)
    .map((change) => ({
      proposedBy: change.proposed_by,
      state: change.state,
      before: sale(change.sale_before),
      after: sale(change.sale_after),
      proposedAt: change.created_at,
      answeredAt: change.answered_at,
      endedAt: change.ended_at,
    }))
}

/** A booking's dates and sums, which both its customer and its vendor may have. */
export function datesAndSums(row: {
  vendor_id: string
  vendor_name: string
  date_text: string
  time_text: string
  quantity: number
  booking_type: string
  total_price_cents: string | number
  payment_status: string
  status: string
  facts: Facts | null
  told_at: Date | null
  decline_code: string | null
  decline_words: string | null
  created_at: Date
  cancellation: {
    cancelled_by: string
    refund_cents: string | number
    kept_cents: string | number
    reason: string | null
    created_at: Date | string
  } | null
  refunds: readonly {
    amount_cents: string | number
    state: RefundStatus
    provider_status: ProviderRefundStatus | null
    resolution: RefundResolution | null
    reason: RefundReason
    done_at: Date | string | null
  }[]
  lost_disputes: readonly {
    amount_cents: string | number
    closed_at: Date | string | null
    opened_at: Date | string
  }[]
  instalments: readonly InstalmentColumns[]
  paid_at: Date | null
  paid_cents: string | number
}) {
  const { cancellation } = row
  return {
    vendorId: row.vendor_id,
    vendorName: row.vendor_name,
    date: row.date_text,
    time: row.time_text,
    quantity: row.quantity,
    bookingType: row.booking_type,
    stated: factsOnBooking(row.facts),
    totalPrice: toNumericString(Number(row.total_price_cents)),
    paymentStatus: row.payment_status,
    status: row.status,
    createdAt: row.created_at,
    // Not before its customer is told.
    decline: row.told_at && { reason: row.decline_code, words: row.decline_words },
    cancellation: cancellation && {
      by: cancellation.cancelled_by,
      // Times are text inside JSON.
      at: new Date(cancellation.created_at).toISOString(),
      refund: toNumericString(Number(cancellation.refund_cents)),
      kept: toNumericString(Number(cancellation.kept_cents)),
      reason: cancellation.reason,
    },
    payments: paymentsOf(row),
    refunds: row.refunds.map((refund) => ({
      amount: toNumericString(Number(refund.amount_cents)),
      state: refundStateOf({
        // The query leaves cancelled refunds out.
        state: refund.state as Exclude<RefundStatus, 'cancelled'>,
        providerStatus: refund.provider_status,
      }),
      resolution: refund.resolution,
      reason: refund.reason,
      doneAt: refund.done_at && new Date(refund.done_at).toISOString(),
    })),
    returnedByBank: row.lost_disputes.map((dispute) => ({
      amount: toNumericString(Number(dispute.amount_cents)),
      at: new Date(dispute.closed_at ?? dispute.opened_at).toISOString(),
    })),
  }
}

type InstalmentColumns = {
  amount_cents: string | number
  reduced_cents: string | number
  due_at: Date | string
  extended_at: Date | string | null
  state: InstalmentState
  paid_at: Date | string | null
}

/** The payments of a price as they were charged, or as they are due: one for a price that was paid at once. */
function paymentsOf(row: {
  instalments: readonly InstalmentColumns[]
  paid_cents: string | number
  paid_at: Date | null
}) {
  const at = (time: Date | string | null) => time && new Date(time).toISOString()
  if (row.instalments.length === 0)
    return [
      {
        amount: toNumericString(Number(row.paid_cents)),
        state: 'paid' as const,
        paidAt: at(row.paid_at),
      },
    ]
  return row.instalments.map((instalment) => ({
    amount: toNumericString(Number(instalment.amount_cents)),
    takenOff: toNumericString(Number(instalment.reduced_cents)),
    dueAt: at(instalment.due_at),
    extendedAt: at(instalment.extended_at),
    state: instalment.state,
    paidAt: at(instalment.paid_at),
  }))
}
