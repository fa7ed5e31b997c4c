import { data, href, redirect, type ShouldRevalidateFunctionArgs } from 'react-router'
import { limitedAddress } from '../../adapters/rate-limits/addresses.ts'
import { timeProblem } from '../../features/availability/messages.ts'
import { isLinkToken } from '../../features/bookings/schema.ts'
import type { SiteParticipant } from '../../features/enquiries/rules.ts'
import { BROWSER_PAYMENTS_COOKIE, PAYMENT_STARTS_LIMIT } from '../../features/payments/rules.ts'
import {
  acceptQuote,
  chooseAgain,
  resumeAcceptance,
} from '../../features/quotes/acceptance-commands.server.ts'
import { declineQuote, viewQuote } from '../../features/quotes/commands.server.ts'
import { quoteTitle } from '../../features/quotes/messages.ts'
import { findQuotePage } from '../../features/quotes/page-queries.server.ts'
import {
  acceptSchema,
  checkContact,
  contactSchema,
  type QuoteAnswer,
  type QuoteReason,
  readAcceptance,
} from '../../features/quotes/schema.ts'
import { QuoteScreen } from '../../features/quotes/screens/quote-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services/deps.server.ts'
import { readForm } from '../../shared/form.ts'
import { pageTitle } from '../../shared/page-meta.ts'
import { readSignedList } from '../../shared/signed-cookie.server.ts'
import { browserPaymentsCookie } from '../browser-payments.server.ts'
import { participantOf as accountOf } from '../conversation-forms.server.ts'
import { findSession, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/quote'

// The address may be the key to the quote: keep it from other sites. Without JavaScript the form needs its origin.
export const meta: Route.MetaFunction = ({ matches, loaderData }) => [
  { name: 'referrer', content: 'same-origin' },
  {
    title: pageTitle(
      loaderData?.page ? quoteTitle(loaderData.page.quote.businessName) : 'Quote',
      matches[0]?.loaderData,
    ),
  },
]

type Args = { params: { link?: string }; request: Request; context: Route.LoaderArgs['context'] }

/** The visitor as a side of the conversation: by its link, or by their account. */
async function participantOf({ params, request, context }: Args): Promise<SiteParticipant | null> {
  if (params.link !== undefined) return isLinkToken(params.link) ? { linkToken: params.link } : null
  const session = await findSession({ request, context })
  return session && accountOf(session)
}

/** A quote, for its customer by their account or the conversation's link, and for its vendor. */
export async function loader({ params, request, context, url }: Route.LoaderArgs) {
  const { now } = context.get(servicesContext)
  const by =
    params.link === undefined
      ? accountOf(await requireSession({ request, url, context }))
      : await participantOf({ params, request, context })
  const page =
    by && (await findQuotePage(bookingDeps(context.get(servicesContext)), { quoteId: params.id, by }))
  const session = page && (await findSession({ request, context }))
  const phone = session?.user.phoneNumber ?? ''
  return data({ page, phone, now: now().toISOString() }, { status: page ? 200 : 404 })
}

export async function action({ params, request, context }: Route.ActionArgs) {
  // The contact is checked once the quote is known, so that a refusal keeps what was typed.
  const form = await readForm(request, [acceptSchema, contactSchema])
  const { config, rateLimits } = context.get(servicesContext)
  const deps = bookingDeps(context.get(servicesContext))
  const by = await participantOf({ params, request, context })
  const typed = readAcceptance(form)
  if (!by || !typed) return refuse({ reason: 'not_found' })
  const order = { quoteId: params.id, by }
  const here = href('/quotes/:id/:link?', params)
  const earlier = await readSignedList(request.headers.get('cookie'), BROWSER_PAYMENTS_COOKIE, config.secret)
  const toPayment = async (paymentId: string) =>
    redirect(href('/payment'), {
      headers: { 'set-cookie': await browserPaymentsCookie(earlier, paymentId, config) },
    })
  switch (typed.intent) {
    case 'seen': {
      const seen = await viewQuote(deps, order)
      return seen.ok ? data<QuoteAnswer>({ ok: true, typed: null }) : refuse({ reason: 'not_found' })
    }
    case 'total':
      return data<QuoteAnswer>({ ok: true, typed })
    case 'again': {
      const again = await chooseAgain(deps, order)
      if (!again.ok) return refuse({ reason: again.reason })
      throw redirect(here)
    }
    case 'decline': {
      const declined = await declineQuote(deps, order)
      if (!declined.ok) return refuse({ reason: declined.reason })
      throw redirect(here)
    }
    case 'continue': {
      const resumed = await resumeAcceptance(deps, order)
      if (!resumed.ok) return refuse({ reason: resumed.reason })
      throw await toPayment(resumed.paymentId)
    }
    case 'accept': {
      const contact = checkContact(typed)
      if (!contact.ok) return refuse({ reason: 'fields', fields: contact.fields, typed })
      const address = limitedAddress(request)
      if (!(await rateLimits.take(`payment:${address}`, PAYMENT_STARTS_LIMIT)))
        return refuse({ reason: 'rate_limited', typed })
      const accepted = await acceptQuote(deps, {
        ...order,
        taken: typed.line,
        contact: contact.contact,
        shownCents: typed.shown,
        exceptPayments: earlier,
        heldFrom: address,
      })
      if (!accepted.ok)
        return refuse(
          accepted.reason === 'time_gone'
            ? { reason: accepted.reason, problem: timeProblem(accepted), typed }
            : { ...accepted, typed },
        )
      throw await toPayment(accepted.paymentId)
    }
  }
}

/** A refusal means that the quote has changed: the page shows its present state. */
export const shouldRevalidate = ({ formMethod, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate || formMethod === 'POST'

type Refusal = Omit<Extract<QuoteAnswer, { ok: false }>, 'ok' | 'typed'> & { typed?: QuoteAnswer['typed'] }

function refuse({ typed = null, ...refusal }: Refusal) {
  return data<QuoteAnswer>({ ok: false, ...refusal, typed }, { status: STATUSES[refusal.reason] })
}

const STATUSES = {
  not_found: 404,
  not_accepted: 409,
  fields: 422,
  rate_limited: 429,
  too_many_held_by_browser: 429,
  too_many_held_by_address: 429,
  expired: 409,
  superseded: 409,
  withdrawn: 409,
  declined: 409,
  booked: 409,
  being_paid: 409,
  blocked: 409,
  gone: 409,
  vendor_paused: 409,
  time_gone: 409,
  total_changed: 409,
} as const satisfies Record<QuoteReason, number>

export default function QuotePage({ loaderData, actionData, params }: Route.ComponentProps) {
  return <QuoteScreen loaderData={loaderData} answer={actionData} params={params} />
}
