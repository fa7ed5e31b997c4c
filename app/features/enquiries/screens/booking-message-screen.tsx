import { useState } from 'react'
import { Form, href, useNavigation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TextAreaField } from '../../../ui/field.tsx'
import { useFormDraft } from '../../../ui/form-draft.ts'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { ASK_NEXT, messageTitle } from '../conversation-messages.ts'
import { MAX_MESSAGE_LENGTH } from '../rules.ts'

/** The response to a refused message; `body` is what was typed. */
export type BookingMessageAnswer = { refusal: string | null; error: string | null; body: string }

/** The form for a first message to a booking's vendor. The next ones are written in the conversation. */
export function BookingMessageScreen({
  data: { booking, submitKey },
  answered,
  linkToken,
}: {
  data: { booking: { vendorName: string; span: string } | null; submitKey: string }
  answered: BookingMessageAnswer | undefined
  linkToken: string
}) {
  const navigation = useNavigation()
  const isSent = navigation.state === 'loading' && navigation.formData !== undefined
  const [key, setKey] = useState(submitKey)
  const form = useFormDraft(`booking-message-${linkToken}`, isSent ? navigation.location : null, setKey)
  if (!booking)
    return (
      <EmptyState
        heading="h1"
        title="There is no booking at this address"
        text="Open the link in your email again. It may have been cut off."
        action={<ButtonLink to={href('/advice-support')}>Advice and support</ButtonLink>}
      />
    )
  return (
    <div className="page page-column section">
      <h1 className="wrap-anywhere">{messageTitle(booking.vendorName)}</h1>
      <p className="lede mt-4">About your booking: {booking.span}.</p>
      <Form ref={form} method="post" className="mt-8 grid gap-6" noValidate replace>
        {answered?.refusal ? (
          <div role="alert">
            <Banner tone="error">{answered.refusal}</Banner>
          </div>
        ) : null}
        <input type="hidden" name="submitKey" value={key} />
        <TextAreaField
          id="body"
          name="body"
          label="Your message"
          hint={ASK_NEXT.account}
          rows={6}
          required
          maxLength={MAX_MESSAGE_LENGTH}
          defaultValue={answered?.body}
          error={answered?.error ?? undefined}
        />
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            variant="primary"
            size="large"
            pending={navigation.formMethod === 'POST'}
            pendingText="Sending..."
          >
            Send
          </Button>
          <ButtonLink size="large" to={href('/bookings/:linkToken', { linkToken })}>
            Back to your booking
          </ButtonLink>
        </div>
        <SendFailure />
      </Form>
    </div>
  )
}
