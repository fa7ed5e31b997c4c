import { Tag, type TagTone } from '../../../ui/tag.tsx'
import type { OperatorPayment } from '../queries.server.ts'

const STATE_TONES = {
  open: 'neutral',
  processing: 'neutral',
  paid: 'success',
  failed: 'error',
  cancelled: 'neutral',
  expired: 'neutral',
} as const satisfies Record<OperatorPayment['state'], TagTone>

/** Where a payment, its booking and its refund stand. */
export function PaymentTags({ payment }: { payment: OperatorPayment }) {
  const { refund } = payment
  return (
    <p className="flex flex-wrap gap-2">
      {payment.isStuck ? <Tag tone="error">stuck</Tag> : null}
      {refund?.failing ? <Tag tone="error">refund failing</Tag> : null}
      <Tag tone={STATE_TONES[payment.state]}>{payment.state}</Tag>
      {payment.bookingStatus ? <Tag>{payment.bookingStatus}</Tag> : null}
      {refund && !refund.failing ? (
        <Tag tone={refund.state === 'done' ? 'neutral' : 'glow'}>
          {refund.state === 'done' ? 'refunded' : 'refund due'}
        </Tag>
      ) : null}
    </p>
  )
}
