import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import type { SecondPersonAct } from '../app/features/operators/act-rules.ts'
import { APPROVAL_ACTS, MONEY_APPROVALS } from '../app/features/operators/act-rules.ts'
import { listOpenApprovals } from '../app/features/operators/approval-queries.server.ts'
import { openTestDatabase, type TestConnection } from './database.ts'

/**
 * 0072_approvals.sql on an older database, and 0082_orders_of_before.sql, which drops the bridge to the version before: orders that
 * were placed before 0072 or beside it, under either version, wait on or stay as they ended.
 */

const APPROVALS = '0072_approvals.sql'
const WITHOUT_THE_BRIDGE = '0082_orders_of_before.sql'
const AT = '2026-11-20T01:00:00Z'
const folder = mkdtempSync(join(tmpdir(), 'jubilee-migrations-'))
let connection: TestConnection

beforeAll(async () => {
  connection = await openTestDatabase('nothing')
  await migratesUpTo(APPROVALS)
  for (const id of ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7']) await aPurchase(id)
  await placesAsBefore('old', { refund: 'p1', cancellation: 'p2' })
  // Past orders: dropped, confirmed by another, and carried out at once by one.
  const settled = sql`settled_by = 'two', settled_at = ${AT}`
  const { db } = connection
  await aRefund('dropped', 'p3')
  await sql`update refund_orders set ${settled}, outcome = 'dropped' where id = 'dropped'`.execute(db)
  await aPayoutOrder('confirmed', 'b-p3')
  await sql`update payout_orders set ${settled}, outcome = 'done' where id = 'confirmed'`.execute(db)
  await aPayoutOrder('alone', 'b-p4')
  await sql`update payout_orders set settled_by = 'one', settled_at = ${AT}, outcome = 'done' where id = 'alone'`.execute(
    db,
  )
  await migratesUpTo(WITHOUT_THE_BRIDGE)
  // The version before and the one after place and settle beside each other.
  await placesAsBefore('late', { refund: 'p5', cancellation: 'p6' })
  await aRefund('late-dropped', 'p7')
  await settles('late-dropped', 'dropped')
  await migrate(connection, 'database/migrations')
})
afterAll(async () => {
  await connection.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Applies the migrations before this one. */
async function migratesUpTo(end: string): Promise<void> {
  cpSync('database/migrations', folder, { recursive: true })
  for (const name of readdirSync(folder)) if (name >= end) rmSync(join(folder, name))
  await migrate(connection, folder)
}

async function aPurchase(id: string) {
  const { db } = connection
  await sql`insert into payments (id, submit_key, provider, amount_cents, state, draft, sold, owner_user_id, link_hash,
      terms_version, expires_at, created_at)
    values (${id}, ${id}, 'sandbox', 45500, 'paid', '{}', '{"businessName": "The Hall"}', 'vendor', ${id}, '', ${AT}, ${AT})
  `.execute(db)
  await sql`insert into bookings (id, payment_row_id, vendor_id, vendor_name, customer_name, email, phone, date, time,
      quantity, booking_type, total_price_cents, payment_id, status, remind_at, decide_by, created_at)
    values (${`b-${id}`}, ${id}, 'x', 'The Hall', 'Kim Lee', 'kim@example.com', '1', '2027-03-13', '16:00', 10, 'perPerson',
      45500, ${id}, 'approved', ${AT}, ${AT}, ${AT})`.execute(db)
  await sql`insert into disputes (id, payment_id, provider, provider_dispute, status, funds, reason, amount_cents, is_charge_refundable,
      opened_at, checked_at)
    values (${`d-${id}`}, ${id}, 'sandbox', ${id}, 'needs_response', 'withdrawn', 'general', 45500, false, ${AT}, ${AT})`.execute(
    db,
  )
}

const placed = sql`'one', 'one@example.com', ${AT}`
const aRefund = (id: string, paymentId: string) =>
  sql`insert into refund_orders (id, kind, payment_id, subject_id, amount_cents, borne_by, reason, seen, placed_by,
      placed_by_email, placed_at)
    values (${id}, 'refund', ${paymentId}, ${paymentId}, 45500, 'operator', 'Cold.', '45500 left, 0 off', ${placed})`.execute(
    connection.db,
  )
const aPayoutOrder = (id: string, bookingId: string) =>
  sql`insert into payout_orders (id, kind, vendor_user_id, booking_id, amount_cents, reason, placed_by, placed_by_email, placed_at)
    values (${id}, 'write_off', 'vendor', ${bookingId}, 500, 'Closed.', ${placed})`.execute(connection.db)

/** Places one order of each kind as the version before 0072 does. */
async function placesAsBefore(name: string, purchases: { refund: string; cancellation: string }) {
  const { db } = connection
  await aRefund(`${name}-refund`, purchases.refund)
  await sql`insert into cancellation_orders (id, payment_id, side, refund, refund_cents, reason, placed_by, placed_by_email, placed_at)
    values (${`${name}-cancellation`}, ${purchases.cancellation}, 'customer', 'policy', 20000, 'Ill.', ${placed})`.execute(
    db,
  )
  await aPayoutOrder(`${name}-payout`, `b-${purchases.refund}`)
  await sql`insert into operator_namings (id, user_id, user_email, former_role, role, placed_by, placed_by_email, placed_at)
    values (${`${name}-naming`}, ${`user-${name}`}, 'kim@example.com', 'support', 'finance', ${placed})`.execute(
    db,
  )
  await sql`insert into dispute_answers (id, dispute_id, kind, reason, answered_status, placed_by, placed_by_email, placed_at, state)
    values (${`${name}-answer`}, ${`d-${purchases.refund}`}, 'acceptance', 'Ours.', 'needs_response', ${placed}, 'waiting')`.execute(
    db,
  )
}

const openOf = async (name: string) => {
  const acts: readonly SecondPersonAct[] = [...MONEY_APPROVALS, ...APPROVAL_ACTS.naming]
  const open = await listOpenApprovals(connection.db, acts)
  return open
    .filter(({ id }) => id.startsWith(`${name}-`))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

const settles = (id: string, outcome: string) =>
  sql`update approvals set settled_by = 'two', settled_by_email = 'two@example.com', settled_at = ${AT}, outcome = ${outcome}
    where id = ${id} and settled_at is null`.execute(connection.db)

const asked = { askedBy: 'one', askedByEmail: 'one@example.com', askedAt: '2026-11-20T01:00:00.000Z' }
const lasts = { expiresAt: '2026-11-23T01:00:00.000Z' }
const expected = (name: string, refund: string, cancellation: string) => [
  {
    ...{ id: `${name}-answer`, act: 'accept-dispute', subjectKind: 'dispute', subjectId: `d-${refund}` },
    ...{
      firstPaymentId: null,
      label: 'The Hall',
      amountCents: 45_500,
      payload: {},
      reason: 'Ours.',
      seen: '',
    },
    ...{ ...asked, expiresAt: null },
  },
  {
    ...{
      id: `${name}-cancellation`,
      act: 'cancel-booking',
      subjectKind: 'purchase',
      subjectId: cancellation,
    },
    ...{
      firstPaymentId: cancellation,
      label: 'The Hall',
      amountCents: 20_000,
      reason: 'Ill.',
      seen: '20000',
    },
    ...{ payload: { side: 'customer', refund: 'policy' }, ...asked, ...lasts },
  },
  {
    ...{ id: `${name}-naming`, act: 'change-role', subjectKind: 'account', subjectId: `user-${name}` },
    ...{ firstPaymentId: null, label: 'kim@example.com', amountCents: 0, reason: '', seen: '' },
    ...{ payload: { formerRole: 'support', role: 'finance' }, ...asked, ...lasts },
  },
  {
    ...{ id: `${name}-payout`, act: 'order-payout', subjectKind: 'write_off', subjectId: `b-${refund}` },
    ...{ firstPaymentId: refund, label: 'The Hall', amountCents: 500, reason: 'Closed.', seen: '' },
    ...{
      payload: { kind: 'write_off', bookingId: `b-${refund}`, vendorUserId: 'vendor' },
      ...asked,
      ...lasts,
    },
  },
  {
    ...{ id: `${name}-refund`, act: 'refund', subjectKind: 'purchase', subjectId: refund },
    ...{ firstPaymentId: refund, label: 'The Hall', amountCents: 45_500, reason: 'Cold.' },
    ...{ seen: '45500 left, 0 off', payload: { paymentId: refund, borneBy: 'operator' }, ...asked, ...lasts },
  },
]

describe('the orders of before', () => {
  it('wait on as approvals with the same ids, read by the schemas of their acts', async () => {
    expect(await openOf('old')).toEqual(expected('old', 'p1', 'p2'))
    expect(await openOf('late')).toEqual(expected('late', 'p5', 'p6'))
  })

  it('keep their outcome, and those that one person alone carried out are no approvals', async () => {
    const rows = await connection.db
      .selectFrom('approvals')
      .select(['id', 'outcome', 'settled_by'])
      .where('id', 'in', ['dropped', 'confirmed', 'alone', 'late-dropped'])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { id: 'confirmed', outcome: 'done', settled_by: 'two' },
      { id: 'dropped', outcome: 'dropped', settled_by: 'two' },
      { id: 'late-dropped', outcome: 'dropped', settled_by: 'two' },
    ])
  })

  it('leave no row of what waits where only what took effect is recorded', async () => {
    const { db } = connection
    const orders = await db.selectFrom('payout_orders').select(['id', 'outcome']).orderBy('id').execute()
    expect(orders).toEqual([
      { id: 'alone', outcome: 'done' },
      { id: 'confirmed', outcome: 'done' },
    ])
    expect(await db.selectFrom('operator_namings').select('id').execute()).toEqual([])
    // An answer to a dispute has states of its own.
    const answers = await db.selectFrom('dispute_answers').select(['id', 'state']).orderBy('id').execute()
    expect(answers).toEqual([
      { id: 'late-answer', state: 'waiting' },
      { id: 'old-answer', state: 'waiting' },
    ])
  })

  it('can be confirmed and recorded under the ids that they were placed with', async () => {
    await settles('old-payout', 'done')
    await aPayoutOrder('old-payout', 'b-p1')
    await settles('old-refund', 'done')
    const open = [...(await openOf('old')), ...(await openOf('late'))].map(({ id }) => id)
    expect(open).not.toContain('old-payout')
    expect(open).not.toContain('old-refund')
    expect(open).toHaveLength(8)
  })
})
