import type { RouteConfigEntry } from '@react-router/dev/routes'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Database } from '../../app/adapters/database/port.ts'
import { bookingLinkToken } from '../../app/features/bookings/rules.ts'
import { linkTokenOf } from '../../app/features/shortlists/rules.ts'
import routes from '../../app/routes.ts'
import type { Services } from '../../app/services.server.ts'
import { newId } from '../../app/shared/ids.ts'
import { hashText } from '../../app/shared/signed.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { openAccountForm } from '../account-form.ts'
import { fillActivity } from '../activity.ts'
import { aBookingForm, aBusiness } from '../builders.ts'
import { fillConversations } from '../conversation-stage.ts'
import { aPayoutAccount, fillEarnings } from '../earnings.ts'
import { nextEventDate, visit } from './browser.ts'
import { bookAndDispute, bookAndPay } from './paid-booking.ts'

export type Visits = {
  /** Without signing in. */
  everybody: readonly string[]
  customer: readonly string[]
  vendor: readonly string[]
  operator: readonly string[]
}

const BUSINESS = 'harbour-light-pavilion'
const OF_BUSINESS = `business=${BUSINESS}`

/** Hides most businesses: a few cards of each kind are enough to check, and each costs time. */
export async function showFewBusinesses(db: Database): Promise<void> {
  const oldest = await db.selectFrom('businesses').select('id').orderBy('created_at').limit(12).execute()
  const shown = [...oldest.map(({ id }) => id), BUSINESS, 'long-paddock-woolshed']
  await db.updateTable('businesses').set({ hidden_at: new Date() }).where('id', 'not in', shown).execute()
}

/**
 * Inserts the rows that pages need: a pending booking, an approved one, a past one and a deleted business. Returns every page of the
 * product, in all states that an address alone can show, by the account that may see it.
 */
export async function preparePages(services: Services): Promise<Visits> {
  const { db } = services
  const activeId = await fillActivity(db, 'customer@jubilee.example')
  const businessGone = await aBusiness(db, { deleted_at: new Date(), place_id: 'melbourne-vic' })
  for (const fullName of ['Grace Holloway', 'Noah Fitzgerald', 'Ivy Laurent']) {
    await bookAndPay(services, {
      businessId: BUSINESS,
      amountCents: 145_000,
      booking: aBookingForm({ fullName, email: 'customer@jubilee.example', date: nextEventDate() }),
    })
  }
  const { disputeId } = await bookAndDispute(services, {
    businessId: BUSINESS,
    amountCents: 145_000,
    booking: aBookingForm({ fullName: 'Isla Brennan', date: nextEventDate() }),
  })
  const bookings = await db
    .selectFrom('bookings')
    .innerJoin('payments', 'payments.id', 'bookings.payment_row_id')
    .select(['bookings.id', 'payments.id as paymentId', 'bookings.customer_name as name'])
    .execute()
  const idOf = (name: string) => bookings.find((booking) => booking.name === name)?.id ?? ''
  await db
    .updateTable('bookings')
    .set({ status: 'approved', date: '2026-02-14' })
    .where('id', '=', idOf('Noah Fitzgerald'))
    .execute()
  await db.updateTable('bookings').set({ status: 'approved' }).where('id', '=', idOf('Ivy Laurent')).execute()
  const approved = bookings.find(({ name }) => name === 'Ivy Laurent')?.paymentId ?? ''
  const linkToken = await bookingLinkToken(services.config.secret, approved)
  const form = await openAccountForm(services)
  await fillPayouts(services)
  const shortlist = await aSharedShortlist(services)
  const conversations = await fillConversations(services)
  return {
    everybody: [
      '/',
      '/venues-vendors',
      '/venues-vendors?q=nothing-like-this',
      '/venues-vendors?q=hall&place=Melbourne%2C+VIC&near=1&date=2027-03-14&weekday=Saturday&guests=60&budget=8000',
      '/venues-vendors?q=woolshde&place=Richmond',
      '/venues',
      '/venues?bounds=-38.6_144.1_-37.4_145.6',
      '/photographers',
      '/hairdressers',
      '/sounds-dj',
      '/catering?place=VIC',
      '/videographers',
      '/event-planners',
      '/extras',
      `/business/${BUSINESS}`,
      '/business/long-paddock-woolshed',
      '/business/no-such-business',
      `/business/${businessGone.id}`,
      '/venues/in/melbourne-vic',
      '/venues/in/williamstown-vic',
      '/venues/in/no-such-place',
      '/services/celebrant',
      '/services/celebrant/in/melbourne-vic',
      '/services/no-such-service',
      '/events',
      '/vendors',
      '/vendorsprofile?id=demo-hamish-boyd',
      '/advice-support',
      '/list-your-business',
      '/help',
      '/help?q=xylophone',
      '/help/withdraw-or-cancel',
      '/help/no-such-article',
      '/login',
      '/login/code',
      '/signup',
      '/forgot-password',
      '/reset-password?token=no-such-token',
      '/verify-email?token=no-such-token',
      '/undo-email-change?token=no-such-token',
      '/not-me?token=no-such-token',
      '/account-closed?how=deactivated',
      '/not-in-view',
      '/account-closed?how=deleted',
      '/newsletter',
      '/legal/privacy-policy',
      '/legal/vendor-agreement-2026-11-24',
      '/legal/no-such-document',
      '/newsletter/unsubscribe',
      '/reviews/end',
      '/alerts',
      '/alerts/no-such-link',
      '/cart',
      '/shortlist',
      shortlist,
      `${shortlist}?date=${nextEventDate()}&guests=90&compare=${BUSINESS}&compare=long-paddock-woolshed`,
      '/shortlist/no-such-link',
      `/book/${BUSINESS}`,
      '/success',
      `/business/${BUSINESS}/ask`,
      '/business/no-such-business/ask',
      '/conversations/no-such-link',
      '/accountant/no-such-link',
      `/conversations/${conversations.guestLink}`,
      `/conversations/${conversations.newLink}`,
      `/quotes/${conversations.quote}/${conversations.guestLink}`,
      `/quotes/no-such-quote/${conversations.guestLink}`,
      '/bookings/no-such-link',
      '/bookings/no-such-link/cancel',
      `/bookings/${linkToken}/cancel`,
      '/bookings/no-such-link/pay',
      '/bookings/no-such-link/card',
      `/bookings/${linkToken}/change`,
      `/bookings/${linkToken}/message`,
      '/bookings/no-such-link/message',
      '/bookings/no-such-link/review',
      `/bookings/${linkToken}/refund`,
      '/bookings/no-such-link/refund',
      `/bookings/${linkToken}/reminders`,
      '/bookings/no-such-link/reminders',
      `/bookings/${linkToken}/change?date=${nextEventDate()}&time=10:00&quantity=12`,
      `/bookings/${idOf('Grace Holloway')}`,
      `/outbox?key=${services.config.printedKey}`,
      `/sandbox?key=${services.config.printedKey}`,
      form,
      `${form}?step=person`,
      '/dashboard/list-business',
      '/no/such/screen',
    ],
    customer: [
      '/my-profile',
      '/my-bookings',
      `/my-bookings/${idOf('Noah Fitzgerald')}/review`,
      `/my-bookings/${idOf('Grace Holloway')}/review`,
      '/messages',
      `/messages/${conversations.open}`,
      `/messages/${conversations.blocked}`,
      '/messages/no-such-conversation',
      `/business/${BUSINESS}/ask?wish=quote`,
      '/notifications',
      '/settings-privacy',
      '/settings-privacy/activity',
      '/confirm-deactivation',
      '/confirm-deletion',
      '/userdashboard/user',
      '/dashboard',
      '/dashboard/register-business',
      '/dashboard/list-business',
      '/dashboard/bookings',
      '/dashboard/inbox',
      '/dashboard/calendar',
      '/dashboard/availability',
      '/dashboard/agreement',
      '/dashboard/payouts',
      '/dashboard/payouts/setup',
    ],
    vendor: [
      '/notifications',
      '/confirm-deletion',
      '/dashboard',
      '/dashboard/register-business',
      '/dashboard/list-business',
      '/dashboard/list-business/new',
      `/dashboard/list-business/${BUSINESS}/edit`,
      `/dashboard/list-business/${BUSINESS}/album`,
      '/dashboard/bookings',
      '/dashboard/bookings?status=declined&name=nobody+at+all',
      '/dashboard/inbox',
      '/dashboard/inbox?show=closed',
      `/dashboard/inbox/${conversations.open}`,
      `/dashboard/inbox/${conversations.open}?quote=new`,
      `/quotes/${conversations.quote}`,
      '/dashboard/inbox/no-such-conversation',
      `/dashboard/disputes/${disputeId}`,
      '/dashboard/disputes/no-such-dispute',
      `/dashboard/calendar?month=${nextEventDate().slice(0, 7)}`,
      `/dashboard/calendar?${OF_BUSINESS}`,
      `/dashboard/availability?${OF_BUSINESS}`,
      '/dashboard/payouts',
      '/dashboard/agreement',
      '/dashboard/payouts?show=past',
      '/dashboard/payouts/setup',
      '/dashboard/payouts/return',
      `/dashboard/disputes/${disputeId}`,
      '/dashboard/disputes/no-such-dispute',
    ],
    operator: [
      '/operations',
      '/operations/bookings',
      '/operations/bookings?show=overdue',
      '/operations/search',
      '/operations/search?q=nothing-like-this',
      '/operations/search?q=jubilee',
      '/operations/payments',
      '/operations/payments?q=nothing-like-this',
      '/operations/payments?show=unpaid',
      `/operations/payments/${bookings[0]?.paymentId}`,
      '/operations/payments/no-such-payment',
      '/operations/disputes',
      '/operations/disputes?show=closed',
      `/operations/disputes/${disputeId}`,
      '/operations/disputes/no-such-dispute',
      '/operations/reports',
      '/operations/reports?show=closed',
      `/operations/reports/${conversations.reportId}`,
      '/operations/reports/no-such-report',
      '/operations/ledger',
      '/operations/tax',
      '/operations/tax?half=2026-07-01',
      '/operations/payouts',
      `/operations/vendors/${activeId}`,
      '/operations/vendors/no-such-vendor',
      '/operations/comparison',
      '/operations/reviews',
      '/operations/accounts',
      '/operations/accounts?q=jubilee',
      `/operations/accounts/${activeId}/activity`,
      '/operations/accounts/nobody/activity',
      '/operations/listings',
      '/operations/people',
      '/operations/log',
    ],
  }
}

/** Makes a shared shortlist. @returns the path of its link */
export async function aSharedShortlist({ db, config, now }: Services): Promise<string> {
  const [id, key] = [newId(), newId()]
  const link = await linkTokenOf(config.secret, key)
  const at = now()
  const share = { share_key: key, share_hash: await hashText(link), shared_at: at }
  await db
    .insertInto('shortlists')
    .values({ id, user_id: null, created_at: at, used_at: at, ...share })
    .execute()
  const saved = [BUSINESS, 'long-paddock-woolshed', 'okafor-and-daughters', 'riverbend-rooms']
  const gone = await aBusiness(db, { deleted_at: at, place_id: 'melbourne-vic', name: 'The Closed Garden' })
  await db
    .insertInto('shortlist_entries')
    .values(
      [...saved, gone.id].map((businessId, index) => ({
        shortlist_id: id,
        business_id: businessId,
        note: index === 0 ? 'Ask about the jetty.' : '',
        added_at: new Date(at.getTime() - index * 60_000),
        removed_at: null,
      })),
    )
    .execute()
  return `/shortlist/${link}`
}

/** Inserts the vendor's account with the provider, and bookings with their money: at the bank, held, and stopped. */
async function fillPayouts({ db }: Services): Promise<void> {
  const vendor = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'vendor@jubilee.example')
    .executeTakeFirstOrThrow()
  const accountId = await aPayoutAccount(db, vendor.id)
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)
  const of = { vendorUserId: vendor.id, accountId, bookedAt: inDays(-90) }
  await fillEarnings(db, [
    { ...of, eventUntil: inDays(-40), progress: 'at_bank' },
    { ...of, eventUntil: inDays(-9), progress: 'due', heldReason: 'no_agreement' },
    { ...of, eventUntil: inDays(20), customerName: 'Grace Holloway' },
  ])
}

/** Names of 60 letters, with few places where a line could break, and of other scripts: left to right, to the left, wide. */
const HARD_NAMES = {
  listing: 'The Featherstonehaughington-Cholmondeley-Marjoribanks Pavilion',
  customers: [
    'Αλεξάνδρα-Κωνσταντίνα Παπαδημητρακοπούλου-Χατζηκωνσταντίνου',
    'عبد الرحمن بن عبد العزيز بن محمد المهيري الشامسي القاسمي النعيمي',
    '阿南陀・東雲・長谷川・勅使河原・小比類巻・西園寺・伊集院',
  ],
} as const

/** Gives a listing, and the customers of its bookings, names that are hard to set. */
export async function lengthenNames(db: Database): Promise<void> {
  await db.updateTable('businesses').set({ name: HARD_NAMES.listing }).where('id', '=', BUSINESS).execute()
  const bookings = await db.selectFrom('bookings').select('id').orderBy('id').execute()
  for (const [at, { id }] of bookings.entries())
    await db
      .updateTable('bookings')
      .set({ customer_name: HARD_NAMES.customers[at % HARD_NAMES.customers.length] })
      .where('id', '=', id)
      .execute()
}

export const WHO = ['everybody', 'customer', 'vendor', 'operator'] as const

/** Visits a page and fails if it redirects. */
export async function visitItself(page: Page, path: string): Promise<void> {
  await visit(page, path)
  expect(`${new URL(page.url()).pathname}${new URL(page.url()).search}`).toBe(
    // The printed address moves its key into a cookie.
    path.replace(/\?key=.*/, ''),
  )
}

/** Pages that an address alone can't show: a test has to lead there. */
export const REACHED_OTHERWISE = ['/logout', '/new-email', '/payment', '/reactivate'] as const

/** Routes without a page: they redirect, or respond with something else. */
const NO_PAGES =
  /^\/(addservice|cards|userdashboard\/\*|robots|sitemap|manifest|api\/|create-payment-intent|webhooks|account-action|photos|files|illustrations|calendar-feed|settings-privacy\/my-data|dashboard\/payouts\/(refresh|:file)|dashboard\/bookings\.csv|bookings\/:linkToken\/(?!cancel)|conversations\/:linkToken\/files|accountant\/:token\/files|disputes\/:id\/files|operations\/tax\/:file|outbox\/:messageId|business\/:id\/picture|operations\/(see-as|export))/

/** The page routes of the product, as patterns from app/routes.ts. */
export function pageRoutes(): string[] {
  const pathsOf = (entries: RouteConfigEntry[], parent: string): string[] =>
    entries.flatMap((entry) => {
      const path = entry.path ? `${parent}/${entry.path}` : parent
      const own = entry.path || entry.index ? [path || '/'] : []
      return [...own, ...pathsOf(entry.children ?? [], path)]
    })
  return [...new Set(pathsOf(routes, ''))].filter((path) => !NO_PAGES.test(path))
}
