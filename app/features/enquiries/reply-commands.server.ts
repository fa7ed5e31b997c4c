import type { ReceivedMail } from '../../adapters/inbound-mail/port.ts'
import type { Mail } from '../../adapters/mail/port.ts'
import { hashText, sameText } from '../../shared/signed.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { sendMessage } from './commands.server.ts'
import type { EnquiryDeps } from './deps.server.ts'
import { REPLY_MARK, replyRefusedMail } from './mails.ts'
import { CONVERSATION_REFUSALS, FIELD_TEXTS, fileRefusedText, OLD_REPLY_ADDRESS } from './messages.ts'
import { recipientOf } from './notice-commands.server.ts'
import { findOwnConversation } from './queries.server.ts'
import { isAutomatic, visibleReply } from './reply-rules.ts'
import {
  conversationLinkToken,
  MAX_MESSAGE_LENGTH,
  REPLY_TOKEN_LENGTH,
  replyTokenOf,
  type Side,
} from './rules.ts'

/** The outcome of a received mail. Only a refused one is answered, once, by a mail to the participant. */
export type ReceivedOutcome =
  | { outcome: 'sent'; conversationId: string; messageId: string }
  /** Sent by a program, to no address of ours, or to a void one. */
  | { outcome: 'dropped'; why: 'automatic' | 'unknown_address' }
  | { outcome: 'refused'; conversationId: string }

/** A mail that bounces between two programs is answered once a day. */
const BOUNCE_LIMIT = { max: 1, windowMs: DAY_MS }

/**
 * Turns a received mail into a message of the participant whose address it was sent to. The token in that address is
 * the proof: people answer from other addresses than we wrote to. It holds only as long as this is the
 * participant's address, so mails that went to another address let nobody write.
 */
export async function receiveReply(deps: EnquiryDeps, mail: ReceivedMail): Promise<ReceivedOutcome> {
  if (isAutomatic(mail.headers)) return { outcome: 'dropped', why: 'automatic' }
  const replyToken = tokenIn(mail.to, deps.mailInbound)
  const found = replyToken ? await findOwnConversation(deps.db, { by: { replyToken } }) : null
  if (!replyToken || !found) return { outcome: 'dropped', why: 'unknown_address' }
  const { row, side } = found
  const refused = async (reason: string): Promise<ReceivedOutcome> => {
    await bounce(deps, { conversationId: row.id, side, receivedId: await hashText(mail.id), reason })
    return { outcome: 'refused', conversationId: row.id }
  }
  const to = await recipientOf(deps.db, row, side)
  if (!to) return { outcome: 'dropped', why: 'unknown_address' }
  const current = await replyTokenOf(deps.secret, { conversationId: row.id, side, email: to.email })
  if (!sameText(replyToken, current)) return refused(OLD_REPLY_ADDRESS)
  const body = visibleReply(mail.text, REPLY_MARK, deps.mailInbound)
  if (body === null || body.length > MAX_MESSAGE_LENGTH) return refused(FIELD_TEXTS.messageTooLong)
  if (body === '' && mail.files.length === 0) return refused('It has no text that we could read.')
  const sent = await sendMessage(deps, {
    id: row.id,
    by: { replyToken },
    message: { body, files: mail.files, submitKey: `mail:${mail.id}` },
    sentBy: 'mail',
  })
  if (sent.ok) return { outcome: 'sent', conversationId: sent.conversationId, messageId: sent.messageId }
  // Blocked since the address was looked up, or sent by a disabled account.
  if (sent.reason === 'not_found' || sent.reason === 'blocked')
    return { outcome: 'dropped', why: 'unknown_address' }
  return refused(sent.reason === 'file' ? fileRefusedText(sent) : CONVERSATION_REFUSALS[sent.reason])
}

/** The token of the first of our reply addresses. */
function tokenIn(addresses: readonly string[], domain: string | null): string | null {
  for (const address of addresses) {
    const [, token, at] = /^r-([0-9a-f]+)@(.+)$/.exec(address) ?? []
    if (token?.length === REPLY_TOKEN_LENGTH && at === domain) return token
  }
  return null
}

type Refused = { conversationId: string; side: Side; receivedId: string; reason: string }

async function bounce(deps: EnquiryDeps, refused: Refused): Promise<void> {
  const { conversationId, side } = refused
  if (!(await deps.rateLimits.take(`reply-refused:${conversationId}:${side}`, BOUNCE_LIMIT))) return
  await deps.db.transaction().execute((tx) => deps.jobs.enqueue(tx, 'send-reply-refused', refused))
}

/** Tells a participant, at the address that we know, that their mail became no message. */
export async function mailRefusal(deps: EnquiryDeps, mail: Mail, refused: Refused): Promise<void> {
  const { conversationId, side } = refused
  const row = await deps.db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', conversationId)
    .executeTakeFirst()
  const to = row && (await recipientOf(deps.db, row, side))
  if (!to) return
  await mail.send(
    replyRefusedMail(
      to,
      {
        ...refused,
        otherName: side === 'vendor' ? row.customer_name : row.business_name,
        linkToken: await conversationLinkToken(deps.secret, conversationId),
      },
      deps,
    ),
  )
}
