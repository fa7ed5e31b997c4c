import { formatInstant } from '../../../shared/dates.ts'
import type { ShownAccount } from '../../payments/refund-account-commands.server.ts'
import { OPERATIONS_ZONE } from '../messages.ts'
import { OperationForm } from './operation-form.tsx'

/** The account for a refund that came back: masked, until the operator who pays opens it, and since when it stands. */
export function RefundAccountNote({
  refundId,
  account,
}: {
  refundId: string
  /** Null until the customer has named one. */
  account: ShownAccount | null
}) {
  if (!account) return <p>The customer hasn’t named an account yet.</p>
  const given = formatInstant(new Date(account.givenAt), OPERATIONS_ZONE)
  return (
    <>
      <p className="figures [overflow-wrap:anywhere]">
        {account.opened ? (
          <>
            Send it to <strong>{account.opened}</strong>. This is shown for ten minutes.
          </>
        ) : (
          `The customer wants it sent to their ${account.masked}${account.isReplaced ? '.' : `, as of ${given}.`}`
        )}
        {account.isReplaced ? ` It was replaced on ${given}.` : null}
      </p>
      {account.opened ? null : <OperationForm act="open-refund-account" id={refundId} />}
    </>
  )
}
