import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { FileStore } from '../../adapters/file-store/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { LiveUpdates } from '../../adapters/live-updates/port.ts'
import type { PdfReader } from '../../adapters/pdfs/port.ts'
import type { RateLimits } from '../../adapters/rate-limits/port.ts'
import type { Side } from './rules.ts'

/** The notifications about a conversation's quotes. */
export type QuoteNotices = {
  /** The keys of those that say no more than the conversation's page, such as that of a withdrawal. */
  eventKeys: string[]
  /** The quotes' own pages, to which a customer's notifications lead. */
  links: string[]
}

/** The services of the commands of conversations. */
export type EnquiryDeps = {
  db: Database
  jobs: Jobs
  liveUpdates: LiveUpdates
  files: FileStore
  pdfs: PdfReader
  rateLimits: RateLimits
  now: () => Date
  /** The key that the tokens of links and reply addresses are derived with. */
  secret: string
  brand: string
  publicUrl: URL
  /** The domain of reply addresses; null while replies by mail are off. */
  mailInbound: string | null
  /** Whether contact details stay masked until a booking is paid. */
  masksContacts: boolean
  /** Ends the open quote of a locked conversation that a side closes or blocks: as withdrawn or declined by that side. */
  endQuotes(tx: DatabaseTransaction, ended: { conversationId: string; by: Side }): Promise<void>
  /** Lists the notifications of both sides about a conversation's quotes. */
  listQuoteNotices(db: Database | DatabaseTransaction, conversationId: string): Promise<QuoteNotices>
}
