import { href } from 'react-router'
import { ReviewScreen } from '../../features/reviews/screens/review-screen.tsx'
import { privateMeta } from '../../shared/page-meta.ts'
import { participantOf } from '../conversation-forms.server.ts'
import { requireSession } from '../require-session.server.ts'
import { answerReview, loadReview } from '../review-forms.server.ts'
import type { Route } from './+types/review'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('Write a review', matches[0]?.loaderData)

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const customer = participantOf(await requireSession({ request, url, context }))
  return loadReview({ context, url, by: { ...customer, bookingId: params.bookingId } })
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const customer = participantOf(await requireSession({ request, url, context }))
  return answerReview({ context, request, by: { ...customer, bookingId: params.bookingId } })
}

// A new review makes the loader refuse the form, which would replace the thanks.
export const shouldRevalidate = () => false

export default function Review({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ReviewScreen
      loaderData={loaderData}
      actionData={actionData}
      back={{ to: href('/my-bookings'), label: 'Back to My Bookings' }}
    />
  )
}
