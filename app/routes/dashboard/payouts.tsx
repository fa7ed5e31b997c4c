import { findVendorZone } from '../../features/businesses/owner-queries.server.ts'
import { PAYOUTS_TITLE } from '../../features/payouts/earning-messages.ts'
import {
  findEarningSums,
  findFirstMonth,
  listEarningMonths,
  listEarnings,
} from '../../features/payouts/earning-queries.server.ts'
import { monthsSince, nextPayout } from '../../features/payouts/earning-rules.ts'
import { PayoutsFailure } from '../../features/payouts/screens/payouts-failure-screen.tsx'
import { PayoutsScreen } from '../../features/payouts/screens/payouts-screen.tsx'
import { findPayoutSetup } from '../../features/payouts/setup-queries.server.ts'
import { TaxBlock } from '../../features/tax/components/tax-block.tsx'
import { findQuarterDocuments, findVendorTax } from '../../features/tax/queries.server.ts'
import { isSampleOf } from '../../features/tax/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { readPageKey } from '../../shared/page-keys.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { HOUR_MS } from '../../shared/time-units.ts'
import { loadOrUnavailable } from '../load-or-unavailable.server.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/payouts'
import { requirePayouts } from './payouts-on.server.ts'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(PAYOUTS_TITLE, matches[0]?.loaderData)

export function loader({ request, context, url }: Route.LoaderArgs) {
  const provider = requirePayouts(context)
  const { db, config, now } = context.get(servicesContext)
  return loadOrUnavailable(context, async () => {
    const session = await requireSession({ request, url, context })
    const userId = session.user.uid
    const at = now()
    const timeZone = await findVendorZone(db, userId)
    const vendor = { userId, timeZone, now: at, delayMs: config.payoutDelayMs }
    const list = url.searchParams.get('show') === 'past' ? 'past' : 'coming'
    const after = readPageKey(url.searchParams.get('after'), 'iso')
    const first = listEarnings(db, { ...vendor, list: 'coming', after: null })
    const isFirstPage = after === null
    const [setup, sums, months, firstMonth, page, coming, tax] = await Promise.all([
      findPayoutSetup(db, { userId, provider, timeZone, now: now() }),
      findEarningSums(db, vendor),
      listEarningMonths(db, vendor),
      findFirstMonth(db, vendor),
      list === 'coming' && isFirstPage ? first : listEarnings(db, { ...vendor, list, after }),
      first,
      findVendorTax(db, userId),
    ])
    const asked = url.searchParams.get('quarter')
    const quarter = tax.quarters.find(({ from }) => from === asked) ?? tax.quarters[0]
    const today = wallTimeAt(at, timeZone).date
    const isPaid = ['ready', 'needs_more', 'agreement_changed'].includes(setup.state)
    return {
      today,
      setup: { state: setup.state, bankLast4: setup.bankLast4, dueOn: setup.dueOn, acceptBy: setup.acceptBy },
      sums,
      // Without an account that takes money, no day can be promised.
      next: isPaid ? nextPayout(coming.earnings) : null,
      months,
      statements: firstMonth ? monthsSince(firstMonth, today.slice(0, 7)) : [],
      list,
      earnings: page.earnings,
      nextPage: page.next,
      isFirstPage,
      delayHours: config.payoutDelayMs / HOUR_MS,
      tax: {
        tax,
        shown: quarter ? await findQuarterDocuments(db, { userId, from: quarter.from }) : null,
        isSample: isSampleOf(config.platform),
      },
    } as const
  })
}

export default function Payouts({ loaderData }: Route.ComponentProps) {
  return <PayoutsScreen {...loaderData} tax={<TaxBlock {...loaderData.tax} />} />
}

/** Shown inside the frame, so the menu still works. */
export const ErrorBoundary = PayoutsFailure
