import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import {
  composeMail,
  greeting,
  type MailContent,
  type MailHeadline,
  type MailSite as Site,
} from '../../shared/mail.ts'
import type { Side } from './rules.ts'

/** The line above what a mail program quotes. A reply is cut off at it. */
export const REPLY_MARK = 'Write your reply above this line.'

/** The recipient of a mail about a conversation. */
export type MailedSide = {
  side: Side
  email: string
  name: string
  /** Whether the address is known to be this person's. Anyone can sign up with another person's address. */
  isProven: boolean
}

/** To a guest who has asked a question: the link with which they confirm that the address is theirs. */
export function confirmQuestionMail(
  to: { conversationId: string; email: string; linkToken: string },
  site: Site,
): MailMessage {
  return message(
    `conversation-${to.conversationId}-confirm`,
    to.email,
    {
      // No typed text, not even the business's name: anyone can type another person's address.
      subject: `Confirm your question on ${site.brand}`,
      headline: { tone: 'waits', text: 'Confirm your question' },
      lines: [
        'Hello,',
        'Someone, hopefully you, asked a business a question with this address.',
        'Open the link and press the button. The business sees the question only then, and the same link is where you read the answer.',
        'If it wasn’t you, ignore this email: nothing is sent.',
      ],
      link: { label: 'Confirm my question', url: linkOf(to.linkToken, site) },
    },
    site,
  )
}

/** The unread messages of a burst, for one side. */
export type MailedMessages = {
  conversationId: string
  /** Differs for each burst. */
  burst: string
  businessId: string
  businessName: string
  otherName: string
  messages: readonly { body: string; fileCount: number }[]
  /** The token of the customer's link; unused for a vendor, who opens the inbox signed in. */
  linkToken: string
  /** The address that takes replies; null while replies by mail are off. */
  replyTo: string | null
}

/** To one side of a conversation: the messages that it hasn't read, once for a burst. */
export function unreadMessagesMail(to: MailedSide, about: MailedMessages, site: Site): MailMessage {
  const { messages } = about
  const isOne = messages.length === 1
  const link = {
    label: isOne ? 'Read and answer' : 'Read and answer them',
    url:
      to.side === 'vendor'
        ? new URL(href('/dashboard/inbox/:id?', { id: about.conversationId }), site.publicUrl).href
        : linkOf(about.linkToken, site),
  }
  const id = `conversation-${about.conversationId}-${to.side}-${about.burst}`
  if (!to.isProven)
    return message(
      id,
      to.email,
      {
        subject: `New ${isOne ? 'message' : 'messages'} on ${site.brand}`,
        headline: { tone: 'waits', text: isOne ? 'A new message' : `${messages.length} new messages` },
        lines: ['Hello,', `You have ${isOne ? 'a new message' : `${messages.length} new messages`}.`],
        link,
      },
      site,
    )
  const subject =
    to.side === 'vendor'
      ? `${about.otherName} wrote to ${about.businessName}`
      : `${about.businessName} wrote to you`
  return {
    ...message(
      id,
      to.email,
      {
        subject,
        headline: { tone: 'waits', text: subject },
        lines: [greeting(to.name), `${about.otherName} wrote:`, ...messages.flatMap(linesOf)],
        link,
        isLinkLast: true,
        ...(about.replyTo ? { mark: REPLY_MARK } : {}),
        business: { id: about.businessId, name: about.businessName },
      },
      site,
    ),
    ...(about.replyTo ? { replyTo: about.replyTo } : {}),
  }
}

/** To the writer of a reply by mail that couldn't become a message. @param reason why, as a sentence */
export function replyRefusedMail(
  to: Omit<MailedSide, 'isProven'>,
  about: { conversationId: string; receivedId: string; otherName: string; reason: string; linkToken: string },
  site: Site,
): MailMessage {
  return message(
    `conversation-${about.conversationId}-refused-${about.receivedId}`,
    to.email,
    {
      subject: 'Your reply wasn’t sent',
      headline: { tone: 'bad', text: 'Your reply wasn’t sent' },
      lines: [
        greeting(to.name),
        `Your reply to ${about.otherName} by email wasn’t sent. ${about.reason}`,
        'Open the conversation to write it there.',
      ],
      link: {
        label: 'Open the conversation',
        url:
          to.side === 'vendor'
            ? new URL(href('/dashboard/inbox/:id?', { id: about.conversationId }), site.publicUrl).href
            : linkOf(about.linkToken, site),
      },
    },
    site,
  )
}

function linesOf({ body, fileCount }: { body: string; fileCount: number }): string[] {
  const files = fileCount === 0 ? [] : [fileCount === 1 ? '(with a file)' : `(with ${fileCount} files)`]
  return [...body.split(/\n+/).filter(Boolean), ...files]
}

function linkOf(linkToken: string, site: Site): string {
  return new URL(href('/conversations/:linkToken', { linkToken }), site.publicUrl).href
}

function message(
  id: string,
  to: string,
  content: { subject: string; headline: MailHeadline } & Pick<
    MailContent,
    'lines' | 'link' | 'isLinkLast' | 'mark' | 'business'
  >,
  site: Site,
): MailMessage {
  const { subject, ...rest } = content
  const why = `You get this email because this address takes part in a conversation on ${site.brand}.`
  return composeMail({ id, to, site, subject, content: { ...rest, why } })
}
