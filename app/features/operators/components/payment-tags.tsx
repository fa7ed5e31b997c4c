import { Tag, type TagTone } from '../../../ui/tag.tsx'
import type { RefundState } from '../../payments/rules.ts'
import type { OperatorPayment } from '../payment-queries.server.ts'

const STATE_TONES = {
  open: 'neutral',
  processing: 'neutral',
  paid: 'success',
  failed: 'error',
  cancelled: 'neutral',
  expired: 'neutral',
} as const satisfies Record<OperatorPayment['state'], TagTone>

const REFUND_TAGS = {
  due: 'refund due',
  claimed: 'refund due',
  sent: 'refund on its way',
  done: 'refunded',
  failed: 'paid back another way',
} as const satisfies Record<RefundState, string>
const PARTLY_REFUNDED = 'partly refunded'

/**
 * Tags with the state of a payment, its booking and its refund.
 * @param props.provider the provider in the settings
 */
export function PaymentTags({ payment, provider }: { payment: OperatorPayment; provider: string }) {
  const { refund } = payment
  return (
    <p className="flex flex-wrap gap-2">
      {payment.isStuck ? <Tag tone="error">stuck</Tag> : null}
      {refund?.failing ? <Tag tone="error">refund failing</Tag> : null}
      {refund?.overdue ? <Tag tone="error">refund overdue</Tag> : null}
      {refund?.cameBack ? <Tag tone="error">refund came back</Tag> : null}
      {payment.dispute ? <Tag tone="error">{payment.dispute.replaceAll('_', ' ')}</Tag> : null}
      {payment.provider === provider ? null : <Tag>made with {payment.provider}</Tag>}
      <Tag tone={STATE_TONES[payment.state]}>{payment.state}</Tag>
      {payment.bookingStatus ? <Tag>{payment.bookingStatus}</Tag> : null}
      {refund && !refund.failing && !refund.overdue && !refund.cameBack ? (
        <Tag tone={refund.state === 'done' ? 'neutral' : 'glow'}>
          {refund.state === 'done' && refund.isPart ? PARTLY_REFUNDED : REFUND_TAGS[refund.state]}
        </Tag>
      ) : null}
    </p>
  )
}
