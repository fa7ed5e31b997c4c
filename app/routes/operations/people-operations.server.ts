import type { BookingDeps } from '../../features/bookings/deps.server.ts'
import { disableAccount, enableAccount } from '../../features/operators/account-commands.server.ts'
import type { OperationAnswer } from '../../features/operators/components/operation-form.tsx'
import { hideListing, showHiddenListing } from '../../features/operators/listing-commands.server.ts'
import type { Operator } from '../../features/operators/log-commands.server.ts'
import { NAMING_REFUSALS, NAMING_WAITS, STILL_HIDDEN } from '../../features/operators/messages.ts'
import { listNamedEmails } from '../../features/operators/named-admin-queries.server.ts'
import {
  changeRole,
  nameOperator,
  removeOperator,
  settleNaming,
} from '../../features/operators/people-commands.server.ts'
import { closeReport } from '../../features/operators/report-commands.server.ts'
import { moderateReview } from '../../features/operators/review-commands.server.ts'
import { enquiryDeps } from '../../services/deps.server.ts'
import type { Services } from '../../services.server.ts'
import { answerOf, type OperationOf } from './operation-answers.server.ts'
import type { SignedInOperator } from './operator.server.ts'

type ModerationOperation = OperationOf<
  'approve-review' | 'reject-review' | 'hide-listing' | 'show-listing' | 'close-report'
>

/** Decides about a review, shows or hides a listing, or closes the report of a conversation. */
export async function carryOutModeration(
  services: Services,
  deps: BookingDeps,
  operation: ModerationOperation,
  operator: Operator,
): Promise<OperationAnswer> {
  switch (operation.intent) {
    case 'approve-review':
      return answerOf(
        await moderateReview(deps, {
          operator,
          reviewId: operation.id,
          seen: operation.seen,
          decision: 'approve',
        }),
        'Review approved',
      )
    case 'reject-review':
      return answerOf(
        await moderateReview(deps, {
          operator,
          reviewId: operation.id,
          seen: operation.seen,
          decision: 'reject',
          reason: operation.reason,
        }),
        'Review rejected',
      )
    case 'hide-listing':
      return answerOf(
        await hideListing(deps, { operator, businessId: operation.id, reason: operation.reason }),
        'Listing hidden',
      )
    case 'show-listing': {
      const outcome = await showHiddenListing(deps, { operator, businessId: operation.id })
      const by = outcome.ok ? outcome.stillHiddenBy : null
      return answerOf(outcome, by ? STILL_HIDDEN[by] : 'Listing shown')
    }
    case 'close-report':
      return answerOf(
        await closeReport(enquiryDeps(services), {
          operator,
          reportId: operation.id,
          outcome: operation.reason,
          block: operation.block || null,
        }),
        'Report closed',
      )
  }
}

/** Disables or enables an account. Refuses operators' accounts, and one's own. */
export async function carryOutAccount(
  services: Services,
  deps: BookingDeps,
  operation: OperationOf<'disable-account' | 'enable-account'>,
  operator: SignedInOperator,
): Promise<OperationAnswer> {
  switch (operation.intent) {
    case 'disable-account':
      return answerOf(
        await disableAccount(deps, {
          operator,
          userId: operation.id,
          reason: operation.reason,
          // An admin may disable an account that the settings name: no other button can stop it.
          protectedEmails:
            operator.role === 'admin'
              ? new Set()
              : await listNamedEmails(services.db, services.config.operatorEmails),
          adminEmails: services.config.operatorEmails,
        }),
        'Account disabled',
      )
    case 'enable-account':
      return answerOf(await enableAccount(deps, { operator, userId: operation.id }), 'Account enabled')
  }
}

type NamingOperation = OperationOf<
  'name-operator' | 'change-role' | 'remove-operator' | 'confirm-naming' | 'drop-naming'
>

/** Names an operator, changes their role, or removes it. Confirms or drops a role that waits for a second admin. */
export async function carryOutNaming(
  operation: NamingOperation,
  operator: Operator,
  { config, db, jobs, liveUpdates, now }: Services,
): Promise<OperationAnswer> {
  const { brand, publicUrl, operatorEmails: adminEmails } = config
  const deps = { db, jobs, liveUpdates, now, brand, publicUrl, adminEmails }
  switch (operation.intent) {
    case 'name-operator': {
      const { email, role } = operation
      const named = await nameOperator(deps, { operator, email, role })
      if (named.ok) return { ok: true, message: named.waits ? NAMING_WAITS : `${email} is an operator now.` }
      const message = NAMING_REFUSALS[named.reason]
      return { ok: false, message, errors: { email: message } }
    }
    case 'change-role': {
      const { id: userId, seen, role } = operation
      const changed = await changeRole(deps, { operator, userId, seen, role })
      return answerOf(changed, changed.ok && changed.waits ? NAMING_WAITS : 'Role changed')
    }
    case 'remove-operator': {
      const { id: userId, seen } = operation
      return answerOf(await removeOperator(deps, { operator, userId, seen }), 'Operator removed')
    }
    case 'confirm-naming':
    case 'drop-naming': {
      const isConfirmed = operation.intent === 'confirm-naming'
      const settled = await settleNaming(deps, { operator, namingId: operation.id, isConfirmed })
      return answerOf(settled, isConfirmed ? 'Role given' : 'Withdrawn')
    }
  }
}
