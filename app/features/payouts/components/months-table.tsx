import type { CSSProperties } from 'react'

import { type Cents, formatMoney } from '../../../shared/money.ts'
import { classNames } from '../../../ui/class-names.ts'
import { shortMonth } from '../earning-messages.ts'
import type { EarningMonth } from '../earning-rules.ts'
import './months-table.css'

/** The vendor's money by month: a table whose amounts have bars. */
export function MonthsTable({ months, thisMonth }: { months: readonly EarningMonth[]; thisMonth: string }) {
  const mostCents = Math.max(
    1,
    ...months.flatMap(({ sentCents, expectedCents }) => [sentCents, expectedCents]),
  )
  const share = (cents: Cents) => (cents / mostCents) * 100
  return (
    <table className="months text-sm">
      <caption className="unseen">Sent and expected by month</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="unseen">Month</span>
          </th>
          <th scope="col">
            <span className="unseen">Amount</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, sentCents, expectedCents }) => (
          <tr key={month} data-now={month === thisMonth ? '' : undefined}>
            <th scope="row">
              <time dateTime={month}>{shortMonth(month)}</time>
            </th>
            <td>
              {sentCents > 0 || (expectedCents === 0 && month <= thisMonth) ? (
                <Amount cents={sentCents} share={share(sentCents)} />
              ) : null}
              {expectedCents > 0 || (sentCents === 0 && month > thisMonth) ? (
                <Amount cents={expectedCents} share={share(expectedCents)} isExpected />
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Amount({ cents, share, isExpected }: { cents: Cents; share: number; isExpected?: boolean }) {
  return (
    <div className="month-amounts">
      {cents > 0 ? (
        <span
          aria-hidden="true"
          className={classNames('month-bar', isExpected && 'month-bar-expected')}
          style={{ '--share': share.toFixed(1) } as CSSProperties}
        />
      ) : (
        <span />
      )}
      {cents > 0 ? (
        <span className="figures">
          {formatMoney(cents)}
          <span className="unseen">{isExpected ? ' expected' : ' sent'}</span>
        </span>
      ) : (
        <span className="text-quiet">
          <span aria-hidden="true">–</span>
          <span className="unseen">nothing</span>
        </span>
      )}
    </div>
  )
}
