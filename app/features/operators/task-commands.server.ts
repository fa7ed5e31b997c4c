import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { refuse } from '../../shared/result.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { taskLabel } from './task-messages.ts'
import { findOperatorTask, isForgotten, type TaskReader } from './task-queries.server.ts'

type TaskInput = { operator: Operator; key: string; reader: TaskReader }
type Refused = { ok: false; reason: 'not_found' | 'changed' }

/** What a change says of a mark: its task is open, also where the job last found that it had ended. */
const openedBy = ({ reader }: TaskInput) => ({ changed_at: reader.now, ended_at: null })

/**
 * Notes that an operator works on a task, also in place of a colleague who had it.
 * @param input.expectedHolder the account that the operator saw; '' for none
 * @returns refuses with 'not_found' (done, or not for this role) and 'changed' (someone took it or gave it back)
 */
export function takeTask(
  db: Database,
  input: TaskInput & { expectedHolder: string },
): Promise<{ ok: true } | Refused> {
  const { userId: holder_user_id, email: holder_email } = input.operator
  return markTask(db, 'take-task', input, (tx) =>
    tx
      .insertInto('task_marks')
      .values({
        task: input.key,
        ...{ holder_user_id, holder_email, noted_by_email: null, changed_at: input.reader.now },
      })
      // One of two who press at the same moment has it.
      .onConflict((conflict) =>
        conflict
          .column('task')
          .doUpdateSet({ holder_user_id, holder_email, ...openedBy(input) })
          .where((eb) =>
            eb(eb.fn.coalesce('task_marks.holder_user_id', eb.val('')), '=', eb.val(input.expectedHolder)),
          ),
      )
      .returning('task')
      .executeTakeFirst(),
  )
}

/** Gives a task back. @returns refuses with 'not_found', and with 'changed' if this operator doesn't have it */
export function giveBackTask(db: Database, input: TaskInput): Promise<{ ok: true } | Refused> {
  return markTask(db, 'give-back-task', input, (tx) =>
    tx
      .updateTable('task_marks')
      .set({ holder_user_id: null, holder_email: null, ...openedBy(input) })
      .where('task', '=', input.key)
      .where('holder_user_id', '=', input.operator.userId)
      .returning('task')
      .executeTakeFirst(),
  )
}

/**
 * Writes the note of a task, or empties it.
 * @param input.expectedNote the note that the operator saw
 * @returns refuses with 'not_found', and with 'changed' if a colleague has written another
 */
export function noteTask(
  db: Database,
  input: TaskInput & { note: string; expectedNote: string },
): Promise<{ ok: true } | Refused> {
  const { note, operator } = input
  const written = { note, noted_by_email: note === '' ? null : operator.email, ...openedBy(input) }
  return markTask(db, 'note-task', input, (tx) =>
    tx
      .insertInto('task_marks')
      .values({ task: input.key, holder_user_id: null, holder_email: null, ...written })
      .onConflict((conflict) =>
        conflict.column('task').doUpdateSet(written).where('task_marks.note', '=', input.expectedNote),
      )
      .returning('task')
      .executeTakeFirst(),
  )
}

/**
 * Notes of each mark whether its task is open. Tasks are a query, so nothing else says that one has ended, or has come back.
 * @param facts what the list depends on
 */
export async function noteEndedTasks(
  db: Database,
  facts: Omit<TaskReader, 'userId' | 'role'>,
): Promise<void> {
  // An admin sees all tasks.
  const reader: TaskReader = { ...facts, userId: '', role: 'admin' }
  const marks = await db.selectFrom('task_marks').select(['task', 'ended_at']).execute()
  for (const { task, ended_at } of marks) {
    const isOpen = (await findOperatorTask(db, task, reader)) !== null
    if (isOpen === (ended_at === null)) continue
    await db
      .updateTable('task_marks')
      .set({ ended_at: isOpen ? null : facts.now })
      .where('task', '=', task)
      .execute()
  }
}

/** Deletes the marks of tasks that ended `ENDED_MARK_LIFE_MS` ago, and those that haven't changed for `MARK_LIFE_MS`. */
export async function forgetMarks(db: Database, now: Date): Promise<void> {
  await forgottenMarks(db, now).execute()
}

const forgottenMarks = (db: Database | DatabaseTransaction, now: Date) =>
  db.deleteFrom('task_marks').where(isForgotten(now))

/**
 * Writes the mark of an open task, and the log. Nothing is written of a task that the operator can't see.
 * @param write returns nothing where the mark isn't as the operator saw it
 */
async function markTask(
  db: Database,
  action: 'take-task' | 'give-back-task' | 'note-task',
  { operator, key, reader }: TaskInput,
  write: (tx: DatabaseTransaction) => Promise<object | undefined>,
): Promise<{ ok: true } | Refused> {
  const task = await findOperatorTask(db, key, reader)
  if (!task) return refuse('not_found')
  return db.transaction().execute(async (tx) => {
    // The list doesn't show a forgotten mark, so the operator hasn't seen it.
    await forgottenMarks(tx, reader.now).where('task', '=', key).execute()
    if (!(await write(tx))) return refuse('changed')
    const subject = { kind: 'task', id: key, label: taskLabel(task) } as const
    await logAction(tx, { operator, action, subject, at: reader.now })
    return { ok: true }
  })
}
