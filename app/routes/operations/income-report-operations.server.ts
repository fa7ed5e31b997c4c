import type { INCOME_REPORT_ACTS } from '../../features/operators/income-report-act-rules.ts'
import {
  askVendor,
  correctLodgedReceipt,
  leaveVendorOut,
  lodgeReport,
  makeReport,
} from '../../features/operators/income-report-commands.server.ts'
import { incomeReportDeps } from '../../services/deps.server.ts'
import { type ActHandlers, answerOf, refused } from './act-handlers.server.ts'

/** Acts about the report of vendors' income. Without payouts there is no ledger to report from. */
export const INCOME_REPORT_HANDLERS: ActHandlers<keyof typeof INCOME_REPORT_ACTS> = {
  async 'make-income-report'({ services, operator }, { id: half, incomplete, seen, before }) {
    if (!services.payouts) return refused('payouts_off')
    const made = await makeReport(incomeReportDeps(services), {
      ...{ operator, half, seen: seen || null },
      leavesOutIncomplete: incomplete === 'leave',
      wasNotLodged: before === 'replace',
    })
    return answerOf('make-income-report', made)
  },
  async 'lodge-income-report'({ services, operator }, { id, receipt }) {
    if (!services.payouts) return refused('payouts_off')
    const noted = await lodgeReport(incomeReportDeps(services), { operator, id, receipt })
    return answerOf('lodge-income-report', noted)
  },
  async 'correct-income-receipt'({ services, operator }, { id, seen, receipt }) {
    if (!services.payouts) return refused('payouts_off')
    const noted = await correctLodgedReceipt(incomeReportDeps(services), { operator, id, seen, receipt })
    return answerOf('correct-income-receipt', noted)
  },
  async 'leave-out-vendor'({ services, operator }, { id: userId, seen, leftOut, reason }) {
    if (!services.payouts) return refused('payouts_off')
    const saved = await leaveVendorOut(incomeReportDeps(services), {
      ...{ operator, userId, reason },
      seen: seen || null,
      leftOut: leftOut || null,
    })
    return answerOf('leave-out-vendor', saved)
  },
  async 'ask-vendor-details'({ services, operator }, { id: userId }) {
    if (!services.payouts) return refused('payouts_off')
    const asked = await askVendor(incomeReportDeps(services), { operator, userId })
    return answerOf('ask-vendor-details', asked)
  },
}
