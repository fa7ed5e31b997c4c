import { isPersonName } from './one-line.ts'

/** A link of a mail, with its whole address. */
export type MailLink = { label: string; url: string }

/** The content of a mail. Its HTML part is rendered from this when it is sent. */
export type MailContent = {
  /** The line above everything else, at which a reply is cut off. */
  mark?: string
  /** The paragraphs. The first one is the greeting. */
  lines: readonly string[]
  facts?: readonly (readonly [label: string, value: string])[]
  /** The one button. */
  link?: MailLink
  /** Five links by which the reader rates something, from one star to five. */
  stars?: readonly MailLink[]
  /** A link below the button, styled as text. */
  second?: MailLink
  /** The address of the event as a calendar file. */
  calendar?: string
  /** The business that the mail is about. Its picture is at the top. */
  business?: { id: string; name: string }
  /** Why the reader gets this mail, as a sentence. */
  why: string
  /** The address of the page on which the reader turns such mails off. */
  settings?: string
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
  content: MailContent
}): ComposedMail {
  const { id, to, site, subject, content } = mail
  const { mark, lines, facts = [] } = content
  const factLines = facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  const paragraphs = [...(mark ? [mark] : []), ...lines, ...(factLines ? [factLines] : [])]
  const links = [...(content.stars ?? []).toReversed(), ...mailLinks(content)].map(
    ({ label, url }) => `${label}: ${url}\n`,
  )
  return {
    messageId: `<${id}@${site.publicUrl.hostname}>`,
    to,
    subject,
    text: `${paragraphs.join('\n\n')}\n\n${links.join('')}`,
    content,
  }
}

/**
 * Puts the secret of a link into a mail that is about to be sent.
 * @param message composed with `placeholder` in the secret's place. A mail queued by the version before has `html`
 */
export function withToken<Message extends { text: string; content?: MailContent; html?: string }>(
  message: Message,
  placeholder: string,
  token: string,
): Message {
  const fill = (text: string) => text.replaceAll(placeholder, () => token)
  return {
    ...message,
    text: fill(message.text),
    // A token has only letters, digits, - and _, so the JSON stays valid.
    ...(message.content ? { content: JSON.parse(fill(JSON.stringify(message.content))) } : {}),
    ...(message.html === undefined ? {} : { html: fill(message.html) }),
  }
}
