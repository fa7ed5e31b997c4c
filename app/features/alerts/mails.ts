import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { composeMail, greeting, type MailSite } from '../../shared/mail.ts'

const pageOf = (token: string, site: MailSite) =>
  new URL(href('/alerts/:token', { token }), site.publicUrl).href

/**
 * Asks an address whether it wants a search's news. Anybody can cause it, so it contains nothing that was typed.
 * @param mail.what the search's closed parts, such as 'Photographers, 90 guests'; '' for none
 */
export function confirmAlertMail(
  mail: { alertId: string; askedAt: Date; to: string; what: string; token: string },
  site: MailSite,
): MailMessage {
  const about = mail.what ? ` (${mail.what})` : ''
  return composeMail({
    id: `alert-${mail.alertId}-${mail.askedAt.getTime()}`,
    to: mail.to,
    site,
    subject: 'Confirm your saved search',
    content: {
      headline: { tone: 'waits', text: 'Start these emails?' },
      lines: [
        greeting(''),
        `Someone, hopefully you, asked ${site.brand} to email this address when a business fits a search${about}.`,
        'If you want that, confirm within 7 days. Otherwise do nothing, and we’ll forget this address.',
      ],
      link: { label: 'See the search and confirm', url: pageOf(mail.token, site) },
      why: `You get this email because this address was entered below a search on ${site.brand}.`,
    },
  })
}

/** A search, and whom it has newly found. */
export type AlertNews = {
  /** The search in words. */
  text: string
  address: string
  businesses: readonly { id: string; name: string; line: string }[]
  /** How many others it has found. */
  more: number
}

/** Tells a recipient whom their searches have found. They have confirmed their address, and each search. */
export function alertsMail(
  mail: { recipientId: string; key: string; to: string; groups: readonly AlertNews[]; token: string },
  site: MailSite,
): MailMessage {
  const { groups } = mail
  const page = pageOf(mail.token, site)
  const count = groups.reduce((sum, { businesses, more }) => sum + businesses.length + more, 0)
  const businesses = count === 1 ? '1 business' : `${count} businesses`
  const searches = groups.length === 1 ? 'your search' : 'your searches'
  const [only, ...others] = groups
  const composed = composeMail({
    id: `alerts-${mail.recipientId}-${mail.key}`,
    to: mail.to,
    site,
    subject: `New: ${businesses} for ${searches}`,
    content: {
      headline: {
        tone: 'good',
        text: `${businesses} ${count === 1 ? 'fits' : 'fit'} ${searches}`,
      },
      lines: [
        greeting(''),
        ...(only && others.length === 0 ? [`You searched for ${only.text}.`] : ['You searched for:']),
        ...(others.length === 0 ? [] : groups.map((group) => `${group.text}: ${namesOf(group)}.`)),
        'You’ll hear about each of them once. A free time can be taken again, so have a look soon.',
      ],
      ...(others.length === 0 && only
        ? {
            facts: [
              ...only.businesses.map(({ name, line }) => [name, line] as const),
              ...(only.more > 0 ? [['And more', moreText(only.more)] as const] : []),
            ],
            link: { label: 'See them', url: new URL(only.address, site.publicUrl).href },
          }
        : { link: { label: 'See your searches', url: page }, isLinkLast: true }),
      ...(only?.businesses[0] && others.length === 0 ? { business: only.businesses[0] } : {}),
      stop: page,
      why: `You get this email because you asked ${site.brand} to tell you about a search.`,
    },
  })
  return { ...composed, unsubscribeUrl: page }
}

const moreText = (more: number) => (more === 1 ? '1 other business' : `${more} other businesses`)

function namesOf({ businesses, more }: AlertNews): string {
  const names = businesses.map(({ name }) => name)
  const all = more > 0 ? [...names, `${more} more`] : names
  return all.length === 1 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}
