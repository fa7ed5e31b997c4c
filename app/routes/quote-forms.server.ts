import { parseWithZod } from '@conform-to/zod/v4'
import { data, href, type RouterContextProvider, redirect } from 'react-router'
import { mayWrite } from '../features/accounts/commands.server.ts'
import { timeProblem } from '../features/availability/messages.ts'
import { findBookingOffer } from '../features/bookings/checkout/queries.server.ts'
import { type QuoteWritten, saveDraft, sendQuote, withdrawQuote } from '../features/quotes/commands.server.ts'
import { findComposerStart } from '../features/quotes/composer-queries.server.ts'
import type { VENDOR_REFUSALS } from '../features/quotes/messages.ts'
import { listQuotes } from '../features/quotes/queries.server.ts'
import {
  type ComposerAnswer,
  earlierQuoteSchema,
  quoteSchema,
  readTypedQuote,
  withdrawQuoteSchema,
  withoutStale,
  withTodaysNames,
} from '../features/quotes/schema.ts'
import { servicesContext } from '../request-context.server.ts'
import { bookingDeps } from '../services/deps.server.ts'

type Asked = { context: Readonly<RouterContextProvider>; form: FormData }

/** The forms of a vendor's quotes. */
export const VENDOR_QUOTE_FORMS = [quoteSchema, withdrawQuoteSchema, earlierQuoteSchema] as const
const INTENTS = ['send-quote', 'save-quote', 'withdraw-quote']

/** Whether a form is a quote's. The page's other forms are sent to the same address while a quote is written. */
export const isQuoteForm = (form: FormData): boolean => INTENTS.includes(String(form.get('intent')))

/**
 * Reads the quotes of a vendor's conversation and, if the address asks for it, what the form of the next begins with.
 * `isListed` is false where the listing is hidden or deleted, so that no quote can be written.
 */
export async function loadVendorQuotes(
  { context, url }: Pick<Asked, 'context'> & { url: URL },
  input: { userId: string; conversation: { id: string; businessId: string } | null },
) {
  const { db, now } = context.get(servicesContext)
  const { userId, conversation } = input
  const isQuoteAsked = url.searchParams.has('quote')
  if (!conversation) return { quotes: [], composer: null, isListed: false, isQuoteAsked }
  const { id: conversationId, businessId } = conversation
  const [quotes, composer, listing] = await Promise.all([
    listQuotes(db, { conversationId, side: 'vendor' }),
    isQuoteAsked ? findComposerStart(db, { userId, conversationId, now: now() }) : null,
    findBookingOffer(db, businessId),
  ])
  return { quotes, composer, isListed: listing?.ownerUserId === userId, isQuoteAsked }
}

/** Answers the forms of a vendor's quotes. A success leads back to the conversation. */
export async function answerQuoteForm(
  { context, form }: Asked,
  { userId, conversationId }: { userId: string; conversationId: string },
) {
  const { rateLimits } = context.get(servicesContext)
  const deps = bookingDeps(context.get(servicesContext))
  const typed = readTypedQuote((name) => form.get(name))
  const refuse = (reason: keyof typeof VENDOR_REFUSALS, more: Refused = {}) =>
    answer(reason, { typed: typed && withoutStale(typed, more.errors ?? {}), ...more })
  if (!(await mayWrite(rateLimits, userId))) return refuse('too_often')
  const done = () => redirect(href('/dashboard/inbox/:id?', { id: conversationId }))
  if (form.get('intent') === 'withdraw-quote') {
    const outcome = await withdrawQuote(deps, { userId, quoteId: String(form.get('quoteId') ?? '') })
    if (!outcome.ok) return refuse(outcome.reason)
    throw done()
  }
  const submission = parseWithZod(withTodaysNames(form), { schema: quoteSchema })
  if (submission.status !== 'success') return refuse('fields', { errors: errorsOf(submission.error) })
  const { intent, version, offer } = submission.value
  const write = intent === 'save-quote' ? saveDraft : sendQuote
  const outcome: QuoteWritten = await write(deps, { userId, conversationId, version, offer })
  if (outcome.ok) throw done()
  if (outcome.reason === 'time_gone') {
    const problem = timeProblem(outcome)
    return refuse('time_gone', { problem, errors: { [problem.field]: [problem.message] } })
  }
  if (outcome.reason !== 'fields') return refuse(outcome.reason)
  const fields = Object.entries(outcome.fields).map(([name, message]) => [name, [message]])
  return refuse('fields', { errors: Object.fromEntries(fields) })
}

function errorsOf(error: Record<string, string[] | null> | null): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(error ?? {}).flatMap(([name, messages]) => (messages ? [[name, messages]] : [])),
  )
}

type Refused = Partial<Pick<ComposerAnswer, 'errors' | 'problem'>>

function answer(reason: keyof typeof VENDOR_REFUSALS, refused: Refused & Pick<ComposerAnswer, 'typed'>) {
  return data<ComposerAnswer>(
    { ok: false, reason, errors: {}, problem: null, ...refused },
    { status: STATUSES[reason] },
  )
}

const STATUSES = {
  not_found: 404,
  fields: 422,
  too_often: 429,
  blocked: 409,
  left: 410,
  being_paid: 409,
  changed: 409,
  gone: 409,
  vendor_paused: 409,
  payouts_missing: 409,
  time_gone: 409,
  not_open: 409,
} as const satisfies Record<keyof typeof VENDOR_REFUSALS, number>
