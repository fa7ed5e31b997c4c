import { href } from 'react-router'
import { ReviewScreen } from '../../features/reviews/screens/review-screen.tsx'
import { privateMeta } from '../../shared/page-meta.ts'
import { findSession } from '../require-session.server.ts'
import { answerReview, loadReview } from '../review-forms.server.ts'
import type { Route } from './+types/review'

// The address is the key to the booking: keep it from other sites. Where the form is sent without JavaScript, our own site has
// to learn the origin.
export const meta: Route.MetaFunction = ({ matches }) => [
  ...privateMeta('Write a review', matches[0]?.loaderData),
  { name: 'referrer', content: 'same-origin' },
]

async function reviewerOf({
  request,
  context,
  params,
}: Pick<Route.LoaderArgs, 'request' | 'context' | 'params'>) {
  const session = await findSession({ request, context })
  return { linkToken: params.linkToken, userId: session?.user.uid ?? null }
}

/** The form of a review by the booking's link, without signing in. Opening it writes nothing: mail scanners do. */
export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  return loadReview({ context, url, by: await reviewerOf({ request, context, params }) })
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return answerReview({ context, request, by: await reviewerOf({ request, context, params }) })
}

// A new review makes the loader refuse the form, which would replace the thanks.
export const shouldRevalidate = () => false

export default function LinkedReview({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <div className="page page-column section">
      <ReviewScreen
        loaderData={loaderData}
        actionData={actionData}
        back={{
          to: href('/bookings/:linkToken', { linkToken: params.linkToken }),
          label: 'See your booking',
        }}
      />
    </div>
  )
}
