import { join } from 'node:path'
import { href } from 'react-router'
import { type BetterAuthAccounts, createBetterAuthAccounts } from './adapters/accounts/better-auth.server.ts'
import { openCommonPasswords } from './adapters/accounts/common-passwords.server.ts'
import { createFirebaseAccounts, type HostedAccounts } from './adapters/accounts/firebase.server.ts'
import { createLeakLookup } from './adapters/accounts/leaked-passwords.server.ts'
import { type IsWeakPassword, type Passwords, slowPasswords } from './adapters/accounts/passwords.server.ts'
import { backUp, moveToPostgres, restore } from './adapters/backup/backup.server.ts'
import type { DataSettings } from './adapters/backup/port.ts'
import { createAbrRegister } from './adapters/business-register/abr.server.ts'
import type { BusinessRegister } from './adapters/business-register/port.ts'
import { createSandboxRegister } from './adapters/business-register/sandbox.server.ts'
import { createCalendarReader } from './adapters/calendars/http.server.ts'
import { createSandboxClock } from './adapters/clock/sandbox-clock.server.ts'
import { listMigrations, migrate } from './adapters/database/migrate.server.ts'
import { openPglite, type PgliteConnection } from './adapters/database/pglite.server.ts'
import type { DatabaseTransaction } from './adapters/database/port.ts'
import {
  openPostgres,
  type PostgresConnection,
  type PostgresOptions,
} from './adapters/database/postgres.server.ts'
import { openReplica } from './adapters/database/replica.server.ts'
import { checkWrites } from './adapters/database/write-check.server.ts'
import { createDiskFileStore } from './adapters/file-store/disk.server.ts'
import type { FileStore } from './adapters/file-store/port.ts'
import { createPostmarkInbound } from './adapters/inbound-mail/postmark.server.ts'
import { createJobs } from './adapters/jobs/pg-boss.server.ts'
import { CARD_LIMIT } from './adapters/link-cards/port.ts'
import { createLinkCards } from './adapters/link-cards/threads.server.ts'
import { createLiveUpdates } from './adapters/live-updates/notify.server.ts'
import { createStreamLimit, MAX_LIVE_STREAMS } from './adapters/live-updates/stream-limit.server.ts'
import { createOutbox } from './adapters/mail/outbox.server.ts'
import type { Mail, RenderedMailSender } from './adapters/mail/port.ts'
import { createRenderedMail } from './adapters/mail/rendered.server.ts'
import type { SmtpSettings } from './adapters/mail/smtp.server.ts'
import type { FaultPoint } from './adapters/payments/fault-points.ts'
import { createSandboxProvider, sumSandboxMoney } from './adapters/payments/sandbox.server.ts'
import { createPdfReader } from './adapters/pdfs/pdfjs.server.ts'
import { createPushSender } from './adapters/push/web-push.server.ts'
import { createRateLimits } from './adapters/rate-limits/database.server.ts'
import { createLocalLimits } from './adapters/rate-limits/memory.server.ts'
import { noTraces, type Traces, traceCalls } from './adapters/traces/port.ts'
import { fetchWithin } from './adapters/wire/limits.server.ts'
import type { Config } from './config.server.ts'
import { containsOwnWord, meetsPolicy } from './features/accounts/rules.ts'
import { createSecurityLog } from './features/accounts/security-commands.server.ts'
import { countViews, type View } from './features/businesses/commands.server.ts'
import { VIEW_LIMIT } from './features/businesses/rules.ts'
import { claimAdminEmails } from './features/operators/named-admin-queries.server.ts'
import { sumMoney } from './features/operators/payment-queries.server.ts'
import { loadPlaces } from './features/places/commands.server.ts'
import { COUNT_LIMIT, SEARCH_LIMIT, SUGGESTION_LIMIT } from './features/search/rules.ts'
import { createLog } from './log.server.ts'
import { type RequestLog, requestLog } from './request-log.server.ts'
import { accountEventsOf, sessionRulesOf } from './services/account-events.server.ts'
import type { Services } from './services/contract.server.ts'
import { sendingSite } from './services/deps.server.ts'
import { registerJobs } from './services/jobs.server.ts'
import { FILE_CALLS, PAYMENT_CALLS, PAYOUT_CALLS } from './services/traced-calls.server.ts'
import { BROWSER_ERROR_LIMIT } from './shared/browser-errors.ts'
import { groupCalls } from './shared/group-calls.ts'

export type { Services } from './services/contract.server.ts'

type ServiceOptions = {
  databaseFolder: string
  openDatabase?: () => Promise<PgliteConnection | PostgresConnection>
  now?: () => Date
  passwords?: Passwords
}

/**
 * Opens the database, migrates it and creates every service. This file alone chooses the adapter for each port.
 * @param options.databaseFolder holds migrations/, places.tsv and common-passwords.bin
 * @param options.openDatabase replaces the database (tests)
 * @param options.passwords replaces the slow hashes in tests; not a setting, so that no deployment can replace them
 * @throws DataFolderInUse when another process uses the embedded database, PoolerRefused
 */
export async function createServices(config: Config, options: ServiceOptions): Promise<Services> {
  const traces = await openTraces(config, (what, error) => log.warn({ err: error }, what))
  const log = createLog(config.logLevel, traces.traceId)
  const realNow = options.now ?? (() => new Date())
  const passwords = options.passwords ?? slowPasswords
  const connection = await openMigrated(config, options, { traces, log })
  const { db } = connection
  const replica =
    config.replica && openReplica({ ...config.replica, primary: db, log, onStatement: traces.onStatement })
  const liveUpdates = await createLiveUpdates(connection)
  const clock = config.isSandboxOpen
    ? await createSandboxClock({
        db,
        liveUpdates,
        realNow,
        onError: (error) => log.warn({ err: error }, 'sandbox clock'),
      })
    : null
  const now = clock?.now ?? realNow

  const channels = await createChannels({ config, traces, now })
  const jobs = createJobs(
    connection,
    (error, about) => log.error({ err: error }, about),
    (name, work) => traces.run({ name: `job ${name}`, kind: 'job' }, work),
  )
  // Limits, sessions and signatures stay in real time, so that a moved clock ends no session.
  const rateLimits = createRateLimits(db, realNow)
  const securityLog = createSecurityLog({
    db,
    secret: config.secret,
    onLost: (error) => log.error({ err: error }, 'a security event was lost'),
    now: realNow,
  })
  const { hostedAccounts, ownAccounts } = createAccounts({
    config,
    db,
    securityLog,
    jobs,
    liveUpdates,
    rateLimits,
    traces,
    log,
    now: realNow,
    passwords,
    isWeak: createWeakPasswordCheck({ config, traces, log }, options.databaseFolder),
  })
  const faultPoint = crashAt(config.crashAt)
  const providers = await createPayments({ config, db, log, now, realNow, faultPoint, traces })

  const services: Services = {
    config,
    db,
    checkWrites: () => checkWrites(db),
    replica,
    accounts: hostedAccounts ?? ownAccounts,
    hostedAccounts,
    securityLog,
    passwords,
    ...channels,
    jobs,
    liveUpdates,
    liveStreams: createStreamLimit(MAX_LIVE_STREAMS),
    ...providers,
    businessRegister: createBusinessRegister({ config, traces }),
    faultPoint,
    rateLimits,
    searchLimits: {
      searches: createLocalLimits(SEARCH_LIMIT, realNow),
      counts: createLocalLimits(COUNT_LIMIT, realNow),
      suggestions: createLocalLimits(SUGGESTION_LIMIT, realNow),
      cards: createLocalLimits(CARD_LIMIT, realNow),
    },
    viewLimit: createLocalLimits(VIEW_LIMIT, realNow),
    browserErrorLimit: createLocalLimits(BROWSER_ERROR_LIMIT, realNow),
    countView: createViewCounter({ db, now }),
    traces,
    log,
    migrations: listMigrations(migrationsIn(options)).map(({ name }) => name),
    databasePool: () => (connection.kind === 'postgres' ? connection.pool() : null),
    stopping: new AbortController(),
    now,
    realNow,
    clock,
    async startJobs() {
      registerJobs(services, connection, ownAccounts)
      await jobs.start()
    },
    async close() {
      await jobs.stop(config.stopLimitMs)
      await liveUpdates.close()
      await traces.close()
      await replica?.close()
      await connection.close()
    },
  }
  return services
}

/** Fetches from services that the operator has chosen. Their largest answers, keys and ranges of hashes, have 60 kB. */
const fetchChosen = fetchWithin(2_000_000)

const migrationsIn = ({ databaseFolder }: ServiceOptions) => join(databaseFolder, 'migrations')

/** Opens the database, applies the migrations, and stores the places and the admins that the settings name. */
async function openMigrated(
  config: Config,
  options: ServiceOptions,
  { traces, log }: Pick<Services, 'traces' | 'log'>,
): Promise<PgliteConnection | PostgresConnection> {
  const connection = options.openDatabase
    ? await options.openDatabase()
    : await openDatabase(config, (error) => log.error({ err: error }, 'database connection'), {
        onUnavailable,
        areStatementsLimited: true,
        onStatement: traces.onStatement,
      })
  if (connection.kind === 'postgres') await connection.refusePooler()
  await migrate(connection, migrationsIn(options))
  await loadPlaces(connection.db, join(options.databaseFolder, 'places.tsv'))
  await claimAdminEmails(connection.db, config.operatorEmails)
  return connection
}

/** Counts views in groups: one statement for all that arrive while another one runs. */
function createViewCounter(deps: Pick<Services, 'db' | 'now'>): Services['countView'] {
  const count = groupCalls<{ view: View; request: RequestLog | undefined }>(async (calls) => {
    // A context of the group's own. Otherwise only the request that began it would learn that the database is unavailable.
    const group: RequestLog = { requestId: 'views', route: href('/api/view') }
    const views = calls.map(({ view }) => view)
    try {
      await requestLog.run(group, () => countViews(deps, views))
    } finally {
      if (group.isDependencyUnavailable) for (const { request } of calls) markUnavailable(request)
    }
  })
  return (view) => count({ view, request: requestLog.getStore() })
}

/** Creates the services of files, mails, notifications, calendars, PDFs and the cards of links, with their calls traced. */
async function createChannels({
  config,
  traces,
  now,
}: Pick<Services, 'config' | 'traces' | 'now'>): Promise<
  Pick<Services, 'files' | 'outbox' | 'mail' | 'inboundMail' | 'push' | 'calendars' | 'pdfs' | 'linkCards'>
> {
  const files = traceCalls(traces, 'files', await openFileStore(config.fileStore, onUnavailable), FILE_CALLS)
  const outbox = config.mail.kind === 'outbox' ? createOutbox(config.mail.folder, now) : null
  const mail: Mail = traceCalls(
    traces,
    'mail',
    createRenderedMail(outbox ?? (await openSmtpMail(config.mail as SmtpSettings)), sendingSite(config)),
    ['send'],
  )
  const pushSender =
    config.pushKeys && createPushSender({ keys: config.pushKeys, subject: `mailto:${config.contact.email}` })
  const calendarReader = createCalendarReader({
    userAgent: `${config.brand} calendar sync`,
    // Our own bookings return through calendars that subscribe to our feeds.
    ownUidSuffix: `@${config.publicUrl.hostname}`,
  })
  return {
    files,
    outbox,
    mail,
    inboundMail: config.mailService && createPostmarkInbound(config.mailService),
    push: pushSender && traceCalls(traces, 'push', pushSender, ['send']),
    calendars: traceCalls(traces, 'calendars', calendarReader, ['read']),
    pdfs: traceCalls(traces, 'pdfs', createPdfReader(), ['clean']),
    linkCards: traceCalls(traces, 'link-cards', createLinkCards(), ['draw']),
  }
}

/** Creates this deployment's accounts. Better Auth always exists, because the job of mailed links uses it. */
function createAccounts({
  config,
  db,
  securityLog,
  jobs,
  liveUpdates,
  rateLimits,
  traces,
  log,
  now,
  passwords,
  isWeak,
}: Pick<
  Services,
  | 'config'
  | 'db'
  | 'securityLog'
  | 'jobs'
  | 'liveUpdates'
  | 'rateLimits'
  | 'traces'
  | 'log'
  | 'now'
  | 'passwords'
> & { isWeak: IsWeakPassword }): {
  hostedAccounts: HostedAccounts | null
  ownAccounts: BetterAuthAccounts
} {
  const { onFactorChange, queue, ...accountEvents } = accountEventsOf({ config, db, jobs, liveUpdates, now })
  const sessionRules = sessionRulesOf({ config, db })
  const hostedAccounts =
    config.accounts.provider === 'firebase' && config.firebase
      ? createFirebaseAccounts({
          db,
          publicUrl: config.publicUrl,
          secret: config.secret,
          projectId: config.firebase.projectId,
          apiKey: config.firebase.apiKey,
          emulatorUrl: config.accounts.emulatorUrl,
          rateLimits,
          fetchKeys: (url, init) =>
            traces.run({ name: 'accounts keys', kind: 'client' }, () => fetchChosen(url, init)),
          fetchService: (url, init) =>
            traces.run({ name: 'accounts service', kind: 'client' }, () => fetchChosen(url, init)),
          ...accountEvents,
          securityLog,
          sessionRules,
          onProblem: (problem, error) => log.warn({ err: error }, problem),
          now,
        })
      : null
  const ownAccounts = createBetterAuthAccounts({
    db,
    publicUrl: config.publicUrl,
    secret: config.secret,
    meetsPolicy: (password) => meetsPolicy(config.passwordPolicy, password),
    isWeak,
    queue,
    sessionRules,
    onSessionsEnded: accountEvents.onSessionsEnded,
    onFactorChange,
    securityLog,
    rateLimits,
    onUnknown: (code) => log.warn({ code }, 'unknown error from the account library'),
    now,
    passwords,
  })
  return { hostedAccounts, ownAccounts }
}

/** Refuses a new password that is common, contains the owner's address or the brand, or has leaked. */
function createWeakPasswordCheck(
  { config, traces, log }: Pick<Services, 'config' | 'traces' | 'log'>,
  databaseFolder: string,
): IsWeakPassword {
  const common = openCommonPasswords(join(databaseFolder, 'common-passwords.bin'))
  const isLeaked = config.passwordLeakCheckUrl
    ? createLeakLookup({
        url: config.passwordLeakCheckUrl,
        userAgent: config.brand,
        fetchRange: (url, init) =>
          traces.run({ name: 'leaked passwords', kind: 'client' }, () => fetchChosen(url, init)),
        onUnavailable: (error) => log.warn({ err: error }, 'leaked passwords can’t be looked up'),
      })
    : null
  return async (password, { email }) =>
    common.has(password) ||
    containsOwnWord(password, { email, brand: config.brand }) ||
    ((await isLeaked?.(password)) ?? false)
}

function createBusinessRegister({
  config: { businessRegister: chosen, brand },
  traces,
}: Pick<Services, 'config' | 'traces'>): BusinessRegister | null {
  if (chosen.provider === 'none') return null
  if (chosen.provider === 'sandbox') return createSandboxRegister()
  const abr = createAbrRegister({ guid: chosen.guid, userAgent: brand, fetchAnswer: fetchChosen })
  return traceCalls(traces, 'business register', abr, ['find'])
}

/** Creates the payment provider, and returns it again as the sandbox if it is one. */
async function createPayments({
  config,
  db,
  log,
  now,
  realNow,
  faultPoint,
  traces,
}: Pick<Services, 'config' | 'db' | 'log' | 'now' | 'realNow' | 'faultPoint' | 'traces'>): Promise<
  Pick<Services, 'payments' | 'payouts' | 'sandbox'>
> {
  if (config.payments.provider === 'sandbox') {
    const sandbox = createSandboxProvider({
      db,
      secret: config.secret,
      now,
      realNow,
      webhookUrl: (webhook) => new URL(WEBHOOKS[webhook](), config.publicUrl).href,
      onboardingUrl: (token) => new URL(href('/sandbox/account/:token', { token }), config.publicUrl).href,
      log,
      faultPoint,
    })
    return {
      payments: sandbox,
      payouts: config.payouts.provider === 'sandbox' ? sandbox.payouts : null,
      sandbox,
    }
  }
  const { createStripeProvider } = await import('./adapters/payments/stripe.server.ts')
  const { createStripePayouts } = await import('./adapters/payments/stripe-payouts.server.ts')
  const stripe = createStripeProvider({ ...config.payments, now: realNow })
  const payouts =
    config.payouts.provider === 'stripe' ? createStripePayouts({ ...config.payouts, now: realNow }) : null
  return {
    payments: traceCalls(traces, 'payments', stripe, PAYMENT_CALLS),
    payouts: payouts && traceCalls(traces, 'payouts', payouts, PAYOUT_CALLS),
    sandbox: null,
  }
}

/** The webhook addresses of providers. */
const WEBHOOKS = {
  platform: () => href('/webhooks/payments'),
  connected: () => href('/webhooks/:about', { about: 'connected-accounts' }),
  accounts: () => href('/webhooks/:about', { about: 'accounts' }),
} as const

/** Backup, restore and move with the product's adapters. */
export const backup = {
  backUp: (settings: DataSettings, folder: string) => backUp(openers, settings, folder),
  restore: (settings: DataSettings, folder: string, migrationsFolder: string) =>
    restore(openers, settings, folder, migrationsFolder),
  moveToPostgres: (settings: DataSettings, migrationsFolder: string) =>
    moveToPostgres(openers, settings, migrationsFolder),
}

const openers = {
  database: openDatabase,
  files: (settings: DataSettings['fileStore']) => openFileStore(settings),
  sumMoney: async (tx: DatabaseTransaction) => [...(await sumMoney(tx)), ...(await sumSandboxMoney(tx))],
}

/** Marks the current request, so that its response tells the visitor that a dependency is unavailable. */
const onUnavailable = () => markUnavailable(requestLog.getStore())

function markUnavailable(request: RequestLog | undefined): void {
  if (request) request.isDependencyUnavailable = true
}

/** @param onError called when an idle connection breaks */
export async function openDatabase(
  settings: DataSettings,
  onError: (error: Error) => void,
  options?: PostgresOptions,
): Promise<PgliteConnection | PostgresConnection> {
  return settings.databaseUrl
    ? openPostgres(settings.databaseUrl, onError, options)
    : openPglite(settings.dataFolder, options)
}

export async function openFileStore(
  settings: DataSettings['fileStore'],
  onUnavailable?: () => void,
): Promise<FileStore> {
  if (settings.kind === 'disk') return createDiskFileStore(settings.folder)
  // Amazon's client is large, so load it only where it is used.
  const { createS3FileStore } = await import('./adapters/file-store/s3.server.ts')
  return createS3FileStore(settings, onUnavailable)
}

async function openSmtpMail(settings: SmtpSettings): Promise<RenderedMailSender> {
  const { createSmtpMail } = await import('./adapters/mail/smtp.server.ts')
  return createSmtpMail(settings)
}

/** Creates the traces. Loads OpenTelemetry only if a collector is configured. */
async function openTraces(
  { traces }: Config,
  report: (what: string, error?: unknown) => void,
): Promise<Traces> {
  if (!traces) return noTraces
  const { createOpenTelemetryTraces } = await import('./adapters/traces/opentelemetry.server.ts')
  return createOpenTelemetryTraces(traces, report)
}

/** @returns a function that kills this process, as kill -9 does, at the chosen point */
function crashAt(chosen: Config['crashAt']): FaultPoint {
  return (point) => {
    if (point === chosen) process.kill(process.pid, 'SIGKILL')
  }
}
