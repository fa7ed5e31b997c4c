import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { Tag } from '../../../ui/tag.tsx'
import type { UnpaidInstalment } from '../instalment-queries.server.ts'
import { INSTALMENT_STATE_LABELS, OPERATIONS_ZONE } from '../messages.ts'

/** The balances that were due and aren't paid, the next to end its booking first. */
export function UnpaidInstalments({ instalments }: { instalments: readonly UnpaidInstalment[] }) {
  const time = (iso: string) => formatInstant(new Date(iso), OPERATIONS_ZONE)
  return (
    <ul className="mt-6 border-t border-line">
      {instalments.map((one) => (
        <li key={one.id} className="relative border-b border-line py-5">
          <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
            <h2 className="min-w-0 text-lg [overflow-wrap:anywhere]">
              <Link className="cover-link" to={href('/operations/payments/:id', { id: one.paymentId })}>
                {one.businessName}
              </Link>
            </h2>
            <p className="price figures">{formatMoney(one.amountCents)}</p>
          </div>
          <p className="figures mt-1 font-semibold">
            {one.endsAt === null
              ? 'The booking stands'
              : `${one.state === 'overdue' ? 'Overdue since' : 'The booking ends'} ${time(one.endsAt)}`}
          </p>
          <p className="mt-1 [overflow-wrap:anywhere]">
            {one.customerName}, {one.email}
          </p>
          <p className="figures text-sm text-quiet">{one.span}</p>
          <p className="mt-3 flex flex-wrap gap-2">
            <Tag tone={one.state === 'overdue' ? 'error' : 'glow'}>{INSTALMENT_STATE_LABELS[one.state]}</Tag>
            {one.declineCode ? <Tag>{one.declineCode.replaceAll('_', ' ')}</Tag> : null}
            {one.isExtended ? <Tag>extended by the vendor</Tag> : null}
          </p>
          <p className="figures mt-2 text-sm text-quiet">
            Due {time(one.dueAt)}
            {one.nextTryAt ? `. Next try ${time(one.nextTryAt)}` : ''}
          </p>
        </li>
      ))}
    </ul>
  )
}
