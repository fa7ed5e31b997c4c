import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { Tag } from '../../../ui/tag.tsx'
import { ACCOUNT_STATE_LABELS, requirementText } from '../../payouts/messages.ts'
import type { VendorPayouts } from '../../payouts/operator-queries.server.ts'
import { shareText } from '../../terms/policy-messages.ts'
import { OperationForm } from '../components/operation-form.tsx'
import { HoldForm, OrderForm } from '../components/payout-forms.tsx'
import { OPERATIONS_ZONE } from '../messages.ts'

const time = (iso: string) => formatInstant(new Date(iso), OPERATIONS_ZONE)

/** A vendor's account, money, holds and rate. */
export function VendorScreen({
  vendor,
  cancellations,
}: {
  vendor: VendorPayouts
  /** How many approved bookings they have cancelled in 12 months. */
  cancellations: number
}) {
  const { account, holds, debts } = vendor
  const facts: [label: string, value: string][] = [
    ['Held until events are over', formatMoney(vendor.heldCents)],
    ['Earned and not sent', formatMoney(vendor.payableCents)],
    ['Owed to us', formatMoney(vendor.owedCents)],
    ['Commission so far', formatMoney(vendor.commissionCents)],
    ['Commission rate', vendor.ownRate === null ? 'By category' : shareText(vendor.ownRate)],
    ['Approved bookings cancelled in 12 months', String(cancellations)],
  ]
  return (
    <>
      <h1 className="[overflow-wrap:anywhere]">{vendor.name}</h1>
      <p className="mt-1 [overflow-wrap:anywhere]">{vendor.email}</p>
      <p className="mt-3 flex flex-wrap gap-2">
        <Tag tone={account?.state === 'rejected' || account?.state === 'restricted' ? 'error' : 'neutral'}>
          {ACCOUNT_STATE_LABELS[account?.state ?? 'none']}
        </Tag>
        {account?.bankLast4 ? <Tag>bank ending in {account.bankLast4}</Tag> : null}
      </p>
      {account?.requirements.length ? (
        <ul className="mt-3 list-disc pl-6">
          {account.requirements.map(({ code, dueAt }) => (
            <li key={code}>
              {requirementText(code)} ({code}){dueAt ? `, by ${time(dueAt)}` : ''}
            </li>
          ))}
        </ul>
      ) : null}
      <dl className="mt-6 grid max-w-prose grid-cols-2 gap-x-6 gap-y-2">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-quiet">{label}</dt>
            <dd className="figures">{value}</dd>
          </div>
        ))}
      </dl>
      <section className="mt-8" aria-labelledby="holds">
        <h2 id="holds" className="text-xl">
          Holds
        </h2>
        <ul className="mt-2">
          {holds.map((hold) => (
            <li key={hold.id} className="border-b border-line py-4">
              <p className="[overflow-wrap:anywhere]">
                {hold.bookingId ? 'One booking' : 'All bookings'} since {time(hold.placedAt)}: {hold.reason}
              </p>
              <OperationForm act="release-payouts" id={hold.id} />
            </li>
          ))}
        </ul>
        {holds.some(({ bookingId }) => bookingId === null) ? null : <HoldForm vendorUserId={vendor.userId} />}
      </section>
      {debts.length > 0 ? (
        <section className="mt-8" aria-labelledby="debts">
          <h2 id="debts" className="text-xl">
            Debts
          </h2>
          <ul className="mt-2">
            {debts.map(({ bookingId, cents }) => (
              <li key={bookingId} className="border-b border-line py-4">
                <p className="price figures">{formatMoney(cents)}</p>
                <OrderForm kind="debt_paid" bookingId={bookingId} openCents={cents} />
                <OrderForm kind="write_off" bookingId={bookingId} openCents={cents} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  )
}
