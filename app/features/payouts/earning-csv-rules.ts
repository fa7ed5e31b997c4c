import { csvText } from '../../shared/csv.ts'
import { toNumericString } from '../../shared/money.ts'
import { EARNING_LABELS } from './earning-messages.ts'
import type { Earning } from './earning-rules.ts'

const COLUMNS = [
  'Booked',
  'Event',
  'Customer',
  'Business',
  'Paid (AUD)',
  'Refunded (AUD)',
  'Commission (AUD)',
  'GST in commission (AUD)',
  'Yours (AUD)',
  'State',
  'Sent (AUD)',
  'Sent on',
  'At your bank on',
  'You owe (AUD)',
  'Booking',
] as const

/** A vendor's bookings with their money, as CSV. Expected days are left out. */
export function earningsCsv(earnings: readonly Earning[]): string {
  const rows = earnings.map((earning) => {
    const { sent, atBank } = earning.steps.early ?? earning.steps
    return [
      earning.steps.booked,
      earning.steps.event,
      earning.customerName,
      earning.businessName,
      toNumericString(earning.priceCents),
      toNumericString(earning.backCents),
      toNumericString(earning.commissionCents),
      toNumericString(earning.gstCents),
      toNumericString(earning.yoursCents),
      EARNING_LABELS[earning.state],
      toNumericString(earning.sentCents),
      sent && !sent.isExpected ? sent.date : '',
      atBank && !atBank.isExpected ? atBank.date : '',
      toNumericString(earning.owedCents),
      earning.bookingId,
    ]
  })
  return csvText([COLUMNS, ...rows])
}
