import { isPersonName } from './one-line.ts'

/** A link of a mail, with its whole address. */
export type MailLink = { label: string; url: string }

/** The meaning of a mail's news for its reader: it colours the headline. Bad news and reports have no picture. */
export type MailTone = 'good' | 'waits' | 'bad' | 'plain'

/** The event or the request in one line. */
export type MailHeadline = { text: string; tone: MailTone }

/** The content of a mail. Its HTML part is rendered from this when it is sent. */
export type MailContent = {
  /** The line above everything else, at which a reply is cut off. */
  mark?: string
  /** The first line of the mail. A mail that the version before has queued has none. */
  headline?: MailHeadline
  /** The paragraphs. The first one is the greeting. */
  lines: readonly string[]
  facts?: readonly (readonly [label: string, value: string])[]
  /** The one button, below the first paragraph. */
  link?: MailLink
  /** Whether the button stands below all paragraphs: below quoted messages, and where it isn't what the mail is for. */
  isLinkLast?: boolean
  /** Five links by which the reader rates something, from one star to five. */
  stars?: readonly MailLink[]
  /** A link below the button, styled as text. */
  second?: MailLink
  /** The address of the event as a calendar file. */
  calendar?: string
  /** The business that the mail is about. Its picture is at the top of good news and of what waits. */
  business?: { id: string; name: string }
  /** Why the reader gets this mail, as a sentence. */
  why: string
  /** The address of the page on which the reader turns such mails off. */
  settings?: string
  /** The address that ends these mails with one press, without an account. */
  stop?: string
}

/** A composed mail. `MailMessage` in the mail adapter adds nothing to it. */
export type ComposedMail = {
  /** The same each time this mail is sent, so that repeated deliveries can be recognised. */
  messageId: string
  to: string
  subject: string
  text: string
  content: MailContent
}

export type MailSite = { brand: string; publicUrl: URL }

/** The links of a mail's content, the button first. */
export function mailLinks({ link, second, calendar }: MailContent): MailLink[] {
  return [link, second, calendar && { label: 'Add to calendar', url: calendar }].filter((each) => !!each)
}

/** The paragraphs above and below the button. */
export function mailParagraphs({ lines, isLinkLast = false }: MailContent): {
  above: readonly string[]
  below: readonly string[]
} {
  const above = isLinkLast ? lines : lines.slice(0, 2)
  return { above, below: lines.slice(above.length) }
}

/** Words before a first name. A name that begins with one is used whole: 'Hi Dr Lee,'. */
const TITLES = /^(?:dr|mr|mrs|ms|miss|mx|prof|professor|rev|fr|sir|dame|lady|lord|hon)\.?$/i

/** The first line of a mail. Leaves out a name that breaks the rule for names, because some were stored before it. */
export function greeting(name: string): string {
  if (!isPersonName(name)) return 'Hello,'
  const [first = '', second] = name.trim().split(/\s+/)
  // An initial or a title is no name to be greeted by, nor is the first of a couple.
  const isFirstName = /\p{L}\p{M}*\p{L}/u.test(first) && !TITLES.test(first)
  const isCouple = second === '&' || second === 'and'
  return `Hi ${isFirstName && !isCouple ? first : name.trim()},`
}

/**
 * Composes a mail: its plain text without the footer, which is added when it is sent, and what its HTML part shows.
 * @param mail.id the message id up to the @
 */
export function composeMail(mail: {
  id: string
  to: string
  site: MailSite
  subject: string
  content: MailContent & { headline: MailHeadline }
}): ComposedMail {
  const { id, to, site, subject, content } = mail
  const { mark, headline, facts = [], link } = content
  const { above, below } = mailParagraphs(content)
  const factLines = facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  const written = ({ label, url }: MailLink) => `${label}: ${url}`
  const more = mailLinks(content).filter((each) => each !== link)
  const paragraphs = [
    mark,
    headline.text,
    ...above,
    link && written(link),
    ...below,
    factLines,
    // The best first.
    (content.stars ?? []).toReversed().map(written).join('\n'),
    more.map(written).join('\n'),
  ].filter(Boolean)
  return {
    messageId: `<${id}@${site.publicUrl.hostname}>`,
    to,
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    content,
  }
}

/**
 * Puts the secret of a link into a mail that is about to be sent.
 * @param message composed with `placeholder` in the secret's place. A mail queued by the version before has `html`
 */
export function withToken<
  Message extends { text: string; content?: MailContent; html?: string; unsubscribeUrl?: string },
>(message: Message, placeholder: string, token: string): Message {
  const fill = (text: string) => text.replaceAll(placeholder, () => token)
  return {
    ...message,
    text: fill(message.text),
    // A token has only letters, digits, - and _, so the JSON stays valid.
    ...(message.content ? { content: JSON.parse(fill(JSON.stringify(message.content))) } : {}),
    ...(message.unsubscribeUrl === undefined ? {} : { unsubscribeUrl: fill(message.unsubscribeUrl) }),
    ...(message.html === undefined ? {} : { html: fill(message.html) }),
  }
}
