import {
  sendMessage,
  startConversation,
  verifyConversation,
} from '../app/features/enquiries/commands.server.ts'
import { conversationLinkToken } from '../app/features/enquiries/rules.ts'
import { saveReply } from '../app/features/enquiries/saved-reply-commands.server.ts'
import {
  blockConversation,
  closeConversation,
  reportConversation,
} from '../app/features/enquiries/status-commands.server.ts'
import { sendQuote } from '../app/features/quotes/commands.server.ts'
import { DEFAULT_PLAN } from '../app/features/terms/rules.ts'
import { bookingDeps, enquiryDeps } from '../app/services/deps.server.ts'
import type { Services } from '../app/services.server.ts'
import { wallTimeAt } from '../app/shared/dates.ts'
import { newId } from '../app/shared/ids.ts'
import { HOUR_MS } from '../app/shared/time-units.ts'
import { anOffer } from './builders.ts'

const CUSTOMER = 'customer@jubilee.example'
const VENDOR = 'vendor@jubilee.example'
const BUSINESS = 'harbour-light-pavilion'

/** Conversations in every state, of the demo's vendor and customer. */
export type FilledConversations = {
  /** The id of the signed-in customer's conversation, with an unread answer. */
  open: string
  blocked: string
  closed: string
  reported: string
  reportId: string
  /** The tokens of guests' links: confirmed, and not yet. */
  guestLink: string
  newLink: string
  /** The guest's open quote. */
  quote: string
}

/** Nothing else is booked on it (`nextEventDate` in e2e/browser.ts). */
export const QUOTED_DATE = '2028-03-18'

type Asked = { name?: string; email?: string; body?: string; wish?: 'question' | 'quote'; isGuest?: boolean }

/** Starts conversations by the product's own commands. */
export async function fillConversations(services: Services): Promise<FilledConversations> {
  const deps = enquiryDeps(services)
  const idOf = async (email: string) =>
    (await services.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow())
      .id
  const [customer, vendor] = [await idOf(CUSTOMER), await idOf(VENDOR)]
  let asked = 0

  async function ask({ name = 'Isla Brennan', email, body, wish = 'question', isGuest = false }: Asked = {}) {
    asked += 1
    const started = await startConversation(deps, {
      businessId: BUSINESS,
      wish,
      eventDate: QUOTED_DATE,
      guests: 110,
      budgetCents: 1_200_000,
      message: {
        body:
          body ?? 'Do you have a room for the band to leave their cases in? We’re 110, and most of us dance.',
        files: [],
        submitKey: newId(),
      },
      customer: isGuest
        ? { userId: null, name, email: email ?? `guest${asked}@example.com` }
        : { userId: customer, name, email: CUSTOMER },
      address: `198.51.100.${asked}`,
    })
    if (!started.ok) throw new Error(started.reason)
    return started.conversationId
  }
  const write = (id: string, userId: string, body: string) =>
    sendMessage(deps, {
      id,
      by: { userId, verifiedEmail: null },
      message: { body, files: [], submitKey: newId() },
    })
  const waits = async (id: string, hours: number) => {
    const since = new Date(services.now().getTime() - hours * HOUR_MS)
    await services.db
      .updateTable('conversations')
      .set({ waiting_since: since, last_message_at: since })
      .where('id', '=', id)
      .execute()
    await services.db
      .updateTable('messages')
      .set({ created_at: since })
      .where('conversation_id', '=', id)
      .execute()
  }

  const open = await ask()
  await waits(open, 30)
  await write(
    open,
    vendor,
    'Yes: the green room behind the stage locks, and it has its own door to the car park. The band can load in from 2 pm.\n\nHere is the plan of it: https://example.com/harbour-light/green-room',
  )
  await write(open, customer, 'Wonderful. Could we also come and see it on a weekday evening?')
  await write(
    open,
    vendor,
    'Any Tuesday or Thursday after 5 pm. Ring me on 0412 345 678 when you’re at the gate.',
  )
  const blocked = await ask({ name: 'Noah Fitzgerald' })
  await blockConversation(deps, { id: blocked, by: { userId: vendor, verifiedEmail: null } })
  // A blocked customer can't start another conversation with this vendor, so the rest are guests'.
  const late = await ask({ name: 'Grace Holloway', isGuest: true, wish: 'quote' })
  const veryLate = await ask({
    name: 'Wilhelmina Alexandrina Featherstonehaugh-Cholmondeley',
    isGuest: true,
    body: `${'We’d like to know everything about the kitchen. '.repeat(30)}\n\nIs there an oven?`,
  })
  const closed = await ask({ name: 'Odette Farrow', isGuest: true })
  const reported = await ask({
    name: 'Rex Malone',
    isGuest: true,
    body: 'Skip the site and pay me back half in cash: http://example.org/cash',
  })
  const guest = await ask({ name: 'Ottilie Marsh', isGuest: true })
  const unconfirmed = await ask({ name: 'Ivy Laurent', isGuest: true })
  const linkOf = (id: string) => conversationLinkToken(deps.secret, id)
  for (const id of [late, veryLate, closed, reported, guest])
    await verifyConversation(deps, { by: { linkToken: await linkOf(id) } })
  await waits(late, 25)
  await waits(veryLate, 80)
  const asVendor = { userId: vendor, verifiedEmail: null }
  await closeConversation(deps, { id: closed, by: asVendor })
  await reportConversation(deps, {
    id: reported,
    by: asVendor,
    reason: 'Wants me to take cash for a booking.',
  })
  await write(guest, vendor, 'Hello Ottilie, we do. Would you like to see it?')
  const sent = await sendQuote(bookingDeps(services), {
    userId: vendor,
    conversationId: guest,
    version: 1,
    offer: anOffer({
      date: QUOTED_DATE,
      validTo: wallTimeAt(services.now(), 'Australia/Melbourne').date,
      terms: { policy: 'moderate', plan: DEFAULT_PLAN },
    }),
  })
  if (!sent.ok) throw new Error(sent.reason)
  await saveReply(deps, {
    userId: vendor,
    id: null,
    title: 'Parking',
    body: 'There are 40 places behind the pavilion, and the tram stops at the gate.',
  })
  const { id: reportId } = await services.db
    .selectFrom('conversation_reports')
    .select('id')
    .executeTakeFirstOrThrow()
  return {
    open,
    blocked,
    closed,
    reported,
    reportId,
    guestLink: await linkOf(guest),
    newLink: await linkOf(unconfirmed),
    quote: sent.quoteId,
  }
}
