import { reportFile, standingText, vendorName } from '../../features/income-reports/file-rules.ts'
import {
  findNextToLodge,
  listHalfYears,
  listReports,
  listVendorTrades,
} from '../../features/income-reports/queries.server.ts'
import {
  addSums,
  dueOn,
  grossOf,
  halfYearAfter,
  isComplete,
  isReportable,
  NO_SUMS,
  REPORT_ZONE,
  type VendorTrade,
} from '../../features/income-reports/rules.ts'
import { type ReportedVendor, TaxScreen } from '../../features/operators/screens/tax-screen.tsx'
import { isSampleOf } from '../../features/tax/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/tax'
import { performOperation } from './perform.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Tax | Operations', matches[0]?.loaderData)

export async function loader({ context, url }: Route.LoaderArgs) {
  const { config, db, now, payouts } = context.get(servicesContext)
  if (!payouts) throw new Response('Not found', { status: 404 })
  const today = wallTimeAt(now(), REPORT_ZONE).date
  const halves = await listHalfYears(db, today)
  const asked = url.searchParams.get('half')
  const half = halves.find((one) => one === asked) ?? (await findNextToLodge(db, today))
  const [vendors, reports] = await Promise.all([listVendorTrades(db, half), listReports(db, half)])
  const sums = vendors.map((vendor) => vendor.sums).reduce(addSums, NO_SUMS)
  return {
    half,
    halves: halves.includes(half) ? halves : [...halves, half],
    due: dueOn(half),
    isOver: today >= halfYearAfter(half),
    isSample: isSampleOf(config.platform),
    vendors: vendors.map(viewOf),
    sums: { ...sums, grossCents: grossOf(sums) },
    counts: {
      reported: vendors.filter(isReportable).length,
      leftOut: vendors.filter((vendor) => vendor.leftOut !== null).length,
      incomplete: vendors.filter((vendor) => vendor.leftOut === null && !isReportable(vendor)).length,
    },
    reports: reports.map((report) => ({ ...report, file: reportFile(half, report.version) })),
  }
}

/** A vendor as the screen shows them: neither their date of birth nor their address. */
function viewOf(vendor: VendorTrade): ReportedVendor {
  const { identity, sums, leftOut } = vendor
  return {
    userId: identity.userId,
    name: vendorName(vendor),
    grossCents: grossOf(sums),
    gstCents: sums.gstCents,
    commissionCents: sums.commissionCents,
    standing: standingText(vendor),
    tone: leftOut ? 'neutral' : isReportable(vendor) ? 'success' : 'glow',
    isIncomplete: !isComplete(vendor),
    hasAccount: identity.account !== null,
    isDeleted: identity.isDeleted,
    flag: identity.leftOut,
    askedAt: identity.askedAt?.toISOString() ?? null,
  }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function Tax({ loaderData }: Route.ComponentProps) {
  return <TaxScreen {...loaderData} />
}
