import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { Tag } from '../../../ui/tag.tsx'
import { ACCOUNT_STATE_LABELS, requirementText } from '../../payouts/messages.ts'
import type { VendorPayouts } from '../../payouts/operator-queries.server.ts'
import { shareText } from '../../terms/policy-messages.ts'
import { OPERATIONS_ZONE } from '../messages.ts'
import { Fact } from './fact.tsx'
import { OperationForm } from './operation-form.tsx'
import { HoldForm, OrderForm } from './payout-forms.tsx'

const time = (iso: string) => formatInstant(new Date(iso), OPERATIONS_ZONE)

/** A vendor's payout account, what is held and owed, their holds, debts and rate. */
export function VendorMoney({ money, cancellations }: { money: VendorPayouts; cancellations: number }) {
  const { account, holds, debts } = money
  const isStopped = account?.state === 'rejected' || account?.state === 'restricted'
  return (
    <section aria-labelledby="money" className="min-w-0">
      <h2 id="money" className="text-xl">
        Money
      </h2>
      <p className="mt-3 flex flex-wrap gap-2">
        <Tag tone={isStopped ? 'error' : 'neutral'}>{ACCOUNT_STATE_LABELS[account?.state ?? 'none']}</Tag>
        {account?.bankLast4 ? <Tag>bank ending in {account.bankLast4}</Tag> : null}
      </p>
      {account?.requirements.length ? (
        <ul className="mt-3 list-disc pl-6">
          {account.requirements.map(({ code, dueAt }) => (
            <li key={code} className="wrap-anywhere">
              {requirementText(code)} ({code}){dueAt ? `, by ${time(dueAt)}` : ''}
            </li>
          ))}
        </ul>
      ) : null}
      <dl className="mt-4 border-t border-line">
        <Fact label="Held until events are over">{formatMoney(money.heldCents)}</Fact>
        <Fact label="Earned and not sent">{formatMoney(money.payableCents)}</Fact>
        <Fact label="Owed to us">{formatMoney(money.owedCents)}</Fact>
        <Fact label="Paid to their bank">{formatMoney(money.paidCents)}</Fact>
        <Fact label="Commission so far">{formatMoney(money.commissionCents)}</Fact>
        <Fact label="Commission rate">
          {money.ownRate === null ? 'By category' : shareText(money.ownRate)}
        </Fact>
        <Fact label="Approved bookings cancelled in 12 months">{cancellations}</Fact>
      </dl>
      <ul>
        {holds.map((hold) => (
          <li key={hold.id} className="border-b border-line py-4">
            <p className="wrap-anywhere">
              {hold.bookingId ? 'One booking' : 'All bookings'} held since {time(hold.placedAt)}:{' '}
              {hold.reason}
            </p>
            <OperationForm act="release-payouts" id={hold.id} />
          </li>
        ))}
      </ul>
      {holds.some(({ bookingId }) => bookingId === null) ? null : <HoldForm vendorUserId={money.userId} />}
      {debts.length > 0 ? <Debts debts={debts} /> : null}
    </section>
  )
}

function Debts({ debts }: { debts: VendorPayouts['debts'] }) {
  return (
    <>
      <h3 className="mt-4 text-lg">Debts</h3>
      <ul className="mt-2">
        {debts.map(({ bookingId, cents }) => (
          <li key={bookingId} className="border-b border-line py-4">
            <p className="price figures">{formatMoney(cents)}</p>
            <OrderForm kind="debt_paid" bookingId={bookingId} openCents={cents} />
            <OrderForm kind="write_off" bookingId={bookingId} openCents={cents} />
          </li>
        ))}
      </ul>
    </>
  )
}
