import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { formatMonth, type LocalDate } from '../../../shared/dates.ts'
import { type Cents, formatMoney } from '../../../shared/money.ts'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink, buttonClass } from '../../../ui/button.tsx'
import { DrawnPicture } from '../../../ui/drawn-picture.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { HelpLink } from '../../../ui/help-link.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import { EarningsTable } from '../components/earnings-table.tsx'
import { MonthsTable } from '../components/months-table.tsx'
import { longDay, nextPayoutSource, nextPayoutText, owedText, PAYOUTS_TITLE } from '../earning-messages.ts'
import type { EarningList, EarningSums } from '../earning-queries.server.ts'
import type { Earning, EarningMonth, NextPayout } from '../earning-rules.ts'
import { neededByText, SETUP_BANNERS } from '../setup-messages.ts'
import type { SetupState } from '../setup-rules.ts'

type Props = {
  today: LocalDate
  setup: { state: SetupState; bankLast4: string | null; dueOn: LocalDate | null; acceptBy: LocalDate | null }
  sums: EarningSums
  /** null while nothing is on its way or expected. */
  next: NextPayout | null
  months: readonly EarningMonth[]
  /** The months that have a statement, newest first. */
  statements: readonly string[]
  list: EarningList
  earnings: readonly Earning[]
  /** The cursor of the following page. */
  nextPage: string | null
  isFirstPage: boolean
  delayHours: number
  /** The vendor's taxes; null before their first document. */
  tax: ReactNode
}

/** The vendor's money: what comes next and when, where all of it is, by booking and by month. */
export function PayoutsScreen(props: Props) {
  const { sums, statements, list, earnings, isFirstPage, tax } = props
  useLiveUpdates(['payouts'])
  const isEmpty = statements.length === 0 && earnings.length === 0 && list === 'coming' && isFirstPage
  return (
    <>
      <h1 className="text-3xl md:text-4xl">{PAYOUTS_TITLE}</h1>
      <div className="mt-6 grid grid-cols-1 gap-8">
        <SetupBanner {...props} />
        {sums.owedCents > 0 ? (
          <Banner title={`You owe ${formatMoney(sums.owedCents)}`}>
            <p className="max-w-prose">{owedText(formatMoney(sums.owedCents))}</p>
          </Banner>
        ) : null}
        {isEmpty ? (
          <EmptyState
            illustration={<DrawnPicture picture="empty-bookings/dashboard" />}
            title="No money yet"
            text={`Customers pay when they book. Your share leaves ${hoursText(props.delayHours)} after the event, and you follow it here.`}
          />
        ) : (
          <>
            <Overview {...props} />
            <Bookings {...props} />
          </>
        )}
        {tax}
        <HelpLink article="payouts" part="when-money-leaves">
          How payouts work
        </HelpLink>
      </div>
    </>
  )
}

function hoursText(hours: number): string {
  return hours === 1 ? '1 hour' : `${hours} hours`
}

/** Says what the vendor has to do before money can leave. */
function SetupBanner({ setup, today }: Props) {
  const banner = SETUP_BANNERS[setup.state]
  if (!banner) return null
  const dueOn = setup.state === 'agreement_changed' ? setup.acceptBy : setup.dueOn
  return (
    <Banner
      tone={banner.tone}
      title={banner.title}
      action={
        banner.action ? (
          <ButtonLink
            variant={banner.isMain ? 'primary' : 'secondary'}
            className="col-span-full mt-2 sm:col-auto sm:mt-0 sm:self-center"
            to={href('/dashboard/payouts/setup')}
          >
            {banner.action}
          </ButtonLink>
        ) : null
      }
    >
      <p className="max-w-prose">
        {banner.text}
        {neededByText(dueOn, today)}
      </p>
    </Banner>
  )
}

function Overview({ next, sums, setup, months, statements, today, delayHours }: Props) {
  return (
    <div className="grid grid-cols-1 gap-x-12 gap-y-8 lg:grid-cols-2">
      <div className="grid grid-cols-1 content-start gap-8">
        <section aria-labelledby="next-payout">
          <h2 id="next-payout" className="text-lg">
            Next payout
          </h2>
          {next ? (
            <>
              <p className="price mt-1 text-4xl [overflow-wrap:anywhere]">{formatMoney(next.cents)}</p>
              <p className="mt-2 max-w-prose">{nextPayoutText(next, setup.bankLast4, today)}</p>
              <p className="mt-1 text-sm text-quiet [overflow-wrap:anywhere]">
                {nextPayoutSource(next, today)}
              </p>
            </>
          ) : (
            <p className="mt-2 max-w-prose text-quiet">
              Nothing is on its way. Your share of a booking leaves {hoursText(delayHours)} after its event,
              once you’ve approved it.
            </p>
          )}
        </section>
        <Sums sums={sums} today={today} />
      </div>
      <section aria-labelledby="by-month">
        <h2 id="by-month" className="text-lg">
          By month
        </h2>
        <p className="mt-1 mb-3 flex flex-wrap gap-x-5 text-sm text-quiet">
          <span className="inline-flex items-center gap-2">
            <span aria-hidden="true" className="month-bar month-key" />
            Sent to you
          </span>
          <span className="inline-flex items-center gap-2">
            <span aria-hidden="true" className="month-bar month-bar-expected month-key" />
            Expected from your bookings
          </span>
        </p>
        <MonthsTable months={withMoney(months, today.slice(0, 7))} thisMonth={today.slice(0, 7)} />
        <Statements statements={statements} />
      </section>
    </div>
  )
}

/** The months from the first with money to the last, and always the current one. */
function withMoney(months: readonly EarningMonth[], thisMonth: string): readonly EarningMonth[] {
  const isShown = ({ month, sentCents, expectedCents }: EarningMonth) =>
    month === thisMonth || sentCents > 0 || expectedCents > 0
  return months.slice(months.findIndex(isShown), months.findLastIndex(isShown) + 1)
}

function Sums({ sums, today }: { sums: EarningSums; today: LocalDate }) {
  return (
    <dl className="border-t border-line">
      <Sum label="Held until your events" note="Before commission" cents={sums.heldCents} />
      {sums.disputedCents > 0 ? (
        <Sum label="Disputed" note="With a customer’s bank" cents={sums.disputedCents} />
      ) : null}
      <Sum label="Earned and on its way" note="After commission" cents={sums.onItsWayCents} />
      <Sum
        label="At your bank"
        note={`Since ${longDay(sums.since, today).replace(/^\w+ /, '')}`}
        cents={sums.atBankCents}
      />
      {sums.owedCents > 0 ? (
        <Sum label="You owe" note="Kept from your next payouts" cents={sums.owedCents} />
      ) : null}
    </dl>
  )
}

function Sum({ label, note, cents }: { label: string; note: string; cents: Cents }) {
  return (
    <div className="flex items-baseline justify-between gap-x-4 border-b border-line py-3">
      <dt>
        {label}
        <span className="block text-sm text-quiet">{note}</span>
      </dt>
      <dd className="price flex-none text-lg">{formatMoney(cents)}</dd>
    </div>
  )
}

function Statements({ statements }: { statements: readonly string[] }) {
  if (statements.length === 0) return null
  return (
    <details className="mt-4">
      <summary className="link inline-flex min-h-11 items-center font-medium">Monthly statements</summary>
      <ul className="grid grid-cols-1 sm:grid-cols-2">
        {statements.map((month) => (
          <li key={month}>
            <a
              className="link inline-flex min-h-11 items-center gap-2.5"
              href={href('/dashboard/payouts/:resource', { resource: `statement-${month}.pdf` })}
              target="_blank"
              rel="noreferrer"
            >
              <Icon name="file-text" className="size-5" />
              {formatMonth(month)} <span className="unseen">statement, PDF</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

const NOTHING = {
  coming: 'No bookings with money to come.',
  past: 'No events are over yet. Bookings move here once their money is at your bank.',
} as const satisfies Record<EarningList, string>

function Bookings({ list, earnings, nextPage, isFirstPage, today }: Props) {
  const address = href('/dashboard/payouts')
  const here = list === 'past' ? `${address}?show=past` : address
  return (
    <section aria-labelledby="by-booking" id="bookings">
      <h2 id="by-booking" className="text-lg">
        By booking
      </h2>
      <div className="mt-2 flex flex-wrap items-end gap-x-6 gap-y-2 border-b border-line">
        <nav aria-label="Bookings shown" className="tabs grow border-b-0">
          <ListLink to={address} isCurrent={list === 'coming'} label="To come" />
          <ListLink to={`${address}?show=past`} isCurrent={list === 'past'} label="Past" />
        </nav>
        <a
          className={buttonClass({ variant: 'quiet' })}
          href={href('/dashboard/payouts/:resource', { resource: 'bookings.csv' })}
          download
        >
          <Icon name="download" />
          <span>
            <span className="hidden sm:inline">Download </span>CSV
          </span>
        </a>
      </div>
      {earnings.length > 0 ? (
        <EarningsTable
          caption={list === 'past' ? 'Past bookings and their money' : 'Bookings with money to come'}
          earnings={earnings}
          today={today}
        />
      ) : (
        <p className="mt-4 text-quiet">{NOTHING[list]}</p>
      )}
      {nextPage || !isFirstPage ? (
        <nav aria-label="Pages" className="pagination">
          {isFirstPage ? null : (
            <Link to={here} preventScrollReset>
              Back to the first
            </Link>
          )}
          {nextPage ? (
            <Link
              to={`${here}${list === 'past' ? '&' : '?'}after=${encodeURIComponent(nextPage)}`}
              rel="next"
              preventScrollReset
            >
              Next
            </Link>
          ) : null}
        </nav>
      ) : null}
    </section>
  )
}

function ListLink({ to, isCurrent, label }: { to: string; isCurrent: boolean; label: string }) {
  return (
    <Link to={to} aria-current={isCurrent ? 'page' : undefined} preventScrollReset>
      {label}
    </Link>
  )
}
