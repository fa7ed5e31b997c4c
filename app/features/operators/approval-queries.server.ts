import { href } from 'react-router'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { ACTS, type PayloadOf, type SecondPersonAct } from './act-rules.ts'
import type { ApprovalSubject } from './tables.server.ts'

type Reader = Database | DatabaseTransaction

/** An act that waits for a second person, or waited for one. Times are ISO 8601, UTC. */
export type Approval<Act extends SecondPersonAct = SecondPersonAct> = {
  [Name in Act]: {
    id: string
    act: Name
    subjectKind: ApprovalSubject
    subjectId: string
    /** The first payment of the purchase; null for acts that move nothing of one. */
    firstPaymentId: string | null
    /** The business or the person that it is about. */
    label: string
    /** 0 where it is about no money. */
    amountCents: Cents
    payload: PayloadOf<Name>
    reason: string
    /** The state of the subject when it was asked for. */
    seen: string
    askedBy: string
    askedByEmail: string
    askedAt: string
    /** Null where something else ends it. */
    expiresAt: string | null
  }
}[Act]

/** The page on which an approval ends. */
export function approvalPath({
  act,
  subjectKind,
  subjectId: id,
}: Pick<Approval, 'act' | 'subjectKind' | 'subjectId'>): string {
  if (subjectKind === 'dispute') return href('/operations/disputes/:id?', { id })
  if (subjectKind === 'account') return href('/operations/people')
  return act === 'order-payout' ? href('/operations/payouts') : href('/operations/payments/:id', { id })
}

/** Finds one of these acts that still waits; null once it is settled, and for an id of another act. */
export async function findOpenApproval<Act extends SecondPersonAct>(
  db: Reader,
  id: string,
  acts: readonly Act[],
): Promise<Approval<Act> | null> {
  const row = await selectOpen(db).where('approvals.id', '=', id).where('act', 'in', acts).executeTakeFirst()
  return row ? toApproval<Act>(row) : null
}

/** Whether anything about this waits for a second person. */
export async function hasOpenApproval(
  db: Reader,
  subject: { kind: ApprovalSubject; id: string },
): Promise<boolean> {
  const open = await db
    .selectFrom('approvals')
    .select('id')
    .where('subject_kind', '=', subject.kind)
    .where('subject_id', '=', subject.id)
    .where('settled_at', 'is', null)
    .executeTakeFirst()
  return open !== undefined
}

/**
 * Lists the open approvals of these acts, oldest first, without answers to disputes that are closed.
 * @param firstPaymentId only those of one purchase
 */
export async function listOpenApprovals<Act extends SecondPersonAct>(
  db: Database,
  acts: readonly Act[],
  firstPaymentId?: string,
): Promise<Approval<Act>[]> {
  let query = selectOpen(db).where('act', 'in', acts).where('disputes.closed_at', 'is', null)
  if (firstPaymentId) query = query.where('approvals.payment_id', '=', firstPaymentId)
  const rows = await query.orderBy('asked_at').orderBy('approvals.id').execute()
  return rows.map((row) => toApproval<Act>(row))
}

/** Counts the approvals of some acts that wait, without reading what was asked for. */
export async function countOpenApprovals(db: Database, acts: readonly SecondPersonAct[]): Promise<number> {
  const { count } = await selectOpen(db)
    .clearSelect()
    .select(({ fn }) => fn.countAll().as('count'))
    .where('act', 'in', acts)
    .where('disputes.closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

function selectOpen(db: Reader) {
  return (
    db
      .selectFrom('approvals')
      .leftJoin('disputes', (join) =>
        join.onRef('disputes.id', '=', 'approvals.subject_id').on('approvals.subject_kind', '=', 'dispute'),
      )
      .selectAll('approvals')
      // The bank may have changed what it disputes.
      .select((eb) => eb.fn.coalesce('disputes.amount_cents', 'approvals.amount_cents').as('current_cents'))
      .where('settled_at', 'is', null)
  )
}

type Row = Awaited<ReturnType<ReturnType<typeof selectOpen>['execute']>>[number]

/** @throws if what is stored isn't what the act's schema takes */
function toApproval<Act extends SecondPersonAct>(row: Row): Approval<Act> {
  const approval = {
    id: row.id,
    act: row.act,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    firstPaymentId: row.payment_id,
    label: row.label,
    amountCents: Number(row.current_cents ?? 0),
    payload: ACTS[row.act].secondPerson.payload.parse(row.payload),
    reason: row.reason,
    seen: row.seen,
    askedBy: row.asked_by,
    askedByEmail: row.asked_by_email,
    askedAt: row.asked_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
  }
  // The payload has been read by the schema of its act.
  return approval as Approval<Act>
}
