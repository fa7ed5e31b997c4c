import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { composeMail, greeting, type MailHeadline, type MailSite as Site } from '../../shared/mail.ts'

/** A review as a mail mentions it. */
export type MailedReview = {
  id: string
  businessId: string
  businessName: string
  authorName: string
  rating: number
  body: string
}

/** Tells the owner that a review of their business is published. */
export function newReviewMail(
  review: MailedReview,
  to: { email: string; name: string },
  site: Site,
): MailMessage {
  return message(review, 'published', to, site, {
    subject: `${ratingText(review.rating)}: new review of ${review.businessName}`,
    headline: { tone: 'good', text: `New review: ${ratingText(review.rating)}` },
    lines: [
      `${review.authorName} has reviewed ${review.businessName}: ${ratingText(review.rating)}.`,
      `‘${review.body}’`,
    ],
    label: 'See it on your page',
    why: `You get this email because ${review.businessName} is your listing on ${site.brand}.`,
  })
}

/**
 * Tells the author that a moderator rejected their review (Decision 12).
 * @param rejected.at gives the mail of each rejection its own id
 */
export function reviewRejectedMail(
  review: MailedReview,
  to: { email: string; name: string },
  rejected: { reason: string; at: Date },
  site: Site,
): MailMessage {
  return message(review, `rejected-${rejected.at.getTime()}`, to, site, {
    subject: `Your review wasn’t published: ${review.businessName}`,
    headline: { tone: 'bad', text: 'Your review wasn’t published' },
    lines: [
      `We have read your review of ${review.businessName}, and it can’t appear on the page.`,
      `The reason: ${rejected.reason}`,
    ],
    label: `See ${review.businessName}`,
    why: `You get this email because you reviewed ${review.businessName} on ${site.brand}.`,
  })
}

/** The rating as text: '5 stars', '1 star'. */
export function ratingText(rating: number): string {
  return rating === 1 ? '1 star' : `${rating} stars`
}

function message(
  review: MailedReview,
  kind: string,
  to: { email: string; name: string },
  site: Site,
  content: { subject: string; headline: MailHeadline; lines: string[]; label: string; why: string },
): MailMessage {
  const { subject, headline, lines, label, why } = content
  const { businessId, businessName } = review
  return composeMail({
    id: `review-${review.id}-${kind}`,
    to: to.email,
    site,
    subject,
    content: {
      headline,
      lines: [greeting(to.name), ...lines],
      link: { label, url: new URL(href('/business/:id', { id: businessId }), site.publicUrl).href },
      business: { id: businessId, name: businessName },
      why,
      settings: new URL(href('/settings-privacy'), site.publicUrl).href,
    },
  })
}
