import { refuse } from '../../shared/result.ts'
import {
  askForDetails,
  correctReceipt,
  leaveOut,
  noteLodged,
  storeReport,
} from '../income-reports/commands.server.ts'
import type { IncomeReportDeps } from '../income-reports/deps.server.ts'
import { findIdentities, hasTrade } from '../income-reports/queries.server.ts'
import { halfYearLabel, type LeftOut } from '../income-reports/rules.ts'
import { findVendorName } from '../payouts/queries.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'

/** Makes the next report of a half-year. @returns how many vendors it has, or refuses as `storeReport` does */
export function makeReport(
  deps: IncomeReportDeps,
  input: {
    operator: Operator
    half: string
    leavesOutIncomplete: boolean
    seen: string | null
    wasNotLodged: boolean
  },
) {
  const { operator, half, ...choices } = input
  return deps.db.transaction().execute(async (tx) => {
    const stored = await storeReport(deps, tx, { half, ...choices, madeBy: operator.email })
    if (!stored.ok) return stored
    const { version, sellers } = stored.report
    await logAction(tx, {
      operator,
      action: 'make-income-report',
      subject: reportSubject(stored.id, half, version),
      at: deps.now(),
    })
    return { ok: true as const, vendors: sellers.length }
  })
}

/** Notes that a report was lodged. */
export function lodgeReport(
  deps: IncomeReportDeps,
  input: { operator: Operator; id: string; receipt: string },
) {
  const { operator, id, receipt } = input
  return deps.db.transaction().execute(async (tx) => {
    const noted = await noteLodged(deps, tx, { id, lodgedBy: operator.email, receipt })
    if (!noted.ok) return noted
    await logAction(tx, {
      ...{ operator, action: 'lodge-income-report', reason: receipt, at: deps.now() },
      subject: reportSubject(id, noted.half, noted.version),
    })
    return { ok: true as const }
  })
}

/** Notes the receipt of a lodged report again. Both are in the log. @returns refuses as `correctReceipt` does */
export function correctLodgedReceipt(
  deps: IncomeReportDeps,
  input: { operator: Operator; id: string; seen: string; receipt: string },
) {
  const { operator, ...change } = input
  return deps.db.transaction().execute(async (tx) => {
    const noted = await correctReceipt(deps, tx, { ...change, notedBy: operator.email })
    if (!noted.ok) return noted
    await logAction(tx, {
      ...{ operator, action: 'correct-income-receipt', at: deps.now() },
      reason: `${input.seen} became ${input.receipt}`,
      subject: reportSubject(input.id, noted.half, noted.version),
    })
    return { ok: true as const }
  })
}

const reportSubject = (id: string, half: string, version: number) =>
  ({ kind: 'list', id, label: `Income report, ${halfYearLabel(half)}, version ${version}` }) as const

/** Leaves a vendor out of the reports, or reports them again. @returns refuses another flag than was seen with 'changed' */
export function leaveVendorOut(
  deps: IncomeReportDeps,
  input: {
    operator: Operator
    userId: string
    seen: LeftOut | null
    leftOut: LeftOut | null
    reason: string
  },
) {
  const { operator, userId } = input
  return deps.db.transaction().execute(async (tx) => {
    if (!(await hasTrade(tx, userId))) return refuse('not_found')
    const present = (await findIdentities(tx, [userId])).get(userId)?.leftOut ?? null
    if (present !== input.seen) return refuse('changed')
    await leaveOut(deps, tx, { userId, reason: input.leftOut })
    const label = (await findVendorName(tx, { userId, bookingId: null })) ?? 'Deleted account'
    await logAction(tx, {
      ...{ operator, action: 'leave-out-vendor', reason: `${input.leftOut ?? 'reported'}: ${input.reason}` },
      subject: { kind: 'account', id: userId, label },
      at: deps.now(),
    })
    return { ok: true as const }
  })
}

/** Asks a vendor by mail for what the next report needs of them. @returns refuses as `askForDetails` does */
export function askVendor(deps: IncomeReportDeps, input: { operator: Operator; userId: string }) {
  const { operator, userId } = input
  return deps.db.transaction().execute(async (tx) => {
    const asked = await askForDetails(deps, tx, { userId })
    if (!asked.ok) return asked
    const label = (await findVendorName(tx, { userId, bookingId: null })) ?? ''
    await logAction(tx, {
      ...{ operator, action: 'ask-vendor-details', at: deps.now() },
      subject: { kind: 'account', id: userId, label },
    })
    return { ok: true as const }
  })
}
