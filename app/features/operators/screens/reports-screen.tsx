import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { OPERATIONS_ZONE } from '../messages.ts'
import type { ListedReport } from '../report-queries.server.ts'

const SHOWS = ['open', 'closed'] as const
const LABELS = { open: 'Open', closed: 'Closed' } as const
const EMPTY = {
  open: 'No report is open. A conversation that one of its sides reports appears here.',
  closed: 'No report has been closed yet.',
} as const

/** The reported conversations. Opening one is logged, so nothing of its messages is shown here. */
export function ReportsScreen({
  show,
  reports,
  contacts,
}: {
  show: (typeof SHOWS)[number]
  reports: readonly ListedReport[]
  /** The conversations of the last 90 days, and those with contact details in a message. */
  contacts: { conversations: number; withContacts: number }
}) {
  return (
    <>
      <h1>Reports</h1>
      <p className="figures mt-3 text-quiet">
        {contacts.conversations === 0
          ? 'No conversation in the last 90 days.'
          : `${contacts.withContacts} of ${contacts.conversations} conversations in the last 90 days have contact details in a message (${Math.round((100 * contacts.withContacts) / contacts.conversations)}%).`}
      </p>
      <nav aria-label="Filter reports" className="mt-6 flex flex-wrap gap-2">
        {SHOWS.map((name) => (
          <Link
            key={name}
            to={
              name === 'open'
                ? href('/operations/reports/:id?')
                : `${href('/operations/reports/:id?')}?show=closed`
            }
            aria-current={name === show ? 'page' : undefined}
            className="tag min-h-11 px-4 text-base aria-[current]:bg-brand aria-[current]:text-on-brand"
          >
            {LABELS[name]}
          </Link>
        ))}
      </nav>
      {reports.length === 0 ? (
        <EmptyState text={EMPTY[show]} />
      ) : (
        <ul className="mt-6 border-t border-line">
          {reports.map((report) => (
            <li key={report.id} className="relative border-b border-line py-5">
              <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
                <h2 className="min-w-0 text-lg wrap-anywhere">
                  <Link className="cover-link" to={href('/operations/reports/:id?', { id: report.id })}>
                    {report.customerName} and {report.businessName}
                  </Link>
                </h2>
                <Tag tone="neutral">{reporterText(report)}</Tag>
              </div>
              <p className="mt-2 max-w-prose wrap-anywhere">{report.reason}</p>
              <p className="figures mt-1 text-sm text-quiet">
                {formatInstant(new Date(report.createdAt), OPERATIONS_ZONE)}
              </p>
              {report.outcome ? (
                <p className="mt-2 text-sm wrap-anywhere">
                  Closed by {report.closedBy}: {report.outcome}
                </p>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The side that reported a conversation, in words. */
export const reporterText = ({ reportedBy }: Pick<ListedReport, 'reportedBy'>) =>
  reportedBy === 'customer' ? 'Reported by the customer' : 'Reported by the vendor'
