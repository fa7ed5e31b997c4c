import { href } from 'react-router'
import { formatInstant, formatMonth } from '../../../shared/dates.ts'
import { type Cents, formatMoney } from '../../../shared/money.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LEDGER_ACCOUNTS } from '../../ledger/rules.ts'
import { shareText } from '../../terms/policy-messages.ts'
import { OperationForm } from '../components/operation-form.tsx'
import type { LedgerView } from '../ledger-queries.server.ts'
import {
  ACCOUNT_LABELS,
  CHECK_LABELS,
  JOURNAL_HINT,
  LEDGER_HINT,
  NO_BALANCE,
  OPERATIONS_ZONE,
  RATES_HINT,
} from '../messages.ts'

/** The books: what is free to withdraw, the trial balance, the last proof and the rates of commission. */
export function LedgerScreen({
  ledger,
  defaultBasisPoints,
  months,
}: {
  ledger: LedgerView
  defaultBasisPoints: number
  /** The months whose journal can be downloaded, 'YYYY-MM', the newest first. */
  months: readonly string[]
}) {
  return (
    <>
      <h1>Ledger</h1>
      <p className="mt-4 max-w-prose text-quiet">{LEDGER_HINT}</p>
      <div className="mt-8 grid items-start gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className="grid gap-10">
          <Withdrawable ledger={ledger} />
          <TrialBalance balances={ledger.balances} />
          <Journal months={months} />
        </div>
        <div className="grid gap-10">
          <Proof proof={ledger.proof} />
          <Rates rates={ledger.rates} defaultBasisPoints={defaultBasisPoints} />
        </div>
      </div>
    </>
  )
}

function Withdrawable({ ledger: { withdrawable, proof } }: { ledger: LedgerView }) {
  return (
    <section aria-labelledby="free">
      <h2 id="free" className="text-xl">
        Free to withdraw
      </h2>
      {withdrawable && proof ? (
        <>
          <p className="price figures mt-3 text-2xl">{formatMoney(Math.max(0, withdrawable.freeCents))}</p>
          <dl className="mt-4 border-t border-line">
            <Row
              label={`Available at the provider, ${timeOf(proof.endedAt)}`}
              cents={withdrawable.availableCents}
            />
            {withdrawable.leftCents ? (
              <Row label="Has left since then" cents={-withdrawable.leftCents} />
            ) : null}
            <Row label="Held for customers and vendors" cents={-withdrawable.owedCents} />
            <Row label="Reserve" cents={-withdrawable.reserveCents} />
            {proof.pendingCents ? (
              <Row label="On its way there, not counted" cents={proof.pendingCents} />
            ) : null}
          </dl>
        </>
      ) : (
        <p className="mt-3">{NO_BALANCE}</p>
      )}
    </section>
  )
}

function Row({ label, cents }: { label: string; cents: Cents }) {
  return (
    <div className="flex items-baseline justify-between gap-x-6 border-b border-line py-2.5">
      <dt className="min-w-0 text-quiet">{label}</dt>
      <dd className="figures shrink-0 text-right">{formatMoney(cents)}</dd>
    </div>
  )
}

function TrialBalance({ balances }: { balances: LedgerView['balances'] }) {
  const total = LEDGER_ACCOUNTS.reduce((sum, account) => sum + balances[account], 0)
  return (
    <section aria-labelledby="balance">
      <h2 id="balance" className="text-xl">
        Trial balance
      </h2>
      <table className="figures mt-4 w-full border-t border-line text-left">
        <thead>
          <tr className="border-b border-line text-sm text-quiet">
            <th scope="col" className="py-2.5 font-normal">
              Account
            </th>
            <th scope="col" className="py-2.5 text-right font-normal">
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          {LEDGER_ACCOUNTS.map((account) => (
            <tr key={account} className="border-b border-line">
              <th scope="row" className="py-2.5 pr-4 font-normal">
                {ACCOUNT_LABELS[account]}
              </th>
              <td className="py-2.5 text-right">{formatMoney(balances[account])}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="font-semibold">
            <th scope="row" className="py-2.5">
              Sum
            </th>
            <td className="py-2.5 text-right">{formatMoney(total)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

/** The download of a month's postings. A plain form, since its answer is a file. */
function Journal({ months }: { months: readonly string[] }) {
  return (
    <section aria-labelledby="journal">
      <h2 id="journal" className="text-xl">
        Journal
      </h2>
      <p className="mt-3 max-w-prose text-quiet">{JOURNAL_HINT}</p>
      <form
        action={href('/operations/export/:list', { list: 'ledger' })}
        className="mt-4 flex flex-wrap items-end gap-x-4 gap-y-3"
      >
        <SelectField
          label="Month"
          name="show"
          className="w-full sm:w-60"
          options={[
            ...months.map((month) => ({ value: month, label: formatMonth(month) })),
            { value: 'all', label: 'All months' },
          ]}
        />
        <Button type="submit" icon={<Icon name="download" />}>
          Download CSV
        </Button>
      </form>
    </section>
  )
}

function Proof({ proof }: { proof: LedgerView['proof'] }) {
  return (
    <section aria-labelledby="proof">
      <h2 id="proof" className="text-xl">
        Last proof
      </h2>
      {proof ? (
        <>
          <p className="figures mt-3">
            {timeOf(proof.beganAt)}:{' '}
            {proof.differenceCount === 1 ? '1 difference' : `${proof.differenceCount} differences`}.
          </p>
          <div className="mt-4 grid gap-4">
            {proof.failure ? (
              <Banner tone="error" title="We couldn’t compare with the provider">
                {proof.failure}
              </Banner>
            ) : null}
            {!proof.failure && proof.differenceCount === 0 ? (
              <Banner tone="success">Every check agrees.</Banner>
            ) : null}
          </div>
          <ul className="mt-4 border-t border-line">
            {proof.checks.map(({ name, count, differences }) => (
              <li key={name} className="border-b border-line py-2.5">
                <p className="flex items-baseline justify-between gap-x-6">
                  <span className={count > 0 ? 'min-w-0 font-semibold' : 'min-w-0'}>
                    {CHECK_LABELS[name]}
                  </span>
                  <span className="figures">{count}</span>
                </p>
                {differences.length > 0 ? (
                  <ul className="figures mt-2 grid gap-1 text-sm">
                    {differences.map(({ subject, cents, detail }) => (
                      <li key={`${subject} ${detail}`} className="flex flex-wrap justify-between gap-x-6">
                        <span className="min-w-0 [overflow-wrap:anywhere]">{subject}</span>
                        <span>{formatMoney(cents)}</span>
                        {detail ? <span className="w-full text-quiet">{detail}.</span> : null}
                      </li>
                    ))}
                    {count > differences.length ? <li>and {count - differences.length} more</li> : null}
                  </ul>
                ) : null}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="mt-3">The ledger hasn’t been proved yet.</p>
      )}
      <div className="mt-4">
        <OperationForm act="prove" />
      </div>
    </section>
  )
}

function Rates({ rates, defaultBasisPoints }: { rates: LedgerView['rates']; defaultBasisPoints: number }) {
  return (
    <section aria-labelledby="rates">
      <h2 id="rates" className="text-xl">
        Commission
      </h2>
      <p className="mt-3 max-w-prose text-quiet">{RATES_HINT}</p>
      <dl className="mt-4 border-t border-line">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 border-b border-line py-2.5">
          <dt>All others</dt>
          <dd className="figures">{shareText(defaultBasisPoints)}</dd>
        </div>
        {rates.map((rate) => (
          <div
            key={rate.id}
            className="flex flex-wrap items-baseline justify-between gap-x-6 border-b border-line py-2.5"
          >
            <dt className="min-w-0 [overflow-wrap:anywhere]">
              {rate.of}
              <span className="figures block text-sm text-quiet">from {timeOf(rate.validFrom)}</span>
            </dt>
            <dd className="figures">{shareText(rate.basisPoints)}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 grid gap-1">
        <OperationForm act="set-category-rate" />
        <OperationForm act="set-vendor-rate" />
      </div>
    </section>
  )
}

const timeOf = (iso: string) => formatInstant(new Date(iso), OPERATIONS_ZONE)
