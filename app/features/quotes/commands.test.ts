import { readFileSync } from 'node:fs'
import { parseWithZod } from '@conform-to/zod/v4'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beforeTransaction } from '../../../tests/before-transaction.ts'
import { leavesExpiredHold } from '../../../tests/booking-stage.ts'
import {
  aBookingForm,
  aBookingWorld,
  aBusiness,
  aGuestConversation,
  anOffer,
  aUser,
  enquiryDepsOf,
  setsAvailability,
} from '../../../tests/builders.ts'
import { leavesAsIs } from '../../../tests/leaves-as-is.ts'
import { addDays, wallTimeAt } from '../../shared/dates.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { keptPriceText } from '../bookings/changes/messages.ts'
import { findChangePage } from '../bookings/changes/queries.server.ts'
import { startBookingPayment } from '../bookings/checkout/commands.server.ts'
import { processPendingBookings } from '../bookings/decisions/reminder-commands.server.ts'
import { findBookingByLink } from '../bookings/list/queries.server.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { findBookingTalk, messageAboutBooking } from '../enquiries/booking-commands.server.ts'
import { markRead, sendMessage } from '../enquiries/commands.server.ts'
import { findConversation } from '../enquiries/queries.server.ts'
import { receiveReply } from '../enquiries/reply-commands.server.ts'
import { findResponseTimes } from '../enquiries/response-queries.server.ts'
import { replyTokenHash, replyTokenOf, type SiteParticipant } from '../enquiries/rules.ts'
import {
  blockConversation,
  closeConversation,
  setBlocked,
  unblockConversation,
} from '../enquiries/status-commands.server.ts'
import { selectPayments } from '../payments/queries.server.ts'
import { reportPayment } from '../payments/settlement-commands.server.ts'
import { endPayment } from '../payments/sweep-commands.server.ts'
import { deleteAccount } from '../privacy/commands.server.ts'
import { findReceipt } from '../receipts/queries.server.ts'
import { findSale } from '../sales/queries.server.ts'
import { formOf, type Sale } from '../sales/rules.ts'
import { acceptQuote, chooseAgain, resumeAcceptance } from './acceptance-commands.server.ts'
import {
  declineQuote,
  endQuoteHolds,
  expireQuotes,
  saveDraft,
  sendQuote,
  viewQuote,
  withdrawQuote,
} from './commands.server.ts'
import { findComposerStart } from './composer-queries.server.ts'
import { countText, priceText, stateText } from './messages.ts'
import { findQuotePage, findQuotePath } from './page-queries.server.ts'
import { findQuote, listQuotes } from './queries.server.ts'
import { exportQuotes, leaveQuotes } from './retention-commands.server.ts'
import { countedIn, minutesUntil, type QuoteOffer, totalOf } from './rules.ts'
import { quoteSchema } from './schema.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>

beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())

const contact = { fullName: 'Kim Lee', email: 'kim@example.com', phone: '0411 222 333' }

/** The facts of the businesses. Their sales keep them. */
const STATED = '{"byo": true}'

/** A business whose time can be taken once, with a guest's conversation. */
async function aTalk(capacity = 1) {
  const business = await aBusiness(world.db, { facts: STATED })
  await setsAvailability(world.db, business.id, { capacity, setupMinutes: 0, cleanupMinutes: 0 })
  const conversation = await aGuestConversation(world.deps, business)
  return {
    business,
    conversation,
    userId: business.user_id,
    by: { linkToken: conversation.linkToken },
    vendor: { userId: business.user_id, verifiedEmail: null },
  }
}

type Talk = Awaited<ReturnType<typeof aTalk>>

async function sends(
  { userId, conversation }: Talk,
  overrides: Partial<QuoteOffer> = {},
  version = 1,
  using = world.deps,
) {
  const validTo = new Date(world.clock.now().getTime() + 7 * DAY_MS).toISOString().slice(0, 10)
  const offer = anOffer({ validTo, ...overrides })
  return sendQuote(using, { userId, conversationId: conversation.id, version, offer })
}

async function aSentQuote(talk: Talk, overrides: Partial<QuoteOffer> = {}, version = 1): Promise<string> {
  const sent = await sends(talk, overrides, version)
  if (!sent.ok) throw new Error(sent.reason)
  return sent.quoteId
}

const accepts = (
  talk: { by: SiteParticipant },
  quoteId: string,
  taken: string[] = [],
  shownCents: number | null = null,
) =>
  acceptQuote(world.deps, {
    quoteId,
    by: talk.by,
    taken,
    contact,
    shownCents,
    exceptPayments: [],
    heldFrom: newId(),
  })

/** Pays a begun payment as the payment screen does, with the total and the details that it was given. */
async function pays(paymentId: string) {
  const { deps, payments, db } = world
  const { sale, ...payment } = await selectPayments(db)
    .where('payments.id', '=', paymentId)
    .executeTakeFirstOrThrow()
  const started = await startBookingPayment(deps, {
    amount: sale.priceCents,
    submitKey: payment.submit_key,
    businessId: sale.businessId,
    booking: formOf(sale),
    customerUserId: sale.customerUserId,
  })
  if (!started.ok || started.alreadyPaid) throw new Error('not started')
  await payments.confirmCard({
    clientSecret: started.clientSecret,
    cardNumber: '4242424242424242',
    expiry: '12 / 30',
    cvc: '123',
  })
  return reportPayment(deps, { clientSecret: started.clientSecret })
}

const stateOf = async (talk: Talk, quoteId: string) =>
  (await findQuote(world.db, { quoteId, by: talk.vendor }))?.quote.state

const slotsOf = ({ business }: Talk) =>
  world.db
    .selectFrom('slots')
    .select(['kind', 'payment_id', 'expires_at'])
    .where('business_id', '=', business.id)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', world.clock.now())]))
    .execute()

const conversationStatus = async ({ conversation }: Talk) =>
  (
    await world.db
      .selectFrom('conversations')
      .select('status')
      .where('id', '=', conversation.id)
      .executeTakeFirstOrThrow()
  ).status

describe('a sale', () => {
  /** Every property of the snapshot. A new one is listed here, or the compiler complains. */
  const SALE = {
    id: true,
    ownerUserId: true,
    customerUserId: true,
    termsVersion: true,
    customer: true,
    businessId: true,
    businessName: true,
    place: true,
    facts: true,
    timeZone: true,
    abn: true,
    gstRegistered: true,
    date: true,
    time: true,
    quantity: true,
    bookingType: true,
    event: true,
    occupied: true,
    unitPriceCents: true,
    priceCents: true,
    commission: true,
    terms: true,
    quote: true,
    answerWithinMs: true,
  } as const satisfies Record<keyof Sale, true>

  it('sets each of its properties, by a listing or by a quote', async () => {
    const propertiesOf = async (paymentId: string) => {
      const sale = await findSale(world.db, paymentId)
      const isUnset = (value: unknown) => value === null || JSON.stringify(value) === '{}'
      return Object.entries(sale ?? {}).flatMap(([name, value]) => (isUnset(value) ? [] : [name]))
    }
    const business = await aBusiness(world.db, { facts: STATED })
    const started = await startBookingPayment(world.deps, {
      amount: 45_500,
      submitKey: newId(),
      businessId: business.id,
      booking: aBookingForm(),
      customerUserId: null,
    })
    if (!started.ok || started.alreadyPaid) throw new Error('not started')
    const talk = await aTalk()
    const accepted = await accepts(talk, await aSentQuote(talk))
    if (!accepted.ok) throw new Error(accepted.reason)
    const [listing, quote] = [await propertiesOf(started.paymentId), await propertiesOf(accepted.paymentId)]
    const lacks = (set: string[]) => Object.keys(SALE).filter((name) => !set.includes(name))
    // The customer is a guest, and the vendor has no registration.
    const ofBoth = ['customerUserId', 'abn']
    expect({ listing: lacks(listing), quote: lacks(quote) }).toEqual({
      listing: [...ofBoth, 'quote'],
      // The vendor has agreed by the quote already.
      quote: [...ofBoth, 'answerWithinMs'],
    })
  })
})

describe('a quote', () => {
  it('costs $4,790.00 instead of $5,240.00 without its optional line, and its booking is approved at once', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk)
    expect((await findQuote(world.db, { quoteId, by: talk.by }))?.quote).toMatchObject({
      version: 1,
      state: 'sent',
    })
    const accepted = await accepts(talk, quoteId, [], 479_000)
    if (!accepted.ok) throw new Error(accepted.reason)
    const payment = await selectPayments(world.db)
      .where('payments.id', '=', accepted.paymentId)
      .executeTakeFirstOrThrow()
    expect(Number(payment.amount_cents)).toBe(479_000)
    expect(formOf(payment.sale)).toMatchObject({
      quantity: 80,
      bookingType: 'perPerson',
      fullName: 'Kim Lee',
    })
    // Five hours from 4 pm, not the listing's seven.
    expect(payment.sale.event).toEqual({
      from: '2027-03-13T05:00:00.000Z',
      until: '2027-03-13T10:00:00.000Z',
    })
    expect(await stateOf(talk, quoteId)).toBe('accepted')

    const settled = await pays(accepted.paymentId)
    expect(settled).toMatchObject({ ok: true, state: 'paid' })
    expect(await stateOf(talk, quoteId)).toBe('booked')
    const linkToken = await bookingLinkToken(world.deps.secret, accepted.paymentId)
    const booking = await findBookingByLink(world.db, linkToken)
    expect(booking?.stored).toMatchObject({
      status: 'approved',
      paymentStatus: 'paid',
      totalPrice: '4790.00',
      quantity: 80,
      bookingType: 'perPerson',
      date: '2027-03-13',
      time: '16:00',
    })
    const conversation = await world.db
      .selectFrom('conversations')
      .select(['status', 'waiting_since'])
      .where('id', '=', talk.conversation.id)
      .executeTakeFirstOrThrow()
    expect(conversation).toEqual({ status: 'booked', waiting_since: null })
    expect((await findReceipt(world.db, { linkToken }))?.lines).toEqual([
      { label: 'Long-table dinner', quantity: 80, unitPriceCents: 5_500 },
      { label: 'Waiting staff', quantity: 3, unitPriceCents: 13_000 },
    ])
    expect(await slotsOf(talk)).toMatchObject([{ kind: 'booking', payment_id: accepted.paymentId }])
    const mails = (await world.jobs.mails()).filter(({ text }) => text.includes('The Walled Garden'))
    expect(mails.at(-2)?.text).toContain('Your booking is confirmed, as you accepted their quote.')
    expect(mails.at(-2)?.text).toMatch(/^Cancelling is free until/m)
    expect(mails.at(-2)?.text).not.toContain("Once they've approved it")
    expect(mails.at(-1)?.text).toContain('They accepted your quote, so the booking is approved.')
    // A second accept, in another tab.
    expect(await accepts(talk, quoteId, ['2'])).toEqual({ ok: false, reason: 'booked' })
    expect(await accepts(talk, quoteId)).toEqual({ ok: false, reason: 'booked' })
  })

  it('reaches its customer by mail with its lines, its last day and the conversation’s link', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk)
    const mail = (await world.jobs.mails()).findLast(({ messageId }) => messageId?.includes(quoteId))
    expect(mail?.subject).toMatch(/^Quote for \w{3} \d{1,2} \w+: from \$4,790\.00, The Walled Garden$/)
    expect(mail?.text).toContain(`/quotes/${quoteId}/${talk.conversation.linkToken}`)
    expect(mail?.text).toContain('80 × Long-table dinner: $4,400.00')
    expect(mail?.text).toContain('Floral arch: $450.00 (optional)')
    expect(mail?.text).toContain('Total: from $4,790.00, or $5,240.00 with all optional lines')
    expect(mail?.text).toContain('Answering this email doesn’t accept it.')
    const kept = await world.db
      .selectFrom('conversations')
      .select(['status', 'waiting_since'])
      .where('id', '=', talk.conversation.id)
      .executeTakeFirst()
    // A quote is an answer, so nobody waits for one any more.
    expect(kept).toEqual({ status: 'quoted', waiting_since: null })
  })

  it('sends no mail to an address that nobody has proven', async () => {
    const talk = await aTalk()
    const customer = await aUser(world.db, { email_verified: false })
    await world.db
      .updateTable('conversations')
      .set({ customer_user_id: customer.id, customer_email: customer.email })
      .where('id', '=', talk.conversation.id)
      .execute()
    const quoteId = await aSentQuote(talk)
    expect((await world.jobs.mails()).filter(({ to }) => to === customer.email)).toEqual([])
    const told = await world.db
      .selectFrom('notifications')
      .select('link')
      .where('user_id', '=', customer.id)
      .execute()
    expect(told).toEqual([{ link: `/quotes/${quoteId}` }])
    const by = { userId: customer.id, verifiedEmail: null }
    expect((await findQuote(world.db, { quoteId, by }))?.side).toBe('customer')
  })

  it.each<[string, (talk: Talk, quoteId: string, by: SiteParticipant) => Promise<unknown>]>([
    ['seen', (_, quoteId, by) => viewQuote(world.deps, { quoteId, by })],
    ['accepted', (_, quoteId, by) => accepts({ by }, quoteId)],
    ['declined', (_, quoteId, by) => declineQuote(world.deps, { quoteId, by })],
    ['withdrawn', ({ userId }, quoteId) => withdrawQuote(world.deps, { userId, quoteId })],
    ['replaced', (talk) => aSentQuote(talk, {}, 2)],
  ])('marks the customer’s notification of it as read once it is %s', async (_, then) => {
    const talk = await aTalk()
    const customer = await aUser(world.db)
    await world.db
      .updateTable('conversations')
      .set({ customer_user_id: customer.id, customer_email: customer.email })
      .where('id', '=', talk.conversation.id)
      .execute()
    const quoteId = await aSentQuote(talk)
    const isUnread = async () => {
      const { read_at } = await world.db
        .selectFrom('notifications')
        .select('read_at')
        .where('user_id', '=', customer.id)
        .where('event_key', '=', `quote-sent:${quoteId}`)
        .executeTakeFirstOrThrow()
      return read_at === null
    }
    expect(await isUnread()).toBe(true)
    await then(talk, quoteId, { userId: customer.id, verifiedEmail: customer.email })
    expect(await isUnread()).toBe(false)
  })

  describe('and notifications', () => {
    /** A quote to a customer with an account, and both sides' notifications about quotes by kind, true while unread. */
    async function aToldQuote() {
      const talk = await aTalk()
      const customer = await aUser(world.db)
      await world.db
        .updateTable('conversations')
        .set({ customer_user_id: customer.id, customer_email: customer.email })
        .where('id', '=', talk.conversation.id)
        .execute()
      const quoteId = await aSentQuote(talk)
      const by = { userId: customer.id, verifiedEmail: customer.email }
      const unread = async (userId: string) =>
        Object.fromEntries(
          (
            await world.db
              .selectFrom('notifications')
              .select(['kind', 'read_at'])
              .where('user_id', '=', userId)
              .where('kind', 'like', 'quote-%')
              .execute()
          ).map(({ kind, read_at }) => [kind, read_at === null]),
        )
      const enquiries = enquiryDepsOf(world.deps)
      /** Opens the conversation as its page does: it marks as read if there is something to mark. */
      const opens = async (reader: typeof by | typeof talk.vendor) => {
        const at = { id: talk.conversation.id, by: reader }
        const { hasNotice } = (await findConversation(enquiries, at)) ?? {}
        await markRead(enquiries, at)
        expect(await findConversation(enquiries, at)).toMatchObject({ hasNotice: false })
        return hasNotice
      }
      return { talk, quoteId, by, customer, unread, opens }
    }

    it('marks that of a withdrawal as read once the customer opens the conversation', async () => {
      const { talk, quoteId, by, customer, unread, opens } = await aToldQuote()
      expect(await opens(by)).toBe(false)
      expect(await unread(customer.id)).toEqual({ 'quote-sent': true })
      await withdrawQuote(world.deps, { userId: talk.userId, quoteId })
      await opens(talk.vendor)
      expect(await unread(customer.id)).toEqual({ 'quote-sent': false, 'quote-withdrawn': true })
      expect(await opens(by)).toBe(true)
      expect(await unread(customer.id)).toEqual({ 'quote-sent': false, 'quote-withdrawn': false })
    })

    it('marks that of a withdrawal as read once the customer opens the quote, but not the vendor', async () => {
      const { talk, quoteId, by, customer, unread } = await aToldQuote()
      await withdrawQuote(world.deps, { userId: talk.userId, quoteId })
      await viewQuote(world.deps, { quoteId, by: talk.vendor })
      expect(await unread(customer.id)).toMatchObject({ 'quote-withdrawn': true })
      await viewQuote(world.deps, { quoteId, by })
      expect(await unread(customer.id)).toMatchObject({ 'quote-withdrawn': false })
      expect(await stateOf(talk, quoteId)).toBe('withdrawn')
    })

    it('marks those of a declined and an expired quote as read once the vendor opens the conversation', async () => {
      const { talk, quoteId, by, unread, opens } = await aToldQuote()
      await opens(talk.vendor)
      await declineQuote(world.deps, { quoteId, by })
      expect(await unread(talk.userId)).toEqual({ 'quote-declined': true })
      expect(await opens(talk.vendor)).toBe(true)
      await aSentQuote(talk, {}, 2)
      world.clock.forward(8 * DAY_MS)
      await expireQuotes(world.deps)
      world.clock.forward(-8 * DAY_MS)
      expect(await unread(talk.userId)).toEqual({ 'quote-declined': false, 'quote-expired': true })
      expect(await opens(talk.vendor)).toBe(true)
      expect(await unread(talk.userId)).toEqual({ 'quote-declined': false, 'quote-expired': false })
    })
  })

  it('begins one payment, however often the same lines are accepted at once', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk, { holdHours: 48 })
    const all = await Promise.all(Array.from({ length: 8 }, () => accepts(talk, quoteId, ['2'])))
    const ids = new Set(all.map((each) => (each.ok ? each.paymentId : each.reason)))
    expect(ids.size).toBe(1)
    const payments = await world.db
      .selectFrom('sales')
      .select('id')
      .where('owner_user_id', '=', talk.userId)
      .execute()
    expect(payments).toHaveLength(1)
  })

  it('can’t be accepted with other lines, changed or withdrawn while it is being paid', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk)
    const accepted = await accepts(talk, quoteId)
    if (!accepted.ok) throw new Error(accepted.reason)
    expect(await accepts(talk, quoteId, ['2'])).toEqual({ ok: false, reason: 'being_paid' })
    expect(await sends(talk, {}, 2)).toEqual({ ok: false, reason: 'being_paid' })
    expect(await withdrawQuote(world.deps, { userId: talk.userId, quoteId })).toEqual({
      ok: false,
      reason: 'being_paid',
    })
    expect(await declineQuote(world.deps, { quoteId, by: talk.by })).toEqual({
      ok: false,
      reason: 'being_paid',
    })
    expect(await resumeAcceptance(world.deps, { quoteId, by: talk.by })).toEqual({
      ok: true,
      paymentId: accepted.paymentId,
    })
    // Choosing again gives the payment up.
    expect(await chooseAgain(world.deps, { quoteId, by: talk.by })).toEqual({ ok: true })
    expect(await stateOf(talk, quoteId)).toBe('viewed')
    const again = await accepts(talk, quoteId, ['2'])
    expect(again.ok && again.paymentId).not.toBe(accepted.paymentId)
    expect(again.ok).toBe(true)
  })

  it('can’t be accepted by mail, whatever the mail says', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk)
    const enquiries = { ...enquiryDepsOf(world.deps), mailInbound: 'reply.example.com' }
    const { customer_email: email } = await world.db
      .selectFrom('conversations')
      .select('customer_email')
      .where('id', '=', talk.conversation.id)
      .executeTakeFirstOrThrow()
    const address = { conversationId: talk.conversation.id, side: 'customer', email } as const
    const token = await replyTokenOf(world.deps.secret, address)
    await world.db
      .insertInto('reply_addresses')
      .values({
        conversation_id: talk.conversation.id,
        side: 'customer',
        token_hash: await replyTokenHash(token),
        void_at: null,
        created_at: world.clock.now(),
      })
      .execute()
    const mail = { id: newId(), to: [`r-${token}@reply.example.com`], headers: new Map(), files: [] }
    const received = await receiveReply(enquiries, { ...mail, text: 'I accept. Accept and pay.' })
    expect(received.outcome).toBe('sent')
    expect(await stateOf(talk, quoteId)).toBe('sent')
    const payments = await world.db
      .selectFrom('sales')
      .select('id')
      .where('owner_user_id', '=', talk.userId)
      .execute()
    expect(payments).toEqual([])
  })

  it('takes its own optional lines alone, whatever ids are sent', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk)
    const accepted = await accepts(talk, quoteId, ['99', '1', '2', '2', ''], 524_000)
    if (!accepted.ok) throw new Error(accepted.reason)
    const row = await world.db
      .selectFrom('quotes')
      .select(['taken_lines', 'accepted_cents'])
      .where('id', '=', quoteId)
      .executeTakeFirstOrThrow()
    expect([row.taken_lines, Number(row.accepted_cents)]).toEqual([['2'], 524_000])
    expect(await accepts(talk, quoteId, ['2'])).toEqual(accepted)
  })

  it('takes one acceptance when two tabs choose other lines at the same moment', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk)
    const both = await Promise.all([accepts(talk, quoteId, []), accepts(talk, quoteId, ['2'])])
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    expect(both.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'being_paid' })
  })

  it('follows the venue’s clock when it is sent and when it is saved', async () => {
    const talk = await aTalk()
    const writing = { userId: talk.userId, conversationId: talk.conversation.id, version: 1 }
    const offer = anOffer({ date: '2026-11-19', validTo: '2026-11-18' })
    for (const write of [sendQuote, saveDraft])
      expect(await write(world.deps, { ...writing, offer })).toMatchObject({
        ok: false,
        reason: 'fields',
        fields: { date: expect.any(String), validTo: expect.any(String) },
      })
    expect(await listQuotes(world.db, { conversationId: talk.conversation.id, side: 'vendor' })).toEqual([])
  })

  it('refuses a total that the page didn’t show', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk)
    expect(await accepts(talk, quoteId, ['2'], 479_000)).toEqual({
      ok: false,
      reason: 'total_changed',
      totalCents: 524_000,
    })
    expect(await stateOf(talk, quoteId)).toBe('sent')
  })

  it('gives way to its next version, which keeps its words whatever the listing does', async () => {
    const talk = await aTalk()
    const first = await aSentQuote(talk)
    const second = await aSentQuote(talk, { note: 'Cheaper.', lines: anOffer().lines.slice(0, 1) }, 2)
    expect(await stateOf(talk, first)).toBe('superseded')
    expect(await accepts(talk, first)).toEqual({ ok: false, reason: 'superseded' })
    // The same press again is the same quote; another version 2 isn't.
    expect(await aSentQuote(talk, { note: 'Cheaper.', lines: anOffer().lines.slice(0, 1) }, 2)).toBe(second)
    expect(await sends(talk, {}, 2)).toEqual({ ok: false, reason: 'changed' })
    await world.db
      .updateTable('businesses')
      .set({ price_cents: 1, policy: 'flexible' })
      .where('id', '=', talk.business.id)
      .execute()
    const accepted = await accepts(talk, second)
    if (!accepted.ok) throw new Error(accepted.reason)
    const sale = await findSale(world.db, accepted.paymentId)
    expect(sale?.terms).toMatchObject({ priceCents: 440_000, policy: { name: 'moderate' } })
  })

  it.each<[string, Partial<QuoteOffer>]>([
    ['on another day', { date: '2027-03-14' }],
    ['at another time', { time: '17:00' }],
    ['of another length', { minutes: 240 }],
    ['for another number', { quantity: 60 }],
    ['by other terms', { terms: { policy: 'long', plan: { kind: 'full' } } }],
    ['with other words', { note: 'Other words' }],
    ['valid for longer', { validTo: '2026-12-31' }],
    ['that holds the time', { holdHours: 24 }],
    [
      'with the same total of other lines',
      { lines: [{ id: '1', label: 'All', quantity: 1, unitPriceCents: 524_000, isOptional: false }] },
    ],
  ])('counts as another one %s: the second is refused, not taken for the first', async (_, other) => {
    const talk = await aTalk()
    const validTo = '2026-12-01'
    const first = await aSentQuote(talk, { validTo })
    expect(await aSentQuote(talk, { validTo })).toBe(first)
    expect(await sends(talk, { validTo, ...other })).toEqual({ ok: false, reason: 'changed' })
  })

  it('expires at midnight by the venue’s clock', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk, { validTo: '2026-11-21', holdHours: 48 })
    const until = new Date('2026-11-21T13:00:00Z').getTime()
    const start = world.clock.now().getTime()
    world.clock.forward(until - 1 - start)
    expect(await expireQuotes(world.deps)).toBe(0)
    const accepted = await accepts(talk, quoteId)
    expect(accepted.ok).toBe(true)
    await chooseAgain(world.deps, { quoteId, by: talk.by })
    world.clock.forward(1)
    expect(await accepts(talk, quoteId)).toEqual({ ok: false, reason: 'expired' })
    expect(await declineQuote(world.deps, { quoteId, by: talk.by })).toEqual({ ok: false, reason: 'expired' })
    expect(await expireQuotes(world.deps)).toBe(1)
    expect(await expireQuotes(world.deps)).toBe(0)
    expect(await stateOf(talk, quoteId)).toBe('expired')
    expect(await conversationStatus(talk)).toBe('open')
    expect(await slotsOf(talk)).toEqual([])
    const mail = (await world.jobs.mails()).at(-1)
    expect(mail?.subject).toContain('Quote expired')
    world.clock.forward(start - until)
  })

  it('says that its time was sold in the meantime, with three other times', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk)
    const other = await startBookingPayment(world.deps, {
      amount: 45_500,
      submitKey: newId(),
      businessId: talk.business.id,
      booking: aBookingForm(),
      customerUserId: null,
    })
    expect(other.ok).toBe(true)
    const refused = await accepts(talk, quoteId)
    expect(refused).toMatchObject({ ok: false, reason: 'time_gone', why: 'taken' })
    expect(!refused.ok && refused.reason === 'time_gone' && refused.alternatives).toHaveLength(3)
    expect(await stateOf(talk, quoteId)).toBe('sent')
    expect(await sends(talk, { note: 'Again' }, 2)).toMatchObject({ ok: false, reason: 'time_gone' })
  })

  it('stops holding its time once it is declined, withdrawn or replaced', async () => {
    for (const end of ['declined', 'withdrawn', 'superseded'] as const) {
      const talk = await aTalk()
      const quoteId = await aSentQuote(talk, { holdHours: 48 })
      expect(await slotsOf(talk)).toMatchObject([{ kind: 'hold', payment_id: quoteId }])
      if (end === 'declined') await declineQuote(world.deps, { quoteId, by: talk.by })
      if (end === 'withdrawn') await withdrawQuote(world.deps, { userId: talk.userId, quoteId })
      if (end === 'superseded') await aSentQuote(talk, { note: 'New' }, 2)
      expect(await stateOf(talk, quoteId)).toBe(end)
      expect(await slotsOf(talk)).toEqual([])
      expect(await conversationStatus(talk)).toBe(end === 'superseded' ? 'quoted' : 'open')
      if (end !== 'superseded')
        expect(await withdrawQuote(world.deps, { userId: talk.userId, quoteId })).toEqual({
          ok: false,
          reason: 'not_open',
        })
    }
  })
})

describe('the hold of a quote', () => {
  it('keeps others out, and its own customer in, until it ends', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk, { holdHours: 24 })
    const books = () =>
      startBookingPayment(world.deps, {
        amount: 45_500,
        submitKey: newId(),
        businessId: talk.business.id,
        booking: aBookingForm(),
        customerUserId: null,
      })
    expect(await books()).toMatchObject({ ok: false, reason: 'time_gone' })
    const accepted = await accepts(talk, quoteId)
    if (!accepted.ok) throw new Error(accepted.reason)
    // The payment's hold has replaced the quote's, and lasts as long.
    expect(await slotsOf(talk)).toMatchObject([
      {
        kind: 'hold',
        payment_id: accepted.paymentId,
        expires_at: new Date(world.clock.now().getTime() + DAY_MS),
      },
    ])
    expect(await books()).toMatchObject({ ok: false, reason: 'time_gone' })
    // Given up, the quote holds it again.
    await endPayment(world.deps, accepted.paymentId)
    expect(await slotsOf(talk)).toMatchObject([{ kind: 'hold', payment_id: quoteId }])
    expect(await books()).toMatchObject({ ok: false, reason: 'time_gone' })
    world.clock.forward(DAY_MS)
    const told = Promise.withResolvers<void>()
    const stop = world.deps.liveUpdates.subscribe([`calendar:${talk.business.id}`], () => told.resolve())
    expect(await endQuoteHolds(world.deps)).toBe(1)
    // Open calendars show the time as free, once.
    await told.promise
    stop()
    expect(await endQuoteHolds(world.deps)).toBe(0)
    const booked = await books()
    expect(booked.ok).toBe(true)
    world.clock.forward(-DAY_MS)
  })

  it('follows the hours, the notice and the guest limit of the listing', async () => {
    const talk = await aTalk()
    await setsAvailability(world.db, talk.business.id, { maxGuests: 79 })
    expect(await sends(talk, { holdHours: 24 })).toMatchObject({
      ok: false,
      reason: 'time_gone',
      why: 'too_many_guests',
    })
    await setsAvailability(world.db, talk.business.id, { horizonDays: 30 })
    expect(await sends(talk, { holdHours: 24 })).toMatchObject({
      ok: false,
      reason: 'time_gone',
      why: 'too_far',
    })
    await setsAvailability(world.db, talk.business.id, {
      weekly: {
        mon: [],
        tue: [],
        wed: [],
        thu: [],
        fri: [],
        sun: [],
        sat: [{ opensMinute: 960, closesMinute: 1_260 }],
      },
    })
    // Open for five hours: six don't fit.
    expect(await sends(talk, { minutes: 360, holdHours: 24 })).toMatchObject({
      ok: false,
      reason: 'time_gone',
      why: 'closed',
    })
    expect((await sends(talk, { minutes: 300, holdHours: 24 })).ok).toBe(true)
  })

  it('goes to one of two conversations that ask for the same time at once', async () => {
    const talk = await aTalk()
    const other = await aGuestConversation(world.deps, talk.business)
    const both = await Promise.all([
      sends(talk, { holdHours: 48 }),
      sends({ ...talk, conversation: other }, { holdHours: 48 }),
    ])
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    expect(both.find(({ ok }) => !ok)).toMatchObject({ reason: 'time_gone', why: 'taken' })
    expect(await slotsOf(talk)).toHaveLength(1)
  })

  it('stores nothing when the time is taken between its check and its hold', async () => {
    const talk = await aTalk()
    const other = await aGuestConversation(world.deps, talk.business)
    const refused = await leavesAsIs(world.db, 'sendQuote', (isBefore) => {
      const db = beforeTransaction(world.db, async () => {
        await aSentQuote({ ...talk, conversation: other }, { holdHours: 48 })
        await leavesExpiredHold(talk.business.id, world)
        await isBefore(world.db)
      })
      return sends(talk, { holdHours: 48 }, 1, { ...world.deps, db })
    })
    expect(refused).toMatchObject({ reason: 'time_gone', why: 'taken' })
  })

  it('exists once for a conversation, also when two quotes are sent at once', async () => {
    const talk = await aTalk()
    await Promise.all([
      sends(talk, { holdHours: 48, note: 'One' }),
      sends(talk, { holdHours: 48, note: 'Two' }),
    ])
    const quotes = await listQuotes(world.db, { conversationId: talk.conversation.id, side: 'vendor' })
    expect(quotes).toHaveLength(1)
    expect(await slotsOf(talk)).toHaveLength(1)
  })
})

describe('a conversation that is closed or blocked', () => {
  const ACTS = { closed: closeConversation, blocked: blockConversation } as const
  it.each([
    { by: 'vendor', status: 'closed', ends: 'withdrawn', mail: 'withdrawn' },
    { by: 'vendor', status: 'blocked', ends: 'withdrawn', mail: 'withdrawn' },
    { by: 'customer', status: 'closed', ends: 'declined', mail: 'declined' },
    { by: 'customer', status: 'blocked', ends: 'declined', mail: 'declined' },
  ] as const)(
    'by its $by ends its open quote as $ends, frees the time and says so ($status)',
    async ({ by, status, ends, mail }) => {
      const talk = await aTalk()
      const draftOf = (version: number) => ({
        userId: talk.userId,
        conversationId: talk.conversation.id,
        version,
        offer: anOffer({ note: 'Later' }),
      })
      const quoteId = await aSentQuote(talk, { holdHours: 48 })
      const draft = await saveDraft(world.deps, draftOf(2))
      expect(await slotsOf(talk)).toHaveLength(1)
      const participant = by === 'vendor' ? talk.vendor : talk.by
      const acted = await ACTS[status](enquiryDepsOf(world.deps), {
        id: talk.conversation.id,
        by: participant,
      })
      expect(acted).toEqual({ ok: true })
      expect(await stateOf(talk, quoteId)).toBe(ends)
      expect(await slotsOf(talk)).toEqual([])
      expect(await conversationStatus(talk)).toBe(status)
      expect(await accepts(talk, quoteId)).toEqual({ ok: false, reason: ends })
      const told = (await world.jobs.mails()).filter(({ messageId }) => messageId?.includes(quoteId))
      expect(told.at(-1)?.subject.toLowerCase()).toContain(mail)
      // The vendor’s draft is still there.
      expect(draft.ok && (await stateOf(talk, draft.quoteId))).toBe('draft')
    },
  )

  it('loses its open quote when an operator blocks it, too', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk, { holdHours: 24 })
    const { id: conversationId } = talk.conversation
    await world.db.transaction().execute(async (tx) => {
      await tx.selectFrom('conversations').select('id').where('id', '=', conversationId).forUpdate().execute()
      await setBlocked(enquiryDepsOf(world.deps), tx, { conversationId, blockedBy: 'customer' })
    })
    expect(await stateOf(talk, quoteId)).toBe('declined')
    expect(await slotsOf(talk)).toEqual([])
  })

  it('lets a payment that has begun go on, and doesn’t open its quote again when that payment ends', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk, { holdHours: 48 })
    const accepted = await accepts(talk, quoteId)
    if (!accepted.ok) throw new Error(accepted.reason)
    const enquiries = enquiryDepsOf(world.deps)
    await blockConversation(enquiries, { id: talk.conversation.id, by: talk.vendor })
    expect(await stateOf(talk, quoteId)).toBe('accepted')
    await endPayment(world.deps, accepted.paymentId)
    expect(await stateOf(talk, quoteId)).toBe('withdrawn')
    expect(await slotsOf(talk)).toEqual([])
    await unblockConversation(enquiries, { id: talk.conversation.id, by: talk.vendor })
    expect(await conversationStatus(talk)).toBe('open')

    const paid = await aTalk()
    const other = await accepts(paid, await aSentQuote(paid))
    if (!other.ok) throw new Error(other.reason)
    await closeConversation(enquiries, { id: paid.conversation.id, by: paid.vendor })
    expect(await pays(other.paymentId)).toMatchObject({ ok: true, state: 'paid' })
    expect(await conversationStatus(paid)).toBe('booked')
  })

  it('becomes booked, and open to both sides, when its payment succeeds after it was blocked', async () => {
    const talk = await aTalk()
    const accepted = await accepts(talk, await aSentQuote(talk))
    if (!accepted.ok) throw new Error(accepted.reason)
    const enquiries = enquiryDepsOf(world.deps)
    const at = { id: talk.conversation.id, by: talk.vendor }
    await blockConversation(enquiries, at)
    expect(await pays(accepted.paymentId)).toMatchObject({ ok: true, state: 'paid' })
    expect(await conversationStatus(talk)).toBe('booked')
    const message = { body: 'See you then.', files: [], submitKey: newId() }
    expect(await sendMessage(enquiries, { ...at, message })).toMatchObject({ ok: true })
  })

  it('opens again when the payment ends after the quote’s last day', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk, { validTo: '2026-11-21' })
    const accepted = await accepts(talk, quoteId)
    if (!accepted.ok) throw new Error(accepted.reason)
    world.clock.forward(72 * HOUR_MS)
    await endPayment(world.deps, accepted.paymentId)
    expect(await stateOf(talk, quoteId)).toBe('expired')
    expect(await conversationStatus(talk)).toBe('open')
    world.clock.forward(-72 * HOUR_MS)
  })

  it('returns to quoted when its payment ends after a new message has opened it', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk)
    const accepted = await accepts(talk, quoteId)
    if (!accepted.ok) throw new Error(accepted.reason)
    const enquiries = enquiryDepsOf(world.deps)
    const at = { id: talk.conversation.id, by: talk.vendor }
    await closeConversation(enquiries, at)
    await sendMessage(enquiries, { ...at, message: { body: 'Sorry!', files: [], submitKey: newId() } })
    expect(await conversationStatus(talk)).toBe('open')
    await endPayment(world.deps, accepted.paymentId)
    expect(await stateOf(talk, quoteId)).toBe('viewed')
    expect(await conversationStatus(talk)).toBe('quoted')
  })
})

it('a new quote is proposed as valid for seven days by the venue’s clock', async () => {
  const talk = await aTalk()
  const start = await findComposerStart(world.db, {
    userId: talk.userId,
    conversationId: talk.conversation.id,
    now: world.clock.now(),
  })
  const { date } = wallTimeAt(world.clock.now(), 'Australia/Melbourne')
  expect(start).toMatchObject({ today: date, validTo: addDays(date, 7), timeZone: 'Australia/Melbourne' })
})

it('a quote in a unit that its listing no longer offers has no price from the other', async () => {
  const talk = await aTalk()
  await aSentQuote(talk)
  await world.db
    .updateTable('businesses')
    .set({ price_unit: 'perHour', price_cents: 32_000, second_price_cents: null, second_price_unit: null })
    .where('id', '=', talk.business.id)
    .execute()
  const start = await findComposerStart(world.db, {
    userId: talk.userId,
    conversationId: talk.conversation.id,
    now: world.clock.now(),
  })
  expect(start).toMatchObject({
    bookingType: 'perPerson',
    units: ['perHour'],
    prices: { perPerson: { unitPrice: '' }, perHour: { unitPrice: '320.00' } },
  })
})

it('a photographer’s quote by the hour for 110 guests is filled from the price, and sends (Accept 4)', async () => {
  const talk = await aTalk()
  await world.db
    .updateTable('businesses')
    .set({ name: 'Okafor Photography', price_unit: 'perHour', price_cents: 32_000 })
    .where('id', '=', talk.business.id)
    .execute()
  const conversationId = talk.conversation.id
  await sql`update conversations set event_date = '2027-11-13', guests = 110 where id = ${conversationId}`.execute(
    world.db,
  )
  const now = world.clock.now()
  const start = await findComposerStart(world.db, { userId: talk.userId, conversationId, now })
  expect(start).toMatchObject({
    date: '2027-11-13',
    guests: '110',
    bookingType: 'perHour',
    units: ['perHour'],
    prices: { perHour: { label: 'Okafor Photography, per hour', unitPrice: '320.00' } },
  })
  const form = new FormData()
  const typed = {
    intent: 'send-quote',
    version: '1',
    'lines[0].label': start?.prices.perHour.label ?? '',
    'lines[0].quantity': String(countedIn('perHour', minutesUntil('13:00', '23:00'), 110)),
    'lines[0].unitPrice': start?.prices.perHour.unitPrice ?? '',
    'lines[1].label': 'Album',
    'lines[1].quantity': '1',
    'lines[1].unitPrice': '450',
    'lines[1].optional': 'on',
    time: '13:00',
    end: '23:00',
    plan: 'full',
    policy: 'moderate',
    holdHours: '0',
    date: start?.date ?? '',
    guests: start?.guests ?? '',
    bookingType: start?.bookingType ?? '',
    validTo: start?.validTo ?? '',
  }
  for (const [name, value] of Object.entries(typed)) form.append(name, value)
  const submission = parseWithZod(form, { schema: quoteSchema })
  if (submission.status !== 'success') throw new Error(JSON.stringify(submission.error))
  const sent = await sendQuote(world.deps, {
    userId: talk.userId,
    conversationId,
    version: 1,
    offer: submission.value.offer,
  })
  if (!sent.ok) throw new Error(JSON.stringify(sent))
  const found = await findQuote(world.db, { quoteId: sent.quoteId, by: talk.by })
  if (!found) throw new Error('The quote isn’t there.')
  const { quote } = found
  expect(quote).toMatchObject({ quantity: 10, minutes: 600, guests: 110, takenLines: null })
  expect([priceText(quote), countText(quote)]).toEqual(['from $3,200.00', '10 hours · 110 guests'])
  expect(totalOf(quote.lines)).toBe(365_000)
  const [mail] = (await world.jobs.mails()).filter(({ messageId }) => messageId.includes(sent.quoteId))
  expect(mail?.subject).toMatch(/^Quote for .*: from \$3,200\.00, /)
})

it.each([
  ['sent', true, 'Sent'],
  ['viewed', true, 'Seen'],
  ['sent', false, 'Waiting for you, until 27 November'],
  ['viewed', false, 'Waiting for you, until 27 November'],
  ['withdrawn', false, 'Withdrawn'],
] as const)('a quote that is %s is called by its side: mine %s, ‘%s’', (state, isMine, text) => {
  // The midnight that ends 27 November in Melbourne.
  const quote = { state, validUntil: '2026-11-27T13:00:00.000Z', timeZone: 'Australia/Melbourne' }
  expect(stateText(quote, isMine)).toBe(text)
})

describe('the page of a quote', () => {
  it('leads from a replaced quote to the newest that was sent, never to a draft', async () => {
    const talk = await aTalk()
    const first = await aSentQuote(talk)
    const second = await aSentQuote(talk, { note: 'Second' }, 2)
    const third = await aSentQuote(talk, { note: 'Third' }, 3)
    const writing = { userId: talk.userId, conversationId: talk.conversation.id }
    await saveDraft(world.deps, { ...writing, version: 4, offer: anOffer({ note: 'Later' }) })
    for (const quoteId of [first, second])
      expect((await findQuotePage(world.deps, { quoteId, by: talk.by }))?.newerId).toBe(third)
    expect((await findQuotePage(world.deps, { quoteId: third, by: talk.by }))?.newerId).toBeNull()
  })

  it('leads its customer alone to the booking, whose link the vendor never sees', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk)
    const accepted = await accepts(talk, quoteId)
    if (!accepted.ok) throw new Error(accepted.reason)
    await pays(accepted.paymentId)
    const token = await bookingLinkToken(world.deps.secret, accepted.paymentId)
    const page = await findQuotePage(world.deps, { quoteId, by: talk.by })
    expect(page?.booking).toBe(`/bookings/${token}`)
    const vendors = await findQuotePage(world.deps, { quoteId, by: talk.vendor })
    expect(vendors).toMatchObject({ side: 'vendor', booking: null })
    expect(JSON.stringify(vendors)).not.toContain(token)
    expect(await findQuotePage(world.deps, { quoteId, by: { linkToken: 'x'.repeat(43) } })).toBeNull()
  })

  it('leaves its conversation closed to the holder of the booking’s link, if that has another address', async () => {
    const talk = await aTalk()
    const accepted = await accepts(talk, await aSentQuote(talk))
    if (!accepted.ok) throw new Error(accepted.reason)
    await pays(accepted.paymentId)
    const deps = enquiryDepsOf(world.deps)
    const by = { linkToken: await bookingLinkToken(world.deps.secret, accepted.paymentId), account: null }
    const placeOf = async () => (await findBookingTalk(deps, by))?.place ?? null
    expect(await placeOf()).toBeNull()
    const message = { body: 'May we come at three?', submitKey: newId(24) }
    const sent = await messageAboutBooking(deps, { by, message, address: newId() })
    if (!sent.ok || !('linkToken' in sent.place)) throw new Error(JSON.stringify(sent))
    expect(sent.place.linkToken).not.toBe(talk.conversation.linkToken)
    expect((await findConversation(deps, { by: sent.place }))?.messages).toHaveLength(1)
    expect(await placeOf()).toEqual(sent.place)
  })

  it('opens its conversation to the holder of the booking’s link, if that has the same address', async () => {
    const talk = await aTalk()
    await world.db
      .updateTable('conversations')
      .set({ customer_email: contact.email.toUpperCase() })
      .where('id', '=', talk.conversation.id)
      .execute()
    const accepted = await accepts(talk, await aSentQuote(talk))
    if (!accepted.ok) throw new Error(accepted.reason)
    await pays(accepted.paymentId)
    const linkToken = await bookingLinkToken(world.deps.secret, accepted.paymentId)
    const found = await findBookingTalk(enquiryDepsOf(world.deps), { linkToken, account: null })
    expect(found?.place).toEqual({ linkToken: talk.conversation.linkToken })
  })

  it('carries the link of its conversation in its path for a guest alone', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk)
    const path = () => findQuotePath(world.db, { quoteId, secret: world.deps.secret })
    expect(await path()).toBe(`/quotes/${quoteId}/${talk.conversation.linkToken}`)
    const customer = await aUser(world.db)
    await world.db
      .updateTable('conversations')
      .set({ customer_user_id: customer.id })
      .where('id', '=', talk.conversation.id)
      .execute()
    expect(await path()).toBe(`/quotes/${quoteId}`)
  })
})

describe('a draft', () => {
  it('stays out of the customer’s reach until it is sent', async () => {
    const talk = await aTalk()
    const draft = { userId: talk.userId, conversationId: talk.conversation.id, version: 1, offer: anOffer() }
    const saved = await saveDraft(world.deps, draft)
    if (!saved.ok) throw new Error(saved.reason)
    expect(await findQuote(world.db, { quoteId: saved.quoteId, by: talk.by })).toBeNull()
    expect(await listQuotes(world.db, { conversationId: talk.conversation.id, side: 'customer' })).toEqual([])
    expect(await accepts(talk, saved.quoteId)).toEqual({ ok: false, reason: 'not_found' })
    const asCustomer = { quoteId: saved.quoteId, by: talk.by }
    expect(await declineQuote(world.deps, asCustomer)).toEqual({ ok: false, reason: 'not_found' })
    expect(await viewQuote(world.deps, asCustomer)).toEqual({ ok: false })
    expect(await stateOf(talk, saved.quoteId)).toBe('draft')
    expect(await saveDraft(world.deps, { ...draft, offer: anOffer({ note: 'Later' }) })).toEqual(saved)
    expect(await aSentQuote(talk)).toBe(saved.quoteId)
    expect(await stateOf(talk, saved.quoteId)).toBe('sent')
  })
})

describe('a sent quote', () => {
  const times = ({ business }: Talk) =>
    findResponseTimes(world.db, { businessId: business.id, now: world.clock.now() })

  it('answers its customer, as a message does, and only the first answer counts', async () => {
    const talk = await aTalk()
    world.clock.forward(HOUR_MS)
    await aSentQuote(talk)
    const counted = { conversations: 1, medianMs: HOUR_MS, answeredInADay: 1 }
    expect(await times(talk)).toEqual(counted)
    world.clock.forward(30 * HOUR_MS)
    await aSentQuote(talk, {}, 2)
    expect(await times(talk)).toEqual(counted)
  })

  it('answers by the migration too, where it was sent before quotes counted', async () => {
    const answeredAt = (talk: Talk, at?: Date | null) => {
      const { id } = talk.conversation
      const { db } = world
      return at === undefined
        ? db
            .selectFrom('conversations')
            .select('answered_at')
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
            .then((row) => row.answered_at)
        : db.updateTable('conversations').set({ answered_at: at }).where('id', '=', id).execute()
    }
    const [alone, messageBefore, messageAfter, unanswered] = [
      await aTalk(),
      await aTalk(),
      await aTalk(),
      await aTalk(),
    ]
    const sentAt = world.clock.now()
    for (const talk of [alone, messageBefore, messageAfter]) await aSentQuote(talk)
    const before = new Date(sentAt.getTime() - HOUR_MS)
    await answeredAt(alone, null)
    await answeredAt(messageBefore, before)
    await answeredAt(messageAfter, new Date(sentAt.getTime() + HOUR_MS))
    await sql.raw(readFileSync('database/migrations/0061_quotes_answer.sql', 'utf8')).execute(world.db)
    expect([
      await answeredAt(alone),
      await answeredAt(messageBefore),
      await answeredAt(messageAfter),
      await answeredAt(unanswered),
    ]).toEqual([sentAt, before, sentAt, null])
  })

  it('answers in a booked conversation, and leaves it booked', async () => {
    const talk = await aTalk(2)
    const accepted = await accepts(talk, await aSentQuote(talk))
    if (!accepted.ok) throw new Error(accepted.reason)
    await pays(accepted.paymentId)
    const { id } = talk.conversation
    const message = { body: 'And for a second day?', files: [], submitKey: newId() }
    await sendMessage(enquiryDepsOf(world.deps), { id, by: talk.by, message })
    const row = () =>
      world.db
        .selectFrom('conversations')
        .select(['status', 'waiting_since'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    expect((await row()).waiting_since).not.toBeNull()
    await aSentQuote(talk, { note: 'The second day' }, 2)
    expect(await row()).toEqual({ status: 'booked', waiting_since: null })
  })
})

it('a quote that is paid after a block takes replies by mail again', async () => {
  const talk = await aTalk()
  const { id } = talk.conversation
  const quoteId = await aSentQuote(talk)
  const sides = ['customer', 'vendor'] as const
  for (const side of sides)
    await world.db
      .insertInto('reply_addresses')
      .values({
        conversation_id: id,
        side,
        token_hash: newId(),
        void_at: null,
        created_at: world.clock.now(),
      })
      .execute()
  const voided = () =>
    world.db
      .selectFrom('reply_addresses')
      .select('side')
      .where('conversation_id', '=', id)
      .where('void_at', 'is not', null)
      .execute()
  const accepted = await accepts(talk, quoteId)
  if (!accepted.ok) throw new Error(accepted.reason)
  await blockConversation(enquiryDepsOf(world.deps), { id, by: talk.vendor })
  expect(await voided()).toHaveLength(2)
  expect(await pays(accepted.paymentId)).toMatchObject({ ok: true, state: 'paid' })
  expect(await voided()).toEqual([])
})

describe('the account of a side', () => {
  it('takes open quotes and their holds with it when it is deleted', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk, { holdHours: 48 })
    const draft = { userId: talk.userId, conversationId: talk.conversation.id, version: 2, offer: anOffer() }
    const saved = await saveDraft(world.deps, draft)
    const leaver = { userId: talk.userId, verifiedEmail: null }
    expect((await exportQuotes(world.db, leaver)).quotes).toMatchObject([
      // Without the optional arch, as the page and the mail say.
      { side: 'vendor', state: 'sent', total: '4790.00', accepted: null },
    ])
    await world.db.transaction().execute((tx) => leaveQuotes(world.deps, tx, leaver))
    expect(await stateOf(talk, quoteId)).toBe('withdrawn')
    expect(saved.ok && (await stateOf(talk, saved.quoteId))).toBeUndefined()
    expect(await slotsOf(talk)).toEqual([])

    const asked = await aTalk()
    const customer = await aUser(world.db)
    await world.db
      .updateTable('conversations')
      .set({ customer_user_id: customer.id })
      .where('id', '=', asked.conversation.id)
      .execute()
    const received = await aSentQuote(asked, { holdHours: 48 })
    const asker = { userId: customer.id, verifiedEmail: null }
    await world.db.transaction().execute((tx) => leaveQuotes(world.deps, tx, asker))
    expect(await stateOf(asked, received)).toBe('withdrawn')
    expect(await slotsOf(asked)).toEqual([])
  })

  describe('of the vendor, while the customer pays', () => {
    const closing = () => ({ ...world.deps, payouts: null, leavesAnAdmin: async () => true })
    const bookingOf = (paymentId: string) =>
      world.db
        .selectFrom('bookings')
        .select(['status', 'payment_status'])
        .where('payment_row_id', '=', paymentId)
        .executeTakeFirst()

    async function anAccepted() {
      const talk = await aTalk()
      const accepted = await accepts(talk, await aSentQuote(talk))
      if (!accepted.ok) throw new Error(accepted.reason)
      return { talk, paymentId: accepted.paymentId }
    }

    it('can’t be deleted, until the payment has ended', async () => {
      const { talk, paymentId } = await anAccepted()
      const refused = { ok: false, reason: 'quote_being_paid' }
      expect(await deleteAccount(closing(), talk.userId)).toEqual(refused)
      await endPayment(world.deps, paymentId)
      expect(await deleteAccount(closing(), talk.userId)).toEqual({ ok: true })
    })

    it('can’t be deleted once it is paid, before the event', async () => {
      const { talk, paymentId } = await anAccepted()
      expect(await pays(paymentId)).toMatchObject({ ok: true, state: 'paid' })
      expect(await deleteAccount(closing(), talk.userId)).toEqual({ ok: false, reason: 'open_bookings' })
    })

    it.each(['deleted', 'disabled'] as const)('gives all back where it is %s', async (end) => {
      const { talk, paymentId } = await anAccepted()
      if (end === 'deleted') await world.db.deleteFrom('users').where('id', '=', talk.userId).execute()
      else
        await world.db
          .updateTable('users')
          .set({ disabled_at: world.clock.now() })
          .where('id', '=', talk.userId)
          .execute()
      expect(await pays(paymentId)).toMatchObject({ ok: true, state: 'paid' })
      expect(await bookingOf(paymentId)).toEqual({ status: 'pending', payment_status: 'paid' })
      const told = (await world.jobs.mails()).findLast(({ to }) => to === contact.email)
      expect(told?.text).toContain(
        'If they can’t take your booking or don’t answer, you’ll get a full refund.',
      )
      expect(told?.text).not.toContain('Your booking is confirmed')
      world.clock.forward(49 * HOUR_MS)
      await processPendingBookings(world.deps)
      expect(await bookingOf(paymentId)).toEqual({ status: 'declined', payment_status: 'refund due' })
      const refunds = await world.db
        .selectFrom('payment_actions')
        .select(['amount_cents', 'reason'])
        .where('payment_id', '=', paymentId)
        .execute()
      expect(refunds.map((row) => ({ ...row, amount_cents: Number(row.amount_cents) }))).toEqual([
        { amount_cents: 479_000, reason: 'undecided' },
      ])
    })
  })

  it('can be deleted by the customer while they pay, and the vendor has the booking', async () => {
    const talk = await aTalk()
    const customer = await aUser(world.db)
    await world.db
      .updateTable('conversations')
      .set({ customer_user_id: customer.id })
      .where('id', '=', talk.conversation.id)
      .execute()
    const quoteId = await aSentQuote(talk)
    const by = { userId: customer.id, verifiedEmail: null }
    const accepted = await accepts({ by }, quoteId)
    if (!accepted.ok) throw new Error(accepted.reason)
    const closing = { ...world.deps, payouts: null, leavesAnAdmin: async () => true }
    expect(await deleteAccount(closing, customer.id)).toEqual({ ok: true })
    expect(await pays(accepted.paymentId)).toMatchObject({ ok: true, state: 'paid' })
    expect(
      await world.db
        .selectFrom('bookings')
        .select(['status', 'email'])
        .where('payment_row_id', '=', accepted.paymentId)
        .execute(),
    ).toEqual([{ status: 'approved', email: contact.email }])
  })

  it('keeps its total when its booking is changed, not a price for each guest', async () => {
    const talk = await aTalk()
    const accepted = await accepts(talk, await aSentQuote(talk))
    if (!accepted.ok) throw new Error(accepted.reason)
    await pays(accepted.paymentId)
    const linkToken = await bookingLinkToken(world.deps.secret, accepted.paymentId)
    const page = await findChangePage({ ...world.deps, payoutTimes: null }, { linkToken }, null)
    if (!page) throw new Error('no page')
    expect(page.present.quantity).toBe(80)
    expect(keptPriceText(page, 'customer')).toBe('You keep the quoted price: $4,790.00.')
    expect(keptPriceText(page, 'vendor')).toBe('The quoted price still applies: $4,790.00.')
  })

  it('can be deleted while the customer pays, and leaves an approved booking', async () => {
    const talk = await aTalk()
    const accepted = await accepts(talk, await aSentQuote(talk))
    if (!accepted.ok) throw new Error(accepted.reason)
    await world.db.deleteFrom('conversations').where('id', '=', talk.conversation.id).execute()
    expect(await pays(accepted.paymentId)).toMatchObject({ ok: true, state: 'paid' })
    const linkToken = await bookingLinkToken(world.deps.secret, accepted.paymentId)
    expect((await findBookingByLink(world.db, linkToken))?.stored).toMatchObject({
      status: 'approved',
      totalPrice: '4790.00',
    })
  })
})

describe('writes of quotes', () => {
  it('refuse nobody and everybody else', async () => {
    const talk = await aTalk()
    const other = await aTalk()
    const stranger = await aUser(world.db)
    const quoteId = await aSentQuote(talk)
    const strangers = [
      { linkToken: 'x'.repeat(43) },
      other.by,
      other.vendor,
      { userId: stranger.id, verifiedEmail: stranger.email },
    ]
    for (const by of strangers) {
      expect(await findQuote(world.db, { quoteId, by })).toBeNull()
      expect(await accepts({ by }, quoteId)).toEqual({ ok: false, reason: 'not_found' })
      expect(await declineQuote(world.deps, { quoteId, by })).toEqual({ ok: false, reason: 'not_found' })
      expect(await viewQuote(world.deps, { quoteId, by })).toEqual({ ok: false })
      expect(await chooseAgain(world.deps, { quoteId, by })).toEqual({ ok: false, reason: 'not_found' })
      expect(await resumeAcceptance(world.deps, { quoteId, by })).toEqual({ ok: false, reason: 'not_found' })
    }
    // The vendor sees the quote, but can't accept, decline or have seen it for the customer.
    expect(await accepts({ by: talk.vendor }, quoteId)).toEqual({ ok: false, reason: 'not_found' })
    expect(await declineQuote(world.deps, { quoteId, by: talk.vendor })).toEqual({
      ok: false,
      reason: 'not_found',
    })
    await viewQuote(world.deps, { quoteId, by: talk.vendor })
    expect(await stateOf(talk, quoteId)).toBe('sent')
    for (const userId of [other.userId, stranger.id]) {
      const writing = { userId, conversationId: talk.conversation.id, version: 2, offer: anOffer() }
      expect(await sendQuote(world.deps, writing)).toEqual({ ok: false, reason: 'not_found' })
      expect(await saveDraft(world.deps, writing)).toEqual({ ok: false, reason: 'not_found' })
      expect(await withdrawQuote(world.deps, { userId, quoteId })).toEqual({ ok: false, reason: 'not_found' })
    }
    expect(await stateOf(talk, quoteId)).toBe('sent')
  })

  it('refuse to quote to a customer whose account is disabled or deleted, and hold no time', async () => {
    const ends = {
      disabled: (id: string) =>
        world.db.updateTable('users').set({ disabled_at: world.clock.now() }).where('id', '=', id).execute(),
      deleted: (id: string) => world.db.deleteFrom('users').where('id', '=', id).execute(),
    }
    for (const end of Object.values(ends)) {
      const talk = await aTalk()
      const customer = await aUser(world.db)
      await world.db
        .updateTable('conversations')
        .set({ customer_user_id: customer.id })
        .where('id', '=', talk.conversation.id)
        .execute()
      await end(customer.id)
      expect(await sends(talk, { holdHours: 48 })).toEqual({ ok: false, reason: 'left' })
      expect(await slotsOf(talk)).toEqual([])
    }
  })

  it('refuse in a blocked conversation', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk)
    await world.db
      .updateTable('conversations')
      .set({ status: 'blocked', blocked_by: 'customer' })
      .where('id', '=', talk.conversation.id)
      .execute()
    expect(await accepts(talk, quoteId)).toEqual({ ok: false, reason: 'blocked' })
    expect(await sends(talk, {}, 2)).toEqual({ ok: false, reason: 'blocked' })
  })

  it('refuse to send one for a hidden listing', async () => {
    const talk = await aTalk()
    await world.db
      .updateTable('businesses')
      .set({ deleted_at: world.clock.now() })
      .where('id', '=', talk.business.id)
      .execute()
    expect(await sends(talk)).toEqual({ ok: false, reason: 'gone' })
  })

  it('need the account that approving needs', async () => {
    const talk = await aTalk()
    const { deps } = world
    const input = { userId: talk.userId, conversationId: talk.conversation.id, version: 1, offer: anOffer() }
    const standing = (takesBookings: boolean, mayApprove: boolean) => ({
      ...deps,
      findStanding: async () => ({ takesBookings, mayApprove }),
    })
    expect(await sendQuote(standing(true, false), input)).toEqual({ ok: false, reason: 'payouts_missing' })
    expect(await sendQuote(standing(false, true), input)).toEqual({ ok: false, reason: 'vendor_paused' })
  })

  it('refuse once the listing belongs to somebody else', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk)
    const other = await aUser(world.db)
    await world.db
      .updateTable('businesses')
      .set({ user_id: other.id })
      .where('id', '=', talk.business.id)
      .execute()
    expect(await accepts(talk, quoteId)).toEqual({ ok: false, reason: 'gone' })
    expect(await sends(talk, {}, 2)).toEqual({ ok: false, reason: 'gone' })
  })

  it('refuse a customer who would withdraw, and a vendor who would answer', async () => {
    const talk = await aTalk()
    const customer = await aUser(world.db)
    await world.db
      .updateTable('conversations')
      .set({ customer_user_id: customer.id })
      .where('id', '=', talk.conversation.id)
      .execute()
    const quoteId = await aSentQuote(talk)
    const writing = {
      userId: customer.id,
      conversationId: talk.conversation.id,
      version: 2,
      offer: anOffer(),
    }
    const notFound = { ok: false, reason: 'not_found' }
    expect(await withdrawQuote(world.deps, { userId: customer.id, quoteId })).toEqual(notFound)
    expect(await sendQuote(world.deps, writing)).toEqual(notFound)
    expect(await saveDraft(world.deps, writing)).toEqual(notFound)
    expect(await chooseAgain(world.deps, { quoteId, by: talk.vendor })).toEqual(notFound)
    expect(await stateOf(talk, quoteId)).toBe('sent')
    const accepted = await accepts({ by: { userId: customer.id, verifiedEmail: null } }, quoteId)
    expect(accepted.ok).toBe(true)
    // Nobody but the customer gets to the payment, or gives it up.
    for (const by of [talk.vendor, { linkToken: 'x'.repeat(43) }]) {
      expect(await resumeAcceptance(world.deps, { quoteId, by })).toEqual(notFound)
      expect(await chooseAgain(world.deps, { quoteId, by })).toEqual(notFound)
    }
    expect(await stateOf(talk, quoteId)).toBe('accepted')
  })

  it.each(['hidden', 'deleted'] as const)('refuse to accept for a listing that is %s', async (end) => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk, { holdHours: 48 })
    const at = world.clock.now()
    await world.db
      .updateTable('businesses')
      .set(end === 'hidden' ? { hidden_at: at, hidden_by: 'operator' } : { deleted_at: at })
      .where('id', '=', talk.business.id)
      .execute()
    expect(await accepts(talk, quoteId)).toEqual({ ok: false, reason: 'gone' })
    expect(await sends(talk, {}, 2)).toEqual({ ok: false, reason: 'gone' })
    expect(await stateOf(talk, quoteId)).toBe('sent')
    // The customer can still say no.
    expect(await declineQuote(world.deps, { quoteId, by: talk.by })).toEqual({ ok: true })
  })

  it('refuse to accept for a vendor whose bookings are stopped', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk)
    const stopped = { ...world.deps, findStanding: async () => ({ takesBookings: false, mayApprove: true }) }
    const acceptance = { quoteId, by: talk.by, taken: [], contact, shownCents: null, exceptPayments: [] }
    expect(await acceptQuote(stopped, { ...acceptance, heldFrom: newId() })).toEqual({
      ok: false,
      reason: 'vendor_paused',
    })
  })

  it('check again under the lock what was allowed before it', async () => {
    const enquiries = enquiryDepsOf(world.deps)
    /** The services of a command in whose middle something else happens. */
    const meanwhile = (act: () => Promise<unknown>) => ({
      ...world.deps,
      findStanding: async () => {
        await act()
        return { takesBookings: true, mayApprove: true }
      },
    })
    const withdrawn = await aTalk()
    const quoteId = await aSentQuote(withdrawn)
    const acceptance = { taken: [], contact, shownCents: null, exceptPayments: [], heldFrom: newId() }
    const withdraws = meanwhile(() => withdrawQuote(world.deps, { userId: withdrawn.userId, quoteId }))
    expect(await acceptQuote(withdraws, { ...acceptance, quoteId, by: withdrawn.by })).toEqual({
      ok: false,
      reason: 'withdrawn',
    })
    expect(await slotsOf(withdrawn)).toEqual([])

    const blocked = await aTalk()
    const blocks = meanwhile(() =>
      blockConversation(enquiries, { id: blocked.conversation.id, by: blocked.by }),
    )
    const writing = { userId: blocked.userId, conversationId: blocked.conversation.id, version: 1 }
    expect(await sendQuote(blocks, { ...writing, offer: anOffer({ holdHours: 48 }) })).toEqual({
      ok: false,
      reason: 'blocked',
    })
    expect(await slotsOf(blocked)).toEqual([])
  })

  it('store that a quote was seen, once, by its customer', async () => {
    const talk = await aTalk()
    const quoteId = await aSentQuote(talk)
    await viewQuote(world.deps, { quoteId, by: talk.by })
    expect(await stateOf(talk, quoteId)).toBe('viewed')
    await viewQuote(world.deps, { quoteId, by: talk.by })
    expect(await stateOf(talk, quoteId)).toBe('viewed')
  })
})
