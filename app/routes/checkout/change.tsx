import { data } from 'react-router'
import { ChangeScreen } from '../../features/bookings/changes/screens/change-screen.tsx'
import type { Route } from './+types/change'
import { changeAction, loadChange } from './change.server.ts'

// The address is the key to the booking: keep it from search engines, other sites and shared caches. Where a form is sent
// without JavaScript, our own site has to learn the origin, or it takes the form for another site's.
export const meta: Route.MetaFunction = () => [{ name: 'referrer', content: 'same-origin' }]

/**
 * The page on which a booking's date, time or guests are changed: for its customer by the unguessable link, for its
 * signed-in vendor by the booking's id.
 */
export async function loader(args: Route.LoaderArgs) {
  const page = await loadChange(args)
  return data({ page }, { status: page ? 200 : 404 })
}

export const action = (args: Route.ActionArgs) => changeAction(args)

/** Also after a refusal, which says that something has changed. */
export const shouldRevalidate = () => true

export default function ChangePage({ loaderData, actionData, params }: Route.ComponentProps) {
  const answer = actionData && 'text' in actionData ? actionData : undefined
  return <ChangeScreen page={loaderData.page} answer={answer} bookingKey={params.linkToken} />
}
