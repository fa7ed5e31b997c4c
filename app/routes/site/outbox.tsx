import { data } from 'react-router'
import { z } from 'zod'
import { replyTo } from '../../adapters/inbound-mail/outbox-replies.ts'
import { type ReceivedOutcome, receiveReply } from '../../features/enquiries/reply-commands.server.ts'
import { MAX_REPLY_LENGTH, OutboxScreen } from '../../features/enquiries/screens/outbox-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { enquiryDeps } from '../../services/deps.server.ts'
import { readForm } from '../../shared/form.ts'
import { newId } from '../../shared/ids.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/outbox'
import { requireOutbox } from './outbox-access.server.ts'

const SHOWN_MAILS = 100

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('Outbox', matches[0]?.loaderData)

/** The mails of the demo, for those who opened the printed address on this machine (Decision 24). */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { outbox } = requireOutbox({ request, url, context })
  return { mails: await outbox.list(SHOWN_MAILS) }
}

const replySchema = z.object({ messageId: z.string().max(200), text: z.string().max(MAX_REPLY_LENGTH) })

const OUTCOMES = {
  sent: 'Your reply is in the conversation.',
  refused: 'The reply was refused. The newest email says why.',
  dropped: 'This address no longer takes replies.',
} as const satisfies Record<ReceivedOutcome['outcome'], string>

/** Answers a mail as a mail program would: to its reply address, with the original quoted below. */
export async function action({ request, url, context }: Route.ActionArgs) {
  const { outbox } = requireOutbox({ request, url, context })
  const form = replySchema.safeParse(Object.fromEntries(await readForm(request, replySchema)))
  const mails = form.success ? await outbox.list(SHOWN_MAILS) : []
  const mail = mails.find(({ messageId }) => messageId === form.data?.messageId)
  const reply = mail && form.success ? replyTo(mail, { id: newId(), text: form.data.text }) : null
  if (!mail || !reply) return data({ messageId: null, text: OUTCOMES.dropped }, { status: 404 })
  const { outcome } = await receiveReply(enquiryDeps(context.get(servicesContext)), reply)
  return data({ messageId: mail.messageId, text: OUTCOMES[outcome] })
}

export default function Outbox({ loaderData, actionData }: Route.ComponentProps) {
  return <OutboxScreen mails={loaderData.mails} answered={actionData} />
}
