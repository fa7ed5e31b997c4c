import type { PayoutEvent } from '../../adapters/payments/payout-port.ts'
import { markPaymentEventProcessed, recordPaymentEvent } from '../payments/event-commands.server.ts'
import { askAboutAccount } from './account-commands.server.ts'
import { askAboutBankPayouts, findBankAccount } from './bank-commands.server.ts'
import type { PayoutDeps } from './deps.server.ts'

/**
 * Stores a provider's event about an account, then asks the provider about that account, or about its payouts. The event
 * itself is never believed. One about an account that isn't ours changes nothing.
 * @returns false when the provider did not answer: it delivers the event again
 */
export async function receivePayoutEvent(deps: PayoutDeps, event: PayoutEvent): Promise<boolean> {
  const { db, payouts, now } = deps
  const { id, type, account: reference, payload } = event
  const stored = { id, type, reference, payload }
  const recorded = await recordPaymentEvent(db, { provider: payouts.name, event: stored, now: now() })
  if (recorded === 'processed') return true
  const account = reference && (await findBankAccount(db, { provider: payouts.name, reference }))
  if (account) {
    const isAnswered = type.startsWith('payout.')
      ? await askAboutBankPayouts(deps, account, event.payout)
      : await askAboutPresentAccount(deps, account)
    if (!isAnswered) return false
  }
  await markPaymentEventProcessed(db, { provider: payouts.name, eventId: id, now: now() })
  return true
}

/** @returns false when the provider did not answer */
async function askAboutPresentAccount(
  deps: PayoutDeps,
  { id, former_id: formerId }: { id: string; former_id: string | null },
): Promise<boolean> {
  if (formerId) return true
  const row = await deps.db.selectFrom('payout_accounts').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? askAboutAccount(deps, row) : true
}
