import { useEffect, useRef, useState } from 'react'
import { Form, href, Link, useFetcher, useNavigation } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import type { Cents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { useFormDraft } from '../../../ui/form-draft.ts'
import { FormSummary } from '../../../ui/form-summary.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { nearTimeText } from '../../availability/messages.ts'
import type { TimeProblem } from '../../availability/rules.ts'
import { keepTimesWhole } from '../../bookings/components/booking-facts.tsx'
import { LinkedText } from '../../enquiries/components/linked-text.tsx'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import { TermsTimeline } from '../../terms/components/terms-timeline.tsx'
import { agreeTerms, type SaleTerms } from '../../terms/rules.ts'
import { payPlanText, TIMELINE_TITLE } from '../../terms/timeline-messages.ts'
import { timelineBefore } from '../../terms/timeline-rules.ts'
import { QuoteLines } from '../components/quote-lines.tsx'
import {
  ACCEPT_AND_PAY,
  CHOOSE_AGAIN,
  CONTINUE_TO_PAYMENT,
  countText,
  DECLINE_QUOTE,
  NOTHING_CHARGED_YET,
  OPTIONAL_HINT,
  PAYING_NOW,
  QUOTE_NOT_FOUND,
  QUOTE_REFUSALS,
  quoteTitle,
  SEE_CONVERSATION,
  STATE_NOTICES,
  TIME_TAKEN,
  TIME_TAKEN_NEXT,
  UPDATE_TOTAL,
  VENDOR_SEES,
  validText,
  WRITE_TO_VENDOR,
  YOUR_DETAILS,
} from '../messages.ts'
import type { QuotePage } from '../page-queries.server.ts'
import { lastValidDay, leastOf, optionalIds, type QuoteView, totalOf } from '../rules.ts'
import type { ContactErrors, QuoteAnswer } from '../schema.ts'

type Props = {
  loaderData: { page: QuotePage | null; phone: string; now: string }
  answer: QuoteAnswer | undefined
  params: { id: string; link?: string | undefined }
}

/** A quote, with the form that accepts it while it is open. It works without JavaScript up to the card form. */
export function QuoteScreen({ loaderData: { page, phone, now }, answer, params }: Props) {
  useLiveUpdates(params.link ? [`conversation-${params.link}`] : ['notifications'])
  if (!page) {
    return (
      <div className="page page-column section">
        <h1>{QUOTE_NOT_FOUND}</h1>
        <p className="lede mt-5">Check the link, or open it from your email again.</p>
      </div>
    )
  }
  const { quote, side } = page
  return (
    <div className="page page-column section">
      <SeenMark page={page} />
      <p className="text-quiet">Quote for {quote.customerName}</p>
      <h1>{quoteTitle(quote.businessName)}</h1>
      <p className="figures mt-4 text-lg">
        <time dateTime={`${quote.date}T${quote.time}`}>{keepTimesWhole(quote.span)}</time>
      </p>
      <p className="figures mt-1 text-quiet">{countText(quote)}</p>
      <Notices page={page} answer={answer} params={params} />
      {quote.note ? (
        <p className="mt-6 max-w-prose whitespace-pre-line wrap-anywhere">
          <LinkedText text={quote.note} />
        </p>
      ) : null}
      {side === 'customer' && isOpen(quote) && !page.problem ? (
        <AcceptForm page={page} answer={answer} phone={phone} now={now} />
      ) : (
        <ClosedQuote page={page} now={now} />
      )}
      {side === 'customer' && quote.state === 'accepted' ? <Paying /> : null}
      <p className="mt-8">
        <Link className="link" to={conversationPath(page, params.link)}>
          {side === 'customer' ? WRITE_TO_VENDOR : SEE_CONVERSATION}
        </Link>
      </p>
    </div>
  )
}

function conversationPath({ quote: { conversationId: id }, side }: QuotePage, link: string | undefined) {
  if (side === 'vendor') return href('/dashboard/inbox/:id?', { id })
  return link ? href('/conversations/:linkToken', { linkToken: link }) : href('/messages/:id?', { id })
}

const isOpen = ({ state }: QuoteView) => state === 'sent' || state === 'viewed'

/** Stores that the customer has seen the quote, or that it was withdrawn. A mail's scanner only fetches the page, which stores nothing. */
function SeenMark({ page: { quote, side } }: { page: QuotePage }) {
  const fetcher = useFetcher()
  const told = useRef<string>(null)
  useEffect(() => {
    if (side !== 'customer' || told.current === quote.state) return
    if (quote.state !== 'sent' && quote.state !== 'withdrawn') return
    told.current = quote.state
    void fetcher.submit({ intent: 'seen' }, { method: 'post' })
  }, [fetcher, quote.state, side])
  return null
}

/** The quote's end, and the answer to a refused press. */
function Notices({
  page,
  answer,
  params,
}: {
  page: QuotePage
  answer: QuoteAnswer | undefined
  params: Props['params']
}) {
  const { quote, side, newerId, booking } = page
  // A refusal that the page's own state already explains isn't shown as well.
  const refusal =
    answer && !answer.ok && answer.reason !== 'fields' && answer.reason !== quote.state ? answer : null
  const problem = page.problem ?? refusal?.problem ?? null
  const notice = side === 'customer' ? STATE_NOTICES[quote.state] : null
  return (
    <div className="mt-6 grid gap-4 empty:hidden">
      {side === 'vendor' ? <Banner>{VENDOR_SEES}</Banner> : null}
      {notice ? (
        <Banner tone={quote.state === 'booked' ? 'success' : 'info'}>
          <p>
            {notice}{' '}
            {newerId ? (
              <Link className="link" to={href('/quotes/:id/:link?', { ...params, id: newerId })}>
                See the newer quote
              </Link>
            ) : null}
            {booking ? (
              <Link className="link" to={booking}>
                See your booking
              </Link>
            ) : null}
          </p>
        </Banner>
      ) : null}
      {problem ? <TimeTaken problem={problem} /> : null}
      {refusal && !problem ? (
        <div role="alert">
          <Banner tone="error">{QUOTE_REFUSALS[refusal.reason]}</Banner>
        </div>
      ) : null}
    </div>
  )
}

function TimeTaken({ problem: { message, alternatives } }: { problem: TimeProblem }) {
  return (
    <div role="alert">
      <Banner tone="error" title={TIME_TAKEN}>
        <p className="mt-1">{message}</p>
        {alternatives.length > 0 ? (
          <>
            <p className="mt-3">{TIME_TAKEN_NEXT}</p>
            <ul className="figures mt-2 list-disc pl-5">
              {alternatives.map((near) => (
                <li key={`${near.date} ${near.time}`}>{nearTimeText(near)}</li>
              ))}
            </ul>
          </>
        ) : null}
      </Banner>
    </div>
  )
}

/** The lines with their choice, the customer's details, the terms and the button. */
function AcceptForm({
  page,
  answer,
  phone,
  now,
}: {
  page: QuotePage
  answer: QuoteAnswer | undefined
  phone: string
  now: string
}) {
  const { quote, contact } = page
  const typed = answer?.typed
  const [taken, setTaken] = useState(typed?.line ?? [])
  const totalCents = totalOf(quote.lines, taken)
  const { state, formData } = useNavigation()
  const isSending = state !== 'idle' && formData?.get('intent') === 'accept'
  const errors: ContactErrors = answer?.ok === false ? (answer.fields ?? {}) : {}
  const form = useFormDraft(`accept-quote-${quote.id}`, null)
  const hasOptional = optionalIds(quote.lines).length > 0
  return (
    <>
      <Form ref={form} method="post" className="mt-8" noValidate>
        <input type="hidden" name="shown" value={totalCents} />
        <FormSummary
          attempt={answer}
          errors={CONTACT_FIELDS.flatMap(({ name, label }) => {
            const message = errors[name]
            return message ? [{ fieldId: `quote-${name}`, label, message }] : []
          })}
        />
        {hasOptional ? <p className="mt-2 text-quiet">{OPTIONAL_HINT}</p> : null}
        <QuoteLines
          lines={quote.lines}
          taken={taken}
          onTake={(id, isTaken) =>
            setTaken((before) => (isTaken ? [...before, id] : before.filter((each) => each !== id)))
          }
        />
        {hasOptional ? (
          <noscript>
            <button type="submit" name="intent" value="total" className="button button-secondary mt-4">
              {UPDATE_TOTAL}
            </button>
          </noscript>
        ) : null}
        <QuoteTerms page={page} totalCents={totalCents} now={now} />
        <fieldset className="mt-10 grid gap-5">
          <legend className="mb-4 text-xl">{YOUR_DETAILS}</legend>
          {CONTACT_FIELDS.map(({ name, ...field }) => (
            <TextField
              key={name}
              {...field}
              name={name}
              id={`quote-${name}`}
              error={errors[name]}
              defaultValue={typed?.[name] ?? (name === 'phone' ? phone : contact[name])}
            />
          ))}
        </fieldset>
        <div className="mt-8 grid gap-3">
          <Button
            type="submit"
            name="intent"
            value="accept"
            variant="primary"
            size="large"
            wide
            pending={isSending}
            pendingText="One moment..."
          >
            {ACCEPT_AND_PAY}
          </Button>
          <p className="text-sm text-quiet">{NOTHING_CHARGED_YET}</p>
          <SendFailure />
        </div>
      </Form>
      <Form method="post" className="mt-6 border-t border-line pt-6">
        <Button type="submit" name="intent" value="decline" variant="quiet">
          {DECLINE_QUOTE}
        </Button>
      </Form>
    </>
  )
}

const CONTACT_FIELDS = [
  { name: 'fullName', label: 'Full name', autoComplete: 'name' },
  { name: 'email', label: 'Email', type: 'email', autoComplete: 'email', inputMode: 'email' },
  { name: 'phone', label: 'Phone', type: 'tel', autoComplete: 'tel', inputMode: 'tel' },
] as const

/** A quote that can't be accepted here, as it was or is. */
function ClosedQuote({ page, now }: { page: QuotePage; now: string }) {
  const { quote } = page
  return (
    <div className="mt-8">
      <QuoteLines lines={quote.lines} taken={quote.takenLines} />
      <QuoteTerms page={page} totalCents={leastOf(quote)} now={now} />
    </div>
  )
}

/** A quote whose payment waits for its card. */
function Paying() {
  const { state } = useNavigation()
  return (
    <Form method="post" className="mt-8 flex flex-wrap items-center gap-3">
      <p className="basis-full">{PAYING_NOW}</p>
      <Button type="submit" name="intent" value="continue" variant="primary" pending={state === 'submitting'}>
        {CONTINUE_TO_PAYMENT}
      </Button>
      <Button type="submit" name="intent" value="again">
        {CHOOSE_AGAIN}
      </Button>
    </Form>
  )
}

/** Until when the quote is valid and the time held, what is due when, and what cancelling costs. */
function QuoteTerms({
  page: { quote, payoutTimes, problem },
  totalCents,
  now,
}: {
  page: QuotePage
  totalCents: Cents
  now: string
}) {
  const { timeZone, date, time } = quote
  const at = new Date(now)
  const event = { date, time, timeZone }
  const terms = termsOf(quote, totalCents, payoutTimes, at)
  const plan = payPlanText(terms, timeZone)
  const isWaiting = isOpen(quote)
  return (
    <>
      {isWaiting ? (
        <p className="mt-5">
          {validText(lastValidDay(new Date(quote.validUntil), timeZone))}.{' '}
          {!problem && quote.heldUntil && new Date(quote.heldUntil) > at
            ? `This time is held for you until ${formatInstant(new Date(quote.heldUntil), timeZone)}.`
            : null}
        </p>
      ) : null}
      {isWaiting ? (
        <section aria-label={TIMELINE_TITLE} className="mt-10">
          <h2 className="text-xl">{TIMELINE_TITLE}</h2>
          {plan ? <p className="figures mt-4 font-medium">{plan}.</p> : null}
          <div className="mt-5">
            <TermsTimeline line={timelineBefore(terms, event, at)} timeZone={timeZone} isPaid={false} />
          </div>
        </section>
      ) : null}
    </>
  )
}

function termsOf(
  quote: QuoteView,
  priceCents: Cents,
  payoutTimes: QuotePage['payoutTimes'],
  now: Date,
): SaleTerms {
  const { date, time, timeZone } = quote
  return agreeTerms({
    listing: quote.terms,
    priceCents,
    event: { date, time, timeZone },
    releasedAt: new Date(Date.parse(quote.eventUntil) + (payoutTimes?.delayMs ?? 0)),
    now,
    holdLimitMs: payoutTimes?.holdLimitMs ?? null,
  })
}
