import { data } from 'react-router'
import { INBOX_TITLE } from '../../features/enquiries/conversation-messages.ts'
import {
  findConversation,
  type InboxFilter,
  listInbox,
  listSavedReplies,
} from '../../features/enquiries/queries.server.ts'
import { InboxFailure, InboxScreen } from '../../features/enquiries/screens/inbox-screen.tsx'
import { vendorQuoteParts } from '../../features/quotes/screens/conversation-sections.tsx'
import { listBusinessesOfVendor } from '../../features/reviews/card-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { enquiryDeps } from '../../services/deps.server.ts'
import { readForm } from '../../shared/form.ts'
import { newId } from '../../shared/ids.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { readBefore, readPage, zoneOf } from '../conversation-data.server.ts'
import { answerConversation, CONVERSATION_FORMS, participantOf } from '../conversation-forms.server.ts'
import { loadOrUnavailable } from '../load-or-unavailable.server.ts'
import { sendUnlessQuiet } from '../quiet-reading.ts'
import { answerQuoteForm, isQuoteForm, loadVendorQuotes, VENDOR_QUOTE_FORMS } from '../quote-forms.server.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/inbox'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(INBOX_TITLE, matches[0]?.loaderData)

const isFilter = (text: string | null): text is InboxFilter =>
  text === 'waiting' || text === 'unread' || text === 'closed'

/** A vendor's conversations of all their listings, and the conversation that the address names. */
export function loader({ params, request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  return loadOrUnavailable(context, async () => {
    const by = participantOf(await requireSession({ request, url, context }))
    const deps = enquiryDeps(context.get(servicesContext))
    const query = url.searchParams
    const shown = query.get('show')
    const filter: InboxFilter = isFilter(shown) ? shown : 'all'
    const page = readPage(query)
    const before = readBefore(query)
    const businesses = (await listBusinessesOfVendor(db, by.userId)).map(({ id, name }) => ({
      id,
      name,
    }))
    const businessId = businesses.find(({ id }) => id === query.get('business'))?.id ?? null
    const [list, savedReplies, found] = await Promise.all([
      listInbox(deps, { userId: by.userId, filter, businessId, page }),
      listSavedReplies(db, by.userId),
      params.id === undefined
        ? null
        : findConversation(deps, { id: params.id, by, ...(before === null ? {} : { before }) }),
    ])
    // Those that the vendor began as a customer are in /messages.
    const conversation = found?.side === 'vendor' ? found : null
    const isMissing = params.id !== undefined && conversation === null
    const vendorQuotes = await loadVendorQuotes({ context, url }, { userId: by.userId, conversation })
    return data(
      {
        ...list,
        ...vendorQuotes,
        page,
        filter,
        businessId,
        businesses,
        conversation,
        isMissing,
        savedReplies,
        submitKey: newId(),
        before,
        now: now().toISOString(),
        timeZone: await zoneOf(db, conversation?.businessId ?? businessId ?? businesses[0]?.id),
      },
      { status: isMissing ? 404 : 200 },
    )
  })
}

export async function action({ params, request, context, url }: Route.ActionArgs) {
  const by = participantOf(await requireSession({ request, url, context }))
  const form = await readForm(request, [...CONVERSATION_FORMS, ...VENDOR_QUOTE_FORMS])
  const id = params.id ?? ''
  if (isQuoteForm(form)) return answerQuoteForm({ context, form }, { userId: by.userId, conversationId: id })
  return answerConversation({ request, context, form }, { id, by })
}

export function clientAction({ url, serverAction }: Route.ClientActionArgs) {
  return sendUnlessQuiet(url, serverAction)
}

export default function Inbox({ loaderData, actionData }: Route.ComponentProps) {
  const { conversation } = loaderData
  const quoteAnswer = actionData && 'reason' in actionData ? actionData : undefined
  const answered = actionData && 'intent' in actionData ? actionData : undefined
  return (
    <InboxScreen
      data={loaderData}
      answered={answered}
      parts={conversation ? vendorQuoteParts({ ...loaderData, conversation }, quoteAnswer) : {}}
    />
  )
}

/** Shown inside the frame, so the menu still works. */
export function ErrorBoundary() {
  return <InboxFailure heading={INBOX_TITLE} />
}
