import { disableAccount, enableAccount } from '../../features/operators/account-commands.server.ts'
import { writeAboutReport } from '../../features/operators/letter-commands.server.ts'
import { hideListing, showHiddenListing } from '../../features/operators/listing-commands.server.ts'
import { NAMING_WAITS, STILL_HIDDEN } from '../../features/operators/messages.ts'
import { listNamedEmails } from '../../features/operators/named-admin-queries.server.ts'
import {
  changeRole,
  nameOperator,
  type PeopleDeps,
  removeOperator,
  settleNaming,
} from '../../features/operators/people-commands.server.ts'
import { closeReport } from '../../features/operators/report-commands.server.ts'
import { moderateReview } from '../../features/operators/review-commands.server.ts'
import { bookingDeps, enquiryDeps } from '../../services/deps.server.ts'
import { type ActContext, type ActHandlers, answerOf } from './act-handlers.server.ts'

/** Decides about reviews, shows and hides listings, closes reports of conversations, disables and enables accounts. */
export const MODERATION_HANDLERS: ActHandlers<
  | 'approve-review'
  | 'reject-review'
  | 'hide-listing'
  | 'show-listing'
  | 'close-report'
  | 'disable-account'
  | 'enable-account'
> = {
  async 'approve-review'({ services, operator }, { id: reviewId, seen: expectedState }) {
    const review = { operator, reviewId, expectedState, decision: 'approve' } as const
    return answerOf('approve-review', await moderateReview(bookingDeps(services), review))
  },
  async 'reject-review'({ services, operator }, { id: reviewId, seen: expectedState, reason }) {
    const review = { operator, reviewId, expectedState, decision: 'reject', reason } as const
    return answerOf('reject-review', await moderateReview(bookingDeps(services), review))
  },
  async 'hide-listing'({ services, operator }, { id: businessId, reason }) {
    return answerOf(
      'hide-listing',
      await hideListing(bookingDeps(services), { operator, businessId, reason }),
    )
  },
  async 'show-listing'({ services, operator }, { id: businessId }) {
    const restored = await showHiddenListing(bookingDeps(services), { operator, businessId })
    const by = restored.ok ? restored.stillHiddenBy : null
    return answerOf('show-listing', restored, by ? STILL_HIDDEN[by] : undefined)
  },
  async 'close-report'({ services, operator }, { id: reportId, reason: outcome, block }) {
    const closed = { operator, reportId, outcome, block: block || null }
    return answerOf('close-report', await closeReport(enquiryDeps(services), closed))
  },
  async 'disable-account'({ services, operator }, { id: userId, reason }) {
    const { db, config } = services
    const disabled = await disableAccount(bookingDeps(services), {
      operator,
      userId,
      reason,
      // An admin may disable an account that the settings name: no other button can stop it.
      protectedEmails:
        operator.role === 'admin' ? new Set() : await listNamedEmails(db, config.operatorEmails),
      adminEmails: config.operatorEmails,
    })
    return answerOf('disable-account', disabled)
  },
  async 'enable-account'({ services, operator }, { id: userId }) {
    return answerOf('enable-account', await enableAccount(bookingDeps(services), { operator, userId }))
  },
}

/** Writes to the sides of a reported conversation. */
export const REPORT_HANDLERS: ActHandlers<'warn-side' | 'write-to-both'> = {
  async 'warn-side'({ services, operator }, { id: reportId, key, side: sentTo, message: body }) {
    const letter = { key, kind: 'warning', sentTo, body } as const
    return answerOf(
      'warn-side',
      await writeAboutReport(enquiryDeps(services), { operator, reportId, letter }),
    )
  },
  async 'write-to-both'({ services, operator }, { id: reportId, key, message: body }) {
    const letter = { key, kind: 'letter', sentTo: 'both', body } as const
    return answerOf(
      'write-to-both',
      await writeAboutReport(enquiryDeps(services), { operator, reportId, letter }),
    )
  },
}

function peopleDeps({ config, db, jobs, liveUpdates, now }: ActContext['services']): PeopleDeps {
  const { brand, publicUrl, operatorEmails: adminEmails } = config
  return { db, jobs, liveUpdates, now, brand, publicUrl, adminEmails }
}

async function settle(
  { services, operator }: ActContext,
  act: 'confirm-naming' | 'drop-naming',
  namingId: string,
) {
  const isConfirmed = act === 'confirm-naming'
  return answerOf(act, await settleNaming(peopleDeps(services), { operator, namingId, isConfirmed }))
}

/** Names operators, changes and removes their roles. Confirms or drops a role that waits for a second admin. */
export const NAMING_HANDLERS: ActHandlers<
  'name-operator' | 'change-role' | 'remove-operator' | 'confirm-naming' | 'drop-naming'
> = {
  async 'name-operator'({ services, operator }, { email, role }) {
    const named = await nameOperator(peopleDeps(services), { operator, email, role })
    const done = named.ok && named.waits ? NAMING_WAITS : `${email} is an operator now.`
    return answerOf('name-operator', named, done)
  },
  async 'change-role'({ services, operator }, { id: userId, seen: expectedRole, role }) {
    const changed = await changeRole(peopleDeps(services), { operator, userId, expectedRole, role })
    return answerOf('change-role', changed, changed.ok && changed.waits ? NAMING_WAITS : undefined)
  },
  async 'remove-operator'({ services, operator }, { id: userId, seen: expectedRole }) {
    return answerOf(
      'remove-operator',
      await removeOperator(peopleDeps(services), { operator, userId, expectedRole }),
    )
  },
  'confirm-naming': (context, { id }) => settle(context, 'confirm-naming', id),
  'drop-naming': (context, { id }) => settle(context, 'drop-naming', id),
}
