import { href, Link } from 'react-router'
import { formatDay, formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { type ChartColumn, ChartTable, Plot } from '../../../ui/chart.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { axisMoney, shortDay } from '../../bookings/insights/messages.ts'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import { FirstTasks } from '../components/first-tasks.tsx'
import { useMayOpen } from '../components/operator-role.tsx'
import { NOTHING_OVERDUE, OPERATIONS_ZONE, REFUNDED_UNIT, VOLUME_UNIT, volumeFinding } from '../messages.ts'
import type { Volume, Workload } from '../overview-queries.server.ts'
import type { JobHealth } from '../rules.ts'
import type { OperatorTask } from '../task-rules.ts'

/** One number of the overview, with the list that it counts. */
type Figure = { label: string; count: number; to: string }

/** The tasks about vendors' money, those of them that are past their limit, and the vendors who have to act. */
type PayoutTaskCounts = { tasks: number; pastLimit: number; paused: number; returned: number } | null

/** The operators' first screen: what to do first, what is late, what waits, what is new, the paid volume, and the health of jobs. */
export function OverviewScreen({
  tasks,
  ownId,
  now,
  workload,
  volume,
  jobs,
  ordersWaiting,
  payoutTasks,
}: {
  tasks: readonly OperatorTask[]
  /** The account of the operator who looks. */
  ownId: string
  /** ISO 8601. */
  now: string
  workload: Workload
  /** Null for a role that may not see sums over all vendors. */
  volume: Volume | null
  jobs: readonly JobHealth[]
  /** Orders that wait for a second person. */
  ordersWaiting: number
  /** Null without payouts, or for a role that may not see them. */
  payoutTasks: PayoutTaskCounts
}) {
  useLiveUpdates(['operations'])
  const mayOpen = useMayOpen()
  const shown = (figures: Figure[]) =>
    figures.filter(({ count, to }) => count > 0 && mayOpen(to.replace(/[?#].*/, '')))
  const overdue = shown(overdueFigures(workload, { jobs, payoutTasks }))
  const waiting = shown(waitingFigures(workload, { ordersWaiting, payoutTasks }))
  const fresh = shown(newFigures(workload))
  return (
    <div className="grid grid-cols-1 gap-12">
      <div>
        <h1>Overview</h1>
        <FirstTasks tasks={tasks} ownId={ownId} now={new Date(now)} />
      </div>
      <div>
        {overdue.length > 0 ? (
          <Figures title="Overdue" figures={overdue} isOverdue />
        ) : (
          <p className="flex items-center gap-2">
            <Icon name="circle-check" />
            {NOTHING_OVERDUE}
          </p>
        )}
      </div>
      <Figures title="Waiting" figures={waiting} empty="Nothing waits for an operator." />
      <Figures title="New in the last 7 days" figures={fresh} empty="No new listings or accounts." />
      {volume ? <VolumeCharts volume={volume} /> : null}
      <Health jobs={jobs} workload={workload} />
    </div>
  )
}

function overdueFigures(
  workload: Workload,
  { jobs, payoutTasks }: { jobs: readonly JobHealth[]; payoutTasks: PayoutTaskCounts },
): Figure[] {
  return [
    {
      label: 'Vendor answers overdue',
      count: workload.answersOverdue,
      to: `${href('/operations/bookings')}?show=overdue`,
    },
    {
      label: 'Refunds failing or overdue',
      count: workload.refundsFailing,
      to: `${href('/operations/payments')}?show=failing`,
    },
    {
      label: 'Disputes due within 3 days',
      count: workload.disputesDue,
      to: href('/operations/disputes/:id?'),
    },
    {
      label: 'Money held past its limit',
      count: payoutTasks?.pastLimit ?? 0,
      to: href('/operations/payouts'),
    },
    {
      label: 'Payments stuck',
      count: workload.paymentsStuck,
      to: `${href('/operations/payments')}?show=stuck`,
    },
    {
      label: 'Reports open for over a day',
      count: workload.reportsLate,
      to: href('/operations/reports/:id?'),
    },
    {
      label: 'Types of jobs that failed',
      count: jobs.filter(({ failed }) => failed > 0).length,
      to: `${href('/operations')}#health`,
    },
    {
      label: 'Webhooks not processed',
      count: workload.webhooksLate,
      to: `${href('/operations/payments')}?show=stuck`,
    },
  ]
}

function waitingFigures(
  workload: Workload,
  { ordersWaiting, payoutTasks }: { ordersWaiting: number; payoutTasks: PayoutTaskCounts },
): Figure[] {
  const payments = href('/operations/payments')
  return [
    {
      label: 'Bookings waiting for vendors',
      count: workload.answersWaiting,
      to: `${href('/operations/bookings')}?show=waiting`,
    },
    { label: 'Orders for a second person', count: ordersWaiting, to: payments },
    { label: 'Refunds due', count: workload.refundsDue, to: `${payments}?show=due` },
    { label: 'Balances unpaid', count: workload.balancesUnpaid, to: `${payments}?show=unpaid` },
    { label: 'Disputes to answer', count: workload.disputesOpen, to: href('/operations/disputes/:id?') },
    { label: 'Payouts to look at', count: payoutTasks?.tasks ?? 0, to: href('/operations/payouts') },
    {
      label: 'Vendors whose payouts are paused',
      count: payoutTasks?.paused ?? 0,
      to: `${href('/operations/payouts')}#stopped`,
    },
    {
      label: 'Payouts that a bank returned',
      count: payoutTasks?.returned ?? 0,
      to: `${href('/operations/payouts')}#stopped`,
    },
    { label: 'Reviews to moderate', count: workload.reviewsWaiting, to: href('/operations/reviews') },
    { label: 'Reports to read', count: workload.reportsOpen, to: href('/operations/reports/:id?') },
    {
      label: 'ABNs that the register denies',
      count: workload.registrationsDenied,
      to: `${href('/operations/accounts')}?show=register`,
    },
  ]
}

function newFigures(workload: Workload): Figure[] {
  const accounts = href('/operations/accounts')
  return [
    {
      label: 'Listings',
      count: workload.newListings,
      to: `${href('/operations/listings')}?show=new`,
    },
    { label: 'Registrations', count: workload.newRegistrations, to: `${accounts}?show=registered` },
    { label: 'Accounts', count: workload.newAccounts, to: `${accounts}?show=new` },
  ]
}

function Figures({
  title,
  figures,
  empty,
  isOverdue,
}: {
  title: string
  figures: readonly Figure[]
  empty?: string
  isOverdue?: boolean
}) {
  return (
    <section>
      <h2 className="text-xl">{title}</h2>
      {figures.length === 0 ? (
        <p className="mt-2 text-quiet">{empty}</p>
      ) : (
        <ul className="mt-4 grid grid-cols-1 gap-x-8 border-t border-line sm:grid-cols-2 lg:grid-cols-3">
          {figures.map(({ label, count, to }) => (
            <li key={label} className="relative flex items-baseline gap-4 border-b border-line py-3.5">
              <span className={`price figures min-w-14 text-2xl ${isOverdue ? 'text-error' : ''}`}>
                {count.toLocaleString('en-AU')}
              </span>
              <Link className="cover-link min-w-0" to={to}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The paid volume by day, and beside it what went back. */
function VolumeCharts({ volume: { days, paid, refunded } }: { volume: Volume }) {
  const sum = (of: (day: Volume['days'][number]) => number) => days.reduce((all, day) => all + of(day), 0)
  const paidCents = sum((day) => day.paidCents)
  const refundedCents = sum((day) => day.refundedCents)
  const charts = [
    { unit: VOLUME_UNIT, finding: volumeFinding('paid', paidCents), chart: paid },
    { unit: REFUNDED_UNIT, finding: volumeFinding('refunded', refundedCents), chart: refunded },
  ]
  return (
    <section className="min-w-0 border-t border-line pt-5">
      <div className="grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-2">
        {charts.map(({ unit, finding, chart }) => (
          <div key={unit} className="min-w-0">
            <h2 className="text-lg">{finding}</h2>
            <p className="mt-1 text-sm text-quiet">{unit}</p>
            <Plot
              isSmall
              name={`${unit} ${finding}.`}
              axis={chart.axis}
              labelOf={(dollars) => axisMoney(dollars * 100)}
              columns={dayColumns(days)}
              over={null}
            >
              {chart.bars.map(([bar], at) =>
                bar && bar.height > 0 ? <rect key={days[at]?.day} className="chart-bar" {...bar} /> : null,
              )}
            </Plot>
          </div>
        ))}
      </div>
      <ChartTable
        caption="Paid and refunded by day"
        head={['Day', 'Payments', 'Paid', 'Refunded']}
        rows={days
          .toReversed()
          .map((day) => [
            formatDay(day.day),
            String(day.payments),
            formatMoney(day.paidCents),
            formatMoney(day.refundedCents),
          ])}
      />
    </section>
  )
}

const DAYS_A_LABEL = 7

/** Labels today and each week before it. */
function dayColumns(days: Volume['days']): ChartColumn[] {
  const last = days.length - 1
  return days.map(({ day }, index) => ({
    key: day,
    label: (last - index) % DAYS_A_LABEL === 0 ? shortDay(day) : '',
    below: null,
    isNow: index === last,
  }))
}

/** The queues of jobs, and the messages of the payment provider. */
function Health({ jobs, workload }: { jobs: readonly JobHealth[]; workload: Workload }) {
  const { lastWebhookAt, webhooksLate } = workload
  return (
    <section id="health" className="scroll-mt-24">
      <h2 className="text-xl">Jobs and webhooks</h2>
      <p className="figures mt-2 flex flex-wrap items-center gap-2">
        {lastWebhookAt
          ? `The payment provider’s last message came on ${formatInstant(new Date(lastWebhookAt), OPERATIONS_ZONE)}.`
          : 'The payment provider hasn’t sent a message yet.'}
        {webhooksLate > 0 ? (
          <Tag tone="error">{webhooksLate} not processed</Tag>
        ) : (
          <Tag tone="success">all processed</Tag>
        )}
      </p>
      {jobs.length === 0 ? (
        <p className="mt-2 text-quiet">No jobs are waiting, running or failed.</p>
      ) : (
        <section
          className="mt-4 overflow-x-auto"
          aria-label="Jobs by name"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
          tabIndex={0}
        >
          <table className="figures w-full max-w-prose border-t border-line text-left text-sm">
            <thead>
              <tr>
                {['Job', 'Waiting', 'Running', 'Failed'].map((head) => (
                  <th key={head} scope="col" className="py-2.5 pr-4 font-normal text-quiet">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {jobs.map((job) => (
                <tr key={job.name} className="border-t border-line">
                  <th scope="row" className="py-2 pr-4 font-normal">
                    {job.name}
                  </th>
                  <td>{job.waiting}</td>
                  <td>{job.running}</td>
                  <td>{job.failed > 0 ? <Tag tone="error">{job.failed}</Tag> : 0}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}
