import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/banner.tsx'
import { MessageThread } from '../../enquiries/components/message-thread.tsx'
import { ListingOperation } from '../components/listing-operation.tsx'
import { OperationForm } from '../components/operation-form.tsx'
import { HoldForm } from '../components/payout-forms.tsx'
import { OPERATIONS_ZONE } from '../messages.ts'
import type { OpenedReport } from '../report-commands.server.ts'
import { reporterText } from './reports-screen.tsx'

const time = (iso: string) => formatInstant(new Date(iso), OPERATIONS_ZONE)

/** One reported conversation with its messages, and what an operator can do about it. */
export function ReportScreen({
  report,
  conversation,
  vendorUserId,
  listing,
  letters,
  letterKey,
  now,
}: OpenedReport & {
  /** Names the next letter, so that a form that is sent twice writes once. */
  letterKey: string
  /** ISO 8601. */
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
          <p className="figures mt-1 text-sm text-quiet">{time(report.createdAt)}</p>
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
      <Letters letters={letters} />
      <div className="mt-6 grid gap-1">
        {report.outcome ? (
          <p className="wrap-anywhere">
            Closed by {report.closedBy}: {report.outcome}
          </p>
        ) : (
          <>
            <OperationForm act="warn-side" id={report.id} values={{ key: letterKey }} />
            <OperationForm act="write-to-both" id={report.id} values={{ key: letterKey }} />
            {listing ? <ListingOperation id={listing.id} hiddenBy={listing.hiddenBy} isNamed /> : null}
            <HoldForm vendorUserId={vendorUserId} />
            <OperationForm act="close-report" id={report.id} />
          </>
        )}
        <p>
          <Link
            className="link inline-flex min-h-11 items-center"
            to={href('/operations/vendors/:id', { id: vendorUserId })}
          >
            Everything about the vendor
          </Link>
        </p>
      </div>
    </div>
  )
}

/** The letters that operators have written to the sides. */
function Letters({ letters }: { letters: OpenedReport['letters'] }) {
  if (letters.length === 0) return null
  return (
    <ul className="mt-6 border-t border-line">
      {letters.map(({ id, kind, sentTo, body, sentBy, sentAt }) => (
        <li key={id} className="border-b border-line py-3">
          <p className="font-semibold">
            {kind === 'warning' ? `Warning to the ${sentTo}` : 'Message to both sides'}
          </p>
          <p className="mt-1 max-w-prose whitespace-pre-line wrap-anywhere">{body}</p>
          <p className="figures mt-1 text-sm text-quiet wrap-anywhere">
            {sentBy}, {time(sentAt)}
          </p>
        </li>
      ))}
    </ul>
  )
}
