import { data } from 'react-router'
import { z } from 'zod'
import { endInvitations } from '../../features/reviews/invitation-commands.server.ts'
import { EndInvitationsScreen } from '../../features/reviews/screens/end-invitations-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { pageTitle } from '../../shared/page-meta.ts'
import type { Route } from './+types/end-reviews'

export const meta: Route.MetaFunction = ({ matches }) => [
  { title: pageTitle('Don’t ask me for reviews', matches[0]?.loaderData) },
  { name: 'description', content: 'Stop our emails that ask for a review.' },
]

/** Mail programs send this field when their own unsubscribe button is pressed (RFC 8058). */
const oneClickSchema = z.object({ 'List-Unsubscribe': z.string() })

/** Ends the invitations only by POST, because mail programs open links to scan them. */
export async function action({ request, context, url }: Route.ActionArgs) {
  await readForm(request, oneClickSchema)
  const { config, db, now } = context.get(servicesContext)
  const query = url.searchParams
  const outcome = await endInvitations(
    { db, now, secret: config.secret },
    { bookingId: query.get('booking') ?? '', token: query.get('token') ?? '' },
  )
  return data({ done: outcome.ok }, { status: outcome.ok ? 200 : 400 })
}

export default function EndReviews({ actionData }: Route.ComponentProps) {
  return <EndInvitationsScreen isDone={actionData?.done ?? null} />
}
