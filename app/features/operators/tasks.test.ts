import { beforeEach, describe, expect, it } from 'vitest'
import { booked, deps, setBookingStage, world } from '../../../tests/booking-stage.ts'
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
import { OPERATOR, paysOtherwiseAsOperator, SECOND_OPERATOR } from '../../../tests/payout-stage.ts'
import { wallTimeToUtc } from '../../shared/dates.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { OPERATIONS_ZONE } from './messages.ts'
import { closeReport } from './report-commands.server.ts'
import type { Role } from './role-rules.ts'
import { forgetMarks, giveBackTask, noteTask, takeTask } from './task-commands.server.ts'
import { dueText, taskWords } from './task-messages.ts'
import { listOperatorTasks, type TaskReader } from './task-queries.server.ts'
import { inTaskOrder, MARK_LIFE_MS, type OperatorTask, TASK_MS } from './task-rules.ts'

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
        title: 'Payouts to Harbour Light are paused',
        action: 'See the vendor',
        due: 'Due today',
        cents: 704_700,
        to: `/operations/vendors/${restricted.userId}`,
      },
      {
        title: 'The job send-mail failed',
        action: 'See the jobs',
        due: 'Due today',
        cents: null,
        to: '/operations#health',
      },
      {
        title: 'A bank returned a payout to Harbour Light',
        action: 'See the vendor',
        due: 'Due tomorrow',
        cents: 234_500,
        to: `/operations/vendors/${returned.userId}`,
      },
      {
        title: 'A conversation of Robin Vale was reported',
        action: 'Read the report',
        due: 'Due tomorrow',
        cents: null,
        to: `/operations/reports/${report.reportId}`,
      },
      {
        title: 'Refund: The Walled Garden',
        action: 'See it',
        due: 'Due Thursday 3 December',
        cents: 10_000,
        to: `/operations/payments/${approval.paymentId}`,
      },
      {
        title: 'Kim Lee’s bank disputes a payment',
        action: 'Answer',
        due: 'Due Wednesday 9 December',
        cents: 45_500,
        to: `/operations/disputes/${dispute.disputeId}`,
      },
    ])
  })

  it('orders a day by money, and equal money by the moment', () => {
    const task = (key: string, by: string, cents: number | null) => ({ key, by, cents })
    const midnight = wallTimeToUtc('2026-12-01', '00:00', OPERATIONS_ZONE)
    const before = new Date(midnight.getTime() - 1).toISOString()
    const ordered = inTaskOrder(
      [
        task('next day', midnight.toISOString(), 900),
        task('no money', before, null),
        task('later', before, 500),
        task('earlier', new Date(midnight.getTime() - 2).toISOString(), 500),
        task('most', before, 501),
      ],
      OPERATIONS_ZONE,
    )
    expect(ordered.map(({ key }) => key)).toEqual(['most', 'earlier', 'later', 'no money', 'next day'])
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
    const expiry = Date.parse(task?.by ?? '')
    expect(await tasks({ now: new Date(expiry - 1) })).toHaveLength(1)
    expect(await tasks({ now: new Date(expiry) })).toEqual([])
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
