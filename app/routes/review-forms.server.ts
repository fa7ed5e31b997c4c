import { data, type RouterContextProvider } from 'react-router'
import { mayWrite } from '../features/accounts/commands.server.ts'
import { TOO_MANY_WRITES_TEXT } from '../features/accounts/messages.ts'
import { writeReview } from '../features/reviews/commands.server.ts'
import { RATING_PARAMETER, readRating } from '../features/reviews/invitation-rules.ts'
import { REVIEW_REFUSALS } from '../features/reviews/messages.ts'
import { findReviewable, type Reviewer } from '../features/reviews/queries.server.ts'
import { reviewSchema } from '../features/reviews/schema.ts'
import type { ReviewAnswer } from '../features/reviews/screens/review-screen.tsx'
import { servicesContext } from '../request-context.server.ts'
import { readForm } from '../shared/form.ts'

type Args = { context: Readonly<RouterContextProvider>; by: Reviewer }

const STATUSES = {
  not_found: 404,
  not_approved: 409,
  not_over: 409,
  own_business: 403,
  already_written: 409,
  business_gone: 410,
} as const satisfies Record<keyof typeof REVIEW_REFUSALS, number>

/** Loads the form of a review, with the rating that the address asks for, or the reason why it can't be written. */
export async function loadReview({ context, by, url }: Args & { url: URL }) {
  const { db, now } = context.get(servicesContext)
  const rating = readRating(url.searchParams.get(RATING_PARAMETER))
  const found = await findReviewable(db, { by, now: now() })
  if (!found.ok) {
    // Without JavaScript, the page of a review that was just stored loads this too: it has succeeded.
    const status = found.reason === 'already_written' ? 200 : STATUSES[found.reason]
    return data({ booking: null, rating, refusal: REVIEW_REFUSALS[found.reason] }, { status })
  }
  const { bookingId, vendorName, date } = found.booking
  return data({ booking: { bookingId, vendorName, date }, rating, refusal: null })
}

/** Saves the review if this is the booking's customer and the event is over. */
export async function answerReview({ context, by, request }: Args & { request: Request }) {
  const { rateLimits, db, jobs, now } = context.get(servicesContext)
  const form = await readForm(request, reviewSchema)
  const typed = { rating: Number(form.get('rating') ?? 0), body: String(form.get('body') ?? '') }
  const parsed = reviewSchema.safeParse(Object.fromEntries(form))
  if (!parsed.success) {
    const first = (field: string) => parsed.error.issues.find((issue) => issue.path[0] === field)?.message
    const fields = { rating: first('rating'), body: first('body') }
    return data<ReviewAnswer>({ ok: false, refusal: null, fields, typed }, { status: 422 })
  }
  // A booking's link writes one review at most.
  if (by.userId !== null && !(await mayWrite(rateLimits, by.userId)))
    return data<ReviewAnswer>(
      { ok: false, refusal: TOO_MANY_WRITES_TEXT, fields: {}, typed },
      { status: 429 },
    )
  const written = await writeReview({ db, jobs, now }, { by, ...parsed.data })
  if (!written.ok)
    return data<ReviewAnswer>(
      { ok: false, refusal: REVIEW_REFUSALS[written.reason], fields: {}, typed },
      { status: STATUSES[written.reason] },
    )
  return data<ReviewAnswer>({ ok: true })
}
