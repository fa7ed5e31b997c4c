import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/banner.tsx'
import { MessageThread } from '../../enquiries/components/message-thread.tsx'
import type { ConversationView } from '../../enquiries/rules.ts'
import { OperationForm } from '../components/operation-form.tsx'
import { OPERATIONS_ZONE } from '../messages.ts'
import type { ListedReport } from '../report-queries.server.ts'
import { reporterText } from './reports-screen.tsx'

/** One reported conversation with its messages, and the form that closes the report. */
export function ReportScreen({
  report,
  conversation,
  now,
}: {
  report: ListedReport
  conversation: ConversationView
  now: string
}) {
  const { businessName, customerName } = conversation
  return (
    <div className="max-w-[860px]">
      <p>
        <Link className="link" to={href('/operations/reports/:id?')}>
          All reports
        </Link>
      </p>
      <h1 className="mt-3 text-3xl wrap-anywhere">
        {customerName} and {businessName}
      </h1>
      <div className="mt-6">
        <Banner title={reporterText(report)}>
          <p className="wrap-anywhere">{report.reason}</p>
          <p className="figures mt-1 text-sm text-quiet">
            {formatInstant(new Date(report.createdAt), OPERATIONS_ZONE)}
          </p>
        </Banner>
      </div>
      <p className="mt-4 text-sm text-quiet">
        Messages on the right are the customer’s. The log records that you opened this conversation.
      </p>
      <div className="mt-4 border-y border-line">
        <MessageThread
          conversation={conversation}
          token={conversation.id}
          path={href('/operations/reports/:id?', { id: report.id })}
          ownName={customerName}
          now={now}
          timeZone={OPERATIONS_ZONE}
        />
      </div>
      <div className="mt-6">
        {report.outcome ? (
          <p className="wrap-anywhere">
            Closed by {report.closedBy}: {report.outcome}
          </p>
        ) : (
          <OperationForm act="close-report" id={report.id} />
        )}
      </div>
    </div>
  )
}
