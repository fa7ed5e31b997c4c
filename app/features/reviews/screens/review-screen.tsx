import { Form, useNavigation } from 'react-router'
import { formatDay } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { TextAreaField } from '../../../ui/field.tsx'
import { useFormDraft } from '../../../ui/form-draft.ts'
import { FormSummary } from '../../../ui/form-summary.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { StarsInput } from '../../../ui/stars.tsx'
import { REVIEW_THANKS, reviewTitle } from '../messages.ts'
import { MAX_REVIEW_LENGTH } from '../rules.ts'
import '../../../ui/stars-input.css'

const BODY_LABEL = 'How was it?'

/** The response to a submitted review. */
export type ReviewAnswer =
  | { ok: true }
  | {
      ok: false
      refusal: string | null
      fields: { rating?: string; body?: string }
      typed: { rating: number; body: string }
    }

/** The form for a review of one booking. */
export function ReviewScreen({
  loaderData: { booking, rating, refusal },
  actionData,
  back: { to, label },
}: {
  loaderData: {
    booking: { bookingId: string; vendorName: string; date: string } | null
    /** The rating that is chosen already; null for none. */
    rating: number | null
    refusal: string | null
  }
  actionData: ReviewAnswer | undefined
  /** The link to the next page. */
  back: { to: string; label: string }
}) {
  const navigation = useNavigation()
  const form = useFormDraft(`review-${booking?.bookingId}`, actionData?.ok ? actionData : null)
  const back = <ButtonLink to={to}>{label}</ButtonLink>
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
  const chosen = typed?.rating || rating
  return (
    <div className="max-w-column">
      <h1>{reviewTitle(booking.vendorName)}</h1>
      <p className="mt-4 text-quiet">
        Your booking of {formatDay(booking.date)}. Your first name and the initial of your last name appear
        with your review.
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
            { fieldId: 'body', label: BODY_LABEL, message: actionData?.fields.body },
          ].flatMap(({ message, ...field }) => (message ? [{ ...field, message }] : []))}
          attempt={actionData}
        />
        <StarsInput
          name="rating"
          label="Your rating"
          required
          {...(chosen ? { defaultValue: chosen } : {})}
          {...(actionData?.fields.rating ? { error: actionData.fields.rating } : {})}
        />
        <TextAreaField
          id="body"
          name="body"
          label={BODY_LABEL}
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
