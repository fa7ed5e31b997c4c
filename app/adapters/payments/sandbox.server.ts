import { sql } from 'kysely'
import type { MoneySum } from '../backup/port.ts'
import type { Database, DatabaseTransaction } from '../database/port.ts'
import type { FaultPoint } from './fault-points.ts'
import type { PaymentProvider } from './port.ts'
import { confirmCard, type SandboxConfirmation } from './sandbox/card-confirmation.server.ts'
import { paymentCalls } from './sandbox/payments.server.ts'
import { createWebhooks, parseWebhook, type WebhookFault } from './sandbox/webhooks.server.ts'
import type { SandboxConfirmRequest } from './sandbox-cards.ts'

/** The sandbox's own calls, in addition to those of every provider. */
export interface SandboxProvider extends PaymentProvider {
  /** Confirms a payment's card. Only test cards are accepted; other numbers are not stored. */
  confirmCard(input: SandboxConfirmRequest): Promise<SandboxConfirmation>
  /** Delivers the webhooks that are due. */
  runDueWork(): Promise<void>
  setWebhookFault(fault: WebhookFault): void
  /** Resolves once this process's deliveries in progress have ended. */
  settleDeliveries(): Promise<void>
}

/** The sum of the sandbox's refunds, to compare both sides of a copy. */
export async function sumSandboxRefunds(tx: DatabaseTransaction): Promise<MoneySum[]> {
  const { rows } = await sql<MoneySum>`
    select 'test refunds' as what, count(*)::int as count, sum(amount_cents)::text as cents
    from sandbox_refunds having count(*) > 0`.execute(tx)
  return rows
}

/**
 * A card payment provider of our own that needs no network. It stores its state in its own tables, so that it survives
 * a restart and works with several processes. It signs its webhooks as Stripe does.
 * @param options.secret the product's secret, from which the webhook key is derived
 * @param options.webhookUrl called at each delivery, because the port may be known only after the start
 * @param options.log receives failed deliveries, which are retried
 */
export function createSandboxProvider(options: {
  db: Database
  secret: string
  now: () => Date
  webhookUrl: () => string
  log?: { warn(fields: object, message: string): void }
  faultPoint?: FaultPoint
}): SandboxProvider {
  const faultPoint = options.faultPoint ?? (() => {})
  const webhooks = createWebhooks({ ...options, faultPoint })
  const { runDueWork, setWebhookFault, settleDeliveries } = webhooks
  return {
    name: 'sandbox',
    ...paymentCalls({ ...options, webhooks }),

    referenceOf(clientSecret) {
      return /^(sb_[0-9a-z]{24})_secret_[0-9a-z]{26}$/.exec(clientSecret)?.[1] ?? null
    },

    parseWebhook: (rawBody, headers) => parseWebhook(options, rawBody, headers),
    publicConfig: () => ({ provider: 'sandbox' }),
    confirmCard: (input) => confirmCard({ ...options, faultPoint, webhooks }, input),
    runDueWork,
    setWebhookFault,
    settleDeliveries,
  }
}
