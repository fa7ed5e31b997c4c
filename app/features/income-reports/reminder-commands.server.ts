import { wallTimeAt } from '../../shared/dates.ts'
import type { IncomeReportDeps } from './deps.server.ts'
import { reportDueMail } from './mails.ts'
import { listReports, listVendorTrades } from './queries.server.ts'
import { isComplete, REPORT_ZONE, reminderOn } from './rules.ts'

/**
 * Reminds the operators of the next report 60, 30 and 7 days before it is due, each once, until it is lodged. Several processes may
 * run it at the same moment: the row of the reminder decides.
 */
export async function remindOfReports(deps: IncomeReportDeps): Promise<void> {
  const at = deps.now()
  const due = reminderOn(wallTimeAt(at, REPORT_ZONE).date)
  if (!due) return
  const { half, daysBefore } = due
  await deps.db.transaction().execute(async (tx) => {
    if ((await listReports(tx, half)).some(({ lodgedAt }) => lodgedAt !== null)) return
    const added = await tx
      .insertInto('income_report_reminders')
      .values({ half_year: half, days_before: daysBefore, sent_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning('days_before')
      .executeTakeFirst()
    if (!added) return
    const incomplete = (await listVendorTrades(tx, half)).filter((vendor) => !isComplete(vendor)).length
    for (const email of await deps.listReporters(tx))
      await deps.jobs.enqueue(tx, 'send-mail', reportDueMail({ half, daysBefore, incomplete }, email, deps))
  })
}
