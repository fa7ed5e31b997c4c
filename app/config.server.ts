import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { DataSettings } from './adapters/backup/port.ts'
import { addressesOfHosts } from './adapters/database/hosts.ts'
import { REPLICA_LAG_SECONDS } from './adapters/database/limits.ts'
import type { S3Settings } from './adapters/file-store/s3.server.ts'
import type { SmtpSettings } from './adapters/mail/smtp.server.ts'
import { FAULT_POINTS, type FaultPointName } from './adapters/payments/fault-points.ts'
import { makePushKeys, type PushKeys, pushKeysOf } from './adapters/push/keys.ts'
import type { TraceSettings } from './adapters/traces/opentelemetry.server.ts'
import {
  DEFAULT_MIN_PASSWORD_LENGTH,
  LONGEST_PASSWORD,
  OPERATOR_IDLE_MINUTES,
  OPERATOR_SESSION_HOURS,
  type PasswordPolicy,
  SESSION_DAYS,
} from './features/accounts/rules.ts'
import {
  DECLINE_BEFORE_EVENT_MS,
  DECLINE_UNDECIDED_AFTER_MS,
  REMIND_BEFORE_EVENT_MS,
  REMIND_VENDOR_AFTER_MS,
  type UndecidedTimes,
} from './features/bookings/decision-rules.ts'
import { MAX_LISTINGS } from './features/businesses/rules.ts'
import { COMMISSION_BASIS_POINTS, RESERVE_BASIS_POINTS } from './features/ledger/limits.ts'
import {
  HOLD_LIMIT_DAYS,
  LONGEST_HOLD_LIMIT_DAYS,
  LONGEST_PAYOUT_DELAY_HOURS,
  PAYOUT_DELAY_HOURS,
  SECOND_OPERATOR_CENTS,
} from './features/payouts/limits.ts'
import { isValidAbn } from './features/registrations/rules.ts'
import { NEAR_KM } from './features/search/rules.ts'

/** Settings are missing or wrong. The message names each one and how to correct it. */
export class SettingsError extends Error {
  constructor(problems: string[]) {
    super(`Jubilee can't start with these settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'SettingsError'
  }
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const text = z.string().trim()
const seconds = z.coerce.number().int().positive()
const onOrOff = z.enum(['0', '1'])
const basisPoints = z.coerce.number().int().min(0).max(10_000)
const webhookSecret = z.string().regex(/^whsec_\w+$/, 'must look like whsec_…')
const passwordLength = z.coerce.number().int().min(1).max(LONGEST_PASSWORD)

/** The settings for the data's location. */
const dataEnvironment = z.object({
  DATA_DIR: text.default('data'),
  DATABASE_URL: text
    .refine(
      (address) => addressesOfHosts(address) !== null,
      'must be a postgres:// address of one or several hosts; of several, the one that accepts writes is used',
    )
    .optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket, like jubilee-files')
    .optional(),
  S3_REGION: text.min(1).optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_ACCESS_KEY_ID: text.min(1).optional(),
  S3_SECRET_ACCESS_KEY: text.min(1).optional(),
})

/** Every setting, with its default. docs/settings.md documents them. */
const environment = dataEnvironment.extend({
  DATABASE_READ_URL: text
    .refine(
      (address) => addressesOfHosts(address)?.length === 1,
      'must be a postgres:// address of one host, which is a standby of DATABASE_URL',
    )
    .optional(),
  DATABASE_READ_LAG_SECONDS: z.coerce.number().int().min(5).max(3_600).default(REPLICA_LAG_SECONDS),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: text.optional(),
  WEB_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(1),
  STOP_LIMIT_SECONDS: seconds.default(25),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
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
  ACCOUNTS: z.enum(['better-auth', 'firebase']).default('better-auth'),
  FIREBASE_API_KEY: text.optional(),
  FIREBASE_AUTH_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/i, 'must be a host name, like jubilee.firebaseapp.com')
    .optional(),
  FIREBASE_PROJECT_ID: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must look like jubilee-12345')
    .optional(),
  FIREBASE_APP_ID: text.optional(),
  FIREBASE_MEASUREMENT_ID: z
    .string()
    .regex(/^G-[A-Z0-9]+$/, 'must look like G-ABC123')
    .optional(),
  FIREBASE_AUTH_EMULATOR_URL: z.url({ protocol: /^http$/ }).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SMTP_ALLOW_PLAIN: onOrOff.default('0'),
  MAIL: z.enum(['outbox']).optional(),
  MAIL_FROM: text.default('Jubilee <hello@jubilee.example>'),
  MAIL_INBOUND: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain, like reply.jubilee.com.au')
    .optional(),
  MAIL_INBOUND_LOGIN: z
    .string()
    .regex(/^[\w.-]{1,64}:[\w.~-]{16,200}$/, 'must look like user:password, with 16 characters or more')
    .optional(),
  PUSH_PRIVATE_KEY: text
    .refine(
      (key) => pushKeysOf(key) !== null,
      'must be a private key of P-256 in base64url: 43 letters, digits, - and _',
    )
    .optional(),
  MASK_CONTACTS: onOrOff.default('0'),
  OPERATOR_EMAILS: text.default(''),
  OPERATOR_SETUP_UNTIL: z.iso
    .datetime({ offset: true, message: 'must be a time such as 2026-12-01T18:00:00+11:00' })
    .optional(),
  SESSION_DAYS: z.coerce.number().positive().max(365).default(SESSION_DAYS),
  OPERATOR_SESSION_HOURS: z.coerce.number().positive().max(8_760).default(OPERATOR_SESSION_HOURS),
  OPERATOR_IDLE_MINUTES: z.coerce.number().min(10).max(525_600).default(OPERATOR_IDLE_MINUTES),
  METRICS_PORT: z.coerce.number().int().min(1).max(65_000).optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  SECURITY_EVENTS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  TRUSTED_PROXY: z.enum(['0', '1']).default('0'),
  BRAND: text.min(1).default('Jubilee'),
  CONTACT_ADDRESS: text.default('1 Sample Street, Melbourne VIC 3000 (sample address)'),
  CONTACT_PHONE: text.default('(03) 5550 0100'),
  CONTACT_EMAIL: text.default('hello@jubilee.example'),
  FACEBOOK_URL: z.url().default('https://www.facebook.com/'),
  INSTAGRAM_URL: z.url().default('https://www.instagram.com/'),
  TIKTOK_URL: z.url().default('https://www.tiktok.com/'),
  YOUTUBE_URL: z.url().default('https://www.youtube.com/'),
  REFUND_GRACE_SECONDS: seconds.default(3_600),
  HOLD_SECONDS: seconds.default(900),
  PAYMENT_EXPIRY_SECONDS: seconds.default(900),
  COMMISSION_BP: basisPoints.default(COMMISSION_BASIS_POINTS),
  RESERVE_BP: basisPoints.default(RESERVE_BASIS_POINTS),
  PLATFORM_ABN: text
    .transform((abn) => abn.replaceAll(' ', ''))
    .refine(isValidAbn, 'must be an ABN: 11 digits whose check digits are right')
    .optional(),
  PLATFORM_GST: onOrOff.optional(),
  REMIND_VENDOR_AFTER_SECONDS: seconds.default(REMIND_VENDOR_AFTER_MS / 1_000),
  DECLINE_AFTER_SECONDS: seconds.default(DECLINE_UNDECIDED_AFTER_MS / 1_000),
  DECLINE_BEFORE_EVENT_SECONDS: seconds.default(DECLINE_BEFORE_EVENT_MS / 1_000),
  REMINDER_HOURS: z.coerce
    .number()
    .positive()
    .max(8_760)
    .default(REMIND_BEFORE_EVENT_MS / HOUR_MS),
  NEAR_KM: z.coerce.number().positive().max(1_000).default(NEAR_KM),
  MAP_STYLE_URL: z
    .url({
      protocol: /^https?$/,
      error: 'must be the address of a MapLibre style, like https://tiles.example/style.json',
    })
    .optional(),
  CRASH_AT: z.enum(FAULT_POINTS).optional(),
  PASSWORD_MIN_LENGTH: passwordLength.default(DEFAULT_MIN_PASSWORD_LENGTH),
  PASSWORD_MAX_LENGTH: passwordLength.optional(),
  PASSWORD_LEAK_CHECK_URL: z
    .url({
      protocol: /^https?$/,
      error: 'must be the address of a range service, like https://api.pwnedpasswords.com/range/',
    })
    .refine(isSafeAddress, 'must be https://, since it carries a part of each new password’s hash')
    .optional(),
  PASSWORD_REQUIRE_LOWERCASE: onOrOff.default('0'),
  PASSWORD_REQUIRE_UPPERCASE: onOrOff.default('0'),
  PASSWORD_REQUIRE_NUMERIC: onOrOff.default('0'),
  PASSWORD_REQUIRE_NON_ALPHANUMERIC: onOrOff.default('0'),
  MAX_LISTINGS: z.coerce.number().int().min(1).max(10_000).default(MAX_LISTINGS),
  PAGE_CACHE_MB: z.coerce.number().int().min(0).max(65_536).default(64),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({
      protocol: /^https?$/,
      error: 'must be the address of a collector that accepts OTLP over HTTP, like http://localhost:4318',
    })
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: text
    .refine((list) => readHeaders(list) !== null, 'must look like name=value,other=value')
    .optional(),
  OTEL_SERVICE_NAME: text.min(1).default('jubilee'),
  OTEL_TRACES_SAMPLER: z
    .enum(['parentbased_always_on', 'parentbased_traceidratio'])
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(),
})

export type Config = DataSettings & {
  /** The standby that searches with words read, and the oldest data that they may see; null without one. */
  replica: { url: string; maxLagMs: number } | null
  port: number
  host: string
  publicUrl: URL
  /** The number of processes on this machine that share one port. */
  processes: number
  /** How long a stopping process may take to finish its running requests and jobs. */
  stopLimitMs: number
  /** Whether this is the embedded default on a loopback address: demo data, test payments, outbox (Decision 24). */
  demo: boolean
  secret: string
  payments: PaymentsConfig
  /** How vendors are paid; 'off' hides all of it. */
  payouts: PayoutsConfig
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
  /** The service that signs people in. */
  accounts: { provider: 'better-auth' } | { provider: 'firebase'; emulatorUrl: string | null }
  /** The public configuration of the Firebase project, for sign-in, analytics or both; null without one. */
  firebase: FirebaseProject | null
  mail: { kind: 'outbox'; folder: string } | ({ kind: 'smtp' } & SmtpSettings)
  /** The domain of the addresses that take replies to messages by mail; null while that is off. */
  mailInbound: string | null
  /** The login that the mail service sends with each received mail; null without such a service. */
  mailService: { user: string; password: string } | null
  /** The key pair by which push services know us; null while there are no notifications on devices. */
  pushKeys: PushKeys | null
  /** Whether phone numbers and addresses in messages stay masked until a booking is paid. */
  masksContacts: boolean
  operatorEmails: ReadonlySet<string>
  /** How long a session lasts from its sign-in, however much it is used. */
  sessionLifeMs: number
  /** The same of an operator's session, and how long it lasts unused. */
  operatorSession: { lifeMs: number; idleMs: number }
  /** From when operators need a second factor; null in the demo. */
  operatorFactorFrom: Date | null
  /** Whether to take the client's address from X-Forwarded-For, because our own proxy sets it. */
  trustedProxy: boolean
  /** This process's own port for health and metrics; null to use only the shared port. */
  metricsPort: number | null
  /** The token for /metrics; null to allow only requests from this machine. */
  metricsToken: string | null
  /** The token for the stream of the security log; null to answer 404. */
  securityEventsToken: string | null
  brand: string
  contact: { address: string; phone: string; email: string }
  social: { facebook: string; instagram: string; tiktok: string; youtube: string }
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
  platform: { abn: string | null; isGstRegistered: boolean }
  /** Decision 7: when an undecided booking is reminded of, and when it is declined. */
  undecided: UndecidedTimes
  /** How long before an event both sides get a reminder. */
  remindBeforeEventMs: number
  /** The maximum number of listings per account. */
  maxListings: number
  /** The radius of a 'near' search, as the crow flies. */
  nearKm: number
  /** The operator's own map, a MapLibre style with everything on its origin; null for the embedded map. */
  mapStyleUrl: string | null
  /** The point where this process kills itself, to prove that no payment is lost. Only in the demo and in tests. */
  crashAt: FaultPointName | null
  /** The policy for new passwords (Specification, section 5). */
  passwordPolicy: PasswordPolicy
  /** The service that knows leaked passwords by a part of their hash; null while it isn't asked. */
  passwordLeakCheckUrl: string | null
  /** The collector for traces; null to record none. */
  traces: TraceSettings | null
  /** The memory of this process's page cache; 0 to render pages for each request. */
  pageCacheBytes: number
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** The settings of the payment adapters. */
type PaymentsConfig =
  | { provider: 'sandbox' }
  | { provider: 'stripe'; secretKey: string; publishableKey: string; webhookSecret: string }

/** The settings of vendors' accounts and transfers. */
type PayoutsConfig =
  | { provider: 'off' }
  | { provider: 'sandbox' }
  | { provider: 'stripe'; secretKey: string; connectWebhookSecret: string; accountsWebhookSecret: string }

/** The Firebase project's settings. All of them are public and sent to browsers that need them. */
export type FirebaseProject = {
  apiKey: string
  authDomain: string
  projectId: string
  appId: string
  /** Without it analytics are off (Decision 23). */
  measurementId: string | null
}

export const DEMO_OPERATOR_EMAIL = 'operator@jubilee.example'
/** The ABN of the tax office's worked example of check digits. */
const DEMO_ABN = '51824753556'

/** The demo's outbox takes replies itself, so no mail server has to know this domain. */
const DEMO_MAIL_INBOUND = 'reply.jubilee.example'

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Reads and checks the settings. No other code reads the environment.
 * @param env usually process.env
 * @throws SettingsError naming each setting that is wrong or missing
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = withoutEmpty(env)
  const set = parseSettings(environment, given)
  const publicUrl = new URL(set.PUBLIC_URL ?? `http://localhost:${set.PORT}`)
  const demo = !set.DATABASE_URL && loopbackHosts.has(publicUrl.hostname)
  const data = dataSettings(set)

  const firebase = readFirebase(set, publicUrl)
  const stripe = readStripe(set)
  const payments: PaymentsConfig =
    stripe.keys && set.PAYMENTS !== 'sandbox'
      ? { provider: 'stripe', ...stripe.keys }
      : { provider: 'sandbox' }
  const payouts = readPayouts(set, { payments, demo })
  const isTest = env.NODE_ENV === 'test'
  const problems = findProblems({ set, given, publicUrl, demo, isTest, data, firebase, stripe, payouts })
  if (problems.length > 0) throw new SettingsError(problems)

  const operatorEmails = set.OPERATOR_EMAILS.split(',')
    .map((email) => email.trim().toLowerCase())
    .filter(Boolean)
  if (demo) operatorEmails.push(DEMO_OPERATOR_EMAIL)

  const { dataFolder } = data.settings
  const isDemoPlatform = demo && payments.provider === 'sandbox'
  return {
    ...data.settings,
    replica: set.DATABASE_READ_URL
      ? { url: set.DATABASE_READ_URL, maxLagMs: set.DATABASE_READ_LAG_SECONDS * 1_000 }
      : null,
    port: set.PORT,
    // The demo has accounts with known passwords, and the emulator takes any token. Both are for this machine alone.
    host: set.HOST ?? (demo || firebase.emulatorUrl ? 'localhost' : '0.0.0.0'),
    publicUrl,
    processes: set.WEB_CONCURRENCY,
    stopLimitMs: set.STOP_LIMIT_SECONDS * 1_000,
    demo,
    secret: set.SECRET ?? storedSecret(dataFolder),
    payments,
    payouts: payouts.config,
    payoutDelayMs: set.PAYOUT_DELAY_HOURS * HOUR_MS,
    holdLimitMs: set.HOLD_LIMIT_DAYS * DAY_MS,
    requirePayoutsToApprove: set.REQUIRE_PAYOUTS_TO_APPROVE === '1',
    operatorSecondPersonCents: set.OPERATOR_SECOND_PERSON_CENTS,
    isSandboxOpen: payments.provider === 'sandbox' && loopbackHosts.has(publicUrl.hostname),
    accounts:
      set.ACCOUNTS === 'firebase'
        ? { provider: 'firebase', emulatorUrl: firebase.emulatorUrl }
        : { provider: 'better-auth' },
    firebase: firebase.project,
    mail: set.SMTP_URL
      ? {
          kind: 'smtp',
          url: set.SMTP_URL,
          from: set.MAIL_FROM,
          requireTls: set.SMTP_ALLOW_PLAIN === '0' && needsTls(set.SMTP_URL),
        }
      : { kind: 'outbox', folder: join(dataFolder, 'outbox') },
    passwordPolicy: {
      minLength: set.PASSWORD_MIN_LENGTH,
      maxLength: set.PASSWORD_MAX_LENGTH ?? null,
      lowercase: set.PASSWORD_REQUIRE_LOWERCASE === '1',
      uppercase: set.PASSWORD_REQUIRE_UPPERCASE === '1',
      numeric: set.PASSWORD_REQUIRE_NUMERIC === '1',
      nonAlphanumeric: set.PASSWORD_REQUIRE_NON_ALPHANUMERIC === '1',
    },
    passwordLeakCheckUrl: set.PASSWORD_LEAK_CHECK_URL ?? null,
    mailInbound: set.MAIL_INBOUND ?? (demo && !set.SMTP_URL ? DEMO_MAIL_INBOUND : null),
    mailService: readLogin(set.MAIL_INBOUND_LOGIN),
    pushKeys: set.PUSH_PRIVATE_KEY
      ? pushKeysOf(set.PUSH_PRIVATE_KEY)
      : demo
        ? pushKeysOf(storedPushKey(dataFolder))
        : null,
    masksContacts: set.MASK_CONTACTS === '1',
    operatorEmails: new Set(operatorEmails),
    sessionLifeMs: Math.round(set.SESSION_DAYS * DAY_MS),
    operatorSession: {
      lifeMs: Math.round(set.OPERATOR_SESSION_HOURS * HOUR_MS),
      idleMs: Math.round(set.OPERATOR_IDLE_MINUTES * 60_000),
    },
    operatorFactorFrom: demo ? null : new Date(set.OPERATOR_SETUP_UNTIL ?? 0),
    trustedProxy: set.TRUSTED_PROXY === '1',
    metricsPort: set.METRICS_PORT ?? null,
    metricsToken: set.METRICS_TOKEN ?? null,
    securityEventsToken: set.SECURITY_EVENTS_TOKEN ?? null,
    brand: set.BRAND,
    contact: { address: set.CONTACT_ADDRESS, phone: set.CONTACT_PHONE, email: set.CONTACT_EMAIL },
    social: {
      facebook: set.FACEBOOK_URL,
      instagram: set.INSTAGRAM_URL,
      tiktok: set.TIKTOK_URL,
      youtube: set.YOUTUBE_URL,
    },
    refundGraceMs: set.REFUND_GRACE_SECONDS * 1_000,
    holdMs: set.HOLD_SECONDS * 1_000,
    paymentExpiryMs: set.PAYMENT_EXPIRY_SECONDS * 1_000,
    commissionBasisPoints: set.COMMISSION_BP,
    reserveBasisPoints: set.RESERVE_BP,
    platform: {
      abn: set.PLATFORM_ABN ?? (isDemoPlatform ? DEMO_ABN : null),
      isGstRegistered: set.PLATFORM_GST ? set.PLATFORM_GST === '1' : isDemoPlatform,
    },
    undecided: {
      remindAfterMs: set.REMIND_VENDOR_AFTER_SECONDS * 1_000,
      declineAfterMs: set.DECLINE_AFTER_SECONDS * 1_000,
      declineBeforeEventMs: set.DECLINE_BEFORE_EVENT_SECONDS * 1_000,
    },
    remindBeforeEventMs: Math.round(set.REMINDER_HOURS * HOUR_MS),
    maxListings: set.MAX_LISTINGS,
    nearKm: set.NEAR_KM,
    mapStyleUrl: set.MAP_STYLE_URL ?? null,
    crashAt: set.CRASH_AT ?? null,
    traces: set.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          url: `${set.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, '')}/v1/traces`,
          headers: readHeaders(set.OTEL_EXPORTER_OTLP_HEADERS ?? '') ?? {},
          serviceName: set.OTEL_SERVICE_NAME,
          sampledShare:
            set.OTEL_TRACES_SAMPLER === 'parentbased_traceidratio' ? set.OTEL_TRACES_SAMPLER_ARG : 1,
        }
      : null,
    pageCacheBytes: set.PAGE_CACHE_MB * 1024 * 1024,
    // A person starts the demo in a terminal, where only problems are of interest.
    logLevel: set.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
  }
}

/** The shortest password that NIST and OWASP accept. */
const SAFE_MIN_PASSWORD_LENGTH = 8

/** Finds allowed settings that an operator should reconsider, outside the demo. */
export function findWarnings(config: Pick<Config, 'demo' | 'accounts' | 'passwordPolicy'>): string[] {
  const { demo, accounts, passwordPolicy } = config
  return !demo && accounts.provider === 'better-auth' && passwordPolicy.minLength < SAFE_MIN_PASSWORD_LENGTH
    ? [
        `PASSWORD_MIN_LENGTH is ${passwordPolicy.minLength}: set it to ${SAFE_MIN_PASSWORD_LENGTH} or more, since shorter passwords are guessed quickly from a stolen database`,
      ]
    : []
}

/** Finds settings that contradict each other or are missing. */
function findProblems({
  set,
  given,
  publicUrl,
  demo,
  isTest,
  data,
  firebase,
  stripe,
  payouts,
}: {
  set: z.output<typeof environment>
  given: Record<string, string | undefined>
  publicUrl: URL
  demo: boolean
  isTest: boolean
  data: ReturnType<typeof dataSettings>
  firebase: ReturnType<typeof readFirebase>
  stripe: ReturnType<typeof readStripe>
  payouts: ReturnType<typeof readPayouts>
}): string[] {
  const problems: string[] = []
  if (set.PASSWORD_MAX_LENGTH && set.PASSWORD_MAX_LENGTH < set.PASSWORD_MIN_LENGTH)
    problems.push('PASSWORD_MAX_LENGTH: must not be less than PASSWORD_MIN_LENGTH')
  problems.push(...firebase.problems)
  if (set.ACCOUNTS === 'firebase') {
    for (const name of Object.keys(given).filter((key) => key.startsWith('PASSWORD_')))
      problems.push(`${name}: with ACCOUNTS=firebase the password policy is set in the Firebase console`)
  }
  problems.push(...data.problems)
  if (set.WEB_CONCURRENCY > 1 && !set.DATABASE_URL)
    problems.push(
      'WEB_CONCURRENCY: the embedded database serves only one process; set DATABASE_URL to a PostgreSQL to run several',
    )
  if (set.DATABASE_READ_URL && !set.DATABASE_URL)
    problems.push('DATABASE_READ_URL: only with DATABASE_URL, whose standby it is')
  else if (set.DATABASE_READ_URL && set.DATABASE_READ_URL === set.DATABASE_URL)
    problems.push('DATABASE_READ_URL: must be another server than DATABASE_URL, its standby')
  problems.push(...stripe.problems)
  if (set.PAYMENTS === 'stripe' && !stripe.keys && stripe.problems.length === 0)
    problems.push(
      'PAYMENTS=stripe: needs STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET',
    )
  problems.push(...payouts.problems)
  if (stripe.isLive && publicUrl.protocol !== 'https:')
    problems.push('PUBLIC_URL: must be https:// with live Stripe keys')
  if (set.PLATFORM_GST === '1' && !set.PLATFORM_ABN && (!demo || stripe.keys))
    problems.push('PLATFORM_ABN: needed with PLATFORM_GST=1, since only a business with an ABN is registered')
  if (!demo && Boolean(set.MAIL_INBOUND) !== Boolean(set.MAIL_INBOUND_LOGIN))
    problems.push('MAIL_INBOUND, MAIL_INBOUND_LOGIN: need each other, to take replies by mail')
  if (set.CRASH_AT && !demo && !isTest)
    problems.push('CRASH_AT: only for tests; it kills the server on purpose')
  if (!demo) {
    if (!set.PAYMENTS && !stripe.keys && stripe.problems.length === 0)
      problems.push(
        'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET: needed outside the demo, to accept cards (or PAYMENTS=sandbox for test payments)',
      )
    if (!set.SMTP_URL && !set.MAIL)
      problems.push('SMTP_URL: needed outside the demo, to send mail (or MAIL=outbox to keep mails as files)')
    if (!set.SECRET) problems.push('SECRET: needed outside the demo; 32 random characters or more')
    if (!set.PUBLIC_URL) problems.push('PUBLIC_URL: needed outside the demo; the address that people use')
  }
  return problems
}

/**
 * Reads only the settings for the data's location. A backup needs no others, and its machine may have no others.
 * @throws SettingsError naming each setting that is wrong or missing
 */
export function readDataSettings(env: Record<string, string | undefined>): DataSettings {
  const { settings, problems } = dataSettings(parseSettings(dataEnvironment, withoutEmpty(env)))
  if (problems.length > 0) throw new SettingsError(problems)
  return settings
}

/** Whether what is sent to an address can't be read on the way. */
function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || loopbackHosts.has(hostname.toLowerCase())
}

/** Whether a connection must switch to TLS. Traffic on this machine is safe without, and smtps:// begins with TLS. */
function needsTls(smtpUrl: string): boolean {
  const { protocol, hostname } = new URL(smtpUrl)
  return protocol === 'smtp:' && !loopbackHosts.has(hostname.toLowerCase())
}

/** Splits 'user:password'. */
function readLogin(login: string | undefined): Config['mailService'] {
  const [user, password] = login?.split(':') ?? []
  return user && password ? { user, password } : null
}

/** Reads OpenTelemetry's list of headers: 'name=value,other=value', with percent-encoded values. */
function readHeaders(list: string): Record<string, string> | null {
  const headers: Record<string, string> = {}
  for (const entry of list.split(',').filter((part) => part.trim())) {
    const [, name, value] = /^\s*([\w-]+)=(.*?)\s*$/.exec(entry) ?? []
    if (!name || value === undefined) return null
    try {
      headers[name] = decodeURIComponent(value)
    } catch {
      return null
    }
  }
  return headers
}

function withoutEmpty(env: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
}

function parseSettings<Schema extends z.ZodType>(schema: Schema, given: object): z.output<Schema> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new SettingsError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
}

function dataSettings(set: z.output<typeof dataEnvironment>): { settings: DataSettings; problems: string[] } {
  const dataFolder = resolve(set.DATA_DIR)
  const s3 = readS3(set)
  return {
    settings: {
      dataFolder,
      databaseUrl: set.DATABASE_URL ?? null,
      fileStore: s3.settings
        ? { kind: 's3', ...s3.settings }
        : { kind: 'disk', folder: join(dataFolder, 'files') },
    },
    problems: s3.problems,
  }
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
    PAYOUTS?: PayoutsConfig['provider'] | undefined
    STRIPE_CONNECT_WEBHOOK_SECRET?: string | undefined
    STRIPE_ACCOUNTS_WEBHOOK_SECRET?: string | undefined
  },
  { payments, demo }: { payments: PaymentsConfig; demo: boolean },
): { config: PayoutsConfig; problems: string[] } {
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

/** Reads the bucket's settings. Only some of them would fail at the first picture, so refuse that at the start. */
function readS3(set: {
  S3_BUCKET?: string | undefined
  S3_REGION?: string | undefined
  S3_ENDPOINT?: string | undefined
  S3_ACCESS_KEY_ID?: string | undefined
  S3_SECRET_ACCESS_KEY?: string | undefined
}): { settings: S3Settings | null; problems: string[] } {
  const { S3_BUCKET, S3_REGION, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = set
  const needed = { S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }
  if (!S3_ENDPOINT && !Object.values(needed).some(Boolean)) return { settings: null, problems: [] }
  if (!S3_BUCKET || !S3_REGION || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY)
    return {
      settings: null,
      problems: Object.entries(needed)
        .filter(([, value]) => !value)
        .map(
          ([name]) => `${name}: missing; an S3 file store needs its bucket, region and both keys, or none`,
        ),
    }
  return {
    settings: {
      bucket: S3_BUCKET,
      region: S3_REGION,
      endpoint: S3_ENDPOINT?.replace(/\/$/, '') ?? null,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
    },
    problems: [],
  }
}

/** The demo's own secret, so that sessions survive a restart. */
const storedSecret = (folder: string) => stored(folder, 'secret', () => randomBytes(32).toString('hex'))

/** The demo's own key for push services, so that subscriptions survive a restart. */
const storedPushKey = (folder: string) => stored(folder, 'push-key', () => makePushKeys().privateKey)

/** A value that is made once and stored in a file. */
function stored(folder: string, file: string, make: () => string): string {
  const path = join(folder, file)
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  mkdirSync(folder, { recursive: true })
  const value = make()
  writeFileSync(path, `${value}\n`, { mode: 0o600 })
  return value
}

type FirebaseSettings = {
  ACCOUNTS: 'better-auth' | 'firebase'
  FIREBASE_API_KEY?: string | undefined
  FIREBASE_AUTH_DOMAIN?: string | undefined
  FIREBASE_PROJECT_ID?: string | undefined
  FIREBASE_APP_ID?: string | undefined
  FIREBASE_MEASUREMENT_ID?: string | undefined
  FIREBASE_AUTH_EMULATOR_URL?: string | undefined
  HOST?: string | undefined
  TRUSTED_PROXY: '0' | '1'
}

/** Reads the project's settings. Only some of them would fail at the first sign-in, so refuse that at the start. */
function readFirebase(
  set: FirebaseSettings,
  publicUrl: URL,
): { project: FirebaseProject | null; emulatorUrl: string | null; problems: string[] } {
  const { FIREBASE_API_KEY, FIREBASE_AUTH_DOMAIN, FIREBASE_PROJECT_ID, FIREBASE_APP_ID } = set
  const needed = { FIREBASE_API_KEY, FIREBASE_AUTH_DOMAIN, FIREBASE_PROJECT_ID, FIREBASE_APP_ID }
  const { emulatorUrl, problems } = readEmulator(set, publicUrl)
  const wanted =
    set.ACCOUNTS === 'firebase' || set.FIREBASE_MEASUREMENT_ID || Object.values(needed).some(Boolean)
  if (!wanted) return { project: null, emulatorUrl, problems }
  for (const [name, value] of Object.entries(needed)) {
    if (!value) problems.push(`${name}: needed with the other settings of the Firebase project`)
  }
  if (!FIREBASE_API_KEY || !FIREBASE_AUTH_DOMAIN || !FIREBASE_PROJECT_ID || !FIREBASE_APP_ID)
    return { project: null, emulatorUrl, problems }
  return {
    emulatorUrl,
    project: {
      apiKey: FIREBASE_API_KEY,
      authDomain: FIREBASE_AUTH_DOMAIN,
      projectId: FIREBASE_PROJECT_ID,
      appId: FIREBASE_APP_ID,
      measurementId: set.FIREBASE_MEASUREMENT_ID ?? null,
    },
    problems,
  }
}

/**
 * Reads the emulator's origin. Its tokens are unsigned, so anyone who reaches a server that accepts them can sign in as
 * anyone. A name that merely resolves to this machine today is refused, because DNS is not ours.
 */
function readEmulator(
  set: FirebaseSettings,
  publicUrl: URL,
): { emulatorUrl: string | null; problems: string[] } {
  const name = 'FIREBASE_AUTH_EMULATOR_URL'
  const given = set.FIREBASE_AUTH_EMULATOR_URL
  if (!given) return { emulatorUrl: null, problems: [] }
  const emulator = new URL(given)
  const problems: string[] = []
  if (set.ACCOUNTS !== 'firebase') problems.push(`${name}: does nothing without ACCOUNTS=firebase`)
  if (!loopbackHosts.has(emulator.hostname))
    problems.push(
      `${name}: only for tests, so it must be on localhost, 127.0.0.1 or [::1]; its tokens are unsigned`,
    )
  if (emulator.href !== `${emulator.origin}/`)
    problems.push(`${name}: must be an origin without user, path or query, like http://127.0.0.1:9099`)
  if (!loopbackHosts.has(publicUrl.hostname))
    problems.push(`${name}: only while PUBLIC_URL is on localhost, 127.0.0.1 or [::1]; anyone could log in`)
  if (set.HOST && !loopbackHosts.has(set.HOST) && set.HOST !== '::1')
    problems.push(`${name}: only while HOST is localhost, 127.0.0.1 or ::1; the network could log in`)
  if (set.TRUSTED_PROXY === '1')
    problems.push(`${name}: never behind a proxy (TRUSTED_PROXY=1), which would let the network log in`)
  return { emulatorUrl: emulator.origin, problems }
}
