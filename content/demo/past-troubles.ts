import { startConversation, verifyConversation } from '../../app/features/enquiries/commands.server.ts'
import { conversationLinkToken } from '../../app/features/enquiries/rules.ts'
import { reportConversation } from '../../app/features/enquiries/status-commands.server.ts'
import { settleDisputes } from '../../app/features/payments/dispute-commands.server.ts'
import type { PaymentRow } from '../../app/features/payments/queries.server.ts'
import { settleRefunds } from '../../app/features/payments/refund-news-commands.server.ts'
import { refreshPayoutAccount } from '../../app/features/payouts/account-commands.server.ts'
import { sweepBankPayouts } from '../../app/features/payouts/bank-commands.server.ts'
import { bookingDeps, enquiryDeps, payoutDeps } from '../../app/services/deps.server.ts'
import type { Services } from '../../app/services.server.ts'
import { addDays, wallTimeAt } from '../../app/shared/dates.ts'
import { DEMO_ZONE, type DemoTrouble } from './past-plan.ts'

const EVENT_DAYS_AHEAD = 90

/**
 * Lets the sandbox's banks and provider make trouble with a booking's money, and takes note of it as a webhook would. What was
 * made already isn't made again.
 */
export async function makeTrouble(
  services: Services,
  { kind, payment, vendorId }: { kind: DemoTrouble; payment: PaymentRow; vendorId: string },
): Promise<void> {
  const { db, payments, sandbox } = services
  const reference = payment.provider_reference
  const payouts = payoutDeps(services)
  if (!sandbox || !reference) return
  switch (kind) {
    case 'disputed':
      await sandbox.openDispute(reference, 'dispute')
      await settleDisputes(bookingDeps(services), payments, payment)
      return
    case 'refund came back':
      await sandbox.moveRefund(reference, 'failed')
      await settleRefunds(bookingDeps(services), payments, payment)
      return
    case 'vendor paused':
    case 'payout came back': {
      const account = await db
        .selectFrom('payout_accounts')
        .select(['id', 'provider_account'])
        .where('vendor_user_id', '=', vendorId)
        .executeTakeFirst()
      if (!payouts || !account?.provider_account) return
      if (kind === 'vendor paused') {
        await sandbox.payouts.moveAccount(account.provider_account, 'restrict')
      } else {
        const returned = await db
          .selectFrom('bank_payouts')
          .select('id')
          .where('payout_account_id', '=', account.id)
          .where('state', '=', 'failed')
          .executeTakeFirst()
        // A second one would send an older payout back.
        if (!returned) await sandbox.payouts.movePayout(account.provider_account, 'failed')
        await sweepBankPayouts(payouts)
      }
      await refreshPayoutAccount(payouts, { userId: vendorId })
    }
  }
}

/** A listing whose vendor can't sign in. */
const REPORTED = 'tidewater-boatshed'

/** A guest is asked for cash, and reports it. */
export async function reportAConversation(services: Services): Promise<void> {
  const { db, now } = services
  if (await db.selectFrom('conversation_reports').select('id').limit(1).executeTakeFirst()) return
  const deps = enquiryDeps(services)
  const started = await startConversation(deps, {
    businessId: REPORTED,
    wish: 'question',
    eventDate: addDays(wallTimeAt(now(), DEMO_ZONE).date, EVENT_DAYS_AHEAD),
    guests: 60,
    budgetCents: null,
    message: {
      body: 'You said on the phone that it’s cheaper in cash. Can I still cancel then?',
      files: [],
      submitKey: 'demo-reported',
    },
    customer: { userId: null, name: 'Winifred Osei', email: 'winifred.osei@example.com' },
    address: 'demo',
  })
  if (!started.ok) throw new Error(`The demo’s conversation was refused: ${started.reason}`)
  const id = started.conversationId
  const by = { linkToken: await conversationLinkToken(deps.secret, id) }
  await verifyConversation(deps, { by })
  await reportConversation(deps, { id, by, reason: 'They want me to pay in cash, outside the site.' })
}
