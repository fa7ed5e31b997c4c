import { type RawBuilder, sql } from 'kysely'
import { href } from 'react-router'
import type { Database } from '../../adapters/database/port.ts'
import { isBlockedByDispute } from '../payments/queries.server.ts'
import { listHoldLimits } from '../payouts/operator-queries.server.ts'
import { NOT_CREATED } from '../sales/plan-rules.ts'
import { ACT_NAMES, ACTS, actOf, type SecondPersonAct } from './act-rules.ts'
import { approvalPath } from './approval-queries.server.ts'
import { AWAITED_STATUSES } from './dispute-rules.ts'
import { OPERATIONS_ZONE } from './messages.ts'
import { may, type Role } from './role-rules.ts'
import { type JobHealth, REPORT_ALERT_MS, STUCK_AFTER_MS } from './rules.ts'
import type { ApprovalSubject } from './tables.server.ts'
import {
  CALL_MS,
  ENDED_MARK_LIFE_MS,
  inTaskOrder,
  MARK_LIFE_MS,
  type OperatorTask,
  TASK_KINDS,
  TASK_MS,
  TASK_ROWS,
  type TaskKind,
  type TaskMark,
  taskKey,
  VENDORS_ROWS,
} from './task-rules.ts'
import { VENDOR_NAME } from './vendor-queries.server.ts'

/** The operator who looks, and what the list depends on. */
export type TaskReader = {
  userId: string
  role: Role
  now: Date
  /** Null where vendors aren't paid. */
  payouts: { provider: string; holdLimitMs: number } | null
  jobs: readonly JobHealth[]
}

/**
 * Lists what waits for the operators, as far as the role may do something about it: by the day on which it is due, then by
 * money, at most `TASK_ROWS`. A union over indexes and the hold limits, without a table: a row is there while its thing is open
 * (Decision 90).
 */
export async function listOperatorTasks(db: Database, reader: TaskReader): Promise<OperatorTask[]> {
  const tasks = await readTasks(db, reader, null)
  const order = { now: reader.now, timeZone: OPERATIONS_ZONE }
  const shown = inTaskOrder(tasks, order).slice(0, TASK_ROWS)
  const marks = await findMarks(
    db,
    shown.map(({ key }) => key),
    reader.now,
  )
  return shown.map((task) => ({ ...task, mark: marks.get(task.key) ?? null }))
}

/**
 * Finds an open task by its key, without its mark, also one that the list is too short to show; null once it is done, and
 * for a role that can't act on it.
 */
export async function findOperatorTask(
  db: Database,
  key: string,
  reader: TaskReader,
): Promise<OperatorTask | null> {
  const only = { key, id: key.slice(key.indexOf(':') + 1) }
  return (await readTasks(db, reader, only)).find((task) => task.key === key) ?? null
}

/** A task that is looked up. */
type Only = { key: string; id: string } | null

async function readTasks(db: Database, reader: TaskReader, only: Only): Promise<OperatorTask[]> {
  const { role, now, payouts } = reader
  const shows = (kind: TaskKind) =>
    may(role, TASK_KINDS[kind]) && (only === null || only.key === taskKey(kind, only.id))
  const [rows, limits] = await Promise.all([
    findRows(db, reader, { shows, only }),
    payouts && shows('hold') ? listHoldLimits(db, { now, holdLimitMs: payouts.holdLimitMs }) : [],
  ])
  return [
    ...rows.map((row) => taskOf(row, reader)),
    ...limits.map(({ bookingId, paymentId, businessName, amountCents, at }) => ({
      ...aTask('hold', bookingId, href('/operations/payments/:id', { id: paymentId })),
      name: businessName,
      by: at,
      isDeadline: true,
      cents: amountCents,
    })),
    ...(shows('job') ? reader.jobs : [])
      .filter(({ failed }) => failed > 0)
      .map(({ name }) => ({
        ...aTask('job', name, `${href('/operations')}#health`),
        name,
        by: now.toISOString(),
      })),
  ]
}

const aTask = (kind: TaskKind, id: string, to: string): OperatorTask => ({
  ...{ kind, key: taskKey(kind, id), to },
  ...{
    name: '',
    about: '',
    hasNoAddress: false,
    by: '',
    isDeadline: false,
    cents: null,
    isOwn: false,
    mark: null,
  },
})

type RowKind = Exclude<TaskKind, 'hold' | 'job'>

type TaskRow = {
  kind: RowKind
  id: string
  /** The id that the action's address has. */
  subject: string
  by_at: Date | string
  is_deadline: boolean
  cents: string | number | null
  name: string
  about: string
  has_no_address: boolean
  /** The act of an approval, what it is about, and who asked for it. */
  act: SecondPersonAct | null
  subject_kind: ApprovalSubject | null
  asked_by: string | null
}

const NO_APPROVAL = sql`false as has_no_address, null as act, null as subject_kind, null as asked_by`
const span = (ms: number) => sql`make_interval(secs => ${ms / 1000})`
const at = (now: Date) => sql`${now.toISOString()}::timestamptz`

/** Reads each kind's rows in their own order, limited before they are joined. */
async function findRows(
  db: Database,
  reader: TaskReader,
  { shows, only }: { shows: (kind: TaskKind) => boolean; only: Only },
): Promise<TaskRow[]> {
  const { role, now, payouts } = reader
  const sources: Partial<Record<RowKind, RawBuilder<unknown>>> = {
    dispute: disputes(now),
    refund: refunds(),
    unsent: unsent(now),
    instalment: instalments(),
    unanswered: unanswered(now),
    report: reports(),
    approval: approvals(role, now),
    ...(payouts
      ? { restricted: restricted(payouts.provider, now), returned: returned(payouts.provider) }
      : {}),
  }
  const parts = Object.entries(sources).flatMap(([kind, source]) => {
    if (!shows(kind as RowKind)) return []
    return [only ? sql`(select * from (${source}) found where id = ${only.id})` : firstRows(kind, source)]
  })
  if (parts.length === 0) return []
  return (await sql<TaskRow>`${sql.join(parts, sql` union all `)}`.execute(db)).rows
}

/** What vendors have to end is shown for the newest returned payouts and the most money, the rest by its time. */
function firstRows(kind: string, source: RawBuilder<unknown>): RawBuilder<unknown> {
  if (kind === 'restricted')
    return sql`(${source} order by cents desc nulls last, by_at limit ${VENDORS_ROWS})`
  if (kind === 'returned') return sql`(${source} order by by_at desc, cents desc limit ${VENDORS_ROWS})`
  if (kind === 'unanswered') return sql`(${source} order by by_at, cents desc limit ${VENDORS_ROWS})`
  return sql`(${source} order by by_at, cents desc nulls last limit ${TASK_ROWS})`
}

/** Disputes that wait for our answer, also those whose answer the provider hasn't taken yet. While a second person has to confirm one, its approval is the task. */
function disputes(now: Date): RawBuilder<unknown> {
  return sql`
    select 'dispute' as kind, disputes.id, disputes.id as subject,
      coalesce(disputes.evidence_due_at, ${at(now)}) as by_at, disputes.evidence_due_at is not null as is_deadline,
      disputes.amount_cents::bigint as cents,
      sales.customer_name as name, sales.business_name as about, ${NO_APPROVAL}
    from disputes join payments on payments.id = disputes.payment_id join sales on sales.id = payments.sale_id
    left join lateral (select state, answered_status, last_error from dispute_answers
      where dispute_id = disputes.id order by number desc limit 1) answer on true
    where disputes.closed_at is null and disputes.status in (${sql.join(AWAITED_STATUSES)})
      and (answer.state is null or answer.state in ('refused', 'dropped')
        or answer.state = 'claimed' and answer.last_error is not null
        or answer.state = 'sent' and answer.answered_status <> disputes.status)`
}

/** Refunds that came back, of which the customer was told that we pay them another way. While a bank decides a dispute, none can be paid. */
function refunds(): RawBuilder<unknown> {
  return sql`
    select 'refund' as kind, refund.id, refund.payment_id as subject, refund.done_at + ${span(TASK_MS)} as by_at, false as is_deadline,
      refund.amount_cents::bigint as cents, sales.customer_name as name, sales.business_name as about,
      sales.customer_email = '' and not exists (select from refund_accounts where refund_id = refund.id) as has_no_address, null as act, null as subject_kind, null as asked_by
    from payment_actions refund join payments on payments.id = refund.payment_id
    join sales on sales.id = payments.sale_id
    where refund.kind = 'refund' and refund.state = 'done' and refund.provider_status in ('failed', 'canceled')
      and refund.resolution is null and not ${isBlockedByDispute('payments.id')}
      and not exists (select from approvals where approvals.payment_id = payments.sale_id
        and approvals.settled_at is null and approvals.payload ->> 'refundId' = refund.id)`
}

/** Refunds that the provider refuses, or that should have left a while ago; not those that wait for a dispute. */
function unsent(now: Date): RawBuilder<unknown> {
  return sql`
    select 'unsent' as kind, refund.id, refund.payment_id as subject, refund.due_at + ${span(TASK_MS)} as by_at,
      false as is_deadline, refund.amount_cents::bigint as cents,
      sales.customer_name as name, sales.business_name as about, ${NO_APPROVAL}
    from payment_actions refund join payments on payments.id = refund.payment_id
    join sales on sales.id = payments.sale_id
    where refund.kind = 'refund' and refund.state in ('due', 'claimed') and not ${isBlockedByDispute('payments.id')}
      and (refund.state = 'claimed' and refund.last_error is not null or refund.due_at < ${at(now)} - ${span(STUCK_AFTER_MS)})`
}

/** Instalments whose payment the provider doesn't create, so that no card is charged. */
function instalments(): RawBuilder<unknown> {
  return sql`
    select 'instalment' as kind, instalments.id, instalments.payment_id as subject,
      instalments.due_at + ${span(TASK_MS)} as by_at, false as is_deadline, instalments.amount_cents::bigint as cents,
      sales.customer_name as name, sales.business_name as about, ${NO_APPROVAL}
    from instalments join sales on sales.id = instalments.payment_id
    where instalments.state = 'charging' and instalments.decline_code = ${NOT_CREATED}`
}

/** Paid bookings that are declined and refunded soon, since their vendor hasn't answered. A call may help. */
function unanswered(now: Date): RawBuilder<unknown> {
  return sql`
    select 'unanswered' as kind, bookings.id, sales.owner_user_id as subject, bookings.decide_by as by_at,
      true as is_deadline, bookings.total_price_cents::bigint as cents,
      bookings.customer_name as name, bookings.vendor_name as about, ${NO_APPROVAL}
    from bookings join sales on sales.id = bookings.payment_row_id
    join users on users.id = sales.owner_user_id
    where bookings.status = 'pending' and bookings.payment_status = 'paid' and bookings.tells_at is null
      and bookings.decide_by > ${at(now)} and bookings.decide_by <= ${at(now)} + ${span(CALL_MS)}`
}

/**
 * Vendors whose account the provider has paused while money is held for them or owed to them, by the earliest time that it
 * has set them.
 */
function restricted(provider: string, now: Date): RawBuilder<unknown> {
  return sql`
    select 'restricted' as kind, account.vendor_user_id as id, account.vendor_user_id as subject,
      coalesce((select min((one ->> 'dueAt')::timestamptz) from jsonb_array_elements(account.requirements) one
        where one ->> 'awaiting' = 'vendor'), ${at(now)}) as by_at, false as is_deadline,
      (select nullif(-cents, 0) from ledger_balances
        where vendor_user_id = account.vendor_user_id and account = 'vendor_payable')::bigint as cents,
      ${VENDOR_NAME} as name, '' as about, ${NO_APPROVAL}
    from payout_accounts account join users on users.id = account.vendor_user_id
    where account.provider = ${provider} and account.state = 'restricted'
      and exists (select from ledger_balances where vendor_user_id = account.vendor_user_id
        and account in ('customer_money_held', 'vendor_payable') and cents < 0)`
}

/** Vendors whose newest payout came back from their bank. */
function returned(provider: string): RawBuilder<unknown> {
  return sql`
    select 'returned' as kind, payout.id, account.vendor_user_id as subject,
      payout.checked_at + ${span(TASK_MS)} as by_at, false as is_deadline, payout.amount_cents::bigint as cents,
      ${VENDOR_NAME} as name, '' as about, ${NO_APPROVAL}
    from bank_payouts payout join payout_accounts account on account.id = payout.payout_account_id
    join users on users.id = account.vendor_user_id
    where account.provider = ${provider} and payout.state = 'failed'
      and not exists (select from bank_payouts later where later.payout_account_id = payout.payout_account_id
        and (later.created_at, later.id) > (payout.created_at, payout.id))`
}

function reports(): RawBuilder<unknown> {
  return sql`
    select 'report' as kind, report.id, report.id as subject, report.created_at + ${span(REPORT_ALERT_MS)} as by_at,
      false as is_deadline, null::bigint as cents, conversations.customer_name as name, conversations.business_name as about, ${NO_APPROVAL}
    from conversation_reports report join conversations on conversations.id = report.conversation_id
    where report.closed_at is null`
}

/**
 * Approvals that the role may confirm, due a day after they were asked for, or when they end if that is sooner. An answer to a
 * dispute ends with the bank's deadline.
 */
function approvals(role: Role, now: Date): RawBuilder<unknown> {
  const acts = ACT_NAMES.filter((name) => actOf(name).secondPerson && may(role, ACTS[name].permission))
  return sql`
    select 'approval' as kind, approvals.id, approvals.subject_id as subject,
      least(approvals.asked_at + ${span(TASK_MS)}, approvals.expires_at, disputes.evidence_due_at) as by_at,
      coalesce(least(approvals.expires_at, disputes.evidence_due_at) <= approvals.asked_at + ${span(TASK_MS)}, false)
        as is_deadline,
      nullif(coalesce(disputes.amount_cents, approvals.amount_cents), 0)::bigint as cents, approvals.label as name,
      '' as about, false as has_no_address, approvals.act, approvals.subject_kind, approvals.asked_by
    from approvals left join disputes on disputes.id = approvals.subject_id and approvals.subject_kind = 'dispute'
    where approvals.settled_at is null and disputes.closed_at is null
      and (approvals.expires_at is null or approvals.expires_at > ${at(now)})
      and approvals.act in (${sql.join(['', ...acts])})`
}

function taskOf(row: TaskRow, { userId }: TaskReader): OperatorTask {
  return {
    ...aTask(row.kind, row.id, pathOf(row)),
    name: row.name,
    about: row.act ? ACTS[row.act].secondPerson.waiting : row.about,
    hasNoAddress: row.has_no_address,
    by: new Date(row.by_at).toISOString(),
    isDeadline: row.is_deadline,
    cents: row.cents === null ? null : Number(row.cents),
    isOwn: row.asked_by === userId,
  }
}

/** The page on which a task ends. */
function pathOf({ kind, subject: id, act, subject_kind: subjectKind }: TaskRow): string {
  switch (kind) {
    case 'dispute':
      return href('/operations/disputes/:id?', { id })
    case 'refund':
    case 'unsent':
    case 'instalment':
      return href('/operations/payments/:id', { id })
    case 'restricted':
    case 'returned':
    case 'unanswered':
      return href('/operations/vendors/:id', { id })
    case 'report':
      return href('/operations/reports/:id?', { id })
    case 'approval':
      if (!act || !subjectKind) throw new Error(`The approval ${id} is about nothing.`)
      return approvalPath({ act, subjectKind, subjectId: id })
  }
}

/** The condition on `task_marks` that a mark is forgotten: it hasn't changed for long, or its task has ended. */
export function isForgotten(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(changed_at <= ${at(now)} - ${span(MARK_LIFE_MS)}
    or coalesce(ended_at <= ${at(now)} - ${span(ENDED_MARK_LIFE_MS)}, false))`
}

async function findMarks(db: Database, keys: string[], now: Date): Promise<Map<string, TaskMark>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('task_marks')
    .select(['task', 'holder_user_id', 'holder_email', 'note', 'noted_by_email'])
    .where('task', 'in', keys)
    .where((eb) => eb.not(isForgotten(now)))
    .execute()
  return new Map(
    rows.map((row) => [
      row.task,
      {
        holder:
          row.holder_user_id && row.holder_email
            ? { userId: row.holder_user_id, email: row.holder_email }
            : null,
        note: row.note,
        notedBy: row.noted_by_email,
      },
    ]),
  )
}
