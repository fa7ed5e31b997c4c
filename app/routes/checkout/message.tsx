import { data, href, redirect } from 'react-router'
import { z } from 'zod'
import { limitedAddress } from '../../adapters/rate-limits/addresses.ts'
import {
  type ConversationPlace,
  findBookingTalk,
  messageAboutBooking,
} from '../../features/enquiries/booking-commands.server.ts'
import { messageTitle, SEND_UNREADABLE } from '../../features/enquiries/conversation-messages.ts'
import { CONVERSATION_REFUSALS, START_REFUSALS } from '../../features/enquiries/messages.ts'
import { bookingMessageSchema } from '../../features/enquiries/schema.ts'
import {
  type BookingMessageAnswer,
  BookingMessageScreen,
} from '../../features/enquiries/screens/booking-message-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { enquiryDeps } from '../../services/deps.server.ts'
import { readForm } from '../../shared/form.ts'
import { newId } from '../../shared/ids.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { participantOf } from '../conversation-forms.server.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/message'

// The address is the key to the booking: keep it from other sites. Where the form is sent without JavaScript, our own site has
// to learn the origin.
export const meta: Route.MetaFunction = ({ matches, loaderData }) => [
  ...privateMeta(messageTitle(loaderData?.booking?.vendorName ?? 'the vendor'), matches[0]?.loaderData),
  { name: 'referrer', content: 'same-origin' },
]

const STATUSES = {
  not_found: 404,
  gone: 410,
  own_business: 403,
  too_many: 429,
  blocked: 403,
  blocked_by_you: 409,
  unverified: 409,
  left: 410,
} as const

const pathOf = (place: ConversationPlace) =>
  'id' in place
    ? href('/messages/:id?', { id: place.id })
    : href('/conversations/:linkToken', { linkToken: place.linkToken })

async function writerOf({
  request,
  context,
  params,
}: Pick<Route.LoaderArgs, 'request' | 'context' | 'params'>) {
  const session = await findSession({ request, context })
  return { linkToken: params.linkToken, account: session ? participantOf(session) : null }
}

/** Leads to the conversation about a booking, or to the form for its first message. */
export async function loader(args: Route.LoaderArgs) {
  const deps = enquiryDeps(args.context.get(servicesContext))
  const talk = await findBookingTalk(deps, await writerOf(args))
  if (talk?.place) throw redirect(pathOf(talk.place))
  const booking = talk && { vendorName: talk.vendorName, span: talk.span }
  return data({ booking, submitKey: newId() }, { status: booking ? 200 : 404 })
}

/** Sends the first message about a booking. */
export async function action(args: Route.ActionArgs) {
  const { request, context } = args
  const form = await readForm(request, bookingMessageSchema)
  const body = String(form.get('body') ?? '').replaceAll('\r\n', '\n')
  const refuse = (status: number, refused: Partial<BookingMessageAnswer>) =>
    data<BookingMessageAnswer>({ refusal: null, error: null, body, ...refused }, { status })
  const parsed = bookingMessageSchema.safeParse({ body, submitKey: form.get('submitKey') })
  if (!parsed.success) {
    const error = z.flattenError(parsed.error).fieldErrors.body?.[0]
    return refuse(422, error ? { error } : { refusal: SEND_UNREADABLE })
  }
  const sent = await messageAboutBooking(enquiryDeps(context.get(servicesContext)), {
    by: await writerOf(args),
    message: parsed.data,
    address: limitedAddress(request),
  })
  if (sent.ok) throw redirect(pathOf(sent.place))
  return refuse(STATUSES[sent.reason], {
    refusal: { ...CONVERSATION_REFUSALS, ...START_REFUSALS }[sent.reason],
  })
}

export default function BookingMessage({ loaderData, actionData, params }: Route.ComponentProps) {
  return <BookingMessageScreen data={loaderData} answered={actionData} linkToken={params.linkToken} />
}
