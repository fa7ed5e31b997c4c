import { data } from 'react-router'
import { findConversation } from '../../features/enquiries/queries.server.ts'
import { ConversationScreen } from '../../features/enquiries/screens/conversation-screen.tsx'
import { listQuotes } from '../../features/quotes/queries.server.ts'
import { customerQuoteParts } from '../../features/quotes/screens/conversation-sections.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { enquiryDeps } from '../../services/deps.server.ts'
import { newId } from '../../shared/ids.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { readBefore, zoneOf } from '../conversation-data.server.ts'
import { answerConversation } from '../conversation-forms.server.ts'
import { sendUnlessQuiet } from '../quiet-reading.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/conversation'

// The address is the key to the conversation: keep it from other sites. Where a form is sent without JavaScript, our own
// site has to learn the origin, or it takes the form for another site's.
export const meta: Route.MetaFunction = ({ matches, loaderData }) => [
  ...privateMeta(
    loaderData?.conversation ? `Conversation with ${loaderData.conversation.otherName}` : 'Conversation',
    matches[0]?.loaderData,
  ),
  { name: 'referrer', content: 'same-origin' },
]

/** A conversation by its customer's unguessable link, without signing in. Opening it changes nothing: mail scanners do. */
export async function loader({ params, request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const before = readBefore(url.searchParams)
  const conversation = await findConversation(enquiryDeps(context.get(servicesContext)), {
    by: { linkToken: params.linkToken },
    ...(before === null ? {} : { before }),
  })
  const quotes = conversation
    ? await listQuotes(db, { conversationId: conversation.id, side: 'customer' })
    : []
  const session = conversation ? await findSession({ request, context }) : null
  return data(
    {
      conversation,
      isSignedIn: session !== null,
      quotes,
      submitKey: newId(),
      before,
      now: now().toISOString(),
      timeZone: await zoneOf(db, conversation?.businessId),
    },
    { status: conversation ? 200 : 404 },
  )
}

export function action({ params, request, context }: Route.ActionArgs) {
  return answerConversation({ request, context }, { by: { linkToken: params.linkToken } })
}

export function clientAction({ url, serverAction }: Route.ClientActionArgs) {
  return sendUnlessQuiet(url, serverAction)
}

export default function Conversation({ loaderData, actionData, params }: Route.ComponentProps) {
  const { linkToken } = params
  return (
    <ConversationScreen
      data={loaderData}
      answered={actionData}
      linkToken={linkToken}
      parts={customerQuoteParts(loaderData, linkToken)}
    />
  )
}
