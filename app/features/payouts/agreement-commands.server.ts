import { href } from 'react-router'
import { eachOf } from '../../shared/each-of.ts'
import { addAgreementNotice } from '../agreements/commands.server.ts'
import { listVendorsToTell } from '../agreements/queries.server.ts'
import { AGREEMENT_NOTICE_DAYS, acceptBy, DOCUMENTS } from '../agreements/rules.ts'
import { listOwnersWithoutAgreement } from '../businesses/owner-queries.server.ts'
import { addNotification } from '../notifications/commands.server.ts'
import { agreementAskedMail, agreementChangedMail } from './agreement-mails.ts'
import type { PayoutDeps } from './deps.server.ts'

/** The services that tell of the agreement. No payout provider is among them. */
export type AgreementNoticeDeps = Pick<
  PayoutDeps,
  'db' | 'jobs' | 'liveUpdates' | 'now' | 'brand' | 'publicUrl'
>

const VENDORS_PER_RUN = 100

/**
 * Tells vendors of the vendor agreement in force, once: those who have accepted an earlier one, whose 14 days begin with it,
 * and those who list without one, since they began before it was asked for.
 */
export async function tellOfNewAgreement(deps: AgreementNoticeDeps): Promise<void> {
  const former = await listVendorsToTell(deps.db, VENDORS_PER_RUN)
  await eachOf(former, (userId) => tell(deps, userId, 'changed'))
  const without = await listOwnersWithoutAgreement(deps.db, VENDORS_PER_RUN)
  await eachOf(without, (userId) => tell(deps, userId, 'asked'))
}

const NOTICES = {
  changed: {
    title: 'The vendor agreement has changed',
    body: `Accept the new one within ${AGREEMENT_NOTICE_DAYS} days, so that your payouts and new listings go on.`,
  },
  asked: {
    title: 'Please accept our vendor agreement',
    body: 'Your public listings stay public. Payouts and new listings wait until you accept it.',
  },
} as const

function tell(deps: AgreementNoticeDeps, userId: string, kind: keyof typeof NOTICES): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    const now = deps.now()
    if (!(await addAgreementNotice(tx, { userId, now }))) return
    const vendor = await tx
      .selectFrom('users')
      .select(['email', 'name', 'email_verified'])
      .where('id', '=', userId)
      .executeTakeFirst()
    // The account is deleted.
    if (!vendor) return
    const key = `agreement-${kind}:${DOCUMENTS.vendor_agreement.version}:${userId}`
    const notification = {
      ...{ userId, kind: 'listing', ...NOTICES[kind] },
      link: href('/dashboard/agreement'),
      eventKey: key,
    }
    if (!(await addNotification(tx, notification, now))) return
    const to = { email: vendor.email, name: vendor.name, isProven: vendor.email_verified }
    const mail =
      kind === 'changed'
        ? agreementChangedMail({ key, until: acceptBy(now) ?? now }, to, deps)
        : agreementAskedMail(key, to, deps)
    await deps.jobs.enqueue(tx, 'send-mail', mail)
    await deps.liveUpdates.publish(tx, `notifications:${userId}`)
  })
}
