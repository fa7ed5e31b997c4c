import { href, isRouteErrorResponse, Outlet } from 'react-router'
import { useSignedInOnly } from '../../features/accounts/browser/use-signed-in-only.ts'
import { PasskeyProof } from '../../features/accounts/components/passkey-proof.tsx'
import { type OperationsGroup, OperationsNav } from '../../features/operators/components/operations-nav.tsx'
import { OperatorProof, OperatorRole } from '../../features/operators/components/operator-role.tsx'
import { SearchEverything } from '../../features/operators/components/search-form.tsx'
import { measureDisputes } from '../../features/operators/dispute-queries.server.ts'
import { countPayoutWork } from '../../features/operators/overview-queries.server.ts'
import { countPaymentTroubles } from '../../features/operators/payment-queries.server.ts'
import { listReports } from '../../features/operators/report-queries.server.ts'
import { listReviews } from '../../features/operators/review-queries.server.ts'
import { may, mayOpen, type Permission, type RoleRefusal } from '../../features/operators/role-rules.ts'
import { RoleRefusedScreen } from '../../features/operators/screens/role-refused-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { LOADING_TEXT } from '../../shared/loading-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { keepLiveData } from '../../ui/live-data.ts'
import { LoadingText } from '../../ui/skeleton.tsx'
import { notStored, operatorOnly, unlisted } from '../contract.server.ts'
import type { Route } from './+types/layout'
import { requireOperator } from './operator.server.ts'
import { performOperation } from './perform.server.ts'
import '../../styles/whole.css'

export const middleware: Route.MiddlewareFunction[] = [unlisted, notStored, operatorOnly]

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepLiveData]

/** The operators' frame. Counts only what the operator's role may open. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { role } = await requireOperator({ request, context })
  const { config, db, now, payouts } = context.get(servicesContext)
  const can = (permission: Permission) => may(role, permission)
  const [troubles, disputes, waiting, reports, payoutTasks] = await Promise.all([
    countPaymentTroubles(db, now()),
    measureDisputes(db, now()),
    can('moderate') ? listReviews(db, 'waiting') : [],
    can('read-reports') ? listReports(db, 'open') : [],
    payouts && can('see-payouts')
      ? countPayoutWork(db, { now: now(), holdLimitMs: config.holdLimitMs, provider: payouts.name })
      : null,
  ])
  return {
    role,
    troubles: troubles.stuck + troubles.failing,
    openDisputes: disputes.open,
    waitingReviews: waiting.length,
    openReports: reports.length,
    payoutTasks: payoutTasks?.tasks ?? null,
    hasLedger: payouts !== null,
  }
}

/** A form that is posted to the overview's address without `?index` arrives here. */
export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function OperationsLayout({ loaderData }: Route.ComponentProps) {
  const { role } = loaderData
  const isShown = useSignedInOnly()
  if (!isShown) return <LoadingText>{LOADING_TEXT}</LoadingText>
  const groups = groupsOf(loaderData)
  return (
    <div className="page pt-8 pb-16 md:pt-12 md:pb-24">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="text-quiet">Operations</p>
        <SearchEverything />
      </div>
      <OperationsNav groups={groups} />
      <div className="mt-8">
        <OperatorRole value={role}>
          <OperatorProof value={<PasskeyProof />}>
            <Outlet />
          </OperatorProof>
        </OperatorRole>
      </div>
    </div>
  )
}

type LayoutData = Route.ComponentProps['loaderData']

/** The screens that the operator's role may open, by what they are about. */
function groupsOf(data: LayoutData): OperationsGroup[] {
  const { role, troubles, openDisputes, waitingReviews, openReports, payoutTasks, hasLedger } = data
  const groups: OperationsGroup[] = [
    { label: 'Overview', screens: [{ to: href('/operations'), label: 'Overview' }] },
    {
      label: 'Bookings',
      screens: [
        { to: href('/operations/bookings'), label: 'Bookings' },
        { to: href('/operations/listings'), label: 'Listings' },
      ],
    },
    {
      label: 'Money',
      screens: [
        { to: href('/operations/payments'), label: 'Payments', count: troubles, note: 'need attention' },
        {
          to: href('/operations/disputes/:id?'),
          label: 'Disputes',
          count: openDisputes,
          note: 'to answer',
        },
        ...(payoutTasks === null
          ? []
          : [{ to: href('/operations/payouts'), label: 'Payouts', count: payoutTasks, note: 'to do' }]),
        ...(hasLedger
          ? [
              { to: href('/operations/ledger'), label: 'Ledger' },
              { to: href('/operations/tax'), label: 'Tax' },
            ]
          : []),
        { to: href('/operations/comparison'), label: 'Comparison' },
      ],
    },
    {
      label: 'Trust',
      screens: [
        { to: href('/operations/accounts'), label: 'Accounts' },
        { to: href('/operations/reviews'), label: 'Reviews', count: waitingReviews, note: 'waiting' },
        { to: href('/operations/reports/:id?'), label: 'Reports', count: openReports, note: 'to read' },
      ],
    },
    {
      label: 'Team',
      screens: [
        { to: href('/operations/people'), label: 'People' },
        { to: href('/operations/log'), label: 'Log' },
      ],
    },
  ]
  return groups
    .map(({ label, screens }) => ({ label, screens: screens.filter(({ to }) => mayOpen(role, to)) }))
    .filter(({ screens }) => screens.length > 0)
}

/**
 * Hides from everybody but operators that these screens exist. Operators read which role may do what they tried.
 */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 403 && 'needs' in Object(error.data))
    return <RoleRefusedScreen {...(error.data as RoleRefusal)} />
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error
  return (
    <>
      <title>Page not found</title>
      <EmptyState
        heading="h1"
        title="This page isn’t here"
        text="The address may be old or mistyped."
        action={<ButtonLink to={href('/')}>Go to home page</ButtonLink>}
      />
    </>
  )
}
