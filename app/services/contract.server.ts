import type { HostedAccounts } from '../adapters/accounts/firebase.server.ts'
import type { Passwords } from '../adapters/accounts/passwords.server.ts'
import type { Accounts } from '../adapters/accounts/port.ts'
import type { SecurityLog } from '../adapters/accounts/security-log.ts'
import type { BusinessRegister } from '../adapters/business-register/port.ts'
import type { CalendarReader } from '../adapters/calendars/port.ts'
import type { SandboxClock } from '../adapters/clock/sandbox-clock.server.ts'
import type { Database } from '../adapters/database/port.ts'
import type { ReadReplica } from '../adapters/database/replica.server.ts'
import type { FileStore } from '../adapters/file-store/port.ts'
import type { InboundMail } from '../adapters/inbound-mail/port.ts'
import type { Jobs } from '../adapters/jobs/port.ts'
import type { LinkCards } from '../adapters/link-cards/port.ts'
import type { LiveUpdates } from '../adapters/live-updates/port.ts'
import type { StreamLimit } from '../adapters/live-updates/stream-limit.server.ts'
import type { Outbox } from '../adapters/mail/outbox.server.ts'
import type { Mail } from '../adapters/mail/port.ts'
import type { FaultPoint } from '../adapters/payments/fault-points.ts'
import type { PayoutProvider } from '../adapters/payments/payout-port.ts'
import type { PaymentProvider } from '../adapters/payments/port.ts'
import type { SandboxProvider } from '../adapters/payments/sandbox.server.ts'
import type { PdfReader } from '../adapters/pdfs/port.ts'
import type { PushSender } from '../adapters/push/port.ts'
import type { LocalLimits, RateLimits } from '../adapters/rate-limits/port.ts'
import type { Traces } from '../adapters/traces/port.ts'
import type { Config } from '../config.server.ts'
import type { View } from '../features/businesses/commands.server.ts'
import type { Log } from '../log.server.ts'

/** The services of every request and job. `services.server.ts` makes them. */
export type Services = {
  config: Config
  db: Database
  /** Writes what a small change of the product would. Throws while the database takes no writes. */
  checkWrites: () => Promise<void>
  /** The standby that answers searches with words; null without one. */
  replica: ReadReplica | null
  accounts: Accounts
  /** The same object as `accounts` if a hosted service signs people in; otherwise null. */
  hostedAccounts: HostedAccounts | null
  /** The record of sign-ins, refusals and changes of accounts. */
  securityLog: SecurityLog
  /** Hashes the passwords that `accounts` stores itself. */
  passwords: Passwords
  files: FileStore
  jobs: Jobs
  liveUpdates: LiveUpdates
  /** The live streams of this process, whose memory they use. */
  liveStreams: StreamLimit
  mail: Mail
  /** Reads the mails that a service receives for us; null without such a service. */
  inboundMail: InboundMail | null
  /** The mails stored as files; null with SMTP. */
  outbox: Outbox | null
  /** Sends notifications to devices; null while they are off. */
  push: PushSender | null
  payments: PaymentProvider
  /** Vendors' accounts and transfers; null while PAYOUTS is off. */
  payouts: PayoutProvider | null
  /** The same object as `payments` if it is the sandbox, which has its own card form; otherwise null. */
  sandbox: SandboxProvider | null
  /** Kills this process at a point that a test has chosen; otherwise does nothing. */
  faultPoint: FaultPoint
  rateLimits: RateLimits
  /** Limits in this process's memory: a database row per search would cost as much as the search. */
  searchLimits: { searches: LocalLimits; counts: LocalLimits; suggestions: LocalLimits; cards: LocalLimits }
  /** Limits the counted views, in this process's memory too. */
  viewLimit: LocalLimits
  /** Limits the errors that browsers report, so that nobody fills the log. */
  browserErrorLimit: LocalLimits
  /** Counts a view of a business's page together with those that arrive at the same time. Resolves once it's stored. */
  countView(view: View): Promise<void>
  /** Asks the register of ABNs; null without one. */
  businessRegister: BusinessRegister | null
  /** Reads vendors' outside calendars. */
  calendars: CalendarReader
  /** Examines the PDFs that people attach. */
  pdfs: PdfReader
  /** Draws the pictures that messengers show of a link. */
  linkCards: LinkCards
  /** Records nothing unless a collector is configured. */
  traces: Traces
  log: Log
  /** The names of this version's migrations, all of which have been applied. */
  migrations: readonly string[]
  /** The PostgreSQL pool's current connections; null on the embedded database, which has only one. */
  databasePool(): { open: number; idle: number; waiting: number } | null
  /** Aborted when the process begins to stop, so that open-ended work such as live streams ends. */
  stopping: AbortController
  /** The clock of everything but sessions, cookies, signatures and rate limits, which stay in real time. */
  now: () => Date
  /** The machine's own clock. */
  realNow: () => Date
  /** Moves `now`; null unless the sandbox takes the payments of this machine's own visitors. */
  clock: SandboxClock | null
  /** Starts background jobs. Requests are also served without them. */
  startJobs(): Promise<void>
  /** Stops the jobs, unless they have been stopped before, and closes the database. */
  close(): Promise<void>
}
