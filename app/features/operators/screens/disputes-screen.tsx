import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { ListFoot } from '../components/list-parts.tsx'
import type { OperatorDispute } from '../dispute-queries.server.ts'
import { isAwaited } from '../dispute-rules.ts'
import { DISPUTE_FUNDS_TEXTS, OPERATIONS_ZONE } from '../messages.ts'

const SHOWS = ['open', 'closed'] as const
const LABELS = { open: 'Open', closed: 'Closed' } as const
const EMPTY = {
  open: 'No dispute is open. When a customer’s bank disputes a payment, it appears here with its deadline.',
  closed: 'No dispute has been decided yet.',
} as const

/** The disputes, open ones by their deadline. */
export function DisputesScreen({
  show,
  disputes,
}: {
  show: (typeof SHOWS)[number]
  disputes: readonly OperatorDispute[]
}) {
  return (
    <>
      <h1>Disputes</h1>
      <nav aria-label="Filter disputes" className="mt-6 flex flex-wrap gap-2">
        {SHOWS.map((name) => (
          <Link
            key={name}
            to={
              name === 'open'
                ? href('/operations/disputes/:id?')
                : `${href('/operations/disputes/:id?')}?show=closed`
            }
            aria-current={name === show ? 'page' : undefined}
            className="tag min-h-11 px-4 text-base aria-[current]:bg-brand aria-[current]:text-on-brand"
          >
            {LABELS[name]}
          </Link>
        ))}
      </nav>
      {disputes.length === 0 ? (
        <EmptyState text={EMPTY[show]} />
      ) : (
        <ul className="mt-6 border-t border-line">
          {disputes.map((dispute) => (
            <Dispute key={dispute.id} dispute={dispute} />
          ))}
        </ul>
      )}
      <ListFoot
        path={href('/operations/disputes/:id?')}
        filter={{ show }}
        older={null}
        isFirst
        exportPath={disputes.length > 0 ? href('/operations/export/:list', { list: 'disputes' }) : null}
      />
    </>
  )
}

function Dispute({ dispute }: { dispute: OperatorDispute }) {
  const time = (iso: string) => formatInstant(new Date(iso), OPERATIONS_ZONE)
  return (
    <li className="relative border-b border-line py-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h2 className="min-w-0 text-lg [overflow-wrap:anywhere]">
          <Link className="cover-link" to={href('/operations/disputes/:id?', { id: dispute.id })}>
            {dispute.businessName}
          </Link>
        </h2>
        <p className="price figures">{formatMoney(dispute.amountCents)}</p>
      </div>
      {dispute.evidenceDueAt && isAwaited(dispute.status) ? (
        <p className="figures mt-1 font-semibold">Answer by {time(dispute.evidenceDueAt)}</p>
      ) : null}
      <p className="mt-1 [overflow-wrap:anywhere]">
        {dispute.customerName}, {dispute.email}
      </p>
      <p className="figures text-sm text-quiet">{dispute.span}</p>
      <p className="mt-3 flex flex-wrap gap-2">
        <Tag tone={dispute.closedAt ? 'neutral' : 'error'}>{dispute.status.replaceAll('_', ' ')}</Tag>
        {dispute.waitsForSecondOperator ? <Tag tone="glow">waits for a second operator</Tag> : null}
        <Tag>{dispute.reason.replaceAll('_', ' ')}</Tag>
        {dispute.bookingStatus ? <Tag>{dispute.bookingStatus}</Tag> : <Tag>not booked</Tag>}
      </p>
      <p className="mt-2 text-sm text-quiet">
        {DISPUTE_FUNDS_TEXTS[dispute.funds]} Opened {time(dispute.openedAt)}
        {dispute.closedAt ? `, closed ${time(dispute.closedAt)}` : ''}. {dispute.reference}
      </p>
    </li>
  )
}
