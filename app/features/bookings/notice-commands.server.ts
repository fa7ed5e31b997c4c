import { href } from 'react-router'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { MailMessage } from '../../adapters/mail/port.ts'
import type { MailPreference } from '../accounts/rules.ts'
import { factsOnBooking } from '../businesses/fact-rules.ts'
import { addNotification } from '../notifications/commands.server.ts'
import { takenOffCentsOf } from '../sales/amount-rules.ts'
import { spanText } from '../sales/rules.ts'
import type { BookingServices } from './deps.server.ts'
import type { BookingLinkMail, MailedBooking } from './frame-mails.ts'
import type { BookingRow } from './row-queries.server.ts'
import { type AgreedRow, termsOf } from './row-rules.ts'
import { bookingLinkToken } from './rules.ts'

/** The page that a vendor's notification about a booking links to. */
export const DASHBOARD_BOOKINGS_PATH = href('/dashboard/bookings')

/** The columns of a booking that its mails state, with its sale. */
type MailedRow = Pick<
  BookingRow,
  | 'id'
  | 'vendor_id'
  | 'vendor_name'
  | 'customer_name'
  | 'email'
  | 'phone'
  | 'date'
  | 'time'
  | 'sale'
  | 'quantity'
  | 'booking_type'
  | 'total_price_cents'
  | 'payment_row_id'
> &
  AgreedRow &
  Parameters<typeof takenOffCentsOf>[0]

/** Picks the facts of a booking that its mails state. */
export function mailed(row: MailedRow): MailedBooking {
  return {
    // A property of the sale that mails state, such as its place, has the same name there.
    ...row.sale,
    id: row.id,
    businessId: row.vendor_id,
    vendorName: row.vendor_name,
    customerName: row.customer_name,
    customerEmail: row.email,
    customerPhone: row.phone,
    date: row.date,
    time: row.time,
    span: spanText(row.sale),
    quantity: row.quantity,
    bookingType: row.booking_type,
    stated: factsOnBooking(row.sale.facts),
    totalCents: Number(row.total_price_cents),
    takenOffCents: takenOffCentsOf(row),
    terms: termsOf(row),
    paymentId: row.payment_row_id,
  }
}

/**
 * Queues a mail, which is sent if the transaction commits. A customer whose account is deleted has no address, and gets none.
 * @param wanted the mail preference to check, and the user whose preference it is
 */
export function sendMail(
  deps: BookingServices,
  tx: DatabaseTransaction,
  message: MailMessage | BookingLinkMail,
  wanted?: { preference: MailPreference; preferenceOf: string },
): Promise<void> {
  if (message.to === '') return Promise.resolve()
  if ('paymentId' in message) return deps.jobs.enqueue(tx, 'send-booking-mail', message)
  return deps.jobs.enqueue(tx, 'send-mail', { ...message, ...wanted })
}

/** Notifies a customer who booked while signed in. Guests have no notifications, but every customer gets the mails. */
export async function notifyCustomer(
  deps: BookingServices,
  tx: DatabaseTransaction,
  row: BookingRow,
  about: { kind: string; title: string; body: string; eventKey: string },
): Promise<void> {
  if (!row.customer_user_id) return
  const linkToken = await bookingLinkToken(deps.secret, row.payment_row_id)
  const link = href('/bookings/:linkToken', { linkToken })
  await addNotification(tx, { ...about, userId: row.customer_user_id, link }, deps.now())
}

/** Tells open pages about a changed booking, once the transaction commits. */
export async function publishBooking(
  deps: BookingServices,
  tx: DatabaseTransaction,
  row: Pick<BookingRow, 'id' | 'vendor_id'>,
  notifiedUserIds: readonly (string | null)[],
): Promise<void> {
  const notified = notifiedUserIds.flatMap((userId) => (userId ? [`notifications:${userId}` as const] : []))
  await deps.liveUpdates.publish(tx, `bookings:${row.vendor_id}`, `booking:${row.id}`, ...notified)
}
