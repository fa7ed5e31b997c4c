import { z } from 'zod'
import { COMMISSION_BASIS_POINTS, RESERVE_BASIS_POINTS } from '../features/ledger/limits.ts'
import {
  HOLD_LIMIT_DAYS,
  LONGEST_HOLD_LIMIT_DAYS,
  LONGEST_PAYOUT_DELAY_HOURS,
  PAYOUT_DELAY_HOURS,
  SECOND_OPERATOR_CENTS,
} from '../features/payouts/limits.ts'
import { isValidAbn } from '../features/registrations/rules.ts'
import { DAY_MS, HOUR_MS } from '../shared/time-units.ts'
import { loopbackHosts, onOrOff, seconds, text } from './checks.server.ts'

const basisPoints = z.coerce.number().int().min(0).max(10_000)
const webhookSecret = z.string().regex(/^whsec_\w+$/, 'must look like whsec_…')

/** The settings of payments, refunds, payouts and the commission. */
export const paymentEnvironment = z.object({
  PAYMENTS: z.enum(['stripe', 'sandbox']).optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'must look like sk_live_… or sk_test_…')
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_\w+$/, 'must look like pk_live_… or pk_test_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: webhookSecret.optional(),
  PAYOUTS: z.enum(['off', 'sandbox', 'stripe']).optional(),
  STRIPE_CONNECT_WEBHOOK_SECRET: webhookSecret.optional(),
  STRIPE_ACCOUNTS_WEBHOOK_SECRET: webhookSecret.optional(),
  PAYOUT_DELAY_HOURS: z.coerce
    .number()
    .int()
    .min(0)
    .max(LONGEST_PAYOUT_DELAY_HOURS)
    .default(PAYOUT_DELAY_HOURS),
  HOLD_LIMIT_DAYS: z.coerce.number().int().min(1).max(LONGEST_HOLD_LIMIT_DAYS).default(HOLD_LIMIT_DAYS),
  REQUIRE_PAYOUTS_TO_APPROVE: onOrOff.default('0'),
  OPERATOR_SECOND_PERSON_CENTS: z.coerce.number().int().min(0).default(SECOND_OPERATOR_CENTS),
  REFUND_GRACE_SECONDS: seconds.default(900),
  HOLD_SECONDS: seconds.default(900),
  PAYMENT_EXPIRY_SECONDS: seconds.default(900),
  COMMISSION_BP: basisPoints.default(COMMISSION_BASIS_POINTS),
  RESERVE_BP: basisPoints.default(RESERVE_BASIS_POINTS),
  PLATFORM_NAME: text.max(200).optional(),
  PLATFORM_ABN: text
    .transform((abn) => abn.replaceAll(' ', ''))
    .refine(isValidAbn, 'must be an ABN: 11 digits whose check digits are right')
    .optional(),
  PLATFORM_GST: onOrOff.optional(),
})

/** The payments, the payouts and the operator's business. */
export type PaymentConfig = {
  payments: PaymentProviderConfig
  /** How vendors are paid; 'off' hides all of it. */
  payouts: PayoutProviderConfig
  /** How long after an event its vendor's share leaves. */
  payoutDelayMs: number
  /** How long money is held for a vendor at most, by the provider's terms. */
  holdLimitMs: number
  /** Whether a vendor needs an account that takes transfers before they can approve a booking. */
  requirePayoutsToApprove: boolean
  /** An operator's action on more than this needs a second operator. */
  operatorSecondPersonCents: number
  /** Whether testers can move the clock and make trouble at /sandbox: test payments, on a loopback address. */
  isSandboxOpen: boolean
  /** Decision 7: how long a decline can be undone before its refund is made. */
  refundGraceMs: number
  /** How long a slot is held, and its payment stays open, before the card is confirmed. */
  holdMs: number
  /** How long both last from the card's confirmation on. */
  paymentExpiryMs: number
  /** The operator's share of what vendors keep, where no rate is set for the vendor or the category, in basis points. */
  commissionBasisPoints: number
  /** The reserve at the provider for refunds and disputes, in basis points of the money that is owed. */
  reserveBasisPoints: number
  /** The operator's own business, which invoices the commission. */
  platform: { name: string | null; abn: string | null; isGstRegistered: boolean }
}

/** The settings of the payment adapters. */
type PaymentProviderConfig =
  | { provider: 'sandbox' }
  | { provider: 'stripe'; secretKey: string; publishableKey: string; webhookSecret: string }

/** The settings of vendors' accounts and transfers. */
type PayoutProviderConfig =
  | { provider: 'off' }
  | { provider: 'sandbox' }
  | { provider: 'stripe'; secretKey: string; connectWebhookSecret: string; accountsWebhookSecret: string }

/** The ABN of the tax office's worked example of check digits. */
const DEMO_ABN = '51824753556'

/**
 * Reads the providers of payments and payouts.
 * @returns also the settings that are missing or contradict each other. `keys` are Stripe's, null without them
 */
export function readProviders(set: z.output<typeof paymentEnvironment>, demo: boolean) {
  const stripe = readStripe(set)
  const payments: PaymentProviderConfig =
    stripe.keys && set.PAYMENTS !== 'sandbox'
      ? { provider: 'stripe', ...stripe.keys }
      : { provider: 'sandbox' }
  const payouts = readPayouts(set, { payments, demo })
  return { ...stripe, payments, payouts: payouts.config, payoutProblems: payouts.problems }
}

export type Providers = ReturnType<typeof readProviders>

/** Reads the settings of payments, refunds, payouts and the commission. */
export function paymentConfig(
  set: z.output<typeof paymentEnvironment>,
  { payments, payouts }: Providers,
  { publicUrl, demo }: { publicUrl: URL; demo: boolean },
): PaymentConfig {
  const isDemoPlatform = demo && payments.provider === 'sandbox'
  return {
    payments,
    payouts,
    payoutDelayMs: set.PAYOUT_DELAY_HOURS * HOUR_MS,
    holdLimitMs: set.HOLD_LIMIT_DAYS * DAY_MS,
    requirePayoutsToApprove: set.REQUIRE_PAYOUTS_TO_APPROVE === '1',
    operatorSecondPersonCents: set.OPERATOR_SECOND_PERSON_CENTS,
    isSandboxOpen: payments.provider === 'sandbox' && loopbackHosts.has(publicUrl.hostname),
    refundGraceMs: set.REFUND_GRACE_SECONDS * 1_000,
    holdMs: set.HOLD_SECONDS * 1_000,
    paymentExpiryMs: set.PAYMENT_EXPIRY_SECONDS * 1_000,
    commissionBasisPoints: set.COMMISSION_BP,
    reserveBasisPoints: set.RESERVE_BP,
    platform: {
      name: set.PLATFORM_NAME || null,
      abn: set.PLATFORM_ABN ?? (isDemoPlatform ? DEMO_ABN : null),
      isGstRegistered: set.PLATFORM_GST ? set.PLATFORM_GST === '1' : isDemoPlatform,
    },
  }
}

/** Finds settings of payments that contradict each other or are missing. */
export function paymentProblems(
  set: z.output<typeof paymentEnvironment>,
  stripe: Providers,
  { publicUrl, demo }: { publicUrl: URL; demo: boolean },
): string[] {
  const problems = [...stripe.problems]
  if (set.PAYMENTS === 'stripe' && !stripe.keys && stripe.problems.length === 0)
    problems.push(
      'PAYMENTS=stripe: needs STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET',
    )
  problems.push(...stripe.payoutProblems)
  if (stripe.isLive && publicUrl.protocol !== 'https:')
    problems.push('PUBLIC_URL: must be https:// with live Stripe keys')
  if (set.PLATFORM_GST === '1' && !set.PLATFORM_ABN && (!demo || stripe.keys))
    problems.push('PLATFORM_ABN: needed with PLATFORM_GST=1, since only a business with an ABN is registered')
  if (!demo && !set.PAYMENTS && !stripe.keys && stripe.problems.length === 0)
    problems.push(
      'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET: needed outside the demo, to accept cards (or PAYMENTS=sandbox for test payments)',
    )
  return problems
}

/** Reads Stripe's three settings, which belong together. Having only some of them is a mistake, never a choice. */
function readStripe(set: {
  STRIPE_SECRET_KEY?: string | undefined
  STRIPE_PUBLISHABLE_KEY?: string | undefined
  STRIPE_WEBHOOK_SECRET?: string | undefined
}): {
  keys: { secretKey: string; publishableKey: string; webhookSecret: string } | null
  isLive: boolean
  problems: string[]
} {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = set
  const given = { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET }
  const missing = Object.entries(given)
    .filter(([, value]) => !value)
    .map(([name]) => name)
  if (missing.length === 3) return { keys: null, isLive: false, problems: [] }
  if (!STRIPE_SECRET_KEY || !STRIPE_PUBLISHABLE_KEY || !STRIPE_WEBHOOK_SECRET)
    return {
      keys: null,
      isLive: false,
      problems: missing.map((name) => `${name}: missing; Stripe needs all three of its settings, or none`),
    }
  const isLive = STRIPE_SECRET_KEY.includes('_live_')
  const problems =
    isLive === STRIPE_PUBLISHABLE_KEY.includes('_live_')
      ? []
      : ['STRIPE_PUBLISHABLE_KEY: belongs to another mode (test or live) than STRIPE_SECRET_KEY']
  const keys = {
    secretKey: STRIPE_SECRET_KEY,
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET,
  }
  return { keys, isLive, problems }
}

/** Reads how vendors are paid. Their accounts live at the provider that takes the payments, with the same keys. */
function readPayouts(
  set: {
    PAYOUTS?: PayoutProviderConfig['provider'] | undefined
    STRIPE_CONNECT_WEBHOOK_SECRET?: string | undefined
    STRIPE_ACCOUNTS_WEBHOOK_SECRET?: string | undefined
  },
  { payments, demo }: { payments: PaymentProviderConfig; demo: boolean },
): { config: PayoutProviderConfig; problems: string[] } {
  const { STRIPE_CONNECT_WEBHOOK_SECRET, STRIPE_ACCOUNTS_WEBHOOK_SECRET } = set
  const chosen = set.PAYOUTS ?? (demo && payments.provider === 'sandbox' ? 'sandbox' : 'off')
  const off = { provider: 'off' } as const
  if (chosen === 'off') return { config: off, problems: [] }
  if (chosen === 'sandbox')
    return payments.provider === 'sandbox'
      ? { config: { provider: 'sandbox' }, problems: [] }
      : { config: off, problems: ['PAYOUTS=sandbox: needs the test payments (PAYMENTS=sandbox)'] }
  if (payments.provider !== 'stripe')
    return {
      config: off,
      problems: [
        'PAYOUTS=stripe: needs payments by Stripe (STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET, and no PAYMENTS=sandbox)',
      ],
    }
  if (!STRIPE_CONNECT_WEBHOOK_SECRET || !STRIPE_ACCOUNTS_WEBHOOK_SECRET)
    return {
      config: off,
      problems: Object.entries({ STRIPE_CONNECT_WEBHOOK_SECRET, STRIPE_ACCOUNTS_WEBHOOK_SECRET })
        .filter(([, value]) => !value)
        .map(([name]) => `${name}: needed with PAYOUTS=stripe; each webhook address has a secret of its own`),
    }
  const secrets = [payments.webhookSecret, STRIPE_CONNECT_WEBHOOK_SECRET, STRIPE_ACCOUNTS_WEBHOOK_SECRET]
  return {
    config: {
      provider: 'stripe',
      secretKey: payments.secretKey,
      connectWebhookSecret: STRIPE_CONNECT_WEBHOOK_SECRET,
      accountsWebhookSecret: STRIPE_ACCOUNTS_WEBHOOK_SECRET,
    },
    problems:
      new Set(secrets).size === secrets.length
        ? []
        : [
            'STRIPE_WEBHOOK_SECRET, STRIPE_CONNECT_WEBHOOK_SECRET, STRIPE_ACCOUNTS_WEBHOOK_SECRET: must differ; each webhook address has a secret of its own',
          ],
  }
}
