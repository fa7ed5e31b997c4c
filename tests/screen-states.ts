import type { Page } from 'playwright-core'
import { href } from 'react-router'
import { issueLink, type LinkKind } from '../app/adapters/accounts/account-links.server.ts'
import { detachEmailIn } from '../app/adapters/accounts/detached-emails.server.ts'
import { withdrawBooking } from '../app/features/bookings/cancellation/withdrawal-commands.server.ts'
import { openChangePayment } from '../app/features/bookings/changes/payment-commands.server.ts'
import { instalmentDepsOf } from '../app/features/bookings/checkout/fulfilment-commands.server.ts'
import { decideBooking } from '../app/features/bookings/decisions/commands.server.ts'
import { BUSINESS_NOT_CHECKED, SAVED_AFTER_ALL } from '../app/features/bookings/messages.ts'
import { bookingLinkToken } from '../app/features/bookings/rules.ts'
import { storeSavedCards } from '../app/features/instalments/card-commands.server.ts'
import { turnOnPush } from '../app/features/notifications/push-commands.server.ts'
import { answerDispute } from '../app/features/operators/dispute-answer-commands.server.ts'
import { findDispute } from '../app/features/operators/dispute-facts-queries.server.ts'
import { STATEMENT_MISSING } from '../app/features/operators/dispute-messages.ts'
import { OTHER_PROVIDER } from '../app/features/operators/messages.ts'
import { ORDER_LIFE_MS } from '../app/features/operators/rules.ts'
import { nameRefundAccount } from '../app/features/payments/refund-account-commands.server.ts'
import { reportPayment } from '../app/features/payments/settlement-commands.server.ts'
import { sendProof } from '../app/features/payouts/proof-commands.server.ts'
import { bookingDeps, vendorProofDeps } from '../app/services/deps.server.ts'
import type { Services } from '../app/services.server.ts'
import { newId } from '../app/shared/ids.ts'
import { DAY_MS } from '../app/shared/time-units.ts'
import { openAccountForm } from './account-form.ts'
import { fillActivity } from './activity.ts'
import { aBookingForm, aBusiness, aUser, movesEvent } from './builders.ts'
import { agrees, asCustomer, asVendor, type Changeable, proposes } from './change-stage.ts'
import { type FilledConversations, fillConversations } from './conversation-stage.ts'
import { goOffline, nextEventDate, payWith, visit } from './e2e/browser.ts'
import { aSharedShortlist } from './e2e/pages.ts'
import { bookAndDispute, bookAndPay, GOOD_CARD } from './e2e/paid-booking.ts'
import { aPayoutAccount, fillEarnings } from './earnings.ts'
import { aPdf } from './pdf-files.ts'
import { aPushTarget } from './push-receiver.ts'
import { sampleMails } from './sample-mails.ts'
import type { TestServer } from './server.ts'

/** The account that sees a screen. */
export type Viewer =
  | 'visitor'
  | 'customer'
  | 'vendor'
  | 'operator'
  | 'newcomer'
  | 'starter'
  | 'detached'
  | 'support'

export type ScreenState = {
  /** The folder under screens/: the route, then the state. */
  name: string
  viewer: Viewer
  /** Opens the screen in this state. */
  open(page: Page): Promise<void>
}

export const ACCOUNTS: Record<Exclude<Viewer, 'visitor'>, string> = {
  customer: 'customer@jubilee.example',
  vendor: 'vendor@jubilee.example',
  operator: 'operator@jubilee.example',
  newcomer: 'newcomer@jubilee.example',
  /** A vendor with a listing that nobody has seen or booked. */
  starter: 'starter@jubilee.example',
  detached: 'detached@jubilee.example',
  support: 'support@jubilee.example',
}

/** An account with two-step login. */
const CAREFUL = 'careful@jubilee.example'
const CHOSEN_PASSWORD = 'under the jacaranda'

const BUSY = 'harbour-light-pavilion'
/** Takes bookings by both units. */
const TWO_PRICES = 'riverbend-rooms'
const BUSY_PRICE_CENTS = 14_500
const LONG_NAME =
  'The Honourable Bartholomew Fitzgerald-Worthington Memorial Ballroom, Conservatory and Riverside Garden Terrace at Woolloomooloo'
const LONG_PERSON = 'Wilhelmina Alexandrina Featherstonehaugh-Cholmondeley'

/** The ids of disputes: to answer, an inquiry, with evidence for a second operator, and lost. */
type Disputes = { open: string; inquiry: string; waiting: string; lost: string }

/** The tokens of bookings whose change is proposed by the vendor, waits for its payment, and is in effect. */
type FilledChanges = { proposed: string; toPay: string; inEffect: string }

type Filled = {
  linkToken: string
  /** The path of a shared list's link. */
  shortlist: string
  vendorId: string
  disputes: Disputes
  conversations: FilledConversations
  /** The account with an activity. */
  activeId: string
  /** The payment of a refund that waits for a second person. */
  orderedId: string
  /** The link of the booking that was declined shortly before its event. */
  nearLinkToken: string
  /** The booking whose refund the customer's bank has sent back: its link and payment. */
  returned: { linkToken: string; paymentId: string }
  /** The link of a booking whose balance is due later. */
  dueLinkToken: string
  /** The link of a booking whose card was refused. */
  unpaidLinkToken: string
  changes: FilledChanges
  printedKey: string
  /** A sample of every mail, in the outbox. */
  mails: readonly { name: string; messageId: string }[]
  /** The paths of the test provider's form of two vendors' accounts. */
  accountForms: { empty: string; complete: string }
  /** Creates a new link, since each works once. @param owner an account's email. Without it, a new account is used */
  mailedLink(kind: LinkKind, owner?: string): Promise<string>
}

/** Adds records that the demo lacks: the longest, emptiest and dearest listings, and bookings in every state. */
export async function fillStates({ services, origin }: TestServer): Promise<Filled> {
  const { db, accounts } = services
  for (const email of [ACCOUNTS.newcomer, ACCOUNTS.starter, ACCOUNTS.detached, ACCOUNTS.support, CAREFUL])
    await accounts.signUp(new Request(origin, { headers: { 'x-client-address': '127.0.0.9' } }), {
      displayName: LONG_PERSON,
      email,
      password: CHOSEN_PASSWORD,
    })
  // Screens are opened with the password of the demo's accounts, which nobody may choose.
  await db
    .updateTable('account_credentials')
    .set({ password: await services.passwords.hash('celebrate') })
    .where('user_id', 'in', (eb) =>
      eb
        .selectFrom('users')
        .select('id')
        .where('email', 'in', [ACCOUNTS.newcomer, ACCOUNTS.starter, ACCOUNTS.detached, ACCOUNTS.support]),
    )
    .execute()
  await db
    .updateTable('users')
    .set({ email_verified: true, operator_role: 'support' })
    .where('email', '=', ACCOUNTS.support)
    .execute()
  await turnTwoStepOn(services, await userId(services, CAREFUL))
  const detached = await userId(services, ACCOUNTS.detached)
  await db
    .transaction()
    .execute((tx) => detachEmailIn(tx, { userId: detached, email: ACCOUNTS.detached, now: new Date() }))
  const vendor = await userId(services, ACCOUNTS.vendor)
  const busy = await db
    .selectFrom('businesses')
    .select('images')
    .where('id', '=', BUSY)
    .executeTakeFirstOrThrow()
  const place = { place_id: 'melbourne-vic' }
  const images = JSON.stringify(busy.images)
  const oneImage = JSON.stringify(busy.images.slice(0, 1))
  const owner = (await aUser(db, { name: LONG_PERSON })).id
  await aBusiness(db, { ...place, id: 'no-images', user_id: owner, name: LONG_NAME, price_cents: 0 })
  const starter = await userId(services, ACCOUNTS.starter)
  await aBusiness(db, { ...place, id: 'starter', user_id: starter, name: 'Lantern & Vine', images: oneImage })
  await aBusiness(db, { ...place, id: 'one-image', user_id: owner, name: 'One', images: oneImage })
  await aBusiness(db, {
    ...place,
    id: 'dear',
    user_id: vendor,
    name: LONG_NAME,
    images,
    price_cents: 25_000_000,
  })
  await aBusiness(db, {
    ...place,
    id: 'one-price',
    user_id: vendor,
    name: 'One Price for Both',
    images: oneImage,
    second_price_cents: null,
    second_price_unit: null,
  })
  await aBusiness(db, { ...place, id: 'deleted', user_id: owner, deleted_at: new Date() })

  await fillPayouts(services, vendor)
  const deps = bookingDeps(services)
  for (const status of ['pending', 'approved', 'declined', 'withdrawn', 'pending'] as const) {
    await bookAndPay(services, {
      businessId: BUSY,
      amountCents: BUSY_PRICE_CENTS * 40,
      booking: aBookingForm({
        fullName: status === 'approved' ? LONG_PERSON : 'Isla Brennan',
        email: ACCOUNTS.customer,
        date: nextEventDate(),
        quantity: 40,
      }),
    })
    const { id } = await db
      .selectFrom('bookings')
      .select('id')
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    if (status === 'withdrawn') {
      const by = { userId: await userId(services, ACCOUNTS.customer), verifiedEmail: ACCOUNTS.customer }
      await withdrawBooking(deps, { bookingId: id, by })
    } else if (status !== 'pending') {
      await decideBooking(deps, { userId: vendor, bookingId: id, decision: status, isAtOnce: true })
    }
  }
  const nearLinkToken = await declineNearEvent(services, vendor)
  await turnDevicesOn(services, starter)
  const disputes = await fillDisputes(services)
  const approved = await db
    .selectFrom('bookings')
    .select('payment_row_id')
    .where('status', '=', 'approved')
    .where('customer_name', '=', LONG_PERSON)
    // Those of `fillPayouts` have no link.
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  // A payment from before a change of provider, with an overdue refund.
  const { payment_row_id: withdrawn } = await db
    .selectFrom('bookings')
    .select('payment_row_id')
    .where('status', '=', 'withdrawn')
    .executeTakeFirstOrThrow()
  await db.updateTable('payments').set({ provider: 'stripe' }).where('id', '=', withdrawn).execute()
  await db
    .updateTable('payment_actions')
    .set({ due_at: new Date(Date.now() - 3_600_000) })
    .where('payment_id', '=', withdrawn)
    .where('state', '=', 'due')
    .execute()
  return {
    linkToken: await bookingLinkToken(deps.secret, approved.payment_row_id),
    shortlist: await aSharedShortlist(services),
    nearLinkToken,
    vendorId: vendor,
    disputes,
    conversations: await fillConversations(services),
    activeId: await fillActivity(db, ACCOUNTS.customer),
    orderedId: await orderARefund(services, approved.payment_row_id),
    returned: await returnRefund(services, vendor),
    dueLinkToken: (await bookFarAhead(services, 'Odette Farrow')).linkToken,
    unpaidLinkToken: await failToPay(services, vendor),
    changes: await fillChanges(services, vendor),
    printedKey: services.config.printedKey,
    mails: await sendSamples(services, origin),
    accountForms: {
      empty: await openAccountForm(services),
      complete: await openAccountForm(services, true),
    },
    async mailedLink(kind, owner) {
      const { id, email } = owner
        ? { id: await userId(services, owner), email: owner }
        : await aUser(db, {
            email: `${newId(6)}.featherstonehaugh-cholmondeley@example.com`,
            email_verified: kind !== 'verify-email',
          })
      const token = await issueLink(db, { kind, userId: id, email, now: new Date() })
      return `/${SCREENS_OF_LINKS[kind] ?? 'verify-email'}?token=${token}`
    },
  }
}

/** Two devices with notifications of this account, each with its session. */
async function turnDevicesOn({ db, push, realNow }: Services, userId: string): Promise<void> {
  if (!push) throw new Error('no keys for notifications')
  for (const device of ['Chrome on Android', 'Samsung Internet on Android']) {
    const sessionId = newId()
    const expiresAt = new Date(realNow().getTime() + DAY_MS)
    await db
      .insertInto('sessions')
      .values({ id: sessionId, user_id: userId, token: newId(), expires_at: expiresAt })
      .execute()
    await turnOnPush({ db, push, realNow }, { userId, sessionId, device, target: aPushTarget() })
  }
}

/** Disputes in the states that operators see, the open one of the longest names. */
async function fillDisputes(services: Services): Promise<Disputes> {
  const deps = { ...bookingDeps(services), secondOperatorCents: 0 }
  async function aDispute(given: { fullName?: string; price?: number; businessId?: string } = {}) {
    const { fullName = 'Grace Holloway', businessId = BUSY, price = BUSY_PRICE_CENTS } = given
    const { disputeId } = await bookAndDispute(services, {
      businessId,
      amountCents: price * 3,
      booking: aBookingForm({ fullName, date: nextEventDate(), quantity: 3 }),
    })
    return disputeId
  }
  async function answer(disputeId: string, secondOperatorCents: number, isEvidence: boolean) {
    const about = { disputeId, now: services.now(), brand: services.config.brand, secondOperatorCents }
    const facts = await findDispute(services.db, about)
    if (!facts) throw new Error('no dispute')
    await answerDispute(
      { ...deps, secondOperatorCents },
      {
        operator: { userId: 'another', email: 'margaret.featherstonehaugh@jubilee.example' },
        disputeId,
        texts: isEvidence ? facts.texts : null,
        expectedVersion: facts.version,
        reason: isEvidence ? 'The vendor has photographs of the evening.' : 'The vendor never opened.',
      },
    )
  }
  const open = await aDispute({ fullName: LONG_PERSON, businessId: 'dear', price: 25_000_000 })
  await proveSide(services, open)
  const [inquiry, waiting, lost] = [await aDispute(), await aDispute(), await aDispute()]
  await answer(waiting, 0, true)
  await answer(lost, Number.MAX_SAFE_INTEGER, false)
  const asked = { status: 'warning_needs_response', funds: 'held', is_charge_refundable: true } as const
  await services.db.updateTable('disputes').set(asked).where('id', '=', inquiry).execute()
  return { open, inquiry, waiting, lost }
}

/** Sends the vendor's words and a contract about a dispute. */
async function proveSide(services: Services, disputeId: string): Promise<void> {
  const { ownerUserId: userId } = await services.db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.payment_id')
    .innerJoin('sales', 'sales.id', 'payments.sale_id')
    .select('sales.owner_user_id as ownerUserId')
    .where('disputes.id', '=', disputeId)
    .executeTakeFirstOrThrow()
  const words =
    'We opened at four and closed at eleven, as agreed. Grace thanked us by message the next morning.\n\nHer signed contract is attached.'
  const files = [new File([aPdf()], 'Contract of 12 October, signed.pdf')]
  const proof = { words, files, submitKey: newId() }
  const sent = await sendProof(vendorProofDeps(services), { disputeId, userId, proof })
  if (!sent.ok) throw new Error(`The proof was refused: ${sent.reason}`)
}

/** Declines a booking whose refund the customer's bank sends back, and names an account for it. */
async function returnRefund(services: Services, vendor: string): Promise<Filled['returned']> {
  const deps = bookingDeps(services)
  const { bookingId, paymentId } = await bookAndPay(services, {
    businessId: BUSY,
    amountCents: BUSY_PRICE_CENTS * 20,
    booking: aBookingForm({ fullName: 'Ida Merton', date: nextEventDate(), quantity: 20 }),
  })
  await decideBooking(deps, { userId: vendor, bookingId, decision: 'declined', isAtOnce: true })
  await services.db
    .updateTable('payment_actions')
    .set({
      state: 'done',
      done_at: new Date(),
      provider_status: 'failed',
      failure_reason: 'lost_or_stolen_card',
    })
    .where('payment_id', '=', paymentId)
    .execute()
  const linkToken = await bookingLinkToken(deps.secret, paymentId)
  const account = { kind: 'payid', name: 'Ida Merton', payId: 'ida.merton@example.com' } as const
  await nameRefundAccount(deps, { linkToken, account })
  return { linkToken, paymentId }
}

/** An account that needs a document, and a booking in each state of its money, one at the highest possible price. */
async function fillPayouts({ db }: Services, vendorUserId: string): Promise<void> {
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)
  const accountId = await aPayoutAccount(db, vendorUserId, {
    state: 'restricted',
    requirements: [
      { code: 'individual.verification.document', awaiting: 'vendor', dueAt: inDays(9).toISOString() },
    ],
  })
  const of = { vendorUserId, accountId, bookedAt: inDays(-90), businessName: LONG_NAME }
  await fillEarnings(db, [
    { ...of, eventUntil: inDays(-60), progress: 'at_bank', totalCents: 240_000 },
    { ...of, eventUntil: inDays(-25), progress: 'at_bank' },
    { ...of, eventUntil: inDays(-6), progress: 'due', heldReason: 'restricted' },
    { ...of, eventUntil: inDays(-4), progress: 'made', totalCents: 99_999_999, customerName: LONG_PERSON },
    { ...of, eventUntil: inDays(-1), progress: 'earned' },
    { ...of, eventUntil: inDays(12), status: 'pending' },
    { ...of, eventUntil: inDays(45), totalCents: 310_000 },
  ])
}

/** Books, approves and declines an event that is 12 days away. @returns the token of the booking's link */
async function declineNearEvent(services: Services, vendor: string): Promise<string> {
  const deps = bookingDeps(services)
  await bookAndPay(services, {
    businessId: BUSY,
    amountCents: BUSY_PRICE_CENTS * 40,
    booking: aBookingForm({
      fullName: 'Ottilie Marsh',
      email: ACCOUNTS.customer,
      date: nextEventDate(),
      quantity: 40,
    }),
  })
  const { id, payment_row_id: paymentId } = await services.db
    .selectFrom('bookings')
    .select(['id', 'payment_row_id'])
    .where('customer_name', '=', 'Ottilie Marsh')
    .executeTakeFirstOrThrow()
  await movesEvent(services.db, id, new Date(Date.now() + 12 * DAY_MS).toISOString().slice(0, 10))
  const reason =
    'The storm on Sunday took part of our roof, and the builder can’t repair it before the middle of next month. We’re very sorry, and we’ve asked Riverbend Rooms whether they can take your evening instead.'
  for (const decision of ['approved', 'declined'] as const)
    await decideBooking(deps, { userId: vendor, bookingId: id, decision, reason, isAtOnce: true })
  return bookingLinkToken(deps.secret, paymentId)
}

/** The event of `bookFarAhead`. */
const FAR_DATE = new Date(Date.now() + 300 * DAY_MS).toISOString().slice(0, 10)
const SAME_TIME = `&date=${FAR_DATE}&time=16:00`

/** Books an event too far ahead to be paid at once, and saves its card. */
async function bookFarAhead(services: Services, fullName: string, date = FAR_DATE): Promise<Changeable> {
  const deps = bookingDeps(services)
  const { bookingId, paymentId } = await bookAndPay(services, {
    businessId: BUSY,
    amountCents: BUSY_PRICE_CENTS * 60,
    booking: aBookingForm({ fullName, email: ACCOUNTS.customer, date, quantity: 60 }),
  })
  await storeSavedCards(instalmentDepsOf(deps))
  return { bookingId, linkToken: await bookingLinkToken(deps.secret, paymentId) }
}

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)
/** The calendar has the time that was booked. The event has been moved by the database alone, so that its balance is due. */
const unpaidBookedDate = () => inDays(340).toISOString().slice(0, 10)

/** Books an event whose balance was due two days ago, and whose card was refused. @returns the token of the booking's link */
async function failToPay(services: Services, vendor: string): Promise<string> {
  const date = unpaidBookedDate()
  const { bookingId, linkToken } = await bookFarAhead(services, 'Una Castellane', date)
  await decideBooking(bookingDeps(services), { userId: vendor, bookingId, decision: 'approved' })
  await movesEvent(services.db, bookingId, inDays(28).toISOString().slice(0, 10))
  const { payment_row_id: paymentId } = await services.db
    .selectFrom('bookings')
    .select('payment_row_id')
    .where('id', '=', bookingId)
    .executeTakeFirstOrThrow()
  await services.db
    .updateTable('instalments')
    .set({
      state: 'failed',
      due_at: inDays(-2),
      reminded_at: inDays(-9),
      try_at: inDays(1),
      attempts: 2,
      decline_code: 'insufficient_funds',
      vendor_notices: 1,
    })
    .where('payment_id', '=', paymentId)
    .where('number', '=', 2)
    .execute()
  return linkToken
}

/** Changes a booking by its vendor's proposal, by a proposal that its customer has to pay, and by a paid one. */
async function fillChanges(services: Services, vendor: string): Promise<FilledChanges> {
  const { sandbox: payments } = services
  if (!payments) throw new Error('The screens are of the sandbox.')
  const deps = bookingDeps(services)
  const dayAhead = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
  const books = async (fullName: string, days: number) => {
    const booking = await bookFarAhead(services, fullName, dayAhead(days))
    await decideBooking(deps, { userId: vendor, bookingId: booking.bookingId, decision: 'approved' })
    return booking
  }
  const proposed = await books('Odette Marsh', 310)
  await proposes(deps, proposed, asVendor(vendor), { date: dayAhead(317), time: '18:00' })
  const toPay = await books(LONG_PERSON, 320)
  await proposes(deps, toPay, asCustomer(toPay), { date: dayAhead(31), quantity: 72 })
  await agrees(deps, toPay, asVendor(vendor))
  const inEffect = await books('Ida Brandt', 330)
  await proposes(deps, inEffect, asCustomer(inEffect), { date: dayAhead(32), quantity: 66 })
  await agrees(deps, inEffect, asVendor(vendor))
  const opened = await openChangePayment(deps, inEffect.linkToken)
  if (!opened.ok) throw new Error(opened.reason)
  const { clientSecret } = opened
  await payments.confirmCard({ clientSecret, ...GOOD_CARD })
  await reportPayment(deps, { clientSecret })
  return { proposed: proposed.linkToken, toPay: toPay.linkToken, inEffect: inEffect.linkToken }
}

async function userId({ db }: Services, email: string): Promise<string> {
  const user = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  return user.id
}

/** The screen that each kind of mailed link opens, unless it confirms an address. */
const SCREENS_OF_LINKS: Partial<Record<LinkKind, string>> = {
  'undo-email-change': 'undo-email-change',
  'new-device': 'not-me',
}

const main = (page: Page) => page.getByRole('main')

/** A screen that opens at its address without further steps. */
function at(name: string, path: string, viewer: Viewer = 'visitor'): ScreenState {
  return { name, viewer, open: (page) => visit(page, path) }
}

/** Opens the card form of a booking's balance. */
const openCardForm = (path: string) => async (page: Page) => {
  await visit(page, path)
  await main(page)
    .getByRole('button', { name: /^(Pay with another card|Enter another card)$/ })
    .click()
  await main(page).getByLabel('Card number').waitFor()
}

/** Screens that show a year: of the demo with its past, without the records of `fillStates`. */
export const pastStates: readonly ScreenState[] = [
  at('a year, dashboard', '/dashboard', 'vendor'),
  at('a year, calendar', '/dashboard/calendar', 'vendor'),
  at('a year, bookings', '/dashboard/bookings', 'vendor'),
  at('a year, payouts', '/dashboard/payouts?show=past', 'vendor'),
  at('a year, inbox', '/dashboard/inbox', 'vendor'),
  at('a year, notifications', '/notifications', 'vendor'),
  at('a year, my-bookings', '/my-bookings', 'customer'),
  at('a year, userdashboard', '/userdashboard/user', 'customer'),
  at('a year, operations', '/operations', 'operator'),
  at('a year, operations, bookings', '/operations/bookings', 'operator'),
  at('a year, operations, payments', '/operations/payments', 'operator'),
  at('a year, operations, ledger', '/operations/ledger', 'operator'),
  at('a year, operations, tax', '/operations/tax', 'operator'),
]

/** Every route and state, in the order of a visit. */
export function screenStates({
  linkToken,
  shortlist,
  nearLinkToken,
  mailedLink,
  accountForms,
  vendorId,
  disputes,
  conversations,
  activeId,
  orderedId,
  returned,
  dueLinkToken,
  unpaidLinkToken,
  changes,
  mails,
  printedKey,
}: Filled): ScreenState[] {
  /** Opens the screen of a mailed link, and presses a button there if one is given. */
  const followed =
    (kind: LinkKind, button?: string, owner?: string) =>
    async (page: Page): Promise<void> => {
      await visit(page, await mailedLink(kind, owner))
      if (!button) return
      const before = await main(page).getByRole('heading', { level: 1 }).innerText()
      await main(page).getByRole('button', { name: button }).click()
      await main(page).getByRole('heading', { level: 1 }).filter({ hasNotText: before }).waitFor()
    }
  return [
    at('home', '/'),
    at('home, signed in', '/', 'vendor'),
    { name: 'home, loading', viewer: 'visitor', open: openLoading },
    { name: 'home, understood', viewer: 'visitor', open: openReading },
    { name: 'header, suggestions', viewer: 'visitor', open: openSuggestions },
    { name: 'header, menu', viewer: 'visitor', open: openMenu },
    { name: 'header, menu signed in', viewer: 'vendor', open: openMenu },

    at('venues-vendors', '/venues-vendors'),
    at('venues-vendors, found', '/venues-vendors?q=garden&place=Melbourne%2C+VIC&near=1&guests=60'),
    at('venues-vendors, facts', '/venues-vendors?setting=outdoor&guests=120&seated=1&sort=price'),
    at('venues-vendors, corrected', '/venues-vendors?q=woolshde&place=Richmond'),
    at('venues-vendors, nothing', '/venues-vendors?q=quokka-polo'),
    at('venues-vendors, two prices', '/venues-vendors?hours=4&q=rooms'),
    { name: 'venues-vendors, more fields', viewer: 'visitor', open: openMoreFields },
    at('category', '/venues'),
    at('category, few', '/hairdressers?place=VIC'),
    { name: 'category, map', viewer: 'visitor', open: openMap },
    { name: 'venues-vendors, further', viewer: 'visitor', open: openFurther },
    at('landing', '/venues/in/melbourne-vic'),
    at('landing, near', '/venues/in/williamstown-vic'),

    at('business', `/business/${BUSY}`),
    { name: 'business, full screen', viewer: 'visitor', open: openFullScreen },
    at('business, two prices', `/business/${TWO_PRICES}`),
    { name: 'business, loading', viewer: 'visitor', open: openLoadingVendor },
    at('business, no images, on request, long name', '/business/no-images'),
    at('business, one image', '/business/one-image'),
    at('business, dear, long name', '/business/dear'),
    at('business, deleted (410)', '/business/deleted'),
    at('business, missing (404)', '/business/no-such-business'),
    { name: 'business, added to cart', viewer: 'visitor', open: openAdded },
    { name: 'business, free day and total', viewer: 'visitor', open: openFreeDay },
    { name: 'business, day taken', viewer: 'visitor', open: openTakenDay },
    at('not found (404)', '/no/such/screen'),
    at('events', '/events'),
    at('vendors', '/vendors'),
    at('vendorsprofile', '/vendorsprofile?id=demo-hamish-boyd'),
    at('advice-support', '/advice-support'),
    at('list-your-business', '/list-your-business'),
    at('help', '/help'),
    at('help, found', '/help?q=refund'),
    at('help, nothing', '/help?q=xylophone'),
    at('help, article', '/help/withdraw-or-cancel'),
    at('newsletter', '/newsletter'),
    at('document', '/legal/privacy-policy'),
    at('document, earlier', '/legal/vendor-agreement-2026-11-24'),
    at('accessibility', '/legal/accessibility-statement'),
    at('newsletter, unsubscribe', '/newsletter/unsubscribe'),
    at('review invitations, end', '/reviews/end'),
    at('saved searches', '/alerts'),

    at('shortlist, empty', '/shortlist'),
    { name: 'shortlist', viewer: 'visitor', open: openShortlist },
    { name: 'shortlist, compared', viewer: 'visitor', open: openComparison },
    { name: 'shortlist, shared', viewer: 'visitor', open: openSharing },
    at('shortlist, by its link', shortlist),
    at('shortlist, link ended', '/shortlist/no-such-link'),
    at('cart, empty', '/cart'),
    { name: 'cart', viewer: 'visitor', open: openCart },
    at('ask', `/business/${BUSY}/ask`),
    at('ask for a quote, signed in', `/business/${BUSY}/ask?wish=quote`, 'customer'),
    { name: 'ask, errors', viewer: 'visitor', open: openAskErrors },
    at('ask, missing (404)', '/business/no-such-business/ask'),
    at('book', `/book/${BUSY}`),
    at('book, dear, long name', '/book/dear'),
    { name: 'book, two prices', viewer: 'visitor', open: openBookPerHour },
    { name: 'book, errors', viewer: 'visitor', open: openBookErrors },
    { name: 'book, time chosen', viewer: 'visitor', open: fillBooking },
    { name: 'book, not checked', viewer: 'visitor', open: openUnreadBook },
    at('book, missing', '/book/no-such-business'),
    { name: 'payment', viewer: 'visitor', open: openPayment },
    { name: 'payment, refused', viewer: 'visitor', open: openRefused },
    { name: 'payment, not begun', viewer: 'visitor', open: openNotBegun },
    { name: 'payment, not begun, alert read', viewer: 'visitor', open: openNotBegunRead },
    { name: 'success', viewer: 'visitor', open: openSuccess },
    { name: 'success, not saved at first', viewer: 'visitor', open: openSavedAfterAll },
    { name: 'success, on paper', viewer: 'visitor', open: onPaper(openSuccess) },
    at('success, nothing', '/success'),
    at('booking', `/bookings/${linkToken}`),
    at('cancel', `/bookings/${linkToken}/cancel`),
    at('booking, declined with a reason', `/bookings/${nearLinkToken}`),
    {
      name: 'booking, on paper',
      viewer: 'visitor',
      open: onPaper((page) => visit(page, `/bookings/${linkToken}`)),
    },
    at('pay', `/bookings/${dueLinkToken}/pay`),
    { name: 'pay, card form', viewer: 'visitor', open: openCardForm(`/bookings/${dueLinkToken}/pay`) },
    at('pay, refused', `/bookings/${unpaidLinkToken}/pay`),
    at('pay, nothing due', `/bookings/${nearLinkToken}/pay`),
    at('booking, refund came back', `/bookings/${returned.linkToken}`),
    at('account for a refund', `/bookings/${returned.linkToken}/refund`),
    at('account for a refund, nothing waits', `/bookings/${linkToken}/refund`),
    at('reminders', `/bookings/${linkToken}/reminders`),
    at('card', `/bookings/${dueLinkToken}/card`),
    { name: 'card, card form', viewer: 'visitor', open: openCardForm(`/bookings/${dueLinkToken}/card`) },
    at('change', `/bookings/${dueLinkToken}/change`),
    at('change, what changes', `/bookings/${dueLinkToken}/change?quantity=72${SAME_TIME}`),
    at('change, refused', `/bookings/${dueLinkToken}/change?quantity=0${SAME_TIME}`),
    at('change, proposed by the vendor', `/bookings/${changes.proposed}/change`),
    at('change, to pay', `/bookings/${changes.toPay}/change`),
    at('change, in effect', `/bookings/${changes.inEffect}/change`),
    at('booking, with a balance', `/bookings/${dueLinkToken}`),
    at('booking, with an unpaid balance', `/bookings/${unpaidLinkToken}`),
    at('booking, after a paid change', `/bookings/${changes.inEffect}`),
    at('change, called off', `/bookings/${nearLinkToken}/change`),
    at('change, missing (404)', '/bookings/no-such-link/change'),
    at('pay, missing (404)', '/bookings/no-such-link/pay'),
    at('booking, missing (404)', '/bookings/no-such-link'),

    at('login', '/login'),
    at('login-code, too late', '/login/code'),
    { name: 'login-code', viewer: 'visitor', open: openLoginCode },
    { name: 'login, refused', viewer: 'visitor', open: openLoginRefused },
    { name: 'login, too large', viewer: 'visitor', open: openLoginTooLarge },
    { name: 'login, connection lost', viewer: 'visitor', open: openConnectionLost },
    { name: 'login, not sent', viewer: 'visitor', open: openLoginLost },
    { name: 'dashboard, connection lost', viewer: 'vendor', open: openDashboardLost },
    at('signup', '/signup'),
    { name: 'signup, errors', viewer: 'visitor', open: openSignupErrors },
    at('forgot-password', '/forgot-password'),
    at('reset-password, bad link', '/reset-password'),
    at('verify-email, dead link', '/verify-email', 'newcomer'),
    {
      name: 'verify-email',
      viewer: 'newcomer',
      open: followed('verify-email', undefined, ACCOUNTS.newcomer),
    },
    { name: 'verify-email, a stranger’s', viewer: 'visitor', open: followed('verify-email') },
    { name: 'verify-email, another account’s', viewer: 'customer', open: followed('change-email') },
    {
      name: 'verify-email, wrong password',
      viewer: 'visitor',
      async open(page) {
        await followed('verify-email')(page)
        await main(page).getByLabel('Password of that account', { exact: true }).fill('not this one')
        await main(page).getByRole('button', { name: 'Confirm my email' }).click()
        await main(page).getByRole('alert').waitFor()
      },
    },
    {
      name: 'verify-email, not me',
      viewer: 'visitor',
      open: followed('verify-email', 'This wasn’t me'),
    },
    {
      name: 'verify-email, new account',
      viewer: 'visitor',
      open: followed('verify-email', 'Use this address for a new account'),
    },
    { name: 'not-me', viewer: 'visitor', open: followed('new-device') },
    at('not-me, dead link', '/not-me'),
    { name: 'undo-email-change', viewer: 'visitor', open: followed('undo-email-change') },
    {
      name: 'undo-email-change, undone',
      viewer: 'visitor',
      open: followed('undo-email-change', 'Undo the change'),
    },
    at('undo-email-change, dead link', '/undo-email-change'),
    at('new-email', '/new-email', 'detached'),

    { name: 'logout, failed', viewer: 'customer', open: openLogoutFailed },
    { name: 'my-bookings, out of date', viewer: 'customer', open: openMyBookingsOutOfDate },
    at('my-bookings', '/my-bookings', 'customer'),
    at('my-bookings, empty', '/my-bookings', 'newcomer'),
    at('my-profile', '/my-profile', 'customer'),
    at('my-profile, long name', '/my-profile', 'newcomer'),
    at('messages', '/messages', 'customer'),
    at('messages, empty', '/messages', 'newcomer'),
    at('messages, open', `/messages/${conversations.open}`, 'customer'),
    at('messages, blocked', `/messages/${conversations.blocked}`, 'customer'),
    at('conversation', `/conversations/${conversations.guestLink}`),
    at('quote', `/quotes/${conversations.quote}/${conversations.guestLink}`),
    at('quote, missing', `/quotes/no-such-quote/${conversations.guestLink}`),
    at('conversation, to confirm', `/conversations/${conversations.newLink}`),
    at('conversation, not there', '/conversations/no-such-link'),
    at('notifications', '/notifications', 'vendor'),
    at('notifications, empty', '/notifications', 'newcomer'),
    at('settings-privacy', '/settings-privacy', 'customer'),
    at('recent activity', '/settings-privacy/activity', 'customer'),
    { name: 'settings-privacy, two-step to scan', viewer: 'newcomer', open: openTwoStepSetup },
    { name: 'settings-privacy, devices', viewer: 'starter', open: openDevices },
    { name: 'settings-privacy, to install', viewer: 'customer', open: openInstallOffer },
    at('confirm-deactivation', '/confirm-deactivation', 'customer'),
    at('confirm-deletion', '/confirm-deletion', 'customer'),
    at('userdashboard', '/userdashboard/user', 'customer'),

    at('dashboard', '/dashboard', 'vendor'),
    { name: 'dashboard, tables', viewer: 'vendor', open: openChartTables },
    at('dashboard, empty', '/dashboard', 'newcomer'),
    at('dashboard, new vendor', '/dashboard', 'starter'),
    at('dashboard, bookings', '/dashboard/bookings', 'vendor'),
    at('dashboard, bookings, empty', '/dashboard/bookings', 'newcomer'),
    at('dashboard, bookings, none found', '/dashboard/bookings?status=declined&name=nobody', 'vendor'),
    at('dashboard, inbox', '/dashboard/inbox', 'vendor'),
    at('dashboard, inbox, empty', '/dashboard/inbox', 'newcomer'),
    at('dashboard, inbox, open', `/dashboard/inbox/${conversations.open}`, 'vendor'),
    at('dashboard, inbox, quote', `/dashboard/inbox/${conversations.open}?quote=new`, 'vendor'),
    at('quote, of the vendor', `/quotes/${conversations.quote}`, 'vendor'),
    at('dashboard, inbox, blocked', `/dashboard/inbox/${conversations.blocked}`, 'vendor'),
    at('dashboard, inbox, closed', `/dashboard/inbox/${conversations.closed}`, 'vendor'),
    { name: 'dashboard, inbox, refused', viewer: 'vendor', open: openRefusedMessage(conversations.open) },
    at('dashboard, payouts', '/dashboard/payouts', 'vendor'),
    at('dashboard, payouts, past', '/dashboard/payouts?show=past', 'vendor'),
    at('dashboard, payouts, empty', '/dashboard/payouts', 'newcomer'),
    at('dashboard, payouts, setup', '/dashboard/payouts/setup', 'vendor'),
    at('dashboard, payouts, setup, not registered', '/dashboard/payouts/setup', 'newcomer'),
    at('dashboard, payouts, return', '/dashboard/payouts/return', 'vendor'),
    { name: 'dashboard, bookings, not loaded', viewer: 'vendor', open: openBookingsNotLoaded },
    { name: 'dashboard, bookings, out of date', viewer: 'vendor', open: openBookingsOutOfDate },
    { name: 'dashboard, bookings, declining', viewer: 'vendor', open: openDeclining },
    { name: 'dashboard, bookings, declining approved', viewer: 'vendor', open: openDecliningApproved },
    { name: 'dashboard, bookings, reason refused', viewer: 'vendor', open: openReasonRefused },
    at('dashboard, listings', '/dashboard/list-business', 'vendor'),
    at('dashboard, listings, empty', '/dashboard/list-business', 'newcomer'),
    at('dashboard, listings, next step', '/dashboard/list-business', 'starter'),
    at('dashboard, new listing', '/dashboard/list-business/new', 'vendor'),
    at('dashboard, proof of a dispute', `/dashboard/disputes/${disputes.open}`, 'vendor'),
    at('dashboard, proof of a decided dispute', `/dashboard/disputes/${disputes.lost}`, 'vendor'),
    at('dashboard, agreement', '/dashboard/agreement', 'starter'),
    at('dashboard, agreement accepted', '/dashboard/agreement', 'vendor'),
    { name: 'dashboard, new listing, errors', viewer: 'vendor', open: openListingErrors },
    { name: 'dashboard, new listing, two prices', viewer: 'vendor', open: openSecondPrice },
    at('dashboard, edit listing, one price for two', '/dashboard/list-business/one-price/edit', 'vendor'),
    at('dashboard, edit listing', '/dashboard/list-business/dear/edit', 'vendor'),
    at('dashboard, album', `/dashboard/list-business/${BUSY}/album`, 'vendor'),
    at('dashboard, album, empty', '/dashboard/list-business/dear/album', 'vendor'),
    at('dashboard, calendar', `/dashboard/calendar?business=${BUSY}`, 'vendor'),
    at('dashboard, calendar, all listings', '/dashboard/calendar', 'vendor'),
    { name: 'dashboard, calendar, agenda', viewer: 'vendor', open: openAgenda },
    at(
      'dashboard, calendar, unpaid balance',
      `/dashboard/calendar?business=${BUSY}&month=${unpaidBookedDate().slice(0, 7)}`,
      'vendor',
    ),
    at('dashboard, availability', `/dashboard/availability?business=${BUSY}`, 'vendor'),
    at('dashboard, register', '/dashboard/register-business', 'newcomer'),
    at('dashboard, registration', '/dashboard/register-business', 'vendor'),

    at('operations', '/operations', 'operator'),
    at('operations, search', '/operations/search?q=harbour', 'operator'),
    at('operations, bookings', '/operations/bookings', 'operator'),
    at('operations, payments', '/operations/payments', 'operator'),
    at('operations, unpaid balances', '/operations/payments?show=unpaid', 'operator'),
    { name: 'operations, payment', viewer: 'operator', open: openOperatorsPayment },
    { name: 'operations, payment of another provider', viewer: 'operator', open: openOtherProvider },
    at('operations, refund that came back', `/operations/payments/${returned.paymentId}`, 'operator'),
    at('operations, disputes', '/operations/disputes', 'operator'),
    at('operations, dispute', `/operations/disputes/${disputes.open}`, 'operator'),
    { name: 'operations, dispute, errors', viewer: 'operator', open: openEvidenceErrors(disputes.open) },
    { name: 'operations, dispute, submitting', viewer: 'operator', open: openSubmitting(disputes.open) },
    { name: 'operations, dispute, accepting', viewer: 'operator', open: openAccepting(disputes.open) },
    at('operations, dispute, inquiry', `/operations/disputes/${disputes.inquiry}`, 'operator'),
    at('operations, dispute, waiting', `/operations/disputes/${disputes.waiting}`, 'operator'),
    at('operations, dispute, lost', `/operations/disputes/${disputes.lost}`, 'operator'),
    at('operations, reports', '/operations/reports', 'operator'),
    at('operations, report', `/operations/reports/${conversations.reportId}`, 'operator'),
    at('operations, ledger', '/operations/ledger', 'operator'),
    at('operations, tax', '/operations/tax', 'operator'),
    { name: 'operations, ledger, proved', viewer: 'operator', open: openProvedLedger },
    at('operations, payouts', '/operations/payouts', 'operator'),
    at('operations, vendor', `/operations/vendors/${vendorId}`, 'operator'),
    at('operations, comparison', '/operations/comparison', 'operator'),
    at('operations, reviews', '/operations/reviews', 'operator'),
    at('operations, accounts', '/operations/accounts', 'operator'),
    at('operations, activity of an account', `/operations/accounts/${activeId}/activity`, 'operator'),
    at('operations, listings', '/operations/listings', 'operator'),
    at('operations, people', '/operations/people', 'operator'),
    at('operations, log', '/operations/log', 'operator'),
    at('operations, refused', '/operations', 'customer'),
    at('operations, role not enough', '/operations/ledger', 'support'),
    at('operations, refund to confirm', `/operations/payments/${orderedId}`, 'operator'),
    { name: 'see as a person, overview', viewer: 'operator', open: openViewOf('/userdashboard/user') },
    { name: 'see as a person, calendar', viewer: 'operator', open: openViewOf('/dashboard/calendar') },
    {
      name: 'see as a person, listing form',
      viewer: 'operator',
      open: openViewOf(`/dashboard/list-business/${BUSY}/edit`),
    },
    { name: 'see as a person, not part of it', viewer: 'operator', open: openViewOf('/messages') },
    at('outbox', `/outbox?key=${printedKey}`),
    ...mails.map(({ name, messageId }) => ({
      name: `mail, ${name}`,
      viewer: 'visitor' as const,
      // The browser from npm crashes when it shows the document itself, whose policy makes it a sandbox.
      open: async (page: Page) => {
        await visit(page, '/')
        const mail = await page.request.get(`${href('/outbox/:messageId', { messageId })}?key=${printedKey}`)
        await page.setContent(await mail.text())
      },
    })),
    at('sandbox', `/sandbox?key=${printedKey}`),
    at('sandbox, account, first step', accountForms.empty),
    at('sandbox, account, complete', accountForms.complete),
  ]
}

/** Sends a sample of every mail to the outbox, whose pages show them. */
async function sendSamples({ mail, config }: Services, origin: string): Promise<Filled['mails']> {
  const samples = Object.entries(sampleMails({ brand: config.brand, publicUrl: new URL(origin) }))
  for (const [name, message] of samples) await mail.send({ ...message, messageId: name })
  return samples.map(([name]) => ({ name, messageId: name }))
}

/** Opens the vendor's answer to a message without text. */
function openRefusedMessage(id: string) {
  return async (page: Page): Promise<void> => {
    await visit(page, `/dashboard/inbox/${id}`)
    await main(page).getByRole('button', { name: 'Send' }).click()
    await main(page).getByText('Write a message.', { exact: true }).waitFor()
  }
}

/** Opens the enquiry form without anything filled in. */
async function openAskErrors(page: Page): Promise<void> {
  await visit(page, `/business/${BUSY}/ask`)
  await main(page).getByRole('button', { name: 'Send' }).click()
  await main(page).getByRole('alert').first().waitFor()
}

/** Opens the previous page with the progress bar of a navigation. */
async function openLoading(page: Page): Promise<void> {
  await visit(page, '/')
  await page.route('**/*.data*', () => {})
  await page.getByRole('contentinfo').getByRole('link', { name: 'Photographers' }).click()
  await page.locator('.page-progress').waitFor()
}

async function openFurther(page: Page): Promise<void> {
  await visit(page, '/venues-vendors')
  await main(page).getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Next' }).click()
  await page.waitForURL(/after=/)
}

/** Opens the overlay that covers the list until the business has loaded. */
async function openLoadingVendor(page: Page): Promise<void> {
  await visit(page, '/venues')
  await page.route('**/*.data*', () => {})
  await main(page).getByRole('article').first().getByRole('link').click()
  await page.getByText('Loading vendor...').waitFor()
}

/** Opens the search line with the terms that it understood, and its suggestions. */
async function openReading(page: Page): Promise<void> {
  await visit(page, '/')
  await main(page)
    .getByLabel('What, where and when?')
    .fill('wedding venue geelong, march, 90 guests, $25,000')
  await main(page).getByRole('list', { name: 'Searching for' }).waitFor()
}

async function openFullScreen(page: Page): Promise<void> {
  await visit(page, `/business/${BUSY}`)
  await main(page).getByRole('link', { name: 'View the pictures full screen' }).click()
  await page.getByRole('dialog').getByRole('img').first().waitFor()
}

async function openSuggestions(page: Page): Promise<void> {
  await visit(page, '/events')
  const header = page.getByRole('banner')
  await header.getByRole('button', { name: 'Open search' }).click()
  await header.getByRole('searchbox').filter({ visible: true }).fill('har')
  await header.getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
}

async function openMenu(page: Page): Promise<void> {
  await visit(page, '/events')
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Open menu|^Categories|^Account of/ })
    .filter({ visible: true })
    .last()
    .click()
}

async function openMap(page: Page): Promise<void> {
  await visit(page, '/venues')
  await main(page).getByRole('group', { name: 'View' }).locator('label', { hasText: 'Map' }).click()
  await page
    .getByRole('button', { name: / from \$/ })
    .first()
    .waitFor()
}

async function openMoreFields(page: Page): Promise<void> {
  await visit(page, '/venues-vendors')
  await main(page).locator('.search-more > summary').click()
}

async function openAdded(page: Page): Promise<void> {
  await visit(page, `/business/${BUSY}`)
  await main(page).getByRole('button', { name: 'Add to Cart' }).click()
  await page.getByText('added to cart!').waitFor()
}

async function openFreeDay(page: Page): Promise<void> {
  await visit(page, `/business/${BUSY}?guests=120&date=${nextEventDate()}`)
  await showFreeDays(page)
  await main(page)
    .getByText(/^Free on /)
    .waitFor()
}

async function openTakenDay(page: Page): Promise<void> {
  await visit(page, `/business/${TWO_PRICES}?date=2020-02-01`)
  await showFreeDays(page)
  await main(page)
    .getByRole('status')
    .filter({ hasText: /^Not free on / })
    .waitFor()
}

async function showFreeDays(page: Page): Promise<void> {
  await main(page).getByRole('heading', { name: 'Free days and your total' }).scrollIntoViewIfNeeded()
  await main(page)
    .getByText(/(days? free|Nothing is free) in/)
    .waitFor()
}

/** Three saved businesses, one of them with the longest name. */
async function openShortlist(page: Page): Promise<void> {
  for (const id of ['dear', TWO_PRICES, BUSY]) {
    await visit(page, `/business/${id}`)
    await main(page)
      .getByRole('button', { name: /^Save / })
      .first()
      .click()
    await page.getByText('saved to your shortlist.').waitFor()
  }
  await visit(page, '/shortlist?guests=90')
  await main(page).getByRole('link', { name: 'Harbour Light Pavilion' }).waitFor()
}

async function openComparison(page: Page): Promise<void> {
  await openShortlist(page)
  for (const box of await main(page).getByRole('checkbox').all()) await box.check()
  await main(page).getByRole('button', { name: 'Compare' }).click()
  await main(page).getByRole('table').waitFor()
}

async function openSharing(page: Page): Promise<void> {
  await openShortlist(page)
  await main(page).getByRole('button', { name: 'Make a link' }).click()
  await main(page).getByLabel('Link to this list').waitFor()
}

async function openCart(page: Page): Promise<void> {
  for (const id of ['dear', 'no-images', BUSY]) {
    await visit(page, `/business/${id}`)
    await main(page).getByRole('button', { name: 'Add to Cart' }).click()
    await page.getByText('added to cart!').waitFor()
  }
  await visit(page, '/cart')
  await main(page).getByRole('link', { name: 'Book Harbour Light Pavilion' }).waitFor()
}

async function openBookErrors(page: Page): Promise<void> {
  await visit(page, `/book/${BUSY}`)
  await main(page).getByRole('button', { name: 'Proceed to Payment' }).click()
  await main(page).locator('[aria-invalid=true]').first().waitFor()
}

async function openBookPerHour(page: Page): Promise<void> {
  await visit(page, `/book/${TWO_PRICES}`)
  await main(page).getByText('Per hour', { exact: true }).click()
  await main(page).getByLabel('Hours', { exact: true }).fill('4')
}

async function openSecondPrice(page: Page): Promise<void> {
  await visit(page, '/dashboard/list-business/new')
  await main(page).getByLabel('Category').selectOption('Venues')
  await main(page).getByLabel('Price', { exact: true }).fill('84')
  await main(page).getByRole('checkbox', { name: 'Per hour' }).check()
  await main(page).getByLabel('Price per hour').fill('0')
  await main(page).getByRole('button', { name: 'Submit' }).click()
  await main(page).locator('[aria-invalid=true]').first().waitFor()
}

async function fillBooking(page: Page): Promise<void> {
  await visit(page, `/book/${BUSY}`)
  await main(page).getByLabel('Full name').fill(LONG_PERSON)
  await main(page).getByLabel('Email').fill('wilhelmina@example.com')
  await main(page).getByLabel('Phone').fill('0491 570 110')
  await main(page).getByLabel('Date').fill(nextEventDate())
  await main(page).getByLabel('Start time').fill('16:00')
  await main(page).getByLabel('Number of Attendees').fill('120')
  await main(page).getByText('(7 hours)').waitFor()
}

async function openPayment(page: Page): Promise<void> {
  await fillBooking(page)
  await main(page).getByRole('button', { name: 'Proceed to Payment' }).click()
  await main(page)
    .getByRole('button', { name: /^Pay \$/ })
    .waitFor()
}

async function openRefused(page: Page): Promise<void> {
  await openPayment(page)
  await payWith(page, '4000 0000 0000 0002')
  await page.getByRole('alertdialog').waitFor()
}

async function openUnreadBook(page: Page): Promise<void> {
  await visit(page, `/business/${BUSY}`)
  await page.route('**/book/*.data*', (route) => route.abort())
  await main(page).getByRole('link', { name: 'Book Now' }).first().click()
  await main(page).getByText(BUSINESS_NOT_CHECKED).waitFor()
}

async function openNotBegun(page: Page): Promise<void> {
  await fillBooking(page)
  await page.route('**/create-payment-intent', (route) =>
    route.fulfill({ status: 429, json: { error: { code: 'too_many_held_by_browser' } } }),
  )
  await main(page).getByRole('button', { name: 'Proceed to Payment' }).click()
  await page.getByRole('alertdialog').waitFor()
}

async function openNotBegunRead(page: Page): Promise<void> {
  await openNotBegun(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
}

async function openSavedAfterAll(page: Page): Promise<void> {
  await openPayment(page)
  await page.route('**/api/payment-report', (route) => route.abort())
  await payWith(page, '4242 4242 4242 4242')
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
  await main(page).getByText(SAVED_AFTER_ALL).waitFor()
}

async function openSuccess(page: Page): Promise<void> {
  await openPayment(page)
  await payWith(page, '4242 4242 4242 4242')
  await main(page)
    .getByRole('heading', { name: /^Thank you/ })
    .waitFor()
}

/** Opens a screen with its print styles. */
function onPaper(open: (page: Page) => Promise<void>) {
  return async (page: Page) => {
    await open(page)
    await page.emulateMedia({ media: 'print' })
  }
}

const letLoadsFail = (page: Page) =>
  page.route('**/*.data*', (route) => route.fulfill({ status: 500, body: 'failed' }))

async function openBookingsNotLoaded(page: Page): Promise<void> {
  await visit(page, '/dashboard')
  await letLoadsFail(page)
  await page.locator('a[href="/dashboard/bookings"]').filter({ visible: true }).first().click()
  await main(page).getByRole('alert').waitFor()
}

/** Opens the tables below the charts. */
async function openChartTables(page: Page): Promise<void> {
  await visit(page, '/dashboard')
  for (const summary of await main(page).locator('.chart-table summary').all()) await summary.click()
}

/** Opens a list that got a live update but failed to load it. */
async function openOutOfDate(page: Page, path: string): Promise<void> {
  await page.route('**/api/live*', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'data: news\n\n' }),
  )
  await letLoadsFail(page)
  await visit(page, path)
  await page.getByText('This page may be out of date').waitFor()
}

const openBookingsOutOfDate = (page: Page) => openOutOfDate(page, '/dashboard/bookings')
const openMyBookingsOutOfDate = (page: Page) => openOutOfDate(page, '/my-bookings')

async function openLogoutFailed(page: Page): Promise<void> {
  await page.route('**/logout', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await visit(page, '/logout')
  await main(page).getByRole('heading', { name: 'You are still logged in' }).waitFor()
}

/** Turns two-step login on without an app: nobody can enter a code, but the screen asks for one. */
async function turnTwoStepOn({ db }: Services, id: string): Promise<void> {
  const row = { id, user_id: id, secret: 'unreadable', backup_codes: '[]', verified: true }
  await db.insertInto('second_factors').values(row).execute()
  await db.updateTable('users').set({ two_factor_enabled: true }).where('id', '=', id).execute()
}

/** Opens a page in an operator's view of the product as the vendor. */
function openViewOf(path: string): (page: Page) => Promise<void> {
  return async (page) => {
    await visit(page, `/operations/accounts?q=${ACCOUNTS.vendor}`)
    await main(page).locator('summary', { hasText: 'See as this person' }).click()
    await main(page).locator('details[open]').getByLabel('Reason').fill('They called about a booking.')
    await main(page)
      .getByRole('button', { name: /^See as / })
      .click()
    await page.getByText('Nothing can be changed.').waitFor()
    await visit(page, path)
  }
}

/** Another operator's refund, which waits for a second person. @returns the payment's id */
async function orderARefund({ db }: Services, paymentId: string): Promise<string> {
  await db
    .insertInto('approvals')
    .values({
      id: newId(),
      act: 'refund',
      subject_kind: 'purchase',
      subject_id: paymentId,
      payment_id: paymentId,
      label: 'Harbour Light Pavilion',
      amount_cents: 250_000,
      payload: JSON.stringify({ paymentId, borneBy: 'vendor' }),
      reason: 'The marquee wasn’t there.',
      seen: 'as it was',
      asked_by: 'another-operator',
      asked_by_email: 'morgan.lee@jubilee.example',
      asked_at: new Date(),
      expires_at: new Date(Date.now() + ORDER_LIFE_MS),
    })
    .execute()
  return paymentId
}

async function openTwoStepSetup(page: Page): Promise<void> {
  await visit(page, '/settings-privacy')
  const section = main(page).getByRole('region', { name: 'Two-step login' })
  await section.getByRole('button', { name: 'Set up two-step login' }).click()
  await section.getByRole('img').waitFor()
}

async function openDevices(page: Page): Promise<void> {
  await visit(page, '/settings-privacy')
  await main(page)
    .getByRole('button', { name: /^Turn off / })
    .first()
    .waitFor()
}

async function openInstallOffer(page: Page): Promise<void> {
  await visit(page, '/settings-privacy')
  // A headless browser makes no offer of its own.
  await page.evaluate(() => dispatchEvent(new Event('beforeinstallprompt', { cancelable: true })))
  await main(page).getByRole('button', { name: 'Add it' }).waitFor()
}

async function openLoginCode(page: Page): Promise<void> {
  await visit(page, '/login')
  await main(page).getByLabel('Email').fill(CAREFUL)
  await main(page).getByLabel('Password', { exact: true }).fill(CHOSEN_PASSWORD)
  await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
  await main(page).getByRole('heading', { name: 'Enter your code' }).waitFor()
}

/** Submits a form that exceeds the size limit, as a browser without JavaScript would. */
async function openLoginTooLarge(page: Page): Promise<void> {
  await visit(page, '/login')
  await main(page)
    .getByLabel('Email')
    .evaluate((field: HTMLInputElement) => {
      field.value = 'x'.repeat(70_000)
      field.form?.submit()
    })
  await page.getByRole('heading', { name: 'That didn’t work' }).waitFor()
}

async function openConnectionLost(page: Page) {
  await visit(page, '/login')
  await goOffline(page)
  await main(page).getByRole('link', { name: 'Sign Up' }).click()
  await page.getByRole('status').filter({ hasText: 'Connection lost.' }).waitFor()
}

async function openDashboardLost(page: Page) {
  await visit(page, '/dashboard/bookings')
  await goOffline(page)
  await page.getByRole('link', { name: 'My Listings' }).filter({ visible: true }).first().click()
  await page.getByRole('status').filter({ hasText: 'Connection lost.' }).waitFor()
}

async function openLoginLost(page: Page) {
  await visit(page, '/login')
  await main(page).getByLabel('Email', { exact: true }).fill('grace@example.com')
  await main(page).getByLabel('Password', { exact: true }).fill('celebrate')
  await goOffline(page)
  await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
  await main(page).getByRole('alert').waitFor()
}

async function openLoginRefused(page: Page): Promise<void> {
  await visit(page, '/login')
  await main(page).getByLabel('Email').fill('nobody@example.com')
  await main(page).getByLabel('Password', { exact: true }).fill('not this one')
  await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
  await main(page).getByRole('alert').waitFor()
}

async function openSignupErrors(page: Page): Promise<void> {
  await visit(page, '/signup')
  await main(page).getByRole('button', { name: 'Sign Up' }).click()
  await main(page).locator('[aria-invalid=true]').first().waitFor()
}

/** The first of the vendor's bookings with a status. */
const bookingIn = (page: Page, status: string) =>
  main(page)
    .getByRole('article')
    .filter({ has: page.getByText(status, { exact: true }) })
    .first()

async function openDeclining(page: Page): Promise<void> {
  await visit(page, '/dashboard/bookings')
  await bookingIn(page, 'Pending').getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('dialog').getByText('Tap the reason to decline').waitFor()
}

async function openDecliningApproved(page: Page): Promise<void> {
  await visit(page, '/dashboard/bookings')
  await bookingIn(page, 'Approved').getByText('More', { exact: true }).click()
  await bookingIn(page, 'Approved').getByRole('button', { name: 'Cancel this booking' }).click()
  await page.getByRole('dialog').getByLabel('Reason').waitFor()
}

async function openReasonRefused(page: Page): Promise<void> {
  await openDecliningApproved(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('A leak')
  await dialog.getByRole('button', { name: 'Other' }).click()
  await dialog.locator('[aria-invalid=true]').waitFor()
}

async function openListingErrors(page: Page): Promise<void> {
  await visit(page, '/dashboard/list-business/new')
  await main(page).locator('form button[type=submit]').last().click()
  await main(page).locator('[aria-invalid=true]').first().waitFor()
}

async function openAgenda(page: Page): Promise<void> {
  await visit(page, `/dashboard/calendar?business=${BUSY}`)
  await main(page).getByText('Agenda', { exact: true }).click()
}

async function openOtherProvider(page: Page): Promise<void> {
  await visit(page, '/operations/payments')
  const item = main(page).getByRole('listitem').filter({ hasText: 'made with stripe' })
  await item.getByRole('link').first().click()
  await main(page).getByText(OTHER_PROVIDER).waitFor()
}

/** Sends an empty statement, so that the answer stands beside its field. */
function openEvidenceErrors(id: string) {
  return async (page: Page) => {
    await submitEvidence(page, id, ' ')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Submit evidence' }).click()
    await main(page).getByText(STATEMENT_MISSING).first().waitFor()
  }
}

function openSubmitting(id: string) {
  return async (page: Page) => {
    await submitEvidence(page, id, 'The event took place, and everybody danced.')
    await page.getByRole('alertdialog').waitFor()
  }
}

async function submitEvidence(page: Page, id: string, statement: string): Promise<void> {
  await visit(page, `/operations/disputes/${id}`)
  await main(page).getByLabel('What happened').fill(statement)
  await main(page).getByLabel('Why are you answering it?').fill('The vendor has photographs.')
  await main(page).getByRole('button', { name: 'Submit evidence' }).click()
}

function openAccepting(id: string) {
  return async (page: Page) => {
    await visit(page, `/operations/disputes/${id}`)
    await main(page).getByText('Accept the dispute…').click()
    await main(page).getByLabel('Why are you accepting it?').fill('The vendor never opened.')
    await main(page).getByRole('button', { name: 'Accept the dispute' }).click()
    await page.getByRole('alertdialog').waitFor()
  }
}

async function openProvedLedger(page: Page): Promise<void> {
  await visit(page, '/operations/ledger')
  await main(page).getByRole('button', { name: 'Prove now' }).click()
  await main(page).getByText('Movements at the provider').waitFor()
  await main(page).getByText('Set the rate of a vendor…').click()
  await main(page).getByLabel('Vendor’s email').waitFor()
}

async function openOperatorsPayment(page: Page): Promise<void> {
  await visit(page, '/operations/payments')
  await main(page).locator('a[href^="/operations/payments/"]').first().click()
  await page.waitForURL(/\/operations\/payments\//)
  await main(page).getByRole('heading', { level: 1 }).waitFor()
}
