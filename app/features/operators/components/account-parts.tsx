import { isPlaceholderEmail } from '../../../shared/placeholder-email.ts'
import { Tag } from '../../../ui/tag.tsx'
import { PROBLEM_LABELS } from '../../registrations/register-messages.ts'
import type { OperatorAccount } from '../account-queries.server.ts'
import { OperationForm } from './operation-form.tsx'
import { SeeAsForm } from './see-as-form.tsx'

/** The tags of an account that is disabled, deactivated, denied by the register, or without a verified email. */
export function AccountTags({ account }: { account: OperatorAccount }) {
  return (
    <p className="flex flex-wrap gap-2">
      {account.isDisabled ? <Tag tone="error">disabled</Tag> : null}
      {account.registerProblem ? <Tag tone="error">{PROBLEM_LABELS[account.registerProblem]}</Tag> : null}
      {account.isDeactivated ? <Tag tone="neutral">deactivated</Tag> : null}
      {account.emailVerified ? null : (
        <Tag tone="neutral">{isPlaceholderEmail(account.email) ? 'email removed' : 'email not verified'}</Tag>
      )}
    </p>
  )
}

/** Enabling or disabling an account, and seeing the site as its person. Operators and oneself are exempt. */
export function AccountOperations({ account, isOwn }: { account: OperatorAccount; isOwn: boolean }) {
  const isExempt = isOwn || account.isOperator
  return (
    <>
      {account.isDisabled ? (
        <OperationForm act="enable-account" id={account.id} />
      ) : isExempt ? (
        <p className="text-sm text-quiet">{isOwn ? 'This is you.' : 'This is an operator.'}</p>
      ) : (
        <OperationForm act="disable-account" id={account.id} />
      )}
      {isExempt ? null : <SeeAsForm id={account.id} name={account.name} />}
    </>
  )
}
