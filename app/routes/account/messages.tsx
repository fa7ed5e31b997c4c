import { data } from 'react-router'
import { MESSAGES_TITLE } from '../../features/bookings/messages.ts'
import { findConversation, listCustomerConversations } from '../../features/enquiries/queries.server.ts'
import { InboxFailure } from '../../features/enquiries/screens/inbox-screen.tsx'
import { MessagesScreen } from '../../features/enquiries/screens/messages-screen.tsx'
import { listQuotes } from '../../features/quotes/queries.server.ts'
import { customerQuoteParts } from '../../features/quotes/screens/conversation-sections.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { enquiryDeps } from '../../services/deps.server.ts'
import { newId } from '../../shared/ids.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { readBefore, readPage, zoneOf } from '../conversation-data.server.ts'
import { answerConversation, participantOf } from '../conversation-forms.server.ts'
import { loadOrUnavailable } from '../load-or-unavailable.server.ts'
import { sendUnlessQuiet } from '../quiet-reading.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/messages'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(MESSAGES_TITLE, matches[0]?.loaderData)

/** A customer's conversations, and the conversation that the address names. */
export function loader({ params, request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  return loadOrUnavailable(context, async () => {
    const by = participantOf(await requireSession({ request, url, context }))
    const deps = enquiryDeps(context.get(servicesContext))
    const page = readPage(url.searchParams)
    const before = readBefore(url.searchParams)
    const [list, found] = await Promise.all([
      listCustomerConversations(deps, { ...by, page }),
      params.id === undefined
        ? null
        : findConversation(deps, { id: params.id, by, ...(before === null ? {} : { before }) }),
    ])
    // A vendor's conversations are in the inbox.
    const conversation = found?.side === 'customer' ? found : null
    const isMissing = params.id !== undefined && conversation === null
    const quotes = conversation
      ? await listQuotes(db, { conversationId: conversation.id, side: 'customer' })
      : []
    const businessId = conversation?.businessId ?? list.conversations[0]?.businessId
    return data(
      {
        ...list,
        quotes,
        page,
        conversation,
        isMissing,
        submitKey: newId(),
        before,
        now: now().toISOString(),
        timeZone: await zoneOf(db, businessId),
      },
      { status: isMissing ? 404 : 200 },
    )
  })
}

export async function action({ params, request, context, url }: Route.ActionArgs) {
  const by = participantOf(await requireSession({ request, url, context }))
  return answerConversation({ request, context }, { id: params.id ?? '', by })
}

export function clientAction({ url, serverAction }: Route.ClientActionArgs) {
  return sendUnlessQuiet(url, serverAction)
}

export default function Messages({ loaderData, actionData }: Route.ComponentProps) {
  return <MessagesScreen data={loaderData} answered={actionData} parts={customerQuoteParts(loaderData)} />
}

export function ErrorBoundary() {
  return <InboxFailure heading={MESSAGES_TITLE} />
}
