import { data } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { countOpenBookings } from '../../features/bookings/open-queries.server.ts'
import { hideListing, removeListing, showListing } from '../../features/businesses/commands.server.ts'
import { nextStepsOf } from '../../features/businesses/first-step-rules.ts'
import { MY_LISTINGS_TITLE } from '../../features/businesses/listing-messages.ts'
import { listOwnListings } from '../../features/businesses/owner-queries.server.ts'
import { answerPrefilled } from '../../features/businesses/prefilled-commands.server.ts'
import { listPrefilled } from '../../features/businesses/prefilled-queries.server.ts'
import {
  type ListingIntent,
  type ListingStepAnswer,
  type ListingStepRefusal,
  listingStepSchema,
} from '../../features/businesses/schema.ts'
import { MyListingsScreen } from '../../features/businesses/screens/my-listings-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { actionFailure } from '../../ui/action-failure.ts'
import { findSession } from '../require-session.server.ts'
import { siteImage } from '../site/site-image.server.ts'
import type { Route } from './+types/list-business'
import { withCompleteness } from './completeness.server.ts'
import { findStepFacts } from './first-steps.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta(MY_LISTINGS_TITLE, matches[0]?.loaderData)

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now, config } = context.get(servicesContext)
  const session = await findSession({ request, context })
  const picture = siteImage('empty-listings', 'my-listings', '4x3')
  if (!session) return { listings: null, nextSteps: [], picture }
  const own = await listOwnListings(db, session.user.uid, now())
  const userId = session.user.uid
  const [listings, facts] = await Promise.all([
    withCompleteness({ db, config }, userId, own),
    findStepFacts({ db, config, now }, { userId, listings: own }),
  ])
  const [open, prefilled] = await Promise.all([
    countOpenBookings(
      db,
      listings.map(({ id }) => id),
      now(),
    ),
    listPrefilled(db, own),
  ])
  return {
    listings: listings.map((listing) => ({
      ...listing,
      openBookings: open.get(listing.id) ?? 0,
      prefilled: prefilled.get(listing.id) ?? [],
    })),
    nextSteps: nextStepsOf({ ...facts, isBooked: false }),
    picture,
  }
}

const STATUSES = {
  signed_out: 401,
  too_often: 429,
  not_a_step: 400,
  not_found: 404,
  hidden_by_operator: 409,
  not_reached: 503,
  failed: 503,
} as const satisfies Record<ListingStepRefusal, number>

export async function action({ request, context }: Route.ActionArgs) {
  const { db, jobs, config, now, rateLimits } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return refuse('delete', 'signed_out')
  const step = listingStepSchema.safeParse(Object.fromEntries(await readForm(request, listingStepSchema)))
  if (!step.success) return refuse('delete', 'not_a_step')
  const { intent, businessId } = step.data
  if (!(await mayWrite(rateLimits, session.user.uid))) return refuse(intent, 'too_often')
  const deps = { db, jobs, brand: config.brand, now, countOpenBookings }
  const input = { userId: session.user.uid, businessId }
  if (intent === 'show') {
    const outcome = await showListing(deps, input)
    return outcome.ok
      ? data<ListingStepAnswer>({ ok: true, outcome: outcome.isWaiting ? 'waiting' : 'shown' })
      : refuse(intent, outcome.reason)
  }
  if (intent === 'publish-facts' || intent === 'drop-facts') {
    const outcome = await answerPrefilled(deps, { ...input, isRight: intent === 'publish-facts' })
    return outcome.ok ? data<ListingStepAnswer>(outcome) : refuse(intent, outcome.reason)
  }
  const outcome = await (intent === 'hide' ? hideListing : removeListing)(deps, input)
  return outcome.ok ? data<ListingStepAnswer>(outcome) : refuse(intent, outcome.reason)
}

function refuse(intent: ListingIntent, reason: ListingStepRefusal) {
  return data<ListingStepAnswer>({ ok: false, intent, reason }, { status: STATUSES[reason] })
}

/** Reports a lost connection or a server failure as a message; the list stays as it is. */
export async function clientAction({ serverAction, request }: Route.ClientActionArgs) {
  const { data: step } = listingStepSchema.safeParse(Object.fromEntries(await request.clone().formData()))
  try {
    return await serverAction()
  } catch (error) {
    return refuse(step?.intent ?? 'delete', actionFailure(error))
  }
}

export default function ListBusiness({ loaderData }: Route.ComponentProps) {
  return <MyListingsScreen {...loaderData} />
}
