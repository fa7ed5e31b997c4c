import { data } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { TOO_MANY_WRITES_TEXT } from '../../features/accounts/messages.ts'
import { writeReview } from '../../features/reviews/commands.server.ts'
import { REVIEW_REFUSALS } from '../../features/reviews/messages.ts'
import { findReviewable } from '../../features/reviews/queries.server.ts'
import { reviewSchema } from '../../features/reviews/schema.ts'
import { type ReviewAnswer, ReviewScreen } from '../../features/reviews/screens/review-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/review'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('Write a review', matches[0]?.loaderData)

const statuses = {
  not_found: 404,
  not_approved: 409,
  not_over: 409,
  own_business: 403,
  already_written: 409,
  business_gone: 410,
} as const

async function requireCustomer(args: Parameters<typeof requireSession>[0]) {
  const session = await requireSession(args)
  const { uid, email, emailVerified } = session.user
  return { userId: uid, verifiedEmail: emailVerified ? email : null }
}

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const customer = await requireCustomer({ request, url, context })
  const found = await findReviewable(db, {
    ...customer,
    bookingId: params.bookingId,
    now: now(),
  })
  if (!found.ok)
    return data({ booking: null, refusal: REVIEW_REFUSALS[found.reason] }, { status: statuses[found.reason] })
  const { vendorName, date } = found.booking
  return data({ booking: { vendorName, date }, refusal: null })
}

/** Saves the review if this is the booking's customer and the event is over. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { rateLimits, db, now } = context.get(servicesContext)
  const customer = await requireCustomer({ request, url, context })
  const form = await readForm(request, reviewSchema)
  const typed = { rating: Number(form.get('rating') ?? 0), body: String(form.get('body') ?? '') }
  const parsed = reviewSchema.safeParse(Object.fromEntries(form))
  if (!parsed.success) {
    const first = (field: string) => parsed.error.issues.find((issue) => issue.path[0] === field)?.message
    const fields = { rating: first('rating'), body: first('body') }
    return data<ReviewAnswer>({ ok: false, refusal: null, fields, typed }, { status: 422 })
  }
  if (!(await mayWrite(rateLimits, customer.userId)))
    return data<ReviewAnswer>(
      { ok: false, refusal: TOO_MANY_WRITES_TEXT, fields: {}, typed },
      { status: 429 },
    )
  const written = await writeReview({ db, now }, { ...customer, bookingId: params.bookingId, ...parsed.data })
  if (!written.ok)
    return data<ReviewAnswer>(
      { ok: false, refusal: REVIEW_REFUSALS[written.reason], fields: {}, typed },
      { status: statuses[written.reason] },
    )
  return data<ReviewAnswer>({ ok: true })
}

// A new review makes the loader refuse the form, which would replace the thanks.
export const shouldRevalidate = () => false

export default function Review({ loaderData, actionData, params }: Route.ComponentProps) {
  return <ReviewScreen loaderData={loaderData} actionData={actionData} bookingId={params.bookingId} />
}
