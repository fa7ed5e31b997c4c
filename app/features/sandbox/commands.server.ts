import type { SandboxClock } from '../../adapters/clock/sandbox-clock.server.ts'
import type { Database } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { SandboxProvider } from '../../adapters/payments/sandbox.server.ts'
import {
  type AccountStep,
  type DisputeStep,
  type PayoutStep,
  type RefundStep,
  type SavedCardStep,
  stepMs,
  type WebhookChoice,
} from './rules.ts'

/**
 * Moves the clock of every process forward and queues each scheduled job once, as if its time had come.
 * @returns the new time; refuses with 'too_far' when the clock would be more than four years ahead
 */
export async function advanceClock(
  deps: { db: Database; jobs: Jobs; clock: SandboxClock },
  step: { days: number; hours: number; minutes: number },
): Promise<{ ok: true; now: Date } | { ok: false; reason: 'too_far' }> {
  const { db, jobs, clock } = deps
  const moved = await db.transaction().execute((tx) => clock.advance(tx, stepMs(step)))
  if (!moved.ok) return moved
  // This process uses the new time at once, the others after NOTIFY. The jobs come after that, or they'd run by the old time.
  await clock.reread()
  await db.transaction().execute((tx) => jobs.runSchedules(tx))
  return moved
}

const faultOf = (webhooks: WebhookChoice) => (webhooks === 'at_once' ? 'none' : webhooks)

/**
 * Lets a cardholder's bank dispute a payment, or decide the dispute.
 * @returns refuses with 'not_charged', 'disputed' (one is open), 'no_dispute' and 'inquiry' (the decision is for the other kind)
 */
export async function stepDispute(
  sandbox: SandboxProvider,
  { payment, step, webhooks }: { payment: string; step: DisputeStep; webhooks: WebhookChoice },
) {
  const fault = faultOf(webhooks)
  switch (step) {
    case 'open':
      return sandbox.openDispute(payment, 'dispute', fault)
    case 'inquire':
      return sandbox.openDispute(payment, 'inquiry', fault)
    case 'win':
      return sandbox.decideDispute(payment, 'won', fault)
    case 'lose':
      return sandbox.decideDispute(payment, 'lost', fault)
    case 'close':
      return sandbox.decideDispute(payment, 'inquiry_closed', fault)
  }
}

/** Lets the newest refund of a payment succeed or come back. @returns refuses with 'no_refund' */
export async function stepRefund(
  sandbox: SandboxProvider,
  { payment, step, webhooks }: { payment: string; step: RefundStep; webhooks: WebhookChoice },
) {
  return sandbox.moveRefund(payment, step === 'fail' ? 'failed' : 'succeeded', faultOf(webhooks))
}

/** Sets the outcome of the next charge of the card that a payment has saved. @returns refuses with 'no_card' */
export async function stepSavedCard(
  sandbox: SandboxProvider,
  { payment, step }: { payment: string; step: SavedCardStep },
) {
  return sandbox.setNextAnswer(payment, step)
}

/** Moves a vendor's account as the provider would. @returns refuses with 'no_account' and 'rejected' (for good) */
export async function stepAccount(
  sandbox: SandboxProvider,
  { account, step, webhooks }: { account: string; step: AccountStep; webhooks: WebhookChoice },
) {
  return sandbox.payouts.moveAccount(account, step, faultOf(webhooks))
}

/** Lets the newest payout of an account arrive or come back. @returns refuses with 'no_account' and 'no_payout' */
export async function stepPayout(
  sandbox: SandboxProvider,
  { account, step, webhooks }: { account: string; step: PayoutStep; webhooks: WebhookChoice },
) {
  return sandbox.payouts.movePayout(account, step === 'fail' ? 'failed' : 'paid', faultOf(webhooks))
}
