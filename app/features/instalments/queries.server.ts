import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { hashText } from '../../shared/signed.ts'
import { type PaymentRow, selectPayments } from '../payments/queries.server.ts'
import { deadlineOf } from '../sales/plan-queries.server.ts'
import { CLOSED_STATES, type InstalmentState, overdueAt } from '../sales/plan-rules.ts'
import { spanText } from '../sales/rules.ts'
import type { InstalmentRow } from '../sales/tables.server.ts'
import type { MailedInstalment } from './mails.ts'
import type { SavedCardRow } from './tables.server.ts'

/** Finds the saved card of a purchase; null where none is kept. */
export async function findSavedCard(
  db: Database | DatabaseTransaction,
  firstPaymentId: string,
): Promise<SavedCardRow | null> {
  const card = await db
    .selectFrom('saved_cards')
    .selectAll()
    .where('payment_id', '=', firstPaymentId)
    .executeTakeFirst()
  return card ?? null
}

/** Finds the instalment of a purchase that is to be paid next, with the purchase's first payment; null where nothing is due. */
export async function findNextInstalment(
  db: Database,
  linkToken: string,
): Promise<{ first: PaymentRow; instalment: InstalmentRow | null; card: SavedCardRow | null } | null> {
  const first = await selectPayments(db)
    .where('sales.link_hash', '=', await hashText(linkToken))
    .whereRef('payments.id', '=', 'sales.id')
    .where('payments.state', '=', 'paid')
    .executeTakeFirst()
  if (!first) return null
  const [instalment] = await db
    .selectFrom('instalments')
    .selectAll()
    .where('payment_id', '=', first.id)
    .where('state', 'not in', CLOSED_STATES)
    .orderBy('number')
    .limit(1)
    .execute()
  return { first, instalment: instalment ?? null, card: await findSavedCard(db, first.id) }
}

/** The next instalment of a booking as its customer sees it. Times are ISO 8601, UTC. */
export type DueInstalment = {
  vendorName: string
  /** The event, in words. */
  span: string
  timeZone: string
  /** Null once nothing is due. */
  next: {
    amountCents: Cents
    dueAt: string
    isDue: boolean
    state: InstalmentState
    /** When the card is tried next; null where the customer has to act. */
    triedAt: string | null
    /** When the booking ends if nothing is paid; null where it stands. */
    overdueAt: string | null
    declineCode: string | null
  } | null
  card: { lastFour: string; expires: string } | null
}

/** Finds what the customer can pay by a booking's link; null for an unknown one. */
export async function findInstalmentByLink(
  { db, now }: { db: Database; now: () => Date },
  linkToken: string,
): Promise<DueInstalment | null> {
  const found = await findNextInstalment(db, linkToken)
  if (!found) return null
  const { first, instalment, card } = found
  const { businessName, timeZone } = first.sale
  const twoDigits = (value: number) => String(value % 100).padStart(2, '0')
  return {
    vendorName: businessName,
    span: spanText(first.sale),
    timeZone,
    next: instalment && {
      amountCents: Number(instalment.amount_cents),
      dueAt: instalment.due_at.toISOString(),
      isDue: instalment.due_at <= now(),
      state: instalment.state,
      triedAt:
        (instalment.state === 'scheduled' ? instalment.due_at : instalment.try_at)?.toISOString() ?? null,
      overdueAt: overdueAt(deadlineOf(instalment, first), timeZone)?.toISOString() ?? null,
      declineCode: instalment.decline_code,
    },
    card:
      card?.provider_method && card.last_four && card.expires_month && card.expires_year
        ? {
            lastFour: card.last_four,
            expires: `${twoDigits(card.expires_month)}/${twoDigits(card.expires_year)}`,
          }
        : null,
  }
}

/** Picks the facts of an instalment that its mails state. */
export function mailedInstalment(
  instalment: InstalmentRow,
  { sale }: Pick<PaymentRow, 'sale'>,
  card: SavedCardRow | null,
): MailedInstalment {
  return {
    id: instalment.id,
    paymentId: instalment.payment_id,
    businessId: sale.businessId,
    vendorName: sale.businessName,
    customerName: sale.customer.fullName,
    customerEmail: sale.customer.email,
    span: spanText(sale),
    timeZone: sale.timeZone,
    amountCents: Number(instalment.amount_cents),
    dueAt: instalment.due_at,
    card: card?.provider_method ? { lastFour: card.last_four } : null,
  }
}
