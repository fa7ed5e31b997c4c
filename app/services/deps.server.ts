import type { CalendarReader } from '../adapters/calendars/port.ts'
import type { SendingSite } from '../adapters/mail/frame.server.ts'
import type { RateLimits } from '../adapters/rate-limits/port.ts'
import { runByText } from '../features/agreements/messages.ts'
import type { AlertDeps } from '../features/alerts/deps.server.ts'
import type { OutsideCalendarDeps } from '../features/availability/outside-calendar-commands.server.ts'
import { createBookingDeps } from '../features/bookings/checkout/fulfilment-commands.server.ts'
import { BOOKING_COMPARISONS } from '../features/bookings/comparison-queries.server.ts'
import type { BookingDeps } from '../features/bookings/deps.server.ts'
import { findCustomerNames, listBookingsOf } from '../features/bookings/list/calendar-queries.server.ts'
import type { EnquiryDeps } from '../features/enquiries/deps.server.ts'
import { INCOME_REPORT_COMPARISONS } from '../features/income-reports/comparison-queries.server.ts'
import type { IncomeReportDeps } from '../features/income-reports/deps.server.ts'
import { INSTALMENT_COMPARISONS } from '../features/instalments/comparison-queries.server.ts'
import type { Comparison } from '../features/ledger/comparison-queries.server.ts'
import type { ProofDeps } from '../features/ledger/proof-commands.server.ts'
import { isDisputeAnswered } from '../features/operators/dispute-queries.server.ts'
import { troubleMail } from '../features/operators/mails.ts'
import { leavesAnAdmin } from '../features/operators/people-commands.server.ts'
import { listEmailsWith } from '../features/operators/people-queries.server.ts'
import { PAYMENT_COMPARISONS } from '../features/payments/comparison-queries.server.ts'
import { PAYOUT_COMPARISONS } from '../features/payouts/comparison-queries.server.ts'
import type { PayoutDeps } from '../features/payouts/deps.server.ts'
import { queueVendor } from '../features/payouts/notice-commands.server.ts'
import type { VendorProofDeps } from '../features/payouts/proof-commands.server.ts'
import { findStanding } from '../features/payouts/queries.server.ts'
import type { LeavesAnAdmin } from '../features/privacy/commands.server.ts'
import { lockQuotedSale } from '../features/quotes/acceptance-commands.server.ts'
import { endQuoteBy } from '../features/quotes/commands.server.ts'
import { QUOTE_COMPARISONS } from '../features/quotes/comparison-queries.server.ts'
import { listQuoteNotices } from '../features/quotes/notice-commands.server.ts'
import { numberReceipt } from '../features/receipts/commands.server.ts'
import type { RegisterDeps } from '../features/registrations/register-commands.server.ts'
import { groupAbnDigits } from '../features/registrations/rules.ts'
import { listAlternatives } from '../features/reviews/alternative-queries.server.ts'
import { listPurchases } from '../features/sales/queries.server.ts'
import type { AccountantDeps } from '../features/tax/accountant-commands.server.ts'
import { TAX_COMPARISONS } from '../features/tax/comparison-queries.server.ts'
import type { TaxDeps } from '../features/tax/deps.server.ts'
import type { Services } from './contract.server.ts'

/** The services that `availabilityDeps` takes. */
export type AvailabilityServices = Pick<Services, 'db' | 'liveUpdates' | 'now' | 'calendars'>
/** The services that `bookingDeps` takes. */
export type BookingServices = Pick<
  Services,
  'config' | 'db' | 'payments' | 'payouts' | 'jobs' | 'liveUpdates' | 'now' | 'faultPoint'
>
/** The services that `enquiryDeps` takes. */
export type EnquiryServices = Pick<
  Services,
  'config' | 'db' | 'jobs' | 'liveUpdates' | 'files' | 'pdfs' | 'rateLimits' | 'now'
>
/** The services that `payoutDeps` takes. */
export type PayoutServices = Pick<
  Services,
  'config' | 'db' | 'payouts' | 'jobs' | 'liveUpdates' | 'now' | 'faultPoint'
>

/** Compares everything that money is derived from with the ledger, feature by feature. */
export const MONEY_COMPARISONS: readonly Comparison[] = [
  ...PAYMENT_COMPARISONS,
  ...INSTALMENT_COMPARISONS,
  ...BOOKING_COMPARISONS,
  ...QUOTE_COMPARISONS,
  ...PAYOUT_COMPARISONS,
  ...TAX_COMPARISONS,
  ...INCOME_REPORT_COMPARISONS,
]

/** The services that the proof of the ledger needs. */
export function proofDeps({ db, payouts, now }: Pick<ProofDeps, 'db' | 'payouts' | 'now'>): ProofDeps {
  return { db, payouts, now, listPurchases, comparisons: MONEY_COMPARISONS }
}

/** The services that the availability commands need. */
export function availabilityDeps(services: AvailabilityServices): OutsideCalendarDeps {
  const { db, liveUpdates, now } = services
  // Looked up at each reading, so that a test can replace it.
  const calendars: CalendarReader = { read: (...input) => services.calendars.read(...input) }
  return { db, liveUpdates, now, calendars, findCustomerNames, listBookingsOf }
}

/** The services that the commands of registrations need. */
export function registerDeps({
  config,
  db,
  jobs,
  liveUpdates,
  now,
  businessRegister: register,
}: Pick<Services, 'config' | 'db' | 'jobs' | 'liveUpdates' | 'now' | 'businessRegister'>): RegisterDeps {
  const { brand, publicUrl } = config
  return { db, jobs, liveUpdates, now, brand, publicUrl, register, queueVendor }
}

/** The site that mails come from. Their foot says who runs it. */
export function sendingSite({ brand, publicUrl, platform, contact }: Services['config']): SendingSite {
  const { name, abn } = platform
  const runBy = runByText(brand, { name, abn: abn && groupAbnDigits(abn) }, contact.address)
  return { brand, publicUrl, runBy }
}

/** The services that close an account. */
export function closingDeps({
  config,
  db,
  jobs,
  liveUpdates,
  payouts,
  now,
}: Pick<Services, 'config' | 'db' | 'jobs' | 'liveUpdates' | 'payouts' | 'now'>) {
  const leaves: LeavesAnAdmin = (tx, userId) => leavesAnAdmin(tx, userId, config.operatorEmails)
  const { brand, publicUrl, secret } = config
  return { db, jobs, liveUpdates, payouts, now, brand, publicUrl, secret, leavesAnAdmin: leaves }
}

/** When vendors are paid; null where they aren't paid by us. */
export function payoutTimesOf({
  payouts,
  config,
}: Pick<Services, 'payouts' | 'config'>): BookingDeps['payoutTimes'] {
  return payouts && { delayMs: config.payoutDelayMs, holdLimitMs: config.holdLimitMs }
}

/** The services that the booking and payment commands need. */
export function bookingDeps(services: BookingServices): BookingDeps {
  const { config, db, payments, payouts, jobs, liveUpdates, now, faultPoint } = services
  return createBookingDeps({
    db,
    providers: [payments],
    jobs,
    liveUpdates,
    now,
    secret: config.secret,
    brand: config.brand,
    publicUrl: config.publicUrl,
    refundGraceMs: config.refundGraceMs,
    holdMs: config.holdMs,
    paymentExpiryMs: config.paymentExpiryMs,
    undecided: config.undecided,
    remindBeforeEventMs: config.remindBeforeEventMs,
    commission:
      config.payouts.provider === 'off'
        ? null
        : { basisPoints: config.commissionBasisPoints, isGstRegistered: config.platform.isGstRegistered },
    payoutTimes: payoutTimesOf(services),
    findAlternatives: (tx, booking) => listAlternatives(tx, booking, now()),
    numberReceipt: async (tx, receipt) => {
      await numberReceipt(tx, receipt)
    },
    findStanding: async (tx, userId) =>
      payouts
        ? findStanding(tx, {
            userId,
            provider: payouts.name,
            isAccountRequired: config.requirePayoutsToApprove,
          })
        : { takesBookings: true, mayApprove: true },
    lockQuotedSale: (tx, paymentId) => lockQuotedSale({ liveUpdates, now }, tx, paymentId),
    faultPoint,
    async tellOperators(tx, trouble) {
      const permission = trouble.kind === 'near_decline' ? 'see-payments' : 'move-money'
      for (const email of await listEmailsWith(tx, permission, config.operatorEmails))
        await jobs.enqueue(tx, 'send-mail', troubleMail(trouble, email, config))
    },
  })
}

/** The services that the commands of conversations need. */
export function enquiryDeps(services: EnquiryServices): EnquiryDeps {
  const { config, db, jobs, liveUpdates, files, pdfs, rateLimits, now } = services
  const { brand, publicUrl } = config
  return {
    db,
    jobs,
    liveUpdates,
    files,
    pdfs,
    rateLimits,
    now,
    secret: config.secret,
    brand,
    publicUrl,
    mailInbound: config.mailInbound,
    masksContacts: config.masksContacts,
    endQuotes: (tx, ended) => endQuoteBy({ jobs, liveUpdates, now, brand, publicUrl }, tx, ended),
    listQuoteNotices,
  }
}

/** The services of vendors' proofs about disputes. */
export function vendorProofDeps(services: EnquiryServices): VendorProofDeps {
  return { ...enquiryDeps(services), isDisputeAnswered }
}

/** The services that the payout commands need; null while vendors are not paid. */
export function payoutDeps(services: PayoutServices): PayoutDeps | null {
  const { config, db, payouts, jobs, liveUpdates, now, faultPoint } = services
  if (!payouts) return null
  return {
    db,
    payouts,
    jobs,
    liveUpdates,
    now,
    faultPoint,
    brand: config.brand,
    publicUrl: config.publicUrl,
    payoutDelayMs: config.payoutDelayMs,
    holdLimitMs: config.holdLimitMs,
    secondOperatorCents: config.operatorSecondPersonCents,
  }
}

/** The services that issue tax documents. */
export function taxDeps({
  config,
  db,
  now,
  faultPoint,
  businessRegister,
}: Pick<Services, 'config' | 'db' | 'now' | 'faultPoint' | 'businessRegister'>): TaxDeps {
  const { brand, platform } = config
  const { name, abn } = platform
  return { db, now, brand, platform: { name, abn }, isRegisterAsked: businessRegister !== null, faultPoint }
}

/** The services of the reports of vendors' income. */
export function incomeReportDeps({
  config,
  db,
  jobs,
  now,
}: Pick<Services, 'config' | 'db' | 'jobs' | 'now'>): IncomeReportDeps {
  const { brand, publicUrl, platform, operatorEmails } = config
  return {
    ...{ db, jobs, now, brand, publicUrl },
    platform: { name: platform.name, abn: platform.abn },
    listReporters: (tx) => listEmailsWith(tx, 'report-income', operatorEmails),
  }
}

/** The services that alerts need. */
export function alertDeps({
  config,
  db,
  jobs,
  now,
  rateLimits,
}: Pick<Services, 'config' | 'db' | 'jobs' | 'now' | 'rateLimits'>): AlertDeps & {
  rateLimits: RateLimits
} {
  const { brand, publicUrl, secret, nearKm } = config
  return { db, jobs, now, rateLimits, brand, publicUrl, secret, nearKm }
}

/** The services of mails to vendors' accountants. */
export function accountantDeps({
  config,
  db,
  jobs,
  now,
}: Pick<Services, 'config' | 'db' | 'jobs' | 'now'>): AccountantDeps {
  const { brand, publicUrl, secret } = config
  return { db, jobs, now, brand, publicUrl, secret }
}
