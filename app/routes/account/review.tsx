import { data, Form, href, useNavigation } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { TOO_MANY_WRITES_TEXT } from '../../features/accounts/wording.ts'
import { writeReview } from '../../features/reviews/commands.server.ts'
import { findReviewable } from '../../features/reviews/queries.server.ts'
import { MAX_REVIEW_LENGTH } from '../../features/reviews/rules.ts'
import { reviewSchema } from '../../features/reviews/schema.ts'
import { REVIEW_REFUSALS, REVIEW_THANKS, reviewTitle } from '../../features/reviews/wording.ts'
import { servicesContext } from '../../request-context.server.ts'
import { formatDay } from '../../shared/dates.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { TextAreaField } from '../../ui/field.tsx'
import { useFormDraft } from '../../ui/form-draft.ts'
import { FormSummary } from '../../ui/form-summary.tsx'
import { SendFailure } from '../../ui/send-failure.tsx'
import { StarsInput } from '../../ui/stars.tsx'
import '../../ui/stars-input.css'
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

async function requireCustomer(asked: Parameters<typeof requireSession>[0]) {
  const session = await requireSession(asked)
  const { uid, email, emailVerified } = session.user
  return { userId: uid, verifiedEmail: emailVerified ? email : null }
}

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const customer = await requireCustomer({ request, url, context })
  const found = await findReviewable(services.db, {
    ...customer,
    bookingId: params.bookingId,
    now: services.now(),
  })
  if (!found.ok)
    return data({ booking: null, refusal: REVIEW_REFUSALS[found.reason] }, { status: statuses[found.reason] })
  const { vendorName, date } = found.booking
  return data({ booking: { vendorName, date }, refusal: null })
}

type Answer =
  | { ok: true }
  | {
      ok: false
      refusal: string | null
      fields: { rating?: string; body?: string }
      typed: { rating: number; body: string }
    }

/** Keeps the review, if this is its customer and the booking took place. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const services = context.get(servicesContext)
  const customer = await requireCustomer({ request, url, context })
  const form = await readForm(request, reviewSchema)
  const typed = { rating: Number(form.get('rating') ?? 0), body: String(form.get('body') ?? '') }
  const parsed = reviewSchema.safeParse(Object.fromEntries(form))
  if (!parsed.success) {
    const first = (field: string) => parsed.error.issues.find((issue) => issue.path[0] === field)?.message
    const fields = { rating: first('rating'), body: first('body') }
    return data<Answer>({ ok: false, refusal: null, fields, typed }, { status: 422 })
  }
  if (!(await mayWrite(services.rateLimits, customer.userId)))
    return data<Answer>({ ok: false, refusal: TOO_MANY_WRITES_TEXT, fields: {}, typed }, { status: 429 })
  const written = await writeReview(services, { ...customer, bookingId: params.bookingId, ...parsed.data })
  if (!written.ok)
    return data<Answer>(
      { ok: false, refusal: REVIEW_REFUSALS[written.reason], fields: {}, typed },
      { status: statuses[written.reason] },
    )
  return data<Answer>({ ok: true })
}

// What was just written would refuse the form that shows the thanks.
export const shouldRevalidate = () => false

export default function Review({
  loaderData: { booking, refusal },
  actionData,
  params,
}: Route.ComponentProps) {
  const navigation = useNavigation()
  const form = useFormDraft(`review-${params.bookingId}`, actionData?.ok ? actionData : null)
  const back = <ButtonLink to={href('/my-bookings')}>Back to My Bookings</ButtonLink>
  if (actionData?.ok) {
    return (
      <div className="max-w-prose">
        <h1>Your review is with us</h1>
        <p className="lede mt-5 mb-8">{REVIEW_THANKS}</p>
        {back}
      </div>
    )
  }
  if (!booking) {
    return (
      <div className="max-w-prose">
        <h1>There is nothing to review here</h1>
        <p className="lede mt-5 mb-8">{refusal}</p>
        {back}
      </div>
    )
  }
  const typed = actionData?.typed
  return (
    <div className="max-w-column">
      <h1>{reviewTitle(booking.vendorName)}</h1>
      <p className="mt-4 text-quiet">
        Your booking of {formatDay(booking.date)}. Your first name and the initial of your last name stand
        beside it.
      </p>
      {actionData?.refusal ? (
        <div className="mt-6">
          <Banner tone="error">{actionData.refusal}</Banner>
        </div>
      ) : null}
      <Form ref={form} method="post" className="mt-8 grid gap-6" noValidate>
        <FormSummary
          errors={[
            { fieldId: 'rating-1', message: actionData?.fields.rating },
            { fieldId: 'body', message: actionData?.fields.body },
          ].flatMap(({ fieldId, message }) => (message ? [{ fieldId, message }] : []))}
          attempt={actionData}
        />
        <StarsInput
          name="rating"
          label="Your rating"
          required
          {...(typed?.rating ? { defaultValue: typed.rating } : {})}
          {...(actionData?.fields.rating ? { error: actionData.fields.rating } : {})}
        />
        <TextAreaField
          id="body"
          name="body"
          label="How was it?"
          hint="What was good, what could have been better, and what others should know."
          required
          rows={6}
          maxLength={MAX_REVIEW_LENGTH}
          defaultValue={typed?.body}
          error={actionData?.fields.body}
        />
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            variant="primary"
            pending={navigation.formMethod === 'POST'}
            pendingText="Sending..."
          >
            Send the review
          </Button>
          {back}
        </div>
        <SendFailure />
      </Form>
    </div>
  )
}
