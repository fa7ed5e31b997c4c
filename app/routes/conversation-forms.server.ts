import { data, type RouterContextProvider } from 'react-router'
import { z } from 'zod'
import type { AccountSession } from '../adapters/accounts/port.ts'
import { markRead, sendMessage, verifyConversation } from '../features/enquiries/commands.server.ts'
import type { ChangeAnswer, ConversationAnswer } from '../features/enquiries/components/conversation-pane.tsx'
import type { SendAnswer } from '../features/enquiries/components/message-composer.tsx'
import { CHANGED_TEXTS, SEND_UNREADABLE } from '../features/enquiries/conversation-messages.ts'
import type { EnquiryDeps } from '../features/enquiries/deps.server.ts'
import { CONVERSATION_REFUSALS, fileRefusedText } from '../features/enquiries/messages.ts'
import type { Participant } from '../features/enquiries/rules.ts'
import { deleteReply, saveReply } from '../features/enquiries/saved-reply-commands.server.ts'
import { messageSchema, reportSchema, savedReplySchema } from '../features/enquiries/schema.ts'
import {
  blockConversation,
  closeConversation,
  reportConversation,
  unblockConversation,
} from '../features/enquiries/status-commands.server.ts'
import { servicesContext } from '../request-context.server.ts'
import { enquiryDeps } from '../services/deps.server.ts'
import { intentSchema, readForm } from '../shared/form.ts'

const replyIdSchema = z.object({ id: z.string().max(64).optional() })
/** The forms of a conversation. */
export const CONVERSATION_FORMS = [
  intentSchema,
  messageSchema,
  reportSchema,
  savedReplySchema,
  replyIdSchema,
] as const

const STATUSES = {
  not_found: 404,
  unverified: 409,
  blocked: 403,
  blocked_by_you: 409,
  left: 410,
  too_many: 429,
  file: 422,
  too_many_replies: 409,
} as const satisfies Record<keyof typeof CONVERSATION_REFUSALS, number>

/** The signed-in person as a participant: their address counts only if it is verified. */
export function participantOf({ user }: AccountSession): { userId: string; verifiedEmail: string | null } {
  return { userId: user.uid, verifiedEmail: user.emailVerified ? user.email.toLowerCase() : null }
}

/**
 * Answers every form of a conversation's page, whoever's page it is.
 * @param asked.form the form, where the route has read it
 * @param conversation the id may be left out with a link
 */
export async function answerConversation(
  {
    request,
    context,
    ...asked
  }: {
    request: Request
    context: Readonly<RouterContextProvider>
    form?: FormData
  },
  conversation: { id?: string; by: Participant },
) {
  const form = asked.form ?? (await readForm(request, CONVERSATION_FORMS))
  const deps = enquiryDeps(context.get(servicesContext))
  const intent = String(form.get('intent') ?? '')
  switch (intent) {
    case 'send':
      return send(deps, conversation, form)
    case 'read':
      await markRead(deps, conversation)
      return changed('read')
    case 'verify':
      return answerOf('verify', await verifyConversation(deps, conversation))
    case 'close':
      return answerOf('close', await closeConversation(deps, conversation))
    case 'block':
      return answerOf('block', await blockConversation(deps, conversation))
    case 'unblock':
      return answerOf('unblock', await unblockConversation(deps, conversation))
    case 'report': {
      const parsed = reportSchema.safeParse({ reason: form.get('reason') ?? '' })
      if (!parsed.success) return refusedFields('report', parsed.error)
      return answerOf('report', await reportConversation(deps, { ...conversation, ...parsed.data }))
    }
    case 'save-reply':
    case 'delete-reply':
      return answerReply(deps, intent, conversation.by, form)
    default:
      return answerOf('read', { ok: false, reason: 'not_found' })
  }
}

async function send(deps: EnquiryDeps, conversation: { id?: string; by: Participant }, form: FormData) {
  const body = textOf(form, 'body')
  const refuse = (status: number, refused: Partial<Omit<Extract<SendAnswer, { ok: false }>, 'ok'>>) =>
    data<ConversationAnswer>(
      { intent: 'send', ok: false, refusal: null, errors: {}, body, ...refused },
      { status },
    )
  const parsed = messageSchema.safeParse({
    body,
    files: form.getAll('files'),
    submitKey: form.get('submitKey'),
  })
  if (!parsed.success) {
    const { fieldErrors } = z.flattenError(parsed.error)
    const errors = { ...textErrors(fieldErrors, ['body', 'files']) }
    return refuse(422, Object.keys(errors).length > 0 ? { errors } : { refusal: SEND_UNREADABLE })
  }
  const sent = await sendMessage(deps, { ...conversation, message: parsed.data })
  if (sent.ok) return data<ConversationAnswer>({ intent: 'send', ok: true })
  if (sent.reason === 'file') return refuse(STATUSES.file, { errors: { files: fileRefusedText(sent) } })
  return refuse(STATUSES[sent.reason], { refusal: CONVERSATION_REFUSALS[sent.reason] })
}

async function answerReply(
  deps: EnquiryDeps,
  intent: 'save-reply' | 'delete-reply',
  by: Participant,
  form: FormData,
) {
  if (!('userId' in by)) return answerOf(intent, { ok: false, reason: 'not_found' })
  const id = String(form.get('id') ?? '') || null
  if (intent === 'delete-reply') {
    const isDeleted = id !== null && (await deleteReply(deps, { userId: by.userId, id }))
    return answerOf(intent, isDeleted ? { ok: true } : { ok: false, reason: 'not_found' })
  }
  const parsed = savedReplySchema.safeParse({ title: form.get('title') ?? '', body: textOf(form, 'body') })
  if (!parsed.success) return refusedFields(intent, parsed.error)
  return answerOf(intent, await saveReply(deps, { userId: by.userId, id, ...parsed.data }))
}

/** A text area's text. Browsers send each line break as two characters, which would count twice. */
function textOf(form: FormData, name: string): string {
  return String(form.get(name) ?? '').replaceAll('\r\n', '\n')
}

function textErrors<Name extends string>(
  errors: Partial<Record<string, string[]>>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  return Object.fromEntries(
    names.flatMap((name) => (errors[name]?.[0] ? [[name, errors[name][0]]] : [])),
  ) as Partial<Record<Name, string>>
}

function refusedFields(intent: ChangeAnswer['intent'], error: z.ZodError) {
  const { fieldErrors } = z.flattenError(error) as { fieldErrors: Partial<Record<string, string[]>> }
  const errors = textErrors(fieldErrors, ['reason', 'title', 'body'])
  const message = Object.values(errors)[0] ?? SEND_UNREADABLE
  return data<ConversationAnswer>({ intent, ok: false, message, errors }, { status: 422 })
}

function changed(intent: ChangeAnswer['intent']) {
  return data<ConversationAnswer>({ intent, ok: true, message: CHANGED_TEXTS[intent] })
}

function answerOf(
  intent: ChangeAnswer['intent'],
  outcome: { ok: true } | { ok: false; reason: keyof typeof CONVERSATION_REFUSALS },
) {
  if (outcome.ok) return changed(intent)
  const { reason } = outcome
  return data<ConversationAnswer>(
    { intent, ok: false, message: CONVERSATION_REFUSALS[reason] },
    { status: STATUSES[reason] },
  )
}
