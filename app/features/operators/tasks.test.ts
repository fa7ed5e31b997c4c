import { sql, type Updateable } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { booked, business, decide, deps, setBookingStage, world } from '../../../tests/booking-stage.ts'
import { leavesAsIs } from '../../../tests/leaves-as-is.ts'
import {
  aDispute,
  addPayout,
  aReport,
  aRestrictedVendor,
  aReturnedPayout,
  aReturnedRefund,
  aWaitingRefund,
} from '../../../tests/monday-stage.ts'
import {
  OPERATOR,
  paysOtherwiseAsOperator,
  refundsAsOperator,
  SECOND_OPERATOR,
} from '../../../tests/payout-stage.ts'
import type { Tables } from '../../adapters/database/port.ts'
import type { LiveTopic } from '../../adapters/live-updates/port.ts'
import { wallTimeToUtc } from '../../shared/dates.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { NOT_CREATED } from '../sales/plan-rules.ts'
import { OPERATIONS_ZONE } from './messages.ts'
import { closeReport } from './report-commands.server.ts'
import type { Role } from './role-rules.ts'
import { ORDER_LIFE_MS, STUCK_AFTER_MS } from './rules.ts'
import { forgetMarks, giveBackTask, noteEndedTasks, noteTask, takeTask } from './task-commands.server.ts'
import { dueText, taskWords } from './task-messages.ts'
import { findOperatorTask, listOperatorTasks, type TaskReader } from './task-queries.server.ts'
import {
  CALL_MS,
  ENDED_MARK_LIFE_MS,
  inTaskOrder,
  MARK_LIFE_MS,
  type OperatorTask,
  TASK_MS,
  type TaskKind,
  VENDORS_ROWS,
} from './task-rules.ts'

setBookingStage()

const now = () => world.clock.now()
const reader = (given: Partial<TaskReader> = {}): TaskReader => ({
  userId: OPERATOR.userId,
  role: 'admin',
  now: now(),
  payouts: { provider: 'sandbox', holdLimitMs: 85 * DAY_MS },
  jobs: [],
  ...given,
})
const tasks = (given: Partial<TaskReader> = {}) => listOperatorTasks(world.db, reader(given))
const tasksOf = async (key: string, given: Partial<TaskReader> = {}) =>
  (await tasks(given)).filter((task) => task.key === key)

/** Ends what earlier tests have left open. */
beforeEach(async () => {
  await world.db.updateTable('disputes').set({ closed_at: now() }).where('closed_at', 'is', null).execute()
  await world.db
    .updateTable('payment_actions')
    .set({ resolution: 'paid_otherwise', resolved_at: now() })
    .where('provider_status', '=', 'failed')
    .execute()
  await world.db.updateTable('payout_accounts').set({ state: 'active' }).execute()
  await world.db.updateTable('bank_payouts').set({ state: 'paid' }).execute()
  await world.db
    .updateTable('conversation_reports')
    .set({ closed_at: now(), outcome: 'Done.' })
    .where('closed_at', 'is', null)
    .execute()
  await world.db
    .updateTable('approvals')
    .set({ settled_at: now(), outcome: 'expired' })
    .where('settled_at', 'is', null)
    .execute()
  await world.db
    .updateTable('bookings')
    .set({ status: 'approved', decided_at: now() })
    .where('status', '=', 'pending')
    .execute()
  expect(await tasks()).toEqual([])
})

describe('the operators’ Monday', () => {
  it('stands in the order in which it is due, then by money, with names, amounts and one action each', async () => {
    // The refund came back on Saturday; the clock is moved to Monday, 30 November, noon in Sydney.
    const refund = await aReturnedRefund()
    world.clock.forward(wallTimeToUtc('2026-11-30', '12:00', OPERATIONS_ZONE).getTime() - now().getTime())
    await world.db
      .updateTable('payment_actions')
      .set({ done_at: wallTimeToUtc('2026-11-28', '18:00', OPERATIONS_ZONE) })
      .where('id', '=', refund.refundId)
      .execute()
    const dispute = await aDispute(9)
    const restricted = await aRestrictedVendor(wallTimeToUtc('2026-11-30', '23:00', OPERATIONS_ZONE), 783_000)
    const returned = await aReturnedPayout()
    const report = await aReport()
    const approval = await aWaitingRefund()
    const jobs = [{ name: 'send-mail', waiting: 0, running: 0, failed: 2 }]
    const listed = (await tasks({ jobs })).map((task) => ({
      title: taskWords(task).title,
      action: taskWords(task).action,
      due: dueText(task, now()).text,
      cents: task.cents,
      to: task.to,
    }))
    expect(listed).toEqual([
      {
        title: 'A refund to Kim Lee came back',
        action: 'Pay it back',
        due: 'Overdue since 29 November',
        cents: 45_500,
        to: `/operations/payments/${refund.paymentId}`,
      },
      {
        title: 'The job send-mail failed',
        action: 'See the jobs',
        due: 'Due today',
        cents: null,
        to: '/operations#health',
      },
      {
        title: 'Payouts to Harbour Light are paused',
        action: 'See the vendor',
        due: 'Due today',
        cents: 704_700,
        to: `/operations/vendors/${restricted.userId}`,
      },
      {
        title: 'Refund: The Walled Garden',
        action: 'See it',
        due: 'Due tomorrow, 12:00 pm',
        cents: 10_000,
        to: `/operations/payments/${approval.paymentId}`,
      },
      {
        title: 'A conversation of Robin Vale was reported',
        action: 'Read the report',
        due: 'Due tomorrow',
        cents: null,
        to: `/operations/reports/${report.reportId}`,
      },
      {
        title: 'A bank returned a payout to Harbour Light',
        action: 'See the vendor',
        due: 'Due tomorrow',
        cents: 234_500,
        to: `/operations/vendors/${returned.userId}`,
      },
      {
        title: 'Kim Lee’s bank disputes a payment',
        action: 'Answer',
        due: 'Due Wednesday 9 December, 12:00 pm',
        cents: 45_500,
        to: `/operations/disputes/${dispute.disputeId}`,
      },
    ])
  })

  it('orders a day by money, and equal money by the moment, with what only vendors can end last', () => {
    const task = (key: string, by: string, cents: number | null, kind: TaskKind = 'report') => ({
      ...{ key, by, cents, kind },
      isDeadline: false,
    })
    const midnight = wallTimeToUtc('2026-12-01', '00:00', OPERATIONS_ZONE)
    const before = new Date(midnight.getTime() - 1).toISOString()
    const given = [
      task('next day', midnight.toISOString(), 900),
      task('vendor’s', before, 900, 'restricted'),
      task('no money', before, null),
      task('later', before, 500),
      task('earlier', new Date(midnight.getTime() - 2).toISOString(), 500),
      task('most', before, 501),
    ]
    const keysAt = (now: Date) => inTaskOrder(given, { now, timeZone: OPERATIONS_ZONE }).map(({ key }) => key)
    expect(keysAt(new Date(before))).toEqual(['most', 'earlier', 'later', 'no money', 'vendor’s', 'next day'])
    // Once both days are over, what only vendors can end comes after both.
    expect(keysAt(new Date(midnight.getTime() + DAY_MS)).slice(-2)).toEqual(['next day', 'vendor’s'])
  })

  it('counts a deadline before noon as due the day before, and says its time and when it is over', () => {
    const by = (time: string) => wallTimeToUtc('2026-12-02', time, OPERATIONS_ZONE).toISOString()
    const deadline = (time: string, key = time) => ({
      ...{ key, by: by(time), kind: 'dispute' as const },
      ...{ cents: null, isDeadline: true },
    })
    const at = (date: string, time: string) => wallTimeToUtc(date, time, OPERATIONS_ZONE)
    const eve = at('2026-12-01', '15:00')
    expect(dueText(deadline('11:59'), eve)).toEqual({ text: 'Due tomorrow, 11:59 am', isSoon: true })
    expect(dueText(deadline('12:00'), eve)).toEqual({ text: 'Due tomorrow, 12:00 pm', isSoon: false })
    expect(dueText(deadline('09:00'), at('2026-12-02', '08:59')).text).toBe('Due today, 9:00 am')
    expect(dueText(deadline('09:00'), at('2026-12-02', '09:00'))).toEqual({
      text: 'Deadline passed',
      isSoon: true,
    })
    expect(dueText({ ...deadline('09:00'), kind: 'report', isDeadline: false }, eve).text).toBe(
      'Due tomorrow',
    )
    const richer = { ...deadline('23:00'), cents: 900_000 }
    const order = { now: eve, timeZone: OPERATIONS_ZONE }
    expect(inTaskOrder([richer, deadline('09:00')], order).map(({ key }) => key)).toEqual(['09:00', '23:00'])
  })

  it('has no vendor without money, and few of those whom only they or their bank can help', async () => {
    await aRestrictedVendor(null, 0)
    expect(await tasks()).toEqual([])
    const dispute = await aDispute()
    for (let i = 0; i < VENDORS_ROWS + 1; i++) await aReturnedPayout()
    world.clock.forward(2 * DAY_MS)
    await world.db
      .updateTable('disputes')
      .set({ evidence_due_at: new Date(now().getTime() - DAY_MS) })
      .where('id', '=', dispute.disputeId)
      .execute()
    const listed = await tasks()
    expect(listed.map(({ kind }) => kind)).toEqual(['dispute', ...Array(VENDORS_ROWS).fill('returned')])
    const shown = new Set(listed.map(({ key }) => key))
    const rows = await world.db
      .selectFrom('bank_payouts')
      .select('id')
      .where('state', '=', 'failed')
      .execute()
    const [hidden] = rows.map(({ id }) => `returned:${id}`).filter((key) => !shown.has(key))
    // It isn't shown, and is a task all the same.
    expect(await findOperatorTask(world.db, hidden ?? '', reader())).toMatchObject({ key: hidden })
  })
})

describe('a task leaves the list', () => {
  it('when a refund that came back is paid another way', async () => {
    const { refundId } = await aReturnedRefund()
    const [task] = await tasks()
    expect(task).toMatchObject({
      kind: 'refund',
      cents: 45_500,
      by: new Date(now().getTime() + TASK_MS).toISOString(),
    })
    const paid = { operator: OPERATOR, refundId, reference: 'BSB', reason: 'Osko' }
    expect(await paysOtherwiseAsOperator(deps, paid)).toMatchObject({ ok: true })
    expect(await tasks()).toEqual([])
  })

  it('when the bank has our answer, and while a second person has to confirm one', async () => {
    const { disputeId } = await aDispute()
    expect(await tasks()).toMatchObject([{ kind: 'dispute' }])
    await world.db
      .updateTable('disputes')
      .set({ status: 'under_review' })
      .where('id', '=', disputeId)
      .execute()
    expect(await tasks()).toEqual([])
  })

  it('when the provider has our answer, and not while sending it fails', async () => {
    const { disputeId } = await aDispute()
    const answerId = newId()
    await world.db
      .insertInto('dispute_answers')
      .values({
        ...{ id: answerId, dispute_id: disputeId, kind: 'acceptance', texts: null, reason: 'Small.' },
        ...{ answered_status: 'needs_response', state: 'claimed', claimed_at: now() },
        ...{ placed_by: OPERATOR.userId, placed_by_email: OPERATOR.email, placed_at: now() },
        ...{ settled_by: OPERATOR.userId, settled_by_email: OPERATOR.email, settled_at: now() },
        ...{ provider_receipt: null, last_error: null, sent_at: null },
      })
      .execute()
    const sending = (last_error: string | null) =>
      world.db.updateTable('dispute_answers').set({ last_error }).where('id', '=', answerId).execute()
    expect(await tasks()).toEqual([])
    await sending('no answer')
    expect(await tasks()).toMatchObject([{ key: `dispute:${disputeId}` }])
    await sending(null)
    expect(await tasks()).toEqual([])
  })

  it('when the provider pays a vendor again, or their bank takes the next payout', async () => {
    const restricted = await aRestrictedVendor()
    const returned = await aReturnedPayout()
    expect((await tasks()).map(({ kind }) => kind).toSorted()).toEqual(['restricted', 'returned'])
    await world.db
      .updateTable('payout_accounts')
      .set({ state: 'active' })
      .where('vendor_user_id', '=', restricted.userId)
      .execute()
    await addPayout(returned.userId, 'in_transit')
    expect(await tasks()).toEqual([])
  })

  it('when a report is closed', async () => {
    const { reportId } = await aReport()
    expect(await tasks()).toMatchObject([{ kind: 'report', about: 'Sailmakers’ Loft' }])
    const using = { ...deps, endQuotes: async () => {} }
    await closeReport(using, { operator: OPERATOR, reportId, outcome: 'Spoke to both.', block: null })
    expect(await tasks()).toEqual([])
  })

  it('when an approval expires', async () => {
    await aWaitingRefund()
    const [task] = await tasks()
    const asked = now().getTime()
    expect(task).toMatchObject({ by: new Date(asked + TASK_MS).toISOString(), isDeadline: false })
    const expiry = asked + ORDER_LIFE_MS
    expect(await tasks({ now: new Date(expiry - 1) })).toHaveLength(1)
    expect(await tasks({ now: new Date(expiry) })).toEqual([])
  })
})

describe('a refund that came back', () => {
  it('says that a deleted customer has no address to ask, unless they had named an account', async () => {
    const { paymentId, refundId } = await aReturnedRefund()
    const detail = async () => (await tasks()).map((task) => taskWords(task).detail)
    expect(await detail()).toEqual(['The Walled Garden'])
    await world.db.updateTable('sales').set({ customer_email: '' }).where('id', '=', paymentId).execute()
    expect(await detail()).toEqual([
      'The Walled Garden. Their account is deleted, so there’s no address to ask',
    ])
    await world.db
      .insertInto('refund_accounts')
      .values({
        ...{ refund_id: refundId, sealed: 'x', masked: 'PayID', given_at: now() },
        ...{ replaced_at: null, opened_by: null, opened_at: null },
      })
      .execute()
    expect(await detail()).toEqual(['The Walled Garden'])
  })

  it('disappears while the bank decides a dispute', async () => {
    const { paymentId } = await aReturnedRefund()
    const dispute = await aDispute()
    await world.db
      .updateTable('disputes')
      .set({ payment_id: paymentId })
      .where('id', '=', dispute.disputeId)
      .execute()
    expect((await tasks()).map(({ kind }) => kind)).toEqual(['dispute'])
    await world.db
      .updateTable('disputes')
      .set({ status: 'won', funds: 'reinstated', closed_at: now() })
      .where('id', '=', dispute.disputeId)
      .execute()
    expect((await tasks()).map(({ kind }) => kind)).toEqual(['refund'])
  })
})

describe('a refund that doesn’t leave', () => {
  const ordered = async () => {
    const payment = await booked()
    await refundsAsOperator(deps, {
      ...{ operator: OPERATOR, paymentId: payment.paymentId, amountCents: 10_000, reason: 'Cold.' },
    })
    const { id } = await world.db
      .updateTable('payment_actions')
      .set({ state: 'due', done_at: null, provider_status: null, provider_refund: null, due_at: now() })
      .where('payment_id', '=', payment.paymentId)
      .returning('id')
      .executeTakeFirstOrThrow()
    return { ...payment, refundId: id, dueAt: now().getTime() }
  }

  it('appears after the time at which it should have left, until it has', async () => {
    const { refundId, paymentId, dueAt } = await ordered()
    const key = `unsent:${refundId}`
    const atAge = (ms: number) => tasksOf(key, { now: new Date(dueAt + ms) })
    expect(await atAge(STUCK_AFTER_MS)).toEqual([])
    expect(await atAge(STUCK_AFTER_MS + 1)).toMatchObject([
      {
        cents: 10_000,
        by: new Date(dueAt + TASK_MS).toISOString(),
        to: `/operations/payments/${paymentId}`,
      },
    ])
    await world.db
      .updateTable('payment_actions')
      .set({ state: 'done', provider_status: 'succeeded', done_at: now() })
      .where('id', '=', refundId)
      .execute()
    expect(await atAge(STUCK_AFTER_MS + 1)).toEqual([])
  })

  it('appears at once if the provider refuses it, and never during a dispute', async () => {
    const { refundId, paymentId } = await ordered()
    const key = `unsent:${refundId}`
    await world.db
      .updateTable('payment_actions')
      .set({ state: 'claimed', claimed_at: now(), last_error: 'no' })
      .where('id', '=', refundId)
      .execute()
    expect(await tasksOf(key)).toHaveLength(1)
    expect(await tasksOf(key, { role: 'support' })).toEqual([])
    const { disputeId } = await aDispute()
    await world.db
      .updateTable('disputes')
      .set({ payment_id: paymentId })
      .where('id', '=', disputeId)
      .execute()
    expect(await tasksOf(key)).toEqual([])
    await world.db
      .updateTable('payment_actions')
      .set({ state: 'cancelled' })
      .where('id', '=', refundId)
      .execute()
  })
})

describe('a balance that can’t be charged', () => {
  it('appears until the provider takes its payment', async () => {
    const { paymentId } = await booked()
    const dueAt = now()
    const { id } = await world.db
      .insertInto('instalments')
      .values({
        ...{ id: newId(), payment_id: paymentId, number: 2, amount_cents: 40_000, due_at: dueAt },
        ...{ state: 'charging', decline_code: NOT_CREATED, created_at: dueAt },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const key = `instalment:${id}`
    expect(await tasksOf(key)).toMatchObject([
      { cents: 40_000, by: new Date(dueAt.getTime() + TASK_MS).toISOString() },
    ])
    expect((await tasksOf(key)).map((task) => taskWords(task).title)).toEqual([
      'Kim Lee’s balance can’t be charged',
    ])
    expect(await tasksOf(key, { role: 'support' })).toEqual([])
    const sets = (change: Updateable<Tables['instalments']>) =>
      world.db.updateTable('instalments').set(change).where('id', '=', id).execute()
    await sets({ decline_code: 'expired_card' })
    expect(await tasksOf(key)).toEqual([])
    await sets({ decline_code: NOT_CREATED, state: 'paid' })
    expect(await tasksOf(key)).toEqual([])
  })
})

describe('a booking without an answer', () => {
  it('appears for its last six hours and leads to its vendor', async () => {
    const { bookingId } = await booked()
    const { decide_by: end } = await world.db
      .selectFrom('bookings')
      .select('decide_by')
      .where('id', '=', bookingId)
      .executeTakeFirstOrThrow()
    const key = `unanswered:${bookingId}`
    const inTheLast = (ms: number) => tasksOf(key, { now: new Date(end.getTime() - ms) })
    expect(await inTheLast(CALL_MS + 1)).toEqual([])
    expect(await inTheLast(CALL_MS)).toMatchObject([
      {
        cents: 45_500,
        by: end.toISOString(),
        isDeadline: true,
        to: `/operations/vendors/${business.user_id}`,
      },
    ])
    expect(await inTheLast(1)).toHaveLength(1)
    expect(await inTheLast(0)).toEqual([])
    const near = { now: new Date(end.getTime() - CALL_MS), role: 'support' as const }
    expect(await tasksOf(key, near)).toHaveLength(1)
    const sets = (change: Updateable<Tables['bookings']>) =>
      world.db.updateTable('bookings').set(change).where('id', '=', bookingId).execute()
    // A decline in its grace is an answer.
    await sets({ tells_at: end })
    expect(await inTheLast(CALL_MS)).toEqual([])
    await sets({ tells_at: null, status: 'approved' })
    expect(await inTheLast(CALL_MS)).toEqual([])
  })
})

describe('money that can’t be held longer', () => {
  it('stands in the list until its limit ends, and after it', async () => {
    const { bookingId } = await booked()
    const limit = { provider: 'sandbox', holdLimitMs: 8 * DAY_MS }
    const near = { payouts: limit, now: new Date(now().getTime() + 2 * DAY_MS) }
    const by = new Date(now().getTime() + limit.holdLimitMs).toISOString()
    expect(await tasksOf(`hold:${bookingId}`, near)).toMatchObject([{ kind: 'hold', cents: 45_500, by }])
    const late = { payouts: limit, now: new Date(now().getTime() + 9 * DAY_MS) }
    expect(await tasksOf(`hold:${bookingId}`, late)).toHaveLength(1)
    expect(await tasksOf(`hold:${bookingId}`, { payouts: null })).toEqual([])
  })
})

describe('open overviews', () => {
  it('hear of each task that comes, changes or ends', async () => {
    const told: LiveTopic[] = []
    const stop = deps.liveUpdates.subscribe(['operations:tasks'], (topic) => told.push(topic))
    const tells = async (what: string, act: () => Promise<unknown>) => {
      await act()
      await expect.poll(() => told.length, { timeout: 1_000, message: what }).toBeGreaterThan(0)
      // News arrives in the order of the commits: what belongs to this act has arrived before the mark's.
      const marker: LiveTopic = `clock:${newId()}`
      const heard: LiveTopic[] = []
      const end = deps.liveUpdates.subscribe([marker], (topic) => heard.push(topic))
      await world.db.transaction().execute((tx) => deps.liveUpdates.publish(tx, marker))
      await expect.poll(() => heard.length).toBe(1)
      end()
      told.length = 0
    }
    const sets = <Table extends 'disputes' | 'payment_actions' | 'instalments'>(
      table: Table,
      id: string,
      change: object,
    ) =>
      sql`update ${sql.table(table)} set ${sql.join(
        Object.entries(change).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
      )} where id = ${id}`.execute(world.db)

    let dispute = await aDispute()
    told.length = 0
    await tells('a new dispute', async () => {
      dispute = await aDispute()
    })
    await tells('an answered dispute', () => sets('disputes', dispute.disputeId, { status: 'under_review' }))
    let refund: Awaited<ReturnType<typeof aReturnedRefund>> | undefined
    await tells('a returned refund', async () => {
      refund = await aReturnedRefund()
    })
    await tells('its settlement', () =>
      paysOtherwiseAsOperator(deps, {
        ...{ operator: OPERATOR, refundId: refund?.refundId ?? '', reference: 'BSB', reason: 'Osko' },
      }),
    )
    let vendor: Awaited<ReturnType<typeof aRestrictedVendor>> | undefined
    await tells('a paused vendor', async () => {
      vendor = await aRestrictedVendor()
    })
    await tells('a vendor who is paid again', () =>
      world.db
        .updateTable('payout_accounts')
        .set({ state: 'active' })
        .where('vendor_user_id', '=', vendor?.userId ?? '')
        .execute(),
    )
    await tells('a returned payout', () => addPayout(vendor?.userId ?? '', 'failed'))
    let report: Awaited<ReturnType<typeof aReport>> | undefined
    await tells('a report', async () => {
      report = await aReport()
    })
    await tells('a mark', () =>
      takeTask(world.db, {
        ...{ operator: OPERATOR, key: `report:${report?.reportId}`, expectedHolder: '', reader: reader() },
      }),
    )
    await tells('a closed report', () =>
      closeReport(
        { ...deps, endQuotes: async () => {} },
        { operator: OPERATOR, reportId: report?.reportId ?? '', outcome: 'Spoke to both.', block: null },
      ),
    )
    await tells('an approval', aWaitingRefund)
    const { paymentId, bookingId } = await booked()
    await tells('an answer', () => decide(bookingId, 'approved'))
    const instalment = newId()
    await world.db
      .insertInto('instalments')
      .values({
        ...{ id: instalment, payment_id: paymentId, number: 2, amount_cents: 40_000, due_at: now() },
        ...{ state: 'charging', decline_code: null, created_at: now() },
      })
      .execute()
    await tells('a balance that can’t be charged', () =>
      sets('instalments', instalment, { decline_code: NOT_CREATED }),
    )
    await tells('its charge', () => sets('instalments', instalment, { state: 'paid', decline_code: null }))
    stop()
  })
})

describe('each role', () => {
  it('sees what it may act on', async () => {
    await aReturnedRefund()
    await aDispute()
    await aRestrictedVendor()
    await aReport()
    await aWaitingRefund()
    const jobs = [{ name: 'send-mail', waiting: 1, running: 0, failed: 1 }]
    const kinds = async (role: Role) => (await tasks({ role, jobs })).map(({ kind }) => kind).toSorted()
    expect(await kinds('support')).toEqual(['job', 'report'])
    expect(await kinds('finance')).toEqual(['approval', 'dispute', 'job', 'refund', 'restricted'])
    expect(await kinds('admin')).toEqual(['approval', 'dispute', 'job', 'refund', 'report', 'restricted'])
    expect(
      await tasks({ jobs: [{ name: 'send-mail', waiting: 1, running: 1, failed: 0 }], role: 'support' }),
    ).toHaveLength(1)
  })

  it('knows its own approvals, which another person confirms', async () => {
    await aWaitingRefund()
    expect(await tasks()).toMatchObject([{ isOwn: true }])
    expect(await tasks({ userId: SECOND_OPERATOR.userId })).toMatchObject([{ isOwn: false }])
  })
})

describe('a mark', () => {
  const take = (operator: typeof OPERATOR, key: string, expectedHolder = '') =>
    takeTask(world.db, { operator, key, expectedHolder, reader: reader({ userId: operator.userId }) })
  const giveBack = (operator: typeof OPERATOR, key: string) =>
    giveBackTask(world.db, { operator, key, reader: reader({ userId: operator.userId }) })
  const note = (operator: typeof OPERATOR, key: string, text: string, expectedNote = '') =>
    noteTask(world.db, { operator, key, note: text, expectedNote, reader: reader() })
  const aTask = async (): Promise<OperatorTask> => {
    const { reportId } = await aReport()
    const [task] = await tasksOf(`report:${reportId}`)
    if (!task) throw new Error('no task')
    return task
  }
  const markOf = async (key: string) => (await tasksOf(key))[0]?.mark
  const logged = (key: string) =>
    world.db
      .selectFrom('operator_log')
      .select(['action', 'operator_email'])
      .where('subject_id', '=', key)
      .orderBy('created_at')
      .execute()

  it('goes to one of two operators who press at the same moment', async () => {
    const { key } = await aTask()
    const both = await Promise.all([take(OPERATOR, key), take(SECOND_OPERATOR, key)])
    expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true])
    expect(both).toContainEqual({ ok: false, reason: 'changed' })
    expect(await logged(key)).toMatchObject([{ action: 'take-task' }])
  })

  it('is logged by kind and business, without the customer’s name', async () => {
    const refund = await aReturnedRefund()
    const { key } = await aTask()
    for (const task of [key, `refund:${refund.refundId}`])
      expect(await take(OPERATOR, task)).toEqual({ ok: true })
    const labels = await world.db
      .selectFrom('operator_log')
      .select('subject_label')
      .where('subject_id', 'in', [key, `refund:${refund.refundId}`])
      .orderBy('subject_label')
      .execute()
    expect(labels.map(({ subject_label }) => subject_label)).toEqual([
      'Report: Sailmakers’ Loft',
      'Returned refund: The Walled Garden',
    ])
  })

  it('can be given back only by its holder, and taken over by a colleague who saw the holder', async () => {
    const { key } = await aTask()
    await take(OPERATOR, key)
    expect((await markOf(key))?.holder).toEqual(OPERATOR)
    expect(await leavesAsIs(world.db, 'giveBackTask', () => giveBack(SECOND_OPERATOR, key))).toEqual({
      ok: false,
      reason: 'changed',
    })
    expect(await leavesAsIs(world.db, 'takeTask', () => take(SECOND_OPERATOR, key))).toEqual({
      ok: false,
      reason: 'changed',
    })
    expect(await take(SECOND_OPERATOR, key, OPERATOR.userId)).toEqual({ ok: true })
    expect((await markOf(key))?.holder).toEqual(SECOND_OPERATOR)
    expect(await giveBack(SECOND_OPERATOR, key)).toEqual({ ok: true })
    expect((await markOf(key))?.holder).toBeNull()
    expect((await logged(key)).map(({ action }) => action)).toEqual([
      'take-task',
      'take-task',
      'give-back-task',
    ])
  })

  it('keeps a colleague’s note, and the holder', async () => {
    const { key } = await aTask()
    expect(await note(OPERATOR, key, 'Rang them.')).toEqual({ ok: true })
    expect(
      await leavesAsIs(world.db, 'noteTask', () => note(SECOND_OPERATOR, key, 'Wrote to them.')),
    ).toEqual({ ok: false, reason: 'changed' })
    await take(SECOND_OPERATOR, key)
    expect(await markOf(key)).toEqual({
      holder: SECOND_OPERATOR,
      note: 'Rang them.',
      notedBy: OPERATOR.email,
    })
    expect(await note(SECOND_OPERATOR, key, '', 'Rang them.')).toEqual({ ok: true })
    expect(await markOf(key)).toEqual({ holder: SECOND_OPERATOR, note: '', notedBy: null })
  })

  it('can’t be changed for a task that is done, unknown, or not shown to the role', async () => {
    const { key } = await aTask()
    const asFinance = { operator: OPERATOR, key, reader: reader({ role: 'finance' }) }
    const refused = { ok: false, reason: 'not_found' }
    for (const attempt of [
      () => takeTask(world.db, { ...asFinance, expectedHolder: '' }),
      () => giveBackTask(world.db, asFinance),
      () => noteTask(world.db, { ...asFinance, note: 'Mine.', expectedNote: '' }),
      () => take(OPERATOR, 'report:none'),
      () => take(OPERATOR, 'none'),
    ])
      expect(await leavesAsIs(world.db, 'markTask', attempt)).toEqual(refused)
  })

  it('ends a day after its task, and stays for one that comes back in time', async () => {
    const { key } = await aTask()
    await note(OPERATOR, key, 'Rang them.')
    const facts = () => {
      const { userId: _, role: __, ...rest } = reader()
      return rest
    }
    const report = key.slice('report:'.length)
    const sets = (closed_at: Date | null) =>
      world.db
        .updateTable('conversation_reports')
        .set({ closed_at, outcome: closed_at && 'Done.' })
        .where('id', '=', report)
        .execute()
    const run = async () => {
      await noteEndedTasks(world.db, facts())
      await forgetMarks(world.db, now())
    }
    await run()
    await sets(now())
    await run()
    world.clock.forward(ENDED_MARK_LIFE_MS - 1)
    await run()
    await sets(null)
    expect((await markOf(key))?.note).toBe('Rang them.')
    await run()
    world.clock.forward(ENDED_MARK_LIFE_MS)
    await run()
    expect((await markOf(key))?.note).toBe('Rang them.')
    await sets(now())
    await run()
    world.clock.forward(ENDED_MARK_LIFE_MS)
    await sets(null)
    // Before the job has run, it counts as forgotten.
    expect(await markOf(key)).toBeNull()
    expect(await take(SECOND_OPERATOR, key)).toEqual({ ok: true })
    expect(await markOf(key)).toEqual({ holder: SECOND_OPERATOR, note: '', notedBy: null })
  })

  it('stays while its task is open that came back and was taken, before the job has seen it', async () => {
    const { key } = await aTask()
    await note(OPERATOR, key, 'Rang them.')
    const { userId: _, role: __, ...facts } = reader()
    const sets = (closed_at: Date | null) =>
      world.db
        .updateTable('conversation_reports')
        .set({ closed_at, outcome: closed_at && 'Done.' })
        .where('id', '=', key.slice('report:'.length))
        .execute()
    await sets(now())
    await noteEndedTasks(world.db, facts)
    world.clock.forward(ENDED_MARK_LIFE_MS - 5 * MINUTE_MS)
    await sets(null)
    expect(await take(OPERATOR, key)).toEqual({ ok: true })
    world.clock.forward(6 * MINUTE_MS)
    expect(await markOf(key)).toEqual({ holder: OPERATOR, note: 'Rang them.', notedBy: OPERATOR.email })
    await forgetMarks(world.db, now())
    expect((await markOf(key))?.holder).toEqual(OPERATOR)
  })

  it('ends 30 days after its last change', async () => {
    const { key } = await aTask()
    await note(OPERATOR, key, 'Rang them.')
    await take(OPERATOR, key)
    const taken = now().getTime()
    const then = (ms: number) => ({ now: new Date(taken + ms) })
    expect((await tasksOf(key, then(MARK_LIFE_MS - 1)))[0]?.mark?.note).toBe('Rang them.')
    expect((await tasksOf(key, then(MARK_LIFE_MS)))[0]?.mark).toBeNull()
    world.clock.forward(MARK_LIFE_MS)
    // Before the job has deleted it, it counts as free.
    expect(await take(SECOND_OPERATOR, key)).toEqual({ ok: true })
    expect(await markOf(key)).toEqual({ holder: SECOND_OPERATOR, note: '', notedBy: null })
    world.clock.forward(MARK_LIFE_MS - 1)
    await forgetMarks(world.db, now())
    const rows = () => world.db.selectFrom('task_marks').select('task').where('task', '=', key).execute()
    expect(await rows()).toHaveLength(1)
    world.clock.forward(1)
    await forgetMarks(world.db, now())
    expect(await rows()).toEqual([])
  })
})
