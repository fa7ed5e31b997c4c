import { startBookingPayment } from '../../app/features/bookings/checkout/commands.server.ts'
import type { BookingDeps } from '../../app/features/bookings/deps.server.ts'
import {
  markRead,
  sendMessage,
  startConversation,
  verifyConversation,
} from '../../app/features/enquiries/commands.server.ts'
import type { EnquiryDeps } from '../../app/features/enquiries/deps.server.ts'
import { conversationLinkToken, type Wish } from '../../app/features/enquiries/rules.ts'
import { saveReply } from '../../app/features/enquiries/saved-reply-commands.server.ts'
import { findPayment } from '../../app/features/payments/queries.server.ts'
import { reportPayment } from '../../app/features/payments/settlement-commands.server.ts'
import { acceptQuote } from '../../app/features/quotes/acceptance-commands.server.ts'
import { expireQuotes, sendQuote } from '../../app/features/quotes/commands.server.ts'
import { optionalIds, type QuoteLine } from '../../app/features/quotes/rules.ts'
import { formOf } from '../../app/features/sales/rules.ts'
import { DEFAULT_PLAN } from '../../app/features/terms/rules.ts'
import { bookingDeps, enquiryDeps } from '../../app/services/deps.server.ts'
import type { Services } from '../../app/services.server.ts'
import { addDays, type LocalDate, type LocalTime, wallTimeAt } from '../../app/shared/dates.ts'
import { DAY_MS, HOUR_MS } from '../../app/shared/time-units.ts'

/** The listings of the demo vendor. */
const VENUE = 'harbour-light-pavilion'
const PHOTOGRAPHER = 'okafor-and-daughters'
const ZONE = 'Australia/Melbourne'
const SATURDAY = 6
/** A day on which the demo's calendars are free (demo/calendars.ts). */
const FREE_DAYS_AHEAD = 145
const TEST_CARD = { cardNumber: '4242424242424242', expiry: '12 / 40', cvc: '123' }

type Person = { userId: string | null; name: string; email: string }
type Told = { id: string; customer: Person; linkToken: string }

type Asked = {
  body: string
  wish?: Wish
  businessId?: string
  guests?: number
  budgetCents?: number
  date?: LocalDate
}

type Offered = {
  lines: QuoteLine[]
  note: string
  guests: number
  validDays: number
  holdHours?: 48
  date?: LocalDate
  time?: LocalTime
}

/**
 * Fills the inbox of the demo's vendor and the messages of its customer, by the commands that their screens use, at the times
 * when such people would have written: unanswered and answered questions, a guest's, a file, and quotes that are open, paid
 * and expired. Runs once the demo is being served, since its first page doesn't need them.
 */
export async function fillDemoConversations(services: Services): Promise<void> {
  const { db } = services
  const idOf = async (email: string) =>
    (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id
  const vendorId = await idOf('vendor@jubilee.example')
  const isla: Person = {
    userId: await idOf('customer@jubilee.example'),
    name: 'Isla Brennan',
    email: 'customer@jubilee.example',
  }
  const writer = createWriter(services, vendorId)

  const arrived = await writer.ask(30 * HOUR_MS, isla, {
    body: 'Do you have a room where the band can leave their cases? There are five of them, and the cello is shy.',
  })
  await planBirthday(writer, isla)
  await writer.ask(5 * HOUR_MS, guest('Grace Holloway', 'grace.holloway@example.com'), {
    wish: 'quote',
    body: 'Hello! We’re a choir of sixty with our families. Is there a piano, and would it be in tune by spring?',
    guests: 140,
    budgetCents: 1_500_000,
  })
  await letQuoteExpire(writer)
  await bookPhotographer(services, writer, isla)
  await saveReply(enquiryDeps(services), {
    userId: vendorId,
    id: null,
    title: 'Parking',
    body: 'There are 40 places behind the pavilion, and the tram stops at the gate.',
  })
  await markRead(enquiryDeps(services), { id: arrived.id, by: { linkToken: arrived.linkToken } })
}

/** A guest without an account. */
const guest = (name: string, email: string): Person => ({ userId: null, name, email })

type Writer = ReturnType<typeof createWriter>

/** A conversation with a floor plan, and an open quote whose time is held. */
async function planBirthday({ ask, write, quote }: Writer, customer: Person): Promise<void> {
  const planned = await ask(6 * DAY_MS, customer, {
    wish: 'quote',
    body: 'We’d love the pavilion for our 40th, with a long-table dinner and dancing after. Could you send us a price?',
    guests: 80,
    budgetCents: 600_000,
  })
  await write(
    5 * DAY_MS,
    planned,
    'vendor',
    'Happy almost-birthday! The plan of the room is attached: the long table goes along the windows, and the floor stays free.',
    [await drawFloorPlan()],
  )
  await write(
    4 * DAY_MS,
    planned,
    'customer',
    'That’s lovely. Could we have the floral arch from your pictures?',
  )
  await quote(DAY_MS, planned, {
    guests: 80,
    validDays: 7,
    holdHours: 48,
    note: 'The arch is yours to keep or leave out. I’m holding the evening for you.',
    lines: [
      lineOf('1', 'Long-table dinner', 80, 5_500),
      lineOf('2', 'Floral arch', 1, 45_000, true),
      lineOf('3', 'Waiting staff', 3, 13_000),
    ],
  })
}

/** A guest's conversation whose quote nobody has accepted in time. */
async function letQuoteExpire({ ask, quote, weekday, quotesAgo }: Writer): Promise<void> {
  const late = await ask(20 * DAY_MS, guest('Theo Lindqvist', 'theo.lindqvist@example.com'), {
    wish: 'quote',
    body: 'What would a weekday lunch for thirty cost?',
    guests: 30,
    date: weekday,
  })
  await quote(19 * DAY_MS, late, {
    guests: 30,
    date: weekday,
    time: '11:00',
    validDays: 7,
    note: 'With the small terrace, if the weather holds.',
    lines: [lineOf('1', 'Lunch on the terrace', 30, 6_200)],
  })
  await expireQuotes(quotesAgo(11 * DAY_MS))
}

/** A conversation with the photographer, whose quote is paid where the sandbox takes payments. */
async function bookPhotographer(
  services: Services,
  { ask, write, quote }: Writer,
  customer: Person,
): Promise<void> {
  const portraits = await ask(3 * DAY_MS, customer, {
    businessId: PHOTOGRAPHER,
    wish: 'quote',
    body: 'Could one of you take pictures from the speeches to the first dance?',
    guests: 80,
  })
  await write(2 * DAY_MS, portraits, 'vendor', 'With pleasure. Four hours cover that nicely.')
  const paid = await quote(2 * HOUR_MS, portraits, {
    guests: 80,
    validDays: 7,
    note: 'All pictures come in an album online within three weeks.',
    lines: [
      lineOf('1', 'Four hours of photography', 4, 32_000),
      lineOf('2', 'Printed album', 1, 28_000, true),
    ],
  })
  if (paid && services.sandbox) await payQuote(services, { quoteId: paid, told: portraits })
}

/**
 * Writes conversations, messages and quotes as if it were `msAgo` milliseconds ago.
 * @returns functions that throw where a command refuses, except a quote whose vendor has no account for payouts
 */
function createWriter(services: Services, vendorId: string) {
  const { now } = services
  const today = wallTimeAt(now(), ZONE).date
  const event = saturdayAfter(addDays(today, FREE_DAYS_AHEAD))
  const weekday = addDays(event, -3)
  const ago = (ms: number) => {
    const at = new Date(now().getTime() - ms)
    return { ...enquiryDeps(services), now: () => at }
  }
  const quotesAgo = (ms: number) => ({ ...bookingDeps(services), now: ago(ms).now })

  return {
    weekday,
    quotesAgo,
    ask: (msAgo: number, customer: Person, asked: Asked) =>
      ask(ago(msAgo), msAgo, customer, { date: event, ...asked }),
    write: (msAgo: number, told: Told, side: 'customer' | 'vendor', body: string, files: File[] = []) =>
      write(ago(msAgo), msAgo, told, { vendorId, side, body, files }),
    quote: (msAgo: number, told: Told, offered: Offered) =>
      quote(quotesAgo(msAgo), told, { vendorId, date: event, ...offered }),
  }
}

/** Begins a conversation, and confirms a guest's. */
async function ask(
  deps: EnquiryDeps,
  msAgo: number,
  customer: Person,
  asked: Asked & { date: LocalDate },
): Promise<Told> {
  const started = await startConversation(deps, {
    businessId: asked.businessId ?? VENUE,
    wish: asked.wish ?? 'question',
    eventDate: asked.date,
    guests: asked.guests ?? 110,
    budgetCents: asked.budgetCents ?? null,
    message: { body: asked.body, files: [], submitKey: `demo-${customer.email}-${msAgo}` },
    customer,
    address: 'demo',
  })
  if (!started.ok) throw new Error(`The demo’s conversation was refused: ${started.reason}`)
  const id = started.conversationId
  const linkToken = await conversationLinkToken(deps.secret, id)
  if (!customer.userId) await verifyConversation(deps, { by: { linkToken } })
  return { id, customer, linkToken }
}

/** Writes a message of one side, who has read the others before. */
async function write(
  deps: EnquiryDeps,
  msAgo: number,
  { id, linkToken }: Told,
  {
    vendorId,
    side,
    body,
    files,
  }: { vendorId: string; side: 'customer' | 'vendor'; body: string; files: File[] },
): Promise<void> {
  const by = side === 'vendor' ? { userId: vendorId, verifiedEmail: null } : { linkToken }
  await markRead(deps, { id, by })
  const message = { body, files, submitKey: `demo-${id}-${msAgo}` }
  const sent = await sendMessage(deps, { id, by, message })
  if (!sent.ok) throw new Error(`The demo’s message was refused: ${sent.reason}`)
}

/** Sends the vendor's quote. @returns its id; null while the vendor has no account for payouts */
async function quote(
  deps: BookingDeps,
  { id }: Told,
  offered: Offered & { vendorId: string; date: LocalDate },
): Promise<string | null> {
  const sent = await sendQuote(deps, {
    userId: offered.vendorId,
    conversationId: id,
    version: 1,
    offer: {
      lines: offered.lines,
      note: offered.note,
      date: offered.date,
      time: offered.time ?? '16:00',
      minutes: 360,
      bookingType: 'perPerson',
      quantity: offered.guests,
      guests: offered.guests,
      terms: { policy: 'moderate', plan: { ...DEFAULT_PLAN } },
      validTo: addDays(wallTimeAt(deps.now(), ZONE).date, offered.validDays),
      holdHours: offered.holdHours ?? 0,
    },
  })
  if (sent.ok) return sent.quoteId
  // The settings ask for an account for payouts, which this vendor hasn't opened yet.
  if (sent.reason === 'payouts_missing') return null
  throw new Error(`The demo’s quote was refused: ${JSON.stringify(sent)}`)
}

const lineOf = (
  id: string,
  label: string,
  quantity: number,
  unitPriceCents: number,
  isOptional = false,
): QuoteLine => ({ id, label, quantity, unitPriceCents, isOptional })

/** Accepts a quote with all its lines and pays it with a test card. */
async function payQuote(
  services: Services,
  { quoteId, told }: { quoteId: string; told: Told },
): Promise<void> {
  const deps = bookingDeps(services)
  const { name, email, userId } = told.customer
  const row = await services.db
    .selectFrom('quotes')
    .select('lines')
    .where('id', '=', quoteId)
    .executeTakeFirstOrThrow()
  const accepted = await acceptQuote(deps, {
    quoteId,
    by: { linkToken: told.linkToken },
    taken: optionalIds(row.lines),
    contact: { fullName: name, email, phone: '0491 570 110' },
    shownCents: null,
    exceptPayments: [],
    heldFrom: 'demo',
  })
  if (!accepted.ok) throw new Error(`The demo’s quote wasn’t accepted: ${accepted.reason}`)
  const payment = await findPayment(services.db, accepted.paymentId)
  if (!payment) throw new Error('The payment of the demo’s quote is missing.')
  const started = await startBookingPayment(deps, {
    amount: payment.sale.priceCents,
    submitKey: payment.submit_key,
    businessId: payment.sale.businessId,
    booking: formOf(payment.sale),
    customerUserId: userId,
  })
  if (!started.ok || started.alreadyPaid) throw new Error('The demo’s quote can’t be paid.')
  const { clientSecret } = started
  await services.sandbox?.confirmCard({ clientSecret, ...TEST_CARD })
  await reportPayment(deps, { clientSecret })
}

/** The first Saturday from this day on. */
function saturdayAfter(date: LocalDate): LocalDate {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return addDays(date, (SATURDAY - weekday + 7) % 7)
}

/** A plan of the venue's room, as a PDF. */
async function drawFloorPlan(): Promise<File> {
  const { default: PDFDocument } = await import('pdfkit')
  const pdf = new PDFDocument({ size: 'A4', layout: 'landscape', margin: 48, info: { Title: 'Floor plan' } })
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const drawn = new Promise<void>((resolve) => pdf.once('end', resolve))
  pdf.on('data', (chunk: Uint8Array<ArrayBuffer>) => chunks.push(chunk))
  pdf.fontSize(22).text('Harbour Light Pavilion: floor plan')
  pdf.lineWidth(2).rect(60, 110, 720, 400).stroke('#1F2A2E')
  const parts = [
    { label: 'Long table for 80, along the windows', at: [90, 130, 660, 70] },
    { label: 'Dance floor, 9 × 9 m', at: [250, 240, 250, 210] },
    { label: 'Band', at: [560, 280, 180, 130] },
    { label: 'Bar', at: [90, 260, 110, 170] },
  ] as const
  for (const { label, at } of parts) {
    const [x, y, width, height] = at
    pdf.lineWidth(1).rect(x, y, width, height).fillAndStroke('#F4EDE1', '#2F5D50')
    pdf
      .fillColor('#1F2A2E')
      .fontSize(13)
      .text(label, x + 8, y + height / 2 - 8, { width: width - 16, align: 'center' })
  }
  pdf.end()
  await drawn
  return new File(chunks, 'floor-plan.pdf', { type: 'application/pdf' })
}
