import { isPersonName } from './one-line.ts'

/** Makes text safe inside HTML. */
export function escapeHtml(text: string): string {
  // Most texts have nothing to escape.
  if (!/[&<>"']/.test(text)) return text
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
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
 * The layout of all our mails: a brand line, paragraphs, facts as a table, one link. Colours are inline, because mail
 * programs drop style sheets.
 */
export function mailHtml(mail: {
  brand: string
  subject: string
  lines: readonly string[]
  facts?: readonly (readonly [label: string, value: string])[]
  link?: { label: string; url: string }
  /** A second link below the first, styled as plain text. */
  second?: { label: string; url: string }
}): string {
  const paragraphs = mail.lines.map((line) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>`).join('')
  const facts = mail.facts?.length
    ? `<table role="presentation" style="margin:0 0 20px;border-collapse:collapse">${mail.facts
        .map(
          ([label, value]) =>
            `<tr><td style="padding:4px 16px 4px 0;color:#5A6468;vertical-align:top">${escapeHtml(label)}</td><td style="padding:4px 0">${escapeHtml(value)}</td></tr>`,
        )
        .join('')}</table>`
    : ''
  const link = mail.link
    ? `<p style="margin:0 0 8px"><a href="${escapeHtml(mail.link.url)}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:#B92B3A;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(mail.link.label)}</a></p>`
    : ''
  const second = mail.second
    ? `<p style="margin:16px 0 8px"><a href="${escapeHtml(mail.second.url)}" style="color:#2F5D50">${escapeHtml(mail.second.label)}</a></p>`
    : ''
  return `<!doctype html><html lang="en-AU"><head><meta charset="utf-8"><title>${escapeHtml(mail.subject)}</title></head><body style="margin:0;padding:24px;background:#FBF7F0;color:#1F2A2E;font:16px/1.55 Helvetica,Arial,sans-serif"><div style="max-width:560px;margin:0 auto"><p style="margin:0 0 24px;font:600 22px Georgia,serif;color:#2F5D50">${escapeHtml(mail.brand)}</p>${paragraphs}${facts}${link}${second}</div></body></html>`
}

/**
 * Composes a mail of paragraphs and one link, as text and as HTML.
 * @param mail.id the message id up to the @
 */
export function linkMail(mail: {
  id: string
  to: string
  site: { brand: string; publicUrl: URL }
  subject: string
  lines: readonly string[]
  link: { label: string; path: string }
}) {
  const { to, site, subject, lines } = mail
  const { label } = mail.link
  const url = new URL(mail.link.path, site.publicUrl).href
  return {
    messageId: `<${mail.id}@${site.publicUrl.hostname}>`,
    to,
    subject,
    text: `${lines.join('\n\n')}\n\n${label}: ${url}\n`,
    html: mailHtml({ brand: site.brand, subject, lines, link: { label, url } }),
  }
}
