import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import {
  defaultAvailability,
  eventSpan,
  occupiedSpan,
  type SlotRequest,
} from '../app/features/availability/rules.ts'
import { CATEGORIES, type Category } from '../app/features/businesses/rules.ts'
import { selectPayments } from '../app/features/payments/queries.server.ts'
import type { PaymentState } from '../app/features/payments/rules.ts'
import { writtenSpan } from '../app/features/sales/rules.ts'
import { newId } from '../app/shared/ids.ts'
import { openTestDatabase, type TestConnection } from './database.ts'

/** 0010_availability.sql on an older database: it creates the slots of existing bookings and payments. */

const SLOTS = '0010_availability.sql'
const folder = mkdtempSync(join(tmpdir(), 'jubilee-migrations-'))
let connection: TestConnection

beforeAll(async () => {
  cpSync('database/migrations', folder, { recursive: true })
  for (const name of readdirSync(folder)) if (name >= SLOTS) rmSync(join(folder, name))
  connection = await openTestDatabase('nothing')
  await migrate(connection, folder)
})
afterAll(async () => {
  await connection.close()
  rmSync(folder, { recursive: true, force: true })
})

async function aBusinessOf(category: Category, zone = 'Australia/Melbourne') {
  const id = `business-${newId(8)}`
  const { db } = connection
  await sql`insert into places (id, name, state, latitude, longitude, time_zone)
    values (${zone}, 'Somewhere', 'VIC', 0, 0, ${zone}) on conflict do nothing`.execute(db)
  await sql`insert into businesses (id, user_id, name, category, description, price_cents, price_unit, booking_types,
      place_id, services_offered, seo_title, seo_description)
    values (${id}, 'owner', 'It', ${category}, 'It.', 4550, 'perPerson', '{perPerson,perHour}', ${zone}, '{a}', '', '')
  `.execute(db)
  return { id, category, zone }
}

let minutes = 0
async function aPayment(
  business: { id: string; zone: string },
  slotRequest: SlotRequest,
  state: PaymentState,
  status: 'pending' | 'approved' | 'declined' | 'withdrawn' | null,
) {
  const id = newId()
  const { db } = connection
  minutes += 1
  const at = new Date(Date.parse('2026-11-20T01:00:00Z') + minutes * 60_000).toISOString()
  await sql`insert into payments (id, submit_key, provider, amount_cents, state, draft, sold, owner_user_id, link_hash,
      terms_version, expires_at, created_at)
    values (${id}, ${id}, 'sandbox', 45500, ${state}, ${JSON.stringify({ ...slotRequest, fullName: 'Kim Lee' })},
      ${JSON.stringify({ businessId: business.id, timeZone: business.zone })}, 'owner', ${id}, '', ${at}, ${at})
  `.execute(db)
  if (!status) return { paymentId: id, bookingId: null }
  const bookingId = newId()
  await sql`insert into bookings (id, payment_row_id, vendor_id, vendor_name, customer_name, email, phone, date, time,
      quantity, booking_type, total_price_cents, payment_id, status, remind_at, decide_by, created_at)
    values (${bookingId}, ${id}, ${business.id}, 'It', 'Kim Lee', 'kim@example.com', '1', ${slotRequest.date}, ${slotRequest.time},
      ${slotRequest.quantity}, ${slotRequest.bookingType}, 45500, ${id}, ${status}, ${at}, ${at}, ${at})
  `.execute(db)
  return { paymentId: id, bookingId }
}

it('the migration creates a slot for every active booking and payment, even if two overlap', async () => {
  const { db } = connection
  const perPerson = { date: '2027-03-13', time: '16:00', bookingType: 'perPerson', quantity: 10 } as const
  const perHour = { date: '2027-07-01', time: '09:30', bookingType: 'perHour', quantity: 3 } as const
  const kept = []
  for (const category of CATEGORIES) {
    const business = await aBusinessOf(category)
    for (const slotRequest of [perPerson, perHour]) {
      kept.push({ business, slotRequest, ...(await aPayment(business, slotRequest, 'paid', 'approved')) })
    }
  }
  const perth = await aBusinessOf('Venues', 'Australia/Perth')
  const first = {
    business: perth,
    slotRequest: perPerson,
    ...(await aPayment(perth, perPerson, 'paid', 'pending')),
  }
  // The second starts two hours later, within the first. The open payment overlaps both.
  const second = { ...first, slotRequest: { ...perPerson, time: '18:00' } }
  Object.assign(second, await aPayment(perth, second.slotRequest, 'paid', 'pending'))
  const open = { ...first, slotRequest: { ...perPerson, time: '20:00' } }
  Object.assign(open, await aPayment(perth, open.slotRequest, 'open', null))
  const charging = { ...first, slotRequest: { ...perPerson, date: '2027-03-20' } }
  Object.assign(charging, await aPayment(perth, charging.slotRequest, 'processing', null))
  for (const status of ['declined', 'withdrawn'] as const) await aPayment(perth, perPerson, 'paid', status)
  for (const state of ['expired', 'cancelled', 'failed'] as const)
    await aPayment(perth, perPerson, state, null)

  expect(await migrate(connection, 'database/migrations')).toContain(SLOTS)

  const slots = await db
    .selectFrom('slots')
    .selectAll()
    .select([
      sql<Date>`lower(event)`.as('event_from'),
      sql<Date>`upper(event)`.as('event_until'),
      sql<Date>`lower(during)`.as('taken_from'),
      sql<Date>`upper(during)`.as('taken_until'),
    ])
    .execute()
  const all = [...kept, first, second, open, charging]
  expect(slots).toHaveLength(all.length)
  for (const { business, slotRequest, paymentId, bookingId } of all) {
    const rules = defaultAvailability(business.category, business.zone)
    const event = eventSpan(rules, slotRequest)
    const occupied = occupiedSpan(rules, event)
    const slot = slots.find((one) => one.payment_id === paymentId)
    expect(slot, `${business.category} ${slotRequest.bookingType}`).toMatchObject({
      business_id: business.id,
      booking_id: bookingId,
      kind: bookingId ? 'booking' : 'hold',
      time_zone: business.zone,
      event_from: event.from,
      event_until: event.until,
      taken_from: occupied.from,
      taken_until: occupied.until,
    })
    const payment = await selectPayments(db).where('payments.id', '=', paymentId).executeTakeFirstOrThrow()
    expect(payment.sale).toMatchObject({ event: writtenSpan(event), occupied: writtenSpan(occupied) })
    expect(slot?.expires_at ?? null).toEqual(payment.state === 'open' ? payment.expires_at : null)
  }
  const claims = [first, second, open, charging].map(
    ({ paymentId }) => slots.find((slot) => slot.payment_id === paymentId)?.is_exclusive,
  )
  expect(claims).toEqual([true, false, false, true])
})
