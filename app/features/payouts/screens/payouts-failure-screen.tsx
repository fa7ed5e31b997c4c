import { href, isRouteErrorResponse, useRouteError } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ScreenFailure } from '../../../ui/load-failure.tsx'
import { PAYOUTS_TITLE } from '../earning-messages.ts'

/** A payouts screen that could not be loaded, or that doesn't exist while vendors aren't paid. */
export function PayoutsFailure() {
  const error = useRouteError()
  if (!isRouteErrorResponse(error) || error.status !== 404) return <ScreenFailure heading={PAYOUTS_TITLE} />
  return (
    <EmptyState
      heading="h1"
      title="This page isn’t here"
      text="The address may be old or mistyped."
      action={<ButtonLink to={href('/dashboard')}>My Dashboard</ButtonLink>}
    />
  )
}
