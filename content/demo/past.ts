import type { DatabaseTransaction } from '../../app/adapters/database/port.ts'
import { acceptAgreement } from '../../app/features/agreements/commands.server.ts'
import { DOCUMENTS } from '../../app/features/agreements/rules.ts'
import { cancelBooking } from '../../app/features/bookings/cancellation/commands.server.ts'
import { findCancelling } from '../../app/features/bookings/cancellation/queries.server.ts'
import { withdrawBooking } from '../../app/features/bookings/cancellation/withdrawal-commands.server.ts'
import { startBookingPayment } from '../../app/features/bookings/checkout/commands.server.ts'
import { instalmentDepsOf } from '../../app/features/bookings/checkout/fulfilment-commands.server.ts'
import { tellOfComingEvents } from '../../app/features/bookings/decisions/coming-up-commands.server.ts'
import { decideBooking } from '../../app/features/bookings/decisions/commands.server.ts'
import { tellDeclines } from '../../app/features/bookings/decisions/decline-commands.server.ts'
import type { DeclineCode } from '../../app/features/bookings/decisions/decline-rules.ts'
import {
  processPendingBookings,
  remindOfEvents,
} from '../../app/features/bookings/decisions/reminder-commands.server.ts'
import { COMING_UP_DAYS } from '../../app/features/bookings/decisions/rules.ts'
import { bookingLinkToken } from '../../app/features/bookings/rules.ts'
import { saveProperty } from '../../app/features/income-reports/commands.server.ts'
import { storeSavedCards } from '../../app/features/instalments/card-commands.server.ts'
import { chargeDueInstalments } from '../../app/features/instalments/charge-commands.server.ts'
import { remindOfInstalments } from '../../app/features/instalments/reminder-commands.server.ts'
import { readMovements } from '../../app/features/ledger/movement-commands.server.ts'
import { moderateReview } from '../../app/features/operators/review-commands.server.ts'
import type { PaymentRow } from '../../app/features/payments/queries.server.ts'
import { findPaymentBySubmitKey } from '../../app/features/payments/queries.server.ts'
import { performDueRefunds } from '../../app/features/payments/refund-sending-commands.server.ts'
import { reportPayment } from '../../app/features/payments/settlement-commands.server.ts'
import {
  openPayoutAccount,
  refreshPayoutAccount,
} from '../../app/features/payouts/account-commands.server.ts'
import { sweepBankPayouts } from '../../app/features/payouts/bank-commands.server.ts'
import { sweepPayouts } from '../../app/features/payouts/settlement-commands.server.ts'
import { lineCents } from '../../app/features/pricing/line-rules.ts'
import { askDueRegistrations } from '../../app/features/registrations/register-commands.server.ts'
import { writeReview } from '../../app/features/reviews/commands.server.ts'
import { issueSaleDocuments } from '../../app/features/tax/commands.server.ts'
import { issueCommissionDocuments } from '../../app/features/tax/commission-commands.server.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../app/shared/time-units.ts'
import '../../app/features/sandbox/tables.server.ts'
import { bookingDeps, payoutDeps, proofDeps, registerDeps, taxDeps } from '../../app/services/deps.server.ts'
import type { Services } from '../../app/services.server.ts'
import { addDays, wallTimeAt, wallTimeToUtc } from '../../app/shared/dates.ts'
import { demoBusinesses } from './businesses.ts'
import { DEMO_VENDOR_KEY, type DemoOwner, demoOwners } from './owners.ts'
import {
  DEMO_ZONE,
  type PastBooking,
  pastAccounts,
  pastViews,
  planPast,
  VENDOR_LISTINGS,
} from './past-plan.ts'
import { createPastServices, type PastServices } from './past-services.ts'
import { makeTrouble, reportAConversation } from './past-troubles.ts'

const ONLY_ROW = 1
const VENDOR_EMAIL = 'vendor@jubilee.example'
const VIEW_DAYS = 400
/** The views of the last days are there from the start (content/demo/fill.ts). */
const VIEWS_SINCE_DAYS = 30
const ROWS_AT_ONCE = 200
/** The vendor's account is older than their first payment. */
const ACCOUNT_DAYS_AGO = 600
const DAYS_BETWEEN_BANK_DAYS = 7
/** Registrations of one run of the job that asks the register. */
const ASKED_AT_ONCE = 10
/** What came in the last hours is unread. */
const UNREAD_HOURS = 34
const STEPS_PER_ANNOUNCEMENT = 60
const REPORTED_HOURS_AGO = 3
const TEST_CARD = { cardNumber: '4242424242424242', expiry: '12 / 40', cvc: '123' }
const CALLED_OFF =
  'A pipe has burst above the kitchen, and the repairs won’t be finished by then. I’m so sorry.'

/** Notes that the demo gets a past, in the transaction that fills an empty database. */
export async function beginDemoPast(tx: DatabaseTransaction, now: Date): Promise<void> {
  await tx.insertInto('demo_past').values({ id: ONLY_ROW, begun_at: now, finished_at: null }).execute()
}

/** When the demo's unfinished past ends; null where it is finished, or was never begun. */
export async function findUnfinishedPast({ db }: Services): Promise<Date | null> {
  const row = await db.selectFrom('demo_past').selectAll().executeTakeFirst()
  return row && !row.finished_at ? row.begun_at : null
}

/** Notes that the demo's past is finished, so that no other start adds to it. */
export async function finishDemoPast({ db, now }: Services): Promise<void> {
  await db.updateTable('demo_past').set({ finished_at: now() }).where('id', '=', ONLY_ROW).execute()
}

/**
 * Makes a part of the demo's past by the product's own commands, at the times when they would have run. Nothing is mailed
 * that is older than some days. Repeats what a process that ended has left: each step changes nothing the second time.
 * @param begunAt when the past ends. The same instant gives the same past
 * @param part 'recent' comes first: the vendor's account, what waits or was just decided, and the customer's own bookings.
 *   'year' is the vendor's year
 */
export async function fillDemoPast(present: Services, begunAt: Date, part: 'recent' | 'year'): Promise<void> {
  const people = await findPeople(present)
  const past = createPastServices(present, begunAt)
  const agenda = new Agenda(begunAt)
  const plan = planPast(begunAt, people.customer)
  for (const booking of plan[part])
    agenda.add(booking.bookedAt, () => book({ past, agenda, people }, booking))
  if (part === 'recent') {
    const { date: today } = wallTimeAt(begunAt, DEMO_ZONE)
    const opened = wallTimeToUtc(addDays(today, -ACCOUNT_DAYS_AGO), '09:30', DEMO_ZONE)
    agenda.add(opened, () => openAccount(past, { userId: people.vendorId, email: VENDOR_EMAIL }))
    for (const { owner, at } of paidOwners(plan.recent))
      agenda.add(at, () => openAccount(past, { userId: `demo-${owner.key}`, email: owner.email }))
  } else {
    await fillAccounts(present, pastAccounts(plan, people.customer))
    await fillViews(present, begunAt)
    await fillStreets(present)
    for (const { owner, at } of paidOwners(plan.year))
      agenda.add(at, () => openAccount(past, { userId: `demo-${owner.key}`, email: owner.email }))
    planBankDays(agenda, past, begunAt)
    const reportedAt = new Date(begunAt.getTime() - REPORTED_HOURS_AGO * HOUR_MS)
    agenda.add(reportedAt, () => reportAConversation(past.services))
  }
  let steps = 0
  for (let step = agenda.next(); step; step = agenda.next()) {
    if (present.stopping.signal.aborted) return
    past.moveTo(step.at)
    // Without the register's answers, no vendor with an ABN gets a document.
    if (steps === 0) await askRegister(past)
    await step.work()
    await past.sendMails()
    if (++steps % STEPS_PER_ANNOUNCEMENT === 0) await past.announce()
  }
  past.moveTo(begunAt)
  if (part === 'year') await runJobs(past)
  await issueDocuments(past)
  // At the end alone, since a month of commission has one invoice.
  if (part === 'year') await issueCommissionDocuments(taxDeps(past.services))
  await readNotifications(present, people, begunAt)
  await past.announce()
}

type Step = { at: Date; work: () => Promise<void> }

/** What is still to be done, in the order of its time. What would lie in the future is dropped. */
class Agenda {
  readonly #until: Date
  #steps: Step[] = []

  constructor(until: Date) {
    this.#until = until
  }

  add(at: Date, work: () => Promise<void>): void {
    if (at > this.#until) return
    const later = this.#steps.findIndex((step) => step.at > at)
    this.#steps.splice(later === -1 ? this.#steps.length : later, 0, { at, work })
  }

  next(): Step | undefined {
    return this.#steps.shift()
  }
}

type People = {
  vendorId: string
  operator: { userId: string; email: string }
  customer: { userId: string; name: string; email: string; phone: string }
}

async function findPeople({ db }: Services): Promise<People> {
  const find = (email: string) =>
    db
      .selectFrom('users')
      .select(['id', 'email', 'name'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  const [vendor, operator, customer] = [
    await find(VENDOR_EMAIL),
    await find('operator@jubilee.example'),
    await find('customer@jubilee.example'),
  ]
  return {
    vendorId: vendor.id,
    operator: { userId: operator.id, email: operator.email },
    customer: { userId: customer.id, name: customer.name, email: customer.email, phone: '0491 570 110' },
  }
}

/** Inserts the customers' accounts, which have no password: nobody can sign in to them. */
async function fillAccounts({ db }: Services, accounts: ReturnType<typeof pastAccounts>): Promise<void> {
  await db
    .insertInto('users')
    .values(
      accounts.map(({ userId, name, email, phone, openedAt }) => ({
        id: userId,
        ...{ name, email, phone, email_verified: true, created_at: openedAt },
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Inserts the page views of a year. */
async function fillViews({ db }: Services, begunAt: Date): Promise<void> {
  const { date: today } = wallTimeAt(begunAt, DEMO_ZONE)
  const rows = VENDOR_LISTINGS.flatMap((business) =>
    Array.from({ length: VIEW_DAYS }, (_, index) => {
      const daysAgo = VIEWS_SINCE_DAYS + 1 + index
      const day = addDays(today, -daysAgo)
      return { business_id: business, day, views: pastViews(business, day, daysAgo) }
    }),
  )
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await db
      .insertInto('business_views')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/**
 * Saves where the venues stand, as their vendors would for the report to the Tax Office. The demo's vendor hasn't yet, so that there is
 * something to ask for.
 */
async function fillStreets({ db, now }: Services): Promise<void> {
  const venues = await db
    .selectFrom('businesses')
    .innerJoin('places', 'places.id', 'businesses.place_id')
    .select(['businesses.id', 'businesses.user_id', 'places.name', 'places.state'])
    .where('businesses.category', '=', 'Venues')
    .where('businesses.user_id', 'like', 'demo-%')
    .orderBy('businesses.id')
    .execute()
  for (const [index, { id, user_id: userId, name, state }] of venues.entries())
    await saveProperty({ db, now }, userId, {
      businessId: id,
      address: `${index + 1} Sample Street, ${name} ${state}`,
    })
}

/** Plans the payouts to the bank, each week. */
function planBankDays(agenda: Agenda, past: PastServices, begunAt: Date): void {
  const { date: today } = wallTimeAt(begunAt, DEMO_ZONE)
  for (let days = ACCOUNT_DAYS_AGO - 1; days > 0; days -= DAYS_BETWEEN_BANK_DAYS)
    agenda.add(wallTimeToUtc(addDays(today, -days), '10:00', DEMO_ZONE), () => payToBanks(past))
}

/** Marks as read what the vendor and the customer were told until the day before yesterday, as they would have by then. */
async function readNotifications({ db }: Services, people: People, begunAt: Date): Promise<void> {
  const readAt = new Date(begunAt.getTime() - UNREAD_HOURS * HOUR_MS)
  await db
    .updateTable('notifications')
    .set({ read_at: readAt })
    .where('user_id', 'in', [people.vendorId, people.customer.userId])
    .where('created_at', '<', readAt)
    .where('read_at', 'is', null)
    .execute()
}

/** The other registered vendors of approved bookings, each with when they set up their payouts: before they first approve. */
function paidOwners(bookings: readonly PastBooking[]): { owner: DemoOwner; at: Date }[] {
  const answered = new Map<string, Date>()
  for (const { ownerKey, answer } of bookings)
    if (answer?.decision === 'approved' && ownerKey !== DEMO_VENDOR_KEY)
      answered.set(ownerKey, earliest(answer.at, answered.get(ownerKey)))
  return demoOwners.flatMap((owner) => {
    const at = owner.registration && answered.get(owner.key)
    return at ? [{ owner, at: new Date(at.getTime() - HOUR_MS) }] : []
  })
}

const earliest = (one: Date, other: Date = one) => (one < other ? one : other)

/** A vendor's account for payouts, ready to be paid. Without one, their money would stay here past its limit. */
async function openAccount(
  { services }: PastServices,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const deps = payoutDeps(services)
  const account = services.sandbox?.payouts
  if (!deps || !account) return
  const { db, now } = services
  await acceptAgreement({ db, now }, { userId, version: DOCUMENTS.vendor_agreement.version })
  await openPayoutAccount(deps, { userId, email })
  const opened = await db
    .selectFrom('payout_accounts')
    .select('provider_account')
    .where('vendor_user_id', '=', userId)
    .executeTakeFirst()
  await account.moveAccount(opened?.provider_account ?? '', 'complete')
  await refreshPayoutAccount(deps, { userId })
}

async function payToBanks({ services }: PastServices): Promise<void> {
  const deps = payoutDeps(services)
  if (!deps) return
  await services.sandbox?.runDueWork()
  await sweepBankPayouts(deps)
}

type Making = { past: PastServices; agenda: Agenda; people: People }

/** Books and pays, and plans what follows. */
async function book(making: Making, planned: PastBooking): Promise<void> {
  const { services } = making.past
  const deps = bookingDeps(services)
  const priceCents = demoBusinesses.find(({ id }) => id === planned.businessId)?.priceCents ?? 0
  const { customer, date, time, quantity, bookingType } = planned
  const started = await startBookingPayment(deps, {
    amount: lineCents({ quantity, unitPriceCents: priceCents }),
    submitKey: planned.key,
    businessId: planned.businessId,
    booking: {
      fullName: customer.name,
      email: customer.email,
      phone: customer.phone,
      ...{ date, time, quantity, bookingType },
    },
    customerUserId: customer.userId,
  })
  if (!started.ok) return report(services, planned, started.reason)
  if (!started.alreadyPaid) {
    const { clientSecret } = started
    await services.sandbox?.confirmCard({ clientSecret, ...TEST_CARD })
    await reportPayment(deps, { clientSecret })
  }
  const payment = await findPaymentBySubmitKey(services.db, planned.key)
  const booking =
    payment &&
    (await services.db
      .selectFrom('bookings')
      .select('id')
      .where('payment_row_id', '=', payment.id)
      .executeTakeFirst())
  if (!booking) return report(services, planned, 'not booked')
  planLife(making, planned, { bookingId: booking.id, payment })
}

/** A visitor of the first seconds may have taken the time, or have decided a booking before its vendor did. */
function report({ log }: Services, { key }: PastBooking, reason: string): void {
  log.warn({ key, reason }, 'a booking of the demo’s past is left out')
}

type Made = { bookingId: string; payment: PaymentRow }

/** Plans what a booking's people do, and the jobs of each moment that matters to its money. */
function planLife({ past, agenda, people }: Making, planned: PastBooking, made: Made): void {
  const { services } = past
  const { bookedAt, answer, end, review } = planned
  const deps = () => bookingDeps(services)
  const after = (time: Date, ms: number) => new Date(time.getTime() + ms)
  const { refundGraceMs, undecided, remindBeforeEventMs, payoutDelayMs } = services.config
  const pay = () => settleMoney(past)
  const refund = async () => {
    await tellDeclines(deps())
    await performDueRefunds(deps())
  }

  if (made.payment.sale.terms?.instalments.some(({ dueAt }) => dueAt !== null)) {
    agenda.add(after(bookedAt, 2 * MINUTE_MS), () => storeSavedCards(instalmentDeps(services)))
  }
  agenda.add(after(bookedAt, undecided.remindAfterMs + MINUTE_MS), () => processPendingBookings(deps()))
  agenda.add(after(bookedAt, undecided.declineAfterMs + MINUTE_MS), async () => {
    await processPendingBookings(deps())
    await refund()
  })
  if (answer) {
    agenda.add(answer.at, () =>
      decide(services, planned, made, people, {
        decision: answer.decision,
        seen: 'pending',
        ...(answer.decision === 'declined' ? { code: 'already_booked' } : {}),
      }),
    )
    agenda.add(after(answer.at, MINUTE_MS), () => issueDocuments(past))
    if (answer.decision === 'declined') agenda.add(after(answer.at, refundGraceMs + MINUTE_MS), refund)
  }
  if (end) {
    agenda.add(end.at, () => endEarly(services, planned, made, people, end.how))
    agenda.add(after(end.at, refundGraceMs + 2 * MINUTE_MS), refund)
    agenda.add(after(end.at, refundGraceMs + 3 * MINUTE_MS), () => issueDocuments(past))
    // A part that the terms let the vendor keep is paid out.
    agenda.add(after(end.at, payoutDelayMs + HOUR_MS), pay)
  }
  const { trouble } = planned
  if (trouble)
    agenda.add(trouble.at, () =>
      makeTrouble(services, {
        kind: trouble.kind,
        payment: made.payment,
        vendorId: `demo-${planned.ownerKey}`,
      }),
    )
  if (answer?.decision !== 'approved' || end) return
  // A deposit is paid out once the time to change one's mind is over.
  agenda.add(after(bookedAt, 2 * DAY_MS + HOUR_MS), pay)
  for (const { dueAt } of made.payment.sale.terms?.instalments ?? []) {
    if (!dueAt) continue
    const due = new Date(dueAt)
    agenda.add(after(due, -7 * DAY_MS + HOUR_MS), () => remindOfInstalments(instalmentDeps(services)))
    agenda.add(after(due, 5 * MINUTE_MS), () => chargeDueInstalments(instalmentDeps(services)))
  }
  const { from, until } = made.payment.sale.event
  agenda.add(after(new Date(from), -remindBeforeEventMs + 5 * MINUTE_MS), () => remindOfEvents(deps()))
  for (const days of COMING_UP_DAYS)
    agenda.add(after(new Date(from), -days * DAY_MS + 5 * MINUTE_MS), () =>
      tellOfComingEvents(deps(), [days]),
    )
  agenda.add(after(new Date(until), 10 * MINUTE_MS), pay)
  agenda.add(after(new Date(until), payoutDelayMs + 20 * MINUTE_MS), pay)
  if (review) agenda.add(review.at, () => writeAndPublish({ past, agenda, people }, planned, made))
}

const instalmentDeps = (services: Services) => ({
  ...instalmentDepsOf(bookingDeps(services)),
  // The sandbox has no limit of calls.
  pause: async () => {},
})

async function settleMoney({ services }: PastServices): Promise<void> {
  const deps = payoutDeps(services)
  if (deps) await sweepPayouts(deps)
}

async function decide(
  services: Services,
  planned: PastBooking,
  { bookingId }: Made,
  { vendorId }: People,
  decided: {
    decision: 'approved' | 'declined'
    seen: 'pending' | 'approved'
    reason?: string
    code?: DeclineCode
  },
): Promise<void> {
  const userId = planned.ownerKey === DEMO_VENDOR_KEY ? vendorId : `demo-${planned.ownerKey}`
  const done = await decideBooking(bookingDeps(services), { userId, bookingId, ...decided })
  // A restart finds what has followed since.
  if (!done.ok && !['changed', 'withdrawn'].includes(done.reason)) report(services, planned, done.reason)
}

async function endEarly(
  services: Services,
  planned: PastBooking,
  made: Made,
  people: People,
  how: NonNullable<PastBooking['end']>['how'],
): Promise<void> {
  if (how === 'called off')
    return decide(services, planned, made, people, {
      decision: 'declined',
      seen: 'approved',
      reason: CALLED_OFF,
    })
  const deps = bookingDeps(services)
  const { bookingId } = made
  const linkToken = await bookingLinkToken(deps.secret, made.payment.id)
  const by = { linkToken }
  if (how === 'withdrawn') {
    const done = await withdrawBooking(deps, { bookingId, by })
    if (!done.ok) report(services, planned, done.reason)
    return
  }
  const shown = await findCancelling(deps, linkToken)
  // A restart finds it cancelled.
  if (!shown?.quote) return
  const done = await cancelBooking(deps, { bookingId, by, signed: shown.quote.signed })
  if (!done.ok) report(services, planned, done.reason)
}

/** Writes the review, which an operator publishes the next morning. */
async function writeAndPublish(
  { past, agenda, people }: Making,
  planned: PastBooking,
  { bookingId }: Made,
): Promise<void> {
  const { services } = past
  const { review, customer } = planned
  if (!review || !customer.userId) return
  const { db, jobs, now } = services
  const by = { userId: customer.userId, verifiedEmail: customer.email }
  const { rating, body } = review
  const written = await writeReview({ db, jobs, now }, { by: { ...by, bookingId }, rating, body })
  if (!written.ok && written.reason !== 'already_written') return report(services, planned, written.reason)
  if (!review.isPublished) return
  agenda.add(new Date(review.at.getTime() + 14 * HOUR_MS), async () => {
    const row = await db
      .selectFrom('reviews')
      .select('id')
      .where('booking_id', '=', bookingId)
      .executeTakeFirst()
    if (row)
      await moderateReview(bookingDeps(services), {
        operator: people.operator,
        reviewId: row.id,
        decision: 'approve',
      })
  })
}

/** Asks the register about every registration. */
async function askRegister({ services }: PastServices): Promise<void> {
  const registered = await services.db.selectFrom('business_registrations').select('id').execute()
  const deps = { ...registerDeps(services), wait: async () => {} }
  for (let asked = 0; asked < registered.length; asked += ASKED_AT_ONCE) await askDueRegistrations(deps)
}

const issueDocuments = ({ services }: PastServices) => issueSaleDocuments(taxDeps(services))

/** Runs every job once, so that those of the present find nothing from before. */
async function runJobs(past: PastServices): Promise<void> {
  const { services } = past
  const deps = bookingDeps(services)
  await processPendingBookings(deps)
  await performDueRefunds(deps)
  await storeSavedCards(instalmentDeps(services))
  await remindOfInstalments(instalmentDeps(services))
  await chargeDueInstalments(instalmentDeps(services))
  await remindOfEvents(deps)
  await tellOfComingEvents(deps)
  await settleMoney(past)
  // Not before: a payout to the bank is looked for within some days of the last question.
  await payToBanks(past)
  await readMovements(proofDeps(services))
  await past.sendMails()
}
