import type { Database } from '../../adapters/database/port.ts'
import { refuse } from '../../shared/result.ts'
import { listVendorDesk } from './queries.server.ts'
import { MAX_SNOOZES, type SnoozeChoice, snoozeChoices, snoozeKey, snoozeUntil } from './snooze-rules.ts'

type SnoozeDeps = { db: Database; now: () => Date }

/** A row of a vendor's desk. */
type DeskRow = { userId: string; kind: string; row: string }

/**
 * Puts a row of a vendor's desk off.
 * @param input.provider the payout provider in use; null leaves payouts out
 * @returns refuses with 'not_found' for a row that isn't theirs or is done, 'too_late' within 24 hours of its deadline, and
 *   'too_many'
 */
export async function snoozeTask(
  { db, now }: SnoozeDeps,
  { userId, provider, kind, row, choice }: DeskRow & { provider: string | null; choice: SnoozeChoice },
): Promise<
  { ok: true; until: Date; timeZone: string } | { ok: false; reason: 'not_found' | 'too_late' | 'too_many' }
> {
  const { tasks, later } = await listVendorDesk(db, { userId, provider, now: now() })
  const task = [...tasks, ...later].find((each) => each.kind === kind && snoozeKey(each) === row)
  if (!task) return refuse('not_found')
  if (!snoozeChoices(task, now()).includes(choice)) return refuse('too_late')
  if (later.length >= MAX_SNOOZES && !later.some((each) => each.kind === kind && snoozeKey(each) === row))
    return refuse('too_many')
  const until = snoozeUntil(task, choice, now())
  await db
    .insertInto('desk_snoozes')
    .values({ user_id: userId, kind, row_id: row, until })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'row_id']).doUpdateSet({ until }))
    .execute()
  return { ok: true, until, timeZone: task.timeZone }
}

/** Brings a row back that a vendor has put off. One that is back already stays. */
export async function unsnoozeTask(
  { db }: Pick<SnoozeDeps, 'db'>,
  { userId, kind, row }: DeskRow,
): Promise<void> {
  await db
    .deleteFrom('desk_snoozes')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('row_id', '=', row)
    .execute()
}

/** Returns the rows whose snooze has ended: the trigger tells open pages. Runs each minute. */
export async function endSnoozes({ db, now }: SnoozeDeps): Promise<void> {
  await db.deleteFrom('desk_snoozes').where('until', '<=', now()).execute()
}
