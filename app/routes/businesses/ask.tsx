import { data, href, redirect } from 'react-router'
import { z } from 'zod'
import { limitedAddress } from '../../adapters/rate-limits/addresses.ts'
import { findAvailability } from '../../features/availability/hours-queries.server.ts'
import { readAsked } from '../../features/businesses/asked-rules.ts'
import { findBusiness } from '../../features/businesses/queries.server.ts'
import { isBookable } from '../../features/businesses/rules.ts'
import { startConversation } from '../../features/enquiries/commands.server.ts'
import {
  ASK_TITLES,
  LINK_AGAIN_REFUSALS,
  LINK_SENT_AGAIN,
  SEND_UNREADABLE,
} from '../../features/enquiries/conversation-messages.ts'
import { FIELD_TEXTS, fileRefusedText, START_REFUSALS } from '../../features/enquiries/messages.ts'
import { sendLinkAgain } from '../../features/enquiries/notice-commands.server.ts'
import { linkAgainKey } from '../../features/enquiries/rules.ts'
import {
  enquirySchema,
  guestEnquirySchema,
  linkAgainSchema,
  readFacts,
} from '../../features/enquiries/schema.ts'
import { type AskAnswer, type AskData, AskScreen } from '../../features/enquiries/screens/ask-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { enquiryDeps } from '../../services/deps.server.ts'
import { HOME_ZONE, wallTimeAt } from '../../shared/dates.ts'
import { readForm } from '../../shared/form.ts'
import { newId } from '../../shared/ids.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { nameOf } from '../../shell/header-props.ts'
import { notStored, unlisted } from '../contract.server.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/ask'
import '../../styles/whole.css'

export const middleware = [unlisted, notStored]

const STATUSES = {
  gone: 410,
  own_business: 403,
  too_many: 429,
  blocked: 403,
  file: 422,
} as const satisfies Record<keyof typeof START_REFUSALS, number>

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  privateMeta(
    loaderData?.business ? ASK_TITLES[loaderData.wish](loaderData.business.name) : 'Business not found.',
    matches[0]?.loaderData,
  )

export async function loader({ params, request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const [business, hours, session] = await Promise.all([
    findBusiness(db, params.id),
    findAvailability(db, params.id),
    findSession({ request, context }),
  ])
  const isThere = business !== null && business !== 'gone'
  const wish = url.searchParams.get('wish')
  const today = wallTimeAt(now(), hours?.timeZone ?? HOME_ZONE).date
  const { date, guests } = readAsked(url.search)
  return data<AskData>(
    {
      business: isThere ? { id: business.id, name: business.name, location: business.location } : null,
      wish: wish === 'quote' || (wish === null && isThere && !isBookable(business)) ? 'quote' : 'question',
      isGuest: session === null,
      userId: session?.user.uid ?? null,
      submitKey: newId(),
      today,
      asked: { eventDate: date >= today ? date : '', guests: guests === null ? '' : String(guests) },
    },
    { status: isThere ? 200 : business === 'gone' ? 410 : 404 },
  )
}

/** Starts a conversation: a guest's first message waits until they have opened the mailed link. */
export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, now, config } = context.get(servicesContext)
  const session = await findSession({ request, context })
  const form = await readForm(request, [guestEnquirySchema, linkAgainSchema])
  const asked = linkAgainSchema.safeParse(Object.fromEntries(form))
  if (asked.success) return sendAgain(context, { key: asked.data.again, address: limitedAddress(request) })
  const body = String(form.get('body') ?? '').replaceAll('\r\n', '\n')
  const fields = { ...Object.fromEntries(form), body, files: form.getAll('files') }
  const refuse = (status: number, refused: Partial<Extract<AskAnswer, { ok: false }>>) =>
    data<AskAnswer>({ ok: false, refusal: null, errors: {}, typed: typedIn(fields), ...refused }, { status })

  const schema = session ? enquirySchema : guestEnquirySchema
  const parsed = schema.safeParse(fields)
  if (!parsed.success) {
    const { fieldErrors } = z.flattenError(parsed.error) as { fieldErrors: Record<string, string[]> }
    const errors = Object.fromEntries(
      Object.entries(fieldErrors).flatMap(([name, [message]]) => (message ? [[name, message]] : [])),
    )
    const { wish: _, submitKey: __, ...known } = errors
    return refuse(422, Object.keys(known).length > 0 ? { errors: known } : { refusal: SEND_UNREADABLE })
  }
  const typed = parsed.data
  const facts = readFacts(typed)
  const hours = await findAvailability(db, params.id)
  const today = wallTimeAt(now(), hours?.timeZone ?? HOME_ZONE).date
  if (facts.eventDate && facts.eventDate < today)
    return refuse(422, { errors: { eventDate: FIELD_TEXTS.datePast } })
  const guest = 'name' in typed ? (typed as z.output<typeof guestEnquirySchema>) : null
  const started = await startConversation(enquiryDeps(context.get(servicesContext)), {
    businessId: params.id,
    wish: typed.wish,
    ...facts,
    message: { body: typed.body, files: typed.files, submitKey: typed.submitKey },
    customer: session
      ? { userId: session.user.uid, name: nameOf(session.user), email: session.user.email }
      : { userId: null, name: guest?.name ?? '', email: guest?.email ?? '' },
    address: limitedAddress(request),
  })
  if (!started.ok)
    return refuse(
      STATUSES[started.reason],
      started.reason === 'file'
        ? { errors: { files: fileRefusedText(started) } }
        : { refusal: START_REFUSALS[started.reason] },
    )
  if (session) throw redirect(href('/messages/:id?', { id: started.conversationId }))
  const again = await linkAgainKey(config.secret, started.conversationId)
  return data<AskAnswer>({ ok: true, sentTo: guest?.email ?? '', again, sentAgain: null })
}

/** Mails a guest's link again. The page stays as it is, with the result on it. */
async function sendAgain(context: Route.ActionArgs['context'], asked: { key: string; address: string }) {
  const sent = await sendLinkAgain(enquiryDeps(context.get(servicesContext)), asked)
  const sentAgain = { ok: sent.ok, text: sent.ok ? LINK_SENT_AGAIN : LINK_AGAIN_REFUSALS[sent.reason] }
  return data<AskAnswer>(
    { ok: true, sentTo: sent.sentTo, again: asked.key, sentAgain },
    { status: sent.ok ? 200 : sent.reason === 'too_many' ? 429 : 404 },
  )
}

function typedIn(fields: Record<string, unknown>) {
  return Object.fromEntries(
    ['name', 'email', 'body', 'eventDate', 'guests', 'budget'].flatMap((name) =>
      typeof fields[name] === 'string' ? [[name, fields[name]]] : [],
    ),
  )
}

export default function Ask({ loaderData, actionData }: Route.ComponentProps) {
  return <AskScreen data={loaderData} answered={actionData} />
}
