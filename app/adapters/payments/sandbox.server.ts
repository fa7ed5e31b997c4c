import { sql } from 'kysely'
import type { MoneySum } from '../backup/port.ts'
import type { Database, DatabaseTransaction } from '../database/port.ts'
import type { FaultPoint } from './fault-points.ts'
import type { PayoutProvider } from './payout-port.ts'
import type { PaymentProvider } from './port.ts'
import { listAccounts, type SandboxAccount } from './sandbox/account-list.server.ts'
import {
  accountCalls,
  moveAccount,
  openAccountForm,
  type SandboxAccountInput,
  type SandboxAccountMove,
  saveAccountStep,
} from './sandbox/accounts.server.ts'
import { balanceCalls } from './sandbox/balance.server.ts'
import { bankPayoutCalls, moveNewestPayout, runBankPayouts } from './sandbox/bank-payouts.server.ts'
import { confirmCard, type SandboxConfirmation } from './sandbox/card-confirmation.server.ts'
import { listCharges, type SandboxCharge } from './sandbox/charges.server.ts'
import { type DisputeDecision, decideDispute, disputeCalls, openDispute } from './sandbox/disputes.server.ts'
import { paymentCalls } from './sandbox/payments.server.ts'
import { moveDueRefunds, moveNewestRefund, refundCalls } from './sandbox/refunds.server.ts'
import { savedCardCalls, setNextAnswer } from './sandbox/saved-card-calls.server.ts'
import { transferCalls } from './sandbox/transfers.server.ts'
import {
  createWebhooks,
  parsePayoutWebhook,
  parseWebhook,
  type SandboxWebhook,
  type SandboxWebhooks,
  type WebhookFault,
} from './sandbox/webhooks.server.ts'
import type { SandboxChargeAnswer, SandboxConfirmRequest } from './sandbox-cards.ts'

/** The sandbox's own calls, in addition to those of every provider. */
export interface SandboxProvider extends PaymentProvider {
  /** Confirms the card of a payment or a setup. Only test cards are accepted; other numbers are not stored. */
  confirmCard(input: SandboxConfirmRequest): Promise<SandboxConfirmation>
  /** Moves refunds on whose time has come, and delivers the webhooks that are due. */
  runDueWork(): Promise<void>
  /**
   * Opens a dispute or an inquiry of all that is left of a payment.
   * @param webhooks how the webhooks of this one are delivered
   * @returns refuses with 'not_charged' and 'disputed' (one is open)
   */
  openDispute(
    reference: string,
    kind: 'dispute' | 'inquiry',
    webhooks?: WebhookFault,
  ): Promise<{ ok: true } | { ok: false; reason: 'not_charged' | 'disputed' }>
  /** Ends the open dispute of a payment. @returns refuses with 'no_dispute' and 'inquiry' (the decision is for the other kind) */
  decideDispute(
    reference: string,
    decision: DisputeDecision,
    webhooks?: WebhookFault,
  ): Promise<{ ok: true } | { ok: false; reason: 'no_dispute' | 'inquiry' }>
  /** Lets the newest refund of a payment succeed or come back. @returns refuses with 'no_refund' */
  moveRefund(
    reference: string,
    to: 'succeeded' | 'failed',
    webhooks?: WebhookFault,
  ): Promise<{ ok: true } | { ok: false; reason: 'no_refund' }>
  /** Sets the outcome of the next charge of the card that a payment has saved. @returns refuses with 'no_card' */
  setNextAnswer(
    reference: string,
    answer: SandboxChargeAnswer,
  ): Promise<{ ok: true } | { ok: false; reason: 'no_card' }>
  /** The newest charges, with what can be done to them. */
  listCharges(limit: number): Promise<SandboxCharge[]>
  /** Vendors' accounts and transfers. */
  payouts: SandboxPayouts
  setWebhookFault(fault: WebhookFault): void
  /** Resolves once this process's deliveries in progress have ended. */
  settleDeliveries(): Promise<void>
}

/** The payout side's own calls, in addition to those of every provider. */
export interface SandboxPayouts extends PayoutProvider {
  /** Opens the hosted form of a token; see `openAccountForm`. */
  openAccountForm(token: string): ReturnType<typeof openAccountForm>
  /** Stores a step of the hosted form; see `saveAccountStep`. */
  saveAccountStep(token: string, input: SandboxAccountInput): Promise<SavedStep>
  /** Moves an account as the provider would. @returns refuses with 'no_account' and 'rejected' (for good) */
  moveAccount(
    reference: string,
    to: SandboxAccountMove,
    webhooks?: WebhookFault,
  ): Promise<{ ok: true } | { ok: false; reason: 'no_account' | 'rejected' }>
  /** The newest accounts, with what can be done to them. */
  listAccounts(limit: number): Promise<SandboxAccount[]>
  /** Lets the newest payout of an account arrive or come back. @returns refuses with 'no_account' and 'no_payout' */
  movePayout(
    reference: string,
    to: 'paid' | 'failed',
    webhooks?: WebhookFault,
  ): Promise<{ ok: true } | { ok: false; reason: 'no_account' | 'no_payout' }>
}

type SavedStep =
  | { ok: true; isComplete: boolean; returnUrl: string }
  | Extract<Awaited<ReturnType<typeof saveAccountStep>>, { ok: false }>

/** The sums of the sandbox's refunds and balances, to compare both sides of a copy. */
export async function sumSandboxMoney(tx: DatabaseTransaction): Promise<MoneySum[]> {
  const { rows } = await sql<MoneySum>`
    select 'test refunds' as what, count(*)::int as count, sum(amount_cents)::text as cents
    from sandbox_refunds having count(*) > 0
    union all select 'test balances', count(*)::int, sum(amount_cents - fee_cents)::text
    from sandbox_movements having count(*) > 0`.execute(tx)
  return rows
}

/**
 * A card payment provider of our own that needs no network. It stores its state in its own tables, so that it survives
 * a restart and works with several processes. It signs its webhooks as Stripe does.
 * @param options.secret the product's secret, from which the webhook key is derived
 * @param options.webhookUrl called at each delivery, because the port may be known only after the start
 * @param options.onboardingUrl the address of an account's hosted form
 * @param options.log receives failed deliveries, which are retried
 */
export function createSandboxProvider(options: {
  db: Database
  secret: string
  now: () => Date
  /** The clock of signatures, where `now` can be moved. */
  realNow?: () => Date
  webhookUrl: (webhook: SandboxWebhook) => string
  onboardingUrl?: (token: string) => string
  log?: { warn(fields: object, message: string): void }
  faultPoint?: FaultPoint
}): SandboxProvider {
  const faultPoint = options.faultPoint ?? (() => {})
  const realNow = options.realNow ?? options.now
  const webhooks = createWebhooks({ ...options, realNow, faultPoint })
  const { setWebhookFault, settleDeliveries } = webhooks
  const onboardingUrl = options.onboardingUrl ?? ((token) => `http://localhost:3000/sandbox/account/${token}`)
  const deps = { ...options, faultPoint, webhooks, onboardingUrl }
  /** Commits the work of a transaction, then delivers its webhooks. */
  async function commitAndDeliver<Reason>(
    fault: WebhookFault | undefined,
    work: (
      about: { now: () => Date; webhooks: Pick<SandboxWebhooks, 'addEvent' | 'addAccountEvent'> },
      tx: DatabaseTransaction,
    ) => Promise<{ ok: true; eventIds: string[] } | { ok: false; reason: Reason }>,
  ): Promise<{ ok: true } | { ok: false; reason: Reason }> {
    const addEvent = (tx: DatabaseTransaction, type: string, id: string) =>
      webhooks.addEvent(tx, type, id, fault)
    const addAccountEvent: SandboxWebhooks['addAccountEvent'] = (tx, webhook, type, account, object) =>
      webhooks.addAccountEvent(tx, webhook, type, account, object, fault)
    const about = { now: options.now, webhooks: { addEvent, addAccountEvent } }
    const outcome = await options.db.transaction().execute((tx) => work(about, tx))
    if (!outcome.ok) return outcome
    webhooks.deliverSoon(...outcome.eventIds)
    return { ok: true }
  }
  const payouts: SandboxPayouts = {
    name: 'sandbox',
    ...accountCalls(deps),
    ...transferCalls(deps),
    ...bankPayoutCalls(deps),
    ...balanceCalls(deps),
    parseWebhook: (webhook, rawBody, headers) =>
      parsePayoutWebhook({ secret: options.secret, realNow }, webhook, rawBody, headers),
    openAccountForm: (token) => openAccountForm(options.db, options.now(), token),

    async saveAccountStep(token, input) {
      const saved = await options.db
        .transaction()
        .execute((tx) => saveAccountStep({ now: options.now, webhooks }, tx, token, input))
      if (!saved.ok) return saved
      webhooks.deliverSoon(...saved.eventIds)
      return { ok: true, isComplete: saved.missing.length === 0, returnUrl: saved.returnUrl }
    },

    moveAccount: (reference, to, fault) =>
      commitAndDeliver(fault, (about, tx) => moveAccount(about, tx, reference, to)),
    listAccounts: (limit) => listAccounts(options, limit),
    movePayout: (reference, to, fault) =>
      commitAndDeliver(fault, (about, tx) => moveNewestPayout(about, tx, reference, to)),
  }
  return {
    name: 'sandbox',
    payouts,
    ...paymentCalls(deps),
    ...savedCardCalls(deps),
    ...refundCalls(deps),
    ...disputeCalls(deps),

    referenceOf(clientSecret) {
      return /^(sb_[0-9a-z]{24})_secret_[0-9a-z]{26}$/.exec(clientSecret)?.[1] ?? null
    },

    parseWebhook: (rawBody, headers) => parseWebhook({ secret: options.secret, realNow }, rawBody, headers),
    publicConfig: () => ({ provider: 'sandbox' }),
    confirmCard: (input) => confirmCard(deps, input),

    async runDueWork() {
      await moveDueRefunds(deps)
      await runBankPayouts(deps)
      await webhooks.deliverDue()
    },

    openDispute: (reference, kind, fault) =>
      commitAndDeliver(fault, (about, tx) => openDispute(about, tx, reference, kind)),
    decideDispute: (reference, decision, fault) =>
      commitAndDeliver(fault, (about, tx) => decideDispute(about, tx, reference, decision)),
    moveRefund: (reference, to, fault) =>
      commitAndDeliver(fault, (about, tx) => moveNewestRefund(about, tx, reference, to)),
    setNextAnswer: (reference, answer) =>
      options.db.transaction().execute((tx) => setNextAnswer(tx, reference, answer)),
    listCharges: (limit) => listCharges(options.db, limit),
    setWebhookFault,
    settleDeliveries,
  }
}
