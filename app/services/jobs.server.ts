import type { BetterAuthAccounts } from '../adapters/accounts/better-auth.server.ts'
import type { PgliteConnection } from '../adapters/database/pglite.server.ts'
import type { PostgresConnection } from '../adapters/database/postgres.server.ts'
import { registerAccountJobs, registerMailJob, registerPhotoJob } from '../features/accounts/jobs.server.ts'
import { registerAlertJobs } from '../features/alerts/jobs.server.ts'
import { registerAvailabilityJobs } from '../features/availability/jobs.server.ts'
import { instalmentDepsOf } from '../features/bookings/checkout/fulfilment-commands.server.ts'
import { registerBookingJobs } from '../features/bookings/jobs.server.ts'
import { registerListingJobs } from '../features/businesses/jobs.server.ts'
import { registerDeskJobs } from '../features/desk/jobs.server.ts'
import { registerEnquiryJobs } from '../features/enquiries/jobs.server.ts'
import { registerFileJobs } from '../features/files/jobs.server.ts'
import { registerIncomeReportJobs } from '../features/income-reports/jobs.server.ts'
import { registerInstalmentJobs } from '../features/instalments/jobs.server.ts'
import { registerLedgerJobs } from '../features/ledger/jobs.server.ts'
import { registerNewsletterJobs } from '../features/newsletter/jobs.server.ts'
import { registerNotificationJobs } from '../features/notifications/jobs.server.ts'
import { registerOperatorJobs } from '../features/operators/jobs.server.ts'
import { registerPaymentJobs } from '../features/payments/jobs.server.ts'
import {
  registerAgreementJobs,
  registerPayoutJobs,
  registerProofJobs,
} from '../features/payouts/jobs.server.ts'
import { registerPrivacyJobs } from '../features/privacy/jobs.server.ts'
import { registerQuoteJobs } from '../features/quotes/jobs.server.ts'
import { registerRegistrationJobs } from '../features/registrations/jobs.server.ts'
import { registerReviewJobs } from '../features/reviews/jobs.server.ts'
import { registerShortlistJobs } from '../features/shortlists/jobs.server.ts'
import { registerAccountantJobs, registerTaxJobs } from '../features/tax/jobs.server.ts'
import type { Services } from './contract.server.ts'
import {
  accountantDeps,
  alertDeps,
  availabilityDeps,
  bookingDeps,
  enquiryDeps,
  incomeReportDeps,
  payoutDeps,
  proofDeps,
  registerDeps,
  taxDeps,
} from './deps.server.ts'

declare module '../adapters/jobs/port.ts' {
  interface JobData {
    'forget-old-limits': Record<string, never>
    'forget-old-mails': Record<string, never>
    vacuum: Record<string, never>
  }
}

/** Registers the handler and the schedule of every job. */
export function registerJobs(
  services: Services,
  connection: PgliteConnection | PostgresConnection,
  ownAccounts: BetterAuthAccounts,
): void {
  const { config, db, jobs, mail, outbox, files, rateLimits, log, now, realNow } = services
  registerMailJob(jobs, mail, db)
  registerAccountJobs(jobs, mail, db, ownAccounts, config)
  registerPhotoJob(jobs, { db, files })
  registerNotificationJobs(jobs, {
    db,
    log,
    isLiveSession: (id) => services.accounts.isLiveSession(id),
    // Looked up at each sending, so that a test can replace it.
    send: async (...input) => services.push?.send(...input) ?? null,
  })
  registerNewsletterJobs(jobs, mail, config)
  registerPrivacyJobs(jobs, { db, jobs, now, realNow })
  registerRegistrationJobs(jobs, registerDeps(services))
  registerShortlistJobs(jobs, { db, now })
  registerAlertJobs(alertDeps(services), mail)
  registerListingJobs(jobs, { db })
  registerPaymentJobs(jobs, bookingDeps(services))
  registerLedgerJobs(jobs, proofDeps(services), log)
  registerBookingJobs(bookingDeps(services), mail)
  registerQuoteJobs(bookingDeps(services), mail)
  registerInstalmentJobs(jobs, instalmentDepsOf(bookingDeps(services)))
  const payouts = payoutDeps(services)
  if (payouts) registerPayoutJobs(jobs, payouts)
  registerAgreementJobs(jobs, bookingDeps(services))
  registerProofJobs(jobs, { db, files })
  registerTaxJobs(jobs, taxDeps(services), services.businessRegister)
  registerAccountantJobs(jobs, { ...accountantDeps(services), mail })
  registerIncomeReportJobs(jobs, incomeReportDeps(services), { hasPayouts: payouts !== null })
  registerAvailabilityJobs(jobs, availabilityDeps(services))
  registerOperatorJobs(
    {
      ...bookingDeps(services),
      adminEmails: config.operatorEmails,
      payouts: services.payouts && { provider: services.payouts.name, holdLimitMs: config.holdLimitMs },
    },
    log,
  )
  registerDeskJobs(jobs, { db, now })
  registerReviewJobs(bookingDeps(services), mail)
  registerFileJobs(jobs, { db, files, now })
  registerEnquiryJobs(enquiryDeps(services), mail)
  jobs.handle('forget-old-limits', () => rateLimits.forgetOld())
  jobs.schedule('forget-old-limits', '17 * * * *', {})
  if (outbox) {
    jobs.handle('forget-old-mails', () => outbox.forgetOld())
    jobs.schedule('forget-old-mails', '25 18 * * *', {})
  }
  if (connection.kind === 'pglite') {
    // PostgreSQL has autovacuum, but PGlite doesn't. Without a vacuum, space is never reused and the planner has no
    // statistics.
    jobs.handle('vacuum', () => connection.executeScript('vacuum analyze'))
    jobs.schedule('vacuum', '5 17 * * *', {})
  }
}
