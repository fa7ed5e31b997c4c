import type { Role } from '../../features/operators/role-rules.ts'
import { jobHealthOf } from '../../features/operators/rules.ts'
import { giveBackTask, noteTask, takeTask } from '../../features/operators/task-commands.server.ts'
import type { TaskReader } from '../../features/operators/task-queries.server.ts'
import type { BookingServices } from '../../services/deps.server.ts'
import { type ActContext, type ActHandlers, answerOf } from './act-handlers.server.ts'

/** The list 'Do first' as an operator sees it. */
export async function taskReaderOf(
  { config, jobs, now, payouts }: Pick<BookingServices, 'config' | 'jobs' | 'now' | 'payouts'>,
  { userId, role }: { userId: string; role: Role },
): Promise<TaskReader> {
  return {
    ...{ userId, role },
    now: now(),
    payouts: payouts && { provider: payouts.name, holdLimitMs: config.holdLimitMs },
    jobs: jobHealthOf(await jobs.count()),
  }
}

const taskOf = async ({ services, operator }: ActContext, key: string) => ({
  ...{ operator, key },
  reader: await taskReaderOf(services, operator),
})

/** Takes tasks of the list 'Do first', gives them back, and writes notes on them. */
export const TASK_HANDLERS: ActHandlers<'take-task' | 'give-back-task' | 'note-task'> = {
  async 'take-task'(context, { id, seen: expectedHolder }) {
    const task = await taskOf(context, id)
    return answerOf('take-task', await takeTask(context.services.db, { ...task, expectedHolder }))
  },
  async 'give-back-task'(context, { id }) {
    return answerOf('give-back-task', await giveBackTask(context.services.db, await taskOf(context, id)))
  },
  async 'note-task'(context, { id, seen: expectedNote, note }) {
    const task = await taskOf(context, id)
    return answerOf('note-task', await noteTask(context.services.db, { ...task, note, expectedNote }))
  },
}
