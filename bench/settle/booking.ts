import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../app/adapters/database/port.ts'
import { openPostgres, type PostgresConnection } from '../../app/adapters/database/postgres.server.ts'
import { createLiveUpdates } from '../../app/adapters/live-updates/notify.server.ts'
import type { PaymentProvider } from '../../app/adapters/payments/port.ts'
import { createBookingDeps } from '../../app/features/bookings/checkout/fulfilment-commands.server.ts'
import { REMIND_BEFORE_EVENT_MS, UNDECIDED_TIMES } from '../../app/features/bookings/decisions/rules.ts'
import type { BookingDeps } from '../../app/features/bookings/deps.server.ts'
import { applySnapshot } from '../../app/features/payments/settlement-commands.server.ts'
import { numberReceipt } from '../../app/features/receipts/commands.server.ts'
import { newId } from '../../app/shared/ids.ts'
import { aBusiness, aUser, createKeptJobs, TEST_SECRET } from '../../tests/builders.ts'

/**
 * The settlement of a paid booking with its postings, by the product's own `applySnapshot`, and the statements of one such
 * settlement sent again by the bare driver with the values of another booking. Jobs are rows of a table of the bench: the
 * queue's library needs running workers, which would share the machine.
 */

const VENDORS = 200
const PRICE = 45_500
const AT = new Date('2026-11-20T01:00:00Z')
const NO_BOOKING = 'A settlement of the bench has no purchase.'

/** Only its name is asked for. */
const provider = { name: 'sandbox' } as PaymentProvider

/** Eight digits, so that a text names its payment wherever it stands. */
const marker = (nth: number) => String(10_000_000 + nth)
const vendorOf = (nth: number) => `vendor-${String(1_000 + (nth % VENDORS))}`

/** Inserts payments that wait for their card, each with the hold of its time. */
export async function insertPayments(db: Database, count: number): Promise<void> {
  for (let nth = 0; nth < VENDORS; nth++) {
    const id = vendorOf(nth)
    await aUser(db, { id })
    await aBusiness(db, { id, user_id: id })
  }
  const span = { from: '2027-03-13T05:00:00.000Z', until: '2027-03-13T12:00:00.000Z' }
  const commission = { basisPoints: 1_000, isGstRegistered: true }
  await sql`
    insert into sales (id, owner_user_id, business_id, business_name, place, time_zone, gst_registered, link_hash,
      terms_version, customer_name, customer_email, customer_phone, date, time, quantity, booking_type, event_from,
      event_until, occupied_from, occupied_until, unit_price_cents, price_cents, commission, created_at)
    select 'payment-' || m, v, v, 'The Walled Garden', 'Melbourne, VIC', 'Australia/Melbourne', false, 'link-' || m, '1',
      'Kim Lee', 'kim@example.com', '', '2027-03-13', '16:00', 1, 'perPerson', ${span.from}, ${span.until}, ${span.from},
      ${span.until}, ${PRICE}, ${PRICE}, ${JSON.stringify(commission)}::jsonb, ${AT}
    from (select 10000000 + n as m, 'vendor-' || 1000 + n % ${VENDORS} as v
      from generate_series(0, ${count - 1}) n) numbered`.execute(db)
  await sql`
    insert into payments (id, sale_id, submit_key, provider, provider_reference, amount_cents, expires_at, created_at)
    select id, id, 'key-' || substr(id, 9), 'sandbox', 'reference-' || substr(id, 9), price_cents,
      ${new Date(AT.getTime() + 900_000)}, ${AT}
    from sales`.execute(db)
  await sql`
    insert into payment_lines (payment_id, line, business_id, description, unit_price_cents, quantity, amount_cents)
    select id, 1, business_id, 'The Walled Garden', ${PRICE}, 1, ${PRICE} from sales`.execute(db)
  await sql`
    insert into slots (id, business_id, kind, during, event, time_zone, is_exclusive, expires_at, payment_id, created_at)
    select 'slot-' || payments.id, business_id, 'hold', tstzrange(${span.from}, ${span.until}),
      tstzrange(${span.from}, ${span.until}), 'Australia/Melbourne', false, expires_at, payments.id, ${AT}
    from payments join sales on sales.id = sale_id`.execute(db)
  await sql`analyze`.execute(db)
}

/** The product's services on this connection. */
export async function createDeps(
  connection: PostgresConnection,
): Promise<{ deps: BookingDeps; close(): Promise<void> }> {
  const liveUpdates = await createLiveUpdates(connection)
  const deps = createBookingDeps({
    db: connection.db,
    providers: [provider],
    jobs: await createKeptJobs(connection.db),
    liveUpdates,
    now: () => AT,
    secret: TEST_SECRET,
    brand: 'Jubilee',
    publicUrl: new URL('http://localhost:3000'),
    refundGraceMs: 900_000,
    holdMs: 900_000,
    paymentExpiryMs: 900_000,
    undecided: UNDECIDED_TIMES,
    remindBeforeEventMs: REMIND_BEFORE_EVENT_MS,
    commission: { basisPoints: 1_000, isGstRegistered: true },
    payoutTimes: null,
    findAlternatives: async () => [],
    numberReceipt: async (tx, receipt) => {
      await numberReceipt(tx, receipt)
    },
    lockQuotedSale: async () => null,
    faultPoint: () => {},
    findStanding: async () => ({ takesBookings: true, mayApprove: true }),
    tellOperators: async () => {},
  })
  return { deps, close: () => liveUpdates.close() }
}

/** Settles a payment as its webhook does once the provider has answered. */
export async function settleBooking(deps: BookingDeps, nth: number): Promise<void> {
  const settled = await applySnapshot(deps, provider, {
    reference: `reference-${marker(nth)}`,
    state: 'succeeded',
    amountCents: PRICE,
    currency: 'aud',
    refundedCents: 0,
    paymentId: `payment-${marker(nth)}`,
    lastError: null,
  })
  if (!settled.ok || !settled.purchaseId) throw new Error(NO_BOOKING)
}

type Statement = { text: string; parameters: readonly unknown[] }
/** The statements of one settlement, and the ids that it made up. */
export type Template = { nth: number; statements: Statement[]; ids: string[] }

/** Records the statements of a settlement, its begin and commit included. */
export async function captureSettlement(url: string, nth: number): Promise<Template> {
  let isCapturing = false
  const statements: Statement[] = []
  const connection = openPostgres(url, () => {}, {
    onStatement({ query }) {
      if (isCapturing) statements.push({ text: query.sql, parameters: query.parameters })
    },
  })
  const { deps, close } = await createDeps(connection)
  try {
    isCapturing = true
    await settleBooking(deps, nth)
    isCapturing = false
    const texts = statements.flatMap(({ parameters }) =>
      parameters.filter((one): one is string => typeof one === 'string'),
    )
    const ids = new Set(texts.flatMap((text) => text.match(/\b[0-9a-hjkmnp-z]{26}\b/g) ?? []))
    return { nth, statements, ids: [...ids] }
  } finally {
    await close()
    await connection.close()
  }
}

/** Sends the statements of the template for another payment, as a program without our code would. */
export async function settleBookingBare(pool: pg.Pool, template: Template, nth: number): Promise<void> {
  const values: [string, string][] = [
    [marker(template.nth), marker(nth)],
    [vendorOf(template.nth), vendorOf(nth)],
    ...template.ids.map((id): [string, string] => [id, newId()]),
  ]
  const fill = (value: unknown) =>
    typeof value === 'string' ? values.reduce((text, [from, to]) => text.replaceAll(from, to), value) : value
  const client = await pool.connect()
  try {
    for (const { text, parameters } of template.statements) {
      await client.query(text, parameters.map(fill))
    }
  } finally {
    client.release()
  }
}
