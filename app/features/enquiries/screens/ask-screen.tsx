import { type RefObject, useEffect, useRef, useState } from 'react'
import { Form, href, Link, useNavigation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { useFormDraft } from '../../../ui/form-draft.ts'
import { type FormError, FormSummary } from '../../../ui/form-summary.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { FileField } from '../components/file-field.tsx'
import { ASK_NEXT, ASK_TITLES, FILES_LOST, SEND_LINK_AGAIN } from '../conversation-messages.ts'
import type { Wish } from '../rules.ts'

// In the order of the form: the summary of errors has it too, and its first field gets the focus.
const FIELDS = ['body', 'eventDate', 'guests', 'budget', 'name', 'email', 'files'] as const
type Field = (typeof FIELDS)[number]
const LABELS = {
  body: 'Your message',
  eventDate: 'Date',
  guests: 'Guests',
  budget: 'Budget',
  name: 'Your name',
  email: 'Your email',
  files: 'Attach files',
} as const satisfies Record<Field, string>

/** The response to an enquiry; `typed` is what was refused. */
export type AskAnswer =
  | {
      ok: true
      sentTo: string
      /** With which the link is sent again. */
      again: string
      /** The result of sending it again; null before that. */
      sentAgain: { ok: boolean; text: string } | null
    }
  | {
      ok: false
      refusal: string | null
      errors: Partial<Record<Field, string>>
      typed: Partial<Record<Exclude<Field, 'files'>, string>>
    }

type RefusedAsk = Exclude<AskAnswer, { ok: true }>

export type AskData = {
  /** Null for a business that isn't there. */
  business: { id: string; name: string; location: string } | null
  wish: Wish
  /** Whether nobody is signed in: the form then asks for a name and an address. */
  isGuest: boolean
  /** The signed-in account; null for a guest. */
  userId: string | null
  submitKey: string
  /** The first day that can be chosen. */
  today: string
  /** The event's day and guests from a search, '' for none. */
  asked: { eventDate: string; guests: string }
}

/** The form for a first message to a business. */
export function AskScreen({ data, answered }: { data: AskData; answered: AskAnswer | undefined }) {
  const { business, userId } = data
  // One form keeps one key: sent again after a lost answer, it is still one message.
  const [submitKey, setSubmitKey] = useState(data.submitKey)
  // Here and not in the form, which a guest's success takes off the page.
  const guestDraft = `ask-${business?.id}-guest`
  const form = useFormDraft(
    userId ? `ask-${business?.id}-${userId}` : guestDraft,
    useSaved(answered),
    setSubmitKey,
    userId ? guestDraft : undefined,
  )
  if (!business)
    return (
      <EmptyState
        heading="h1"
        title="Business not found."
        text="Its owner may have taken it down, or the address may be mistyped."
        action={<ButtonLink to={href('/venues-vendors')}>Find venues and vendors</ButtonLink>}
      />
    )
  if (answered?.ok) return <CheckYourMail answered={answered} businessName={business.name} />
  return <AskForm data={{ ...data, submitKey }} business={business} answered={answered} form={form} />
}

/** The success of a form: a guest's answer, or the step to the conversation that an account has begun. */
function useSaved(answered: AskAnswer | undefined): object | null {
  const { state, formData, location } = useNavigation()
  if (answered?.ok) return answered
  const messages = `${href('/messages/:id?', {})}/`
  return state === 'loading' && formData && location.pathname.startsWith(messages) ? location : null
}

/** The enquiry's form, with the switch between a question and a quote. */
function AskForm({
  data: { wish, isGuest, submitKey, today, asked },
  business,
  answered,
  form,
}: {
  data: AskData
  business: NonNullable<AskData['business']>
  answered: RefusedAsk | undefined
  form: RefObject<HTMLFormElement | null>
}) {
  const navigation = useNavigation()
  // A form that was sent without JavaScript comes back without its files.
  const [cameWithPage] = useState(answered !== undefined)
  const { refusal = null, errors = {} } = answered ?? {}
  return (
    <div className="page page-column py-8 md:py-14">
      <AskHead business={business} wish={wish} isGuest={isGuest} />
      <Form
        ref={form}
        method="post"
        encType="multipart/form-data"
        className="mt-8 grid gap-6"
        noValidate
        replace
      >
        {refusal ? (
          <div role="alert">
            <Banner tone="error">{refusal}</Banner>
          </div>
        ) : null}
        <FormSummary
          errors={FIELDS.flatMap((name): FormError[] => {
            const message = errors[name]
            return message ? [{ fieldId: name, label: LABELS[name], message }] : []
          })}
          attempt={answered}
        />
        <input type="hidden" name="submitKey" value={submitKey} />
        <input type="hidden" name="wish" value={wish} />
        <TextAreaField
          {...fieldOf('body', answered)}
          hint="Your occasion, what you have in mind, and what you’d like to know."
          rows={6}
          required
        />
        <EventFields answered={answered} today={today} asked={asked} />
        {isGuest ? <GuestFields answered={answered} /> : null}
        <FileField id="files" error={errors.files ?? (cameWithPage ? FILES_LOST : undefined)} />
        <div>
          <Button
            type="submit"
            variant="primary"
            size="large"
            pending={navigation.formMethod === 'POST'}
            pendingText="Sending..."
          >
            Send
          </Button>
          <SendFailure />
        </div>
      </Form>
    </div>
  )
}

/** The business, the title and the next step, with the link to the other kind of enquiry. */
function AskHead({
  business,
  wish,
  isGuest,
}: Pick<AskData, 'wish' | 'isGuest'> & { business: NonNullable<AskData['business']> }) {
  return (
    <>
      <p>
        <Link className="link" to={href('/business/:id', { id: business.id })}>
          {business.name}
        </Link>
        , {business.location}
      </p>
      <h1 className="mt-3 wrap-anywhere">{ASK_TITLES[wish](business.name)}</h1>
      <p className="lede mt-4">{isGuest ? ASK_NEXT.guest : ASK_NEXT.account}</p>
      <p className="mt-3">
        <Link
          className="link"
          to={`?wish=${wish === 'quote' ? 'question' : 'quote'}`}
          replace
          preventScrollReset
        >
          {wish === 'quote' ? 'Ask a question instead' : 'Ask for a quote instead'}
        </Link>
      </p>
    </>
  )
}

/** The date, the guests and the budget of the event, all optional. */
function EventFields({
  answered,
  today,
  asked,
}: {
  answered: RefusedAsk | undefined
  today: string
  asked: AskData['asked']
}) {
  return (
    <div className="grid gap-6 sm:grid-cols-3">
      <TextField {...fieldOf('eventDate', answered, asked.eventDate)} type="date" min={today} optional />
      <TextField {...fieldOf('guests', answered, asked.guests)} inputMode="numeric" optional />
      <TextField {...fieldOf('budget', answered)} prefix="$" inputMode="decimal" optional />
    </div>
  )
}

/** The name and email of a sender without an account. */
function GuestFields({ answered }: { answered: RefusedAsk | undefined }) {
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      <TextField {...fieldOf('name', answered)} hint="The vendor sees it." autoComplete="name" required />
      <TextField
        {...fieldOf('email', answered)}
        type="email"
        hint="The vendor doesn’t see it."
        autoComplete="email"
        required
      />
    </div>
  )
}

/** A field's id, name, error and refused text. */
/** @param start what the field begins with */
function fieldOf(name: Exclude<Field, 'files'>, answered: RefusedAsk | undefined, start?: string) {
  return {
    id: name,
    name,
    label: LABELS[name],
    error: answered?.errors[name],
    defaultValue: answered ? answered.typed[name] : start,
  }
}

/** The request to confirm the email of a sender without an account. */
function CheckYourMail({
  answered: { sentTo, again, sentAgain },
  businessName,
}: {
  answered: Extract<AskAnswer, { ok: true }>
  businessName: string
}) {
  const isSending = useNavigation().state === 'submitting'
  const heading = useRef<HTMLHeadingElement>(null)
  // The form was long and its button at its end: without this, the person looks at the foot of the page.
  useEffect(() => {
    window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="page page-column section">
      <Icon name="mail-check" className="size-10 text-brand" />
      <h1 ref={heading} tabIndex={-1} className="mt-4 focus:outline-none">
        Check your email
      </h1>
      <p className="lede mt-4 wrap-anywhere">
        We’ve sent a link to {sentTo || 'you'}. Open it and confirm, and your message goes to {businessName}.
      </p>
      <p className="mt-4 text-quiet">Nothing there after a few minutes? Look in your junk mail.</p>
      <Form method="post" className="mt-6" preventScrollReset replace>
        <input type="hidden" name="intent" value="link-again" />
        <input type="hidden" name="again" value={again} />
        <Button type="submit" pending={isSending} pendingText="Sending...">
          {SEND_LINK_AGAIN}
        </Button>
        <SendFailure />
      </Form>
      <div role="status" className="mt-4">
        {sentAgain ? <Banner tone={sentAgain.ok ? 'success' : 'error'}>{sentAgain.text}</Banner> : null}
      </div>
    </div>
  )
}
