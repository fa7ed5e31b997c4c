import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { formatDay, type LocalDate } from '../../shared/dates.ts'
import { composeMail, greeting, type MailHeadline, type MailSite as Site } from '../../shared/mail.ts'
import { RATING_PARAMETER } from './invitation-rules.ts'
import { MAX_RATING } from './rules.ts'

/** A review as a mail mentions it. */
export type MailedReview = {
  id: string
  businessId: string
  businessName: string
  authorName: string
  rating: number
  body: string
}

/** An invitation to review a booking: the first or the second. */
export type ReviewInvitation = {
  bookingId: string
  number: 1 | 2
  businessId: string
  businessName: string
  date: LocalDate
}

/**
 * Asks a customer how their event was, with a link for each rating. Opening one writes nothing: mail scanners do.
 * @param links.linkToken the token of the booking's link
 * @param links.endUrl ends these mails by a POST
 */
export function reviewInvitationMail(
  { bookingId, number, businessId, businessName, date }: ReviewInvitation,
  to: { email: string; name: string },
  { linkToken, endUrl }: { linkToken: string; endUrl: string },
  site: Site,
): MailMessage {
  const form = new URL(href('/bookings/:linkToken/review', { linkToken }), site.publicUrl)
  const starsOf = (rating: number) => ({
    label: ratingText(rating),
    url: `${form.href}?${RATING_PARAMETER}=${rating}`,
  })
  const composed = composeMail({
    id: `booking-${bookingId}-review-${number}`,
    to: to.email,
    site,
    subject: `How was ${businessName}?`,
    content: {
      headline: { text: `How was ${businessName}?`, tone: 'plain' },
      lines: [
        greeting(to.name),
        `${number === 1 ? 'Thank you for booking with' : 'There’s still time to review'} ${businessName}${number === 1 ? ` on ${formatDay(date)}` : ''}. A few words from you help the next person choose.`,
        'Press a star. You can change it on the page, and nothing is sent before you press ‘Send the review’.',
      ],
      stars: RATINGS.map(starsOf),
      stop: endUrl,
      business: { id: businessId, name: businessName },
      why: `You get this email because you booked ${businessName} on ${site.brand}.${number === 2 ? ' We won’t ask about it again.' : ''}`,
    },
  })
  return { ...composed, unsubscribeUrl: endUrl }
}

const RATINGS = Array.from({ length: MAX_RATING }, (_, index) => index + 1)

/** Tells a booking's customer that a review was written by the booking's link, which others may hold. */
export function reviewReceivedMail(
  { id, businessId, businessName, rating }: Omit<MailedReview, 'authorName' | 'body'>,
  to: { email: string; name: string },
  site: Site,
): MailMessage {
  return composeMail({
    id: `review-${id}-received`,
    to: to.email,
    site,
    subject: `Your review was received: ${businessName}`,
    content: {
      headline: { text: 'Your review was received', tone: 'plain' },
      lines: [
        greeting(to.name),
        `You gave ${businessName} ${ratingText(rating)}. A person reads your review before it appears on the page.`,
        'Not you? Reply to this email.',
      ],
      link: {
        label: `See ${businessName}`,
        url: new URL(href('/business/:id', { id: businessId }), site.publicUrl).href,
      },
      business: { id: businessId, name: businessName },
      why: `You get this email because a review was written with the link of your booking on ${site.brand}.`,
    },
  })
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
