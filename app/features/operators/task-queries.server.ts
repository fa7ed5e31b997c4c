import { type RawBuilder, sql } from 'kysely'
import { href } from 'react-router'
import type { Database } from '../../adapters/database/port.ts'
import { listHoldLimits } from '../payouts/operator-queries.server.ts'
import { ACT_NAMES, ACTS, actOf, type SecondPersonAct } from './act-rules.ts'
import { AWAITED_STATUSES } from './dispute-rules.ts'
import { OPERATIONS_ZONE } from './messages.ts'
import { may, type Role } from './role-rules.ts'
import { type JobHealth, REPORT_ALERT_MS } from './rules.ts'
import {
  inTaskOrder,
  MARK_LIFE_MS,
  type OperatorTask,
  TASK_KINDS,
  TASK_MS,
  TASK_ROWS,
  type TaskKind,
  type TaskMark,
  taskKey,
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
  const { role, now, payouts } = reader
  const shows = (kind: TaskKind) => may(role, TASK_KINDS[kind])
  const [rows, limits] = await Promise.all([
    findRows(db, reader),
    payouts && shows('hold') ? listHoldLimits(db, { now, holdLimitMs: payouts.holdLimitMs }) : [],
  ])
  const tasks = [
    ...rows.map((row) => taskOf(row, reader)),
    ...limits.map(({ bookingId, paymentId, businessName, amountCents, at }) => ({
      ...aTask('hold', bookingId, href('/operations/payments/:id', { id: paymentId })),
      name: businessName,
      by: at,
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
  const shown = inTaskOrder(tasks, OPERATIONS_ZONE).slice(0, TASK_ROWS)
  const marks = await findMarks(
    db,
    shown.map(({ key }) => key),
    now,
  )
  return shown.map((task) => ({ ...task, mark: marks.get(task.key) ?? null }))
}

/** Finds a task of the list by its key; null once it is done, and for a role that can't act on it. */
export async function findOperatorTask(
  db: Database,
  key: string,
  reader: TaskReader,
): Promise<OperatorTask | null> {
  return (await listOperatorTasks(db, reader)).find((task) => task.key === key) ?? null
}

const aTask = (kind: TaskKind, id: string, to: string): OperatorTask => ({
  ...{ kind, key: taskKey(kind, id), to },
  ...{ name: '', about: '', by: '', cents: null, isOwn: false, mark: null },
})

type RowKind = Exclude<TaskKind, 'hold' | 'job'>

type TaskRow = {
  kind: RowKind
  id: string
  /** The id that the action's address has. */
  subject: string
  by_at: Date | string
  cents: string | number | null
  name: string
  about: string
  /** The act of an approval, what it is about, and who asked for it. */
  act: SecondPersonAct | null
  subject_kind: string | null
  asked_by: string | null
}

const NO_APPROVAL = sql`null as act, null as subject_kind, null as asked_by`
const span = (ms: number) => sql`make_interval(secs => ${ms / 1000})`
const at = (now: Date) => sql`${now.toISOString()}::timestamptz`

/** Reads each kind's rows in their own order, limited before they are joined. */
async function findRows(db: Database, reader: TaskReader): Promise<TaskRow[]> {
  const { role, now, payouts } = reader
  const sources: Partial<Record<RowKind, RawBuilder<unknown>>> = {
    dispute: disputes(now),
    refund: refunds(),
    report: reports(),
    approval: approvals(role, now),
    ...(payouts
      ? { restricted: restricted(payouts.provider, now), returned: returned(payouts.provider) }
      : {}),
  }
  const parts = Object.entries(sources).flatMap(([kind, source]) =>
    may(role, TASK_KINDS[kind as RowKind])
      ? [sql`(${source} order by by_at, cents desc nulls last limit ${TASK_ROWS})`]
      : [],
  )
  if (parts.length === 0) return []
  return (await sql<TaskRow>`${sql.join(parts, sql` union all `)}`.execute(db)).rows
}

/** Disputes that wait for our answer. While a second person has to confirm one, its approval is the task. */
function disputes(now: Date): RawBuilder<unknown> {
  return sql`
    select 'dispute' as kind, disputes.id, disputes.id as subject,
      coalesce(disputes.evidence_due_at, ${at(now)}) as by_at, disputes.amount_cents::bigint as cents,
      sales.customer_name as name, sales.business_name as about, ${NO_APPROVAL}
    from disputes join payments on payments.id = disputes.payment_id join sales on sales.id = payments.sale_id
    left join lateral (select state, answered_status from dispute_answers
      where dispute_id = disputes.id order by number desc limit 1) answer on true
    where disputes.closed_at is null and disputes.status in (${sql.join(AWAITED_STATUSES)})
      and (answer.state is null or answer.state in ('refused', 'dropped')
        or answer.state = 'sent' and answer.answered_status <> disputes.status)`
}

/** Refunds that came back, of which the customer was told that we pay them another way. */
function refunds(): RawBuilder<unknown> {
  return sql`
    select 'refund' as kind, refund.id, refund.payment_id as subject, refund.done_at + ${span(TASK_MS)} as by_at,
      refund.amount_cents::bigint as cents, sales.customer_name as name, sales.business_name as about, ${NO_APPROVAL}
    from payment_actions refund join payments on payments.id = refund.payment_id
    join sales on sales.id = payments.sale_id
    where refund.kind = 'refund' and refund.state = 'done' and refund.provider_status in ('failed', 'canceled')
      and refund.resolution is null
      and not exists (select from approvals where approvals.payment_id = payments.sale_id
        and approvals.settled_at is null and approvals.payload ->> 'refundId' = refund.id)`
}

/** Vendors whose account the provider has paused, by the earliest time that it has set them. */
function restricted(provider: string, now: Date): RawBuilder<unknown> {
  return sql`
    select 'restricted' as kind, account.vendor_user_id as id, account.vendor_user_id as subject,
      coalesce((select min((one ->> 'dueAt')::timestamptz) from jsonb_array_elements(account.requirements) one
        where one ->> 'awaiting' = 'vendor'), ${at(now)}) as by_at,
      (select nullif(-cents, 0) from ledger_balances
        where vendor_user_id = account.vendor_user_id and account = 'vendor_payable')::bigint as cents,
      ${VENDOR_NAME} as name, '' as about, ${NO_APPROVAL}
    from payout_accounts account join users on users.id = account.vendor_user_id
    where account.provider = ${provider} and account.state = 'restricted'`
}

/** Vendors whose newest payout came back from their bank. */
function returned(provider: string): RawBuilder<unknown> {
  return sql`
    select 'returned' as kind, payout.id, account.vendor_user_id as subject,
      payout.checked_at + ${span(TASK_MS)} as by_at, payout.amount_cents::bigint as cents,
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
      null::bigint as cents, conversations.customer_name as name, conversations.business_name as about, ${NO_APPROVAL}
    from conversation_reports report join conversations on conversations.id = report.conversation_id
    where report.closed_at is null`
}

/** Approvals that the role may confirm. An answer to a dispute ends with the bank's deadline. */
function approvals(role: Role, now: Date): RawBuilder<unknown> {
  const acts = ACT_NAMES.filter((name) => actOf(name).secondPerson && may(role, ACTS[name].permission))
  return sql`
    select 'approval' as kind, approvals.id, approvals.subject_id as subject,
      coalesce(approvals.expires_at, disputes.evidence_due_at, ${at(now)}) as by_at,
      nullif(coalesce(disputes.amount_cents, approvals.amount_cents), 0)::bigint as cents, approvals.label as name,
      '' as about, approvals.act, approvals.subject_kind, approvals.asked_by
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
    by: new Date(row.by_at).toISOString(),
    cents: row.cents === null ? null : Number(row.cents),
    isOwn: row.asked_by === userId,
  }
}

/** The page on which a task ends. */
function pathOf({ kind, subject: id, act, subject_kind: about }: TaskRow): string {
  switch (kind) {
    case 'dispute':
      return href('/operations/disputes/:id?', { id })
    case 'refund':
      return href('/operations/payments/:id', { id })
    case 'restricted':
    case 'returned':
      return href('/operations/vendors/:id', { id })
    case 'report':
      return href('/operations/reports/:id?', { id })
    case 'approval':
      if (about === 'dispute') return href('/operations/disputes/:id?', { id })
      if (about === 'account') return href('/operations/people')
      return act === 'order-payout' ? href('/operations/payouts') : href('/operations/payments/:id', { id })
  }
}

async function findMarks(db: Database, keys: string[], now: Date): Promise<Map<string, TaskMark>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('task_marks')
    .select(['task', 'holder_user_id', 'holder_email', 'note', 'noted_by_email'])
    .where('task', 'in', keys)
    .where('changed_at', '>', new Date(now.getTime() - MARK_LIFE_MS))
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
