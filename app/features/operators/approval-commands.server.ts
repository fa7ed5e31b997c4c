import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { addNotification } from '../notifications/commands.server.ts'
import { ACTS, type OperatorAction, type PayloadOf, type SecondPersonAct } from './act-rules.ts'
import { type Approval, approvalPath, findOpenApproval } from './approval-queries.server.ts'
import { type LogSubject, logAction, type Operator } from './log-commands.server.ts'
import { expiredNotice } from './messages.ts'
import { refuseAsSecond } from './naming-queries.server.ts'
import { ORDER_LIFE_MS, type SecondPersonRefusal } from './rules.ts'
import type { ApprovalSubject } from './tables.server.ts'

type Asked<Act extends SecondPersonAct> = {
  [Name in Act]: {
    /** By default a new one. */
    id?: string
    act: Name
    payload: PayloadOf<Name>
    subject: { kind: ApprovalSubject; id: string }
    firstPaymentId?: string
    label: string
    amountCents?: Cents
    reason: string
    /** The state of the subject. On confirmation it has to be the same. */
    seen?: string
    /** How long it waits; null where something else ends it. */
    lifeMs?: number | null
    operator: Operator
    at: Date
    log: { subject: LogSubject; text: string }
  }
}[Act]

/**
 * Puts an act before a second person, in the transaction that holds the lock of its subject.
 * @returns refuses with 'waiting' when something about the same subject waits already
 */
export async function askSecondPerson<Act extends SecondPersonAct>(
  tx: DatabaseTransaction,
  asked: Asked<Act>,
): Promise<{ ok: true; id: string } | { ok: false; reason: 'waiting' }> {
  const { act, subject, operator, at, lifeMs = ORDER_LIFE_MS } = asked
  const added = await tx
    .insertInto('approvals')
    .values({
      id: asked.id ?? newId(),
      act,
      subject_kind: subject.kind,
      subject_id: subject.id,
      payment_id: asked.firstPaymentId ?? null,
      label: asked.label,
      amount_cents: asked.amountCents ?? null,
      payload: JSON.stringify(asked.payload),
      reason: asked.reason,
      seen: asked.seen ?? '',
      asked_by: operator.userId,
      asked_by_email: operator.email,
      asked_at: at,
      expires_at: lifeMs === null ? null : new Date(at.getTime() + lifeMs),
      settled_by: null,
      settled_by_email: null,
      settled_at: null,
      outcome: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['subject_kind', 'subject_id']).where('settled_at', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (!added) return refuse('waiting')
  const { subject: logged, text } = asked.log
  await logAction(tx, { operator, action: 'ask-second-operator', subject: logged, reason: text, at })
  return { ok: true, id: added.id }
}

/** The steps of an act in the confirmation by a second person. */
export type ApprovalFlow<Act extends SecondPersonAct, Checked, Done, Refused> = {
  acts: readonly Act[]
  /** Takes the lock under which it was asked for, before every other one. */
  lock: (tx: DatabaseTransaction, approval: Approval<Act>) => Promise<unknown>
  /** Checks that it can be carried out now. `seen` is the state of the subject, to be compared with that of the request. */
  check: (
    tx: DatabaseTransaction,
    approval: Approval<Act>,
  ) => Promise<({ ok: true; seen: string } & Checked) | Refused>
  /** Does it, and logs it. */
  carryOut: (
    tx: DatabaseTransaction,
    approval: Approval<Act>,
    checked: Checked,
    confirmer: Operator,
  ) => Promise<({ ok: true } & Done) | Refused>
  /** The entry of the log when it is dropped. */
  dropped: (approval: Approval<Act>) => { action?: OperatorAction; subject: LogSubject; text: string }
  /** Updates the act's own tables when it is dropped. */
  drop?: (tx: DatabaseTransaction, approval: Approval<Act>, operator: Operator) => Promise<void>
}

/** The refusals of every act that waits. */
export type SettleRefused = { ok: false; reason: 'settled' | 'expired' | 'changed' | SecondPersonRefusal }

/**
 * Confirms or drops what waits for a second person. Anybody with the act's permission may drop it, also who asked for it.
 * @returns `done` is null for what was dropped. Refuses with 'settled' (it no longer waits), those of `refuseAsSecond`,
 *   'expired', 'changed' (something else is there than when it was asked for) and the reasons of the act
 */
export async function settleApproval<
  Act extends SecondPersonAct,
  Checked,
  Done,
  Refused extends { ok: false },
>(
  { db, now }: { db: Database; now: () => Date },
  flow: ApprovalFlow<Act, Checked, Done, Refused>,
  { operator, id, isConfirmed }: { operator: Operator; id: string; isConfirmed: boolean },
): Promise<{ ok: true; approval: Approval<Act>; done: Done | null } | SettleRefused | Refused> {
  const at = now()
  return db.transaction().execute(async (tx) => {
    const asked = await findOpenApproval(tx, id, flow.acts)
    if (!asked) return refuse('settled')
    await flow.lock(tx, asked)
    // Another operator may have settled it while this one waited for the lock.
    const approval = await findOpenApproval(tx, id, flow.acts)
    if (!approval) return refuse('settled')
    if (!isConfirmed) {
      if (!(await settle(tx, approval.id, { operator, at, outcome: 'dropped' }))) return refuse('settled')
      await flow.drop?.(tx, approval, operator)
      const { action = 'drop-order', subject, text } = flow.dropped(approval)
      await logAction(tx, { operator, action, subject, reason: text, at })
      return { ok: true, approval, done: null } as const
    }
    const second = { operatorId: operator.userId, askerId: approval.askedBy, now: at }
    const refused = await refuseAsSecond(tx, second)
    if (refused) return refuse(refused)
    if (approval.expiresAt && at >= new Date(approval.expiresAt)) return refuse('expired')
    const checked = await flow.check(tx, approval)
    if (!checked.ok) return checked
    if (checked.seen !== approval.seen) return refuse('changed')
    if (!(await settle(tx, approval.id, { operator, at, outcome: 'done' }))) return refuse('settled')
    const done = await flow.carryOut(tx, approval, checked, operator)
    return done.ok ? { ok: true, approval, done } : done
  })
}

/** @returns false if the job that ends what is too old was quicker: it takes no lock */
async function settle(
  tx: DatabaseTransaction,
  id: string,
  { operator, at, outcome }: { operator: Operator; at: Date; outcome: 'done' | 'dropped' },
): Promise<boolean> {
  const settled = await tx
    .updateTable('approvals')
    .set({ settled_by: operator.userId, settled_by_email: operator.email, settled_at: at, outcome })
    .where('id', '=', id)
    .where('settled_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return settled !== undefined
}

/** Ends what wasn't confirmed in time, and tells those who asked for it. */
export async function expireApprovals(
  { db, liveUpdates }: Pick<BookingDeps, 'db' | 'liveUpdates'>,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const told = await expire(tx, expiring(tx, now), now)
    for (const userId of told) await liveUpdates.publish(tx, `notifications:${userId}`)
  })
}

/** Ends what wasn't confirmed in time of a purchase, so that it may be asked for again before the job has run. `lockMoves` comes before. */
export async function expireApprovalsOfPurchase(
  tx: DatabaseTransaction,
  { firstPaymentId, now }: { firstPaymentId: string; now: Date },
): Promise<void> {
  await expire(tx, expiring(tx, now).where('payment_id', '=', firstPaymentId), now)
}

/** The same of an account. The lock of roles comes before. */
export async function expireApprovalsOfAccount(
  tx: DatabaseTransaction,
  userId: string,
  now: Date,
): Promise<void> {
  const ofAccount = expiring(tx, now).where('subject_kind', '=', 'account').where('subject_id', '=', userId)
  await expire(tx, ofAccount, now)
}

const expiring = (tx: DatabaseTransaction, now: Date) =>
  tx
    .updateTable('approvals')
    .set({ settled_at: now, outcome: 'expired' })
    .where('settled_at', 'is', null)
    .where('expires_at', '<=', now)

/** @returns the accounts of those who asked, who have been told */
async function expire(
  tx: DatabaseTransaction,
  query: ReturnType<typeof expiring>,
  now: Date,
): Promise<Set<string>> {
  const ended = await query
    .returning(['id', 'act', 'subject_kind', 'subject_id', 'label', 'asked_by'])
    .execute()
  for (const {
    id,
    act,
    subject_kind: subjectKind,
    subject_id: subjectId,
    label,
    asked_by: userId,
  } of ended) {
    const about = `${ACTS[act].secondPerson.waiting}: ${label}`
    const link = approvalPath({ act, subjectKind, subjectId })
    await addNotification(
      tx,
      { userId, kind: 'approval', ...expiredNotice(about), link, eventKey: `approval-expired:${id}` },
      now,
    )
  }
  return new Set(ended.map(({ asked_by }) => asked_by))
}
