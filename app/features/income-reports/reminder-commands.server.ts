import { wallTimeAt } from '../../shared/dates.ts'
import type { IncomeReportDeps } from './deps.server.ts'
import { reportDueMail } from './mails.ts'
import { listUnfinished } from './queries.server.ts'
import { REPORT_ZONE, reminderOn } from './rules.ts'

/**
 * Reminds the operators of each report 60, 30 and 7 days before it is due and weekly once it is overdue, until it is lodged with every
 * vendor. Each goes out once: several processes may run it at the same moment, and the row of the reminder decides.
 */
export async function remindOfReports(deps: IncomeReportDeps): Promise<void> {
  const at = deps.now()
  const today = wallTimeAt(at, REPORT_ZONE).date
  await deps.db.transaction().execute(async (tx) => {
    for (const unfinished of await listUnfinished(tx, today)) {
      const daysBefore = reminderOn(unfinished.half, today)
      if (daysBefore === null) continue
      const added = await tx
        .insertInto('income_report_reminders')
        .values({ half_year: unfinished.half, days_before: daysBefore, sent_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .returning('days_before')
        .executeTakeFirst()
      if (!added) continue
      for (const email of await deps.listReporters(tx))
        await deps.jobs.enqueue(tx, 'send-mail', reportDueMail({ ...unfinished, daysBefore }, email, deps))
    }
  })
}
