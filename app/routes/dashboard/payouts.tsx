import { data } from 'react-router'
import { findVendorZone } from '../../features/businesses/owner-queries.server.ts'
import { DetailsBlock } from '../../features/income-reports/components/details-block.tsx'
import { detailsSchema, propertySchema } from '../../features/income-reports/schema.ts'
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
import { EARLIEST_BIRTH } from '../../features/registrations/rules.ts'
import { findAccountant } from '../../features/tax/accountant-queries.server.ts'
import { accountantSchema } from '../../features/tax/accountant-schema.ts'
import { TAX_TITLE } from '../../features/tax/block-messages.ts'
import { TaxBlock } from '../../features/tax/components/tax-block.tsx'
import { findQuarterDocuments, findVendorTax, hasTax } from '../../features/tax/queries.server.ts'
import { isSampleOf } from '../../features/tax/rules.ts'
import { TaxScreen } from '../../features/tax/screens/tax-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { brokenForm } from '../../shared/body-refusals.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { intentSchema, readForm } from '../../shared/form.ts'
import { readPageKey } from '../../shared/page-keys.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { HOUR_MS } from '../../shared/time-units.ts'
import { loadOrUnavailable } from '../load-or-unavailable.server.ts'
import { findSession, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/payouts'
import { saveAccountant } from './accountant.server.ts'
import { findAsked, saveAskedDetails } from './income-details.server.ts'
import { payoutProviderOf, requirePayouts, requirePayoutsOrTax } from './payouts-on.server.ts'

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  privateMeta(loaderData?.screen === 'tax' ? TAX_TITLE : PAYOUTS_TITLE, matches[0]?.loaderData)

export function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, config, now } = context.get(servicesContext)
  const provider = payoutProviderOf(config)
  return loadOrUnavailable(context, async () => {
    // A screen that doesn't exist asks for no login.
    const session =
      provider === null
        ? await findSession({ request, context })
        : await requireSession({ request, url, context })
    const userId = session?.user.uid ?? ''
    const tax = await findTax(userId)
    if (provider === null) {
      if (!hasTax(tax.tax)) throw data(null, { status: 404 })
      return { screen: 'tax', tax } as const
    }
    const at = now()
    const timeZone = await findVendorZone(db, userId)
    const vendor = { userId, timeZone, now: at, delayMs: config.payoutDelayMs }
    const list = url.searchParams.get('show') === 'past' ? 'past' : 'coming'
    const after = readPageKey(url.searchParams.get('after'), 'iso')
    const first = listEarnings(db, { ...vendor, list: 'coming', after: null })
    const isFirstPage = after === null
    const [setup, sums, months, firstMonth, page, coming] = await Promise.all([
      findPayoutSetup(db, { userId, provider, timeZone, now: now() }),
      findEarningSums(db, vendor),
      listEarningMonths(db, vendor),
      findFirstMonth(db, vendor),
      list === 'coming' && isFirstPage ? first : listEarnings(db, { ...vendor, list, after }),
      first,
    ])
    const today = wallTimeAt(at, timeZone).date
    const isPaid = ['ready', 'needs_more', 'agreement_changed'].includes(setup.state)
    return {
      screen: 'payouts',
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
      tax,
      asked: await findAsked(context, userId),
    } as const
  })

  async function findTax(userId: string) {
    const [tax, accountant] = await Promise.all([findVendorTax(db, userId), findAccountant(db, userId)])
    const asked = url.searchParams.get('quarter')
    const quarter = tax.quarters.find(({ from }) => from === asked) ?? tax.quarters[0]
    const shown = quarter ? await findQuarterDocuments(db, { userId, from: quarter.from }) : null
    return { tax, shown, isSample: isSampleOf(config.platform), accountant }
  }
}

/** Saves the vendor's answers for the report to the Tax Office, and their accountant. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const session = await requireSession({ request, url, context })
  const schemas = [detailsSchema(EARLIEST_BIRTH), propertySchema, accountantSchema, intentSchema]
  const form = await readForm(request, schemas)
  switch (form.get('intent')) {
    case 'save-income-details':
    case 'save-property':
      requirePayouts(context)
      return saveAskedDetails(context, session.user.uid, form)
    case 'ask-accountant':
    case 'stop-accountant':
      await requirePayoutsOrTax(context, session.user.uid)
      return saveAccountant(context, session.user, form)
    default:
      requirePayouts(context)
      throw brokenForm()
  }
}

export default function Payouts({ loaderData }: Route.ComponentProps) {
  if (loaderData.screen === 'tax') return <TaxScreen {...loaderData.tax} />
  const tax = (
    <>
      <TaxBlock {...loaderData.tax} />
      <DetailsBlock asked={loaderData.asked} />
    </>
  )
  return <PayoutsScreen {...loaderData} tax={tax} />
}

/** Shown inside the frame, so the menu still works. */
export const ErrorBoundary = PayoutsFailure
