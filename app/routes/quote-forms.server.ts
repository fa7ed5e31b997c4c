import { parseWithZod } from '@conform-to/zod/v4'
import { data, href, type RouterContextProvider, redirect } from 'react-router'
import { mayWrite } from '../features/accounts/commands.server.ts'
import { timeProblem } from '../features/availability/messages.ts'
import { type QuoteWritten, saveDraft, sendQuote, withdrawQuote } from '../features/quotes/commands.server.ts'
import { findComposerStart } from '../features/quotes/composer-queries.server.ts'
import type { VENDOR_REFUSALS } from '../features/quotes/messages.ts'
import { listQuotes } from '../features/quotes/queries.server.ts'
import {
  type ComposerAnswer,
  quoteSchema,
  readTypedQuote,
  withdrawQuoteSchema,
} from '../features/quotes/schema.ts'
import { servicesContext } from '../request-context.server.ts'
import { bookingDeps } from '../services/deps.server.ts'
import { readForm } from '../shared/form.ts'

type Asked = { request: Request; context: Readonly<RouterContextProvider> }

/** Whether an address asks for the form of a quote. That form is posted to the same address. */
export const hasQuoteForm = (url: URL): boolean => url.searchParams.has('quote')

/** Reads the quotes of a vendor's conversation and, if the address asks for it, what the form of the next begins with. */
export async function loadVendorQuotes(
  { context }: Pick<Asked, 'context'>,
  input: { userId: string; conversationId: string | undefined; withForm: boolean },
) {
  const { db, now } = context.get(servicesContext)
  const { userId, conversationId, withForm } = input
  if (conversationId === undefined) return { quotes: [], composer: null }
  const [quotes, composer] = await Promise.all([
    listQuotes(db, { conversationId, side: 'vendor' }),
    withForm ? findComposerStart(db, { userId, conversationId, now: now() }) : null,
  ])
  return { quotes, composer }
}

/** Answers the forms of a vendor's quotes. A success leads back to the conversation. */
export async function answerQuoteForm(
  { request, context }: Asked,
  { userId, conversationId }: { userId: string; conversationId: string },
) {
  const form = await readForm(request, [quoteSchema, withdrawQuoteSchema])
  const services = context.get(servicesContext)
  const deps = bookingDeps(services)
  const typed = readTypedQuote((name) => form.get(name))
  const refuse = (reason: keyof typeof VENDOR_REFUSALS, more: Refused = {}) =>
    answer(reason, { typed, ...more })
  if (!(await mayWrite(services.rateLimits, userId))) return refuse('too_often')
  const done = () => redirect(href('/dashboard/inbox/:id?', { id: conversationId }))
  if (form.get('intent') === 'withdraw-quote') {
    const outcome = await withdrawQuote(deps, { userId, quoteId: String(form.get('quoteId') ?? '') })
    if (!outcome.ok) return refuse(outcome.reason)
    throw done()
  }
  const submission = parseWithZod(form, { schema: quoteSchema })
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
  being_paid: 409,
  changed: 409,
  gone: 409,
  vendor_paused: 409,
  payouts_missing: 409,
  time_gone: 409,
  not_open: 409,
} as const satisfies Record<keyof typeof VENDOR_REFUSALS, number>
