import { describe, expect, it } from 'vitest'
import type { MailMessage } from '../app/adapters/mail/port.ts'
import * as accountMails from '../app/features/accounts/mails.ts'
import * as alertMails from '../app/features/alerts/mails.ts'
import * as cancellationMails from '../app/features/bookings/cancellation/mails.ts'
import * as changeMails from '../app/features/bookings/changes/mails.ts'
import * as bookingMails from '../app/features/bookings/mails.ts'
import * as refundMails from '../app/features/bookings/refund-mails.ts'
import * as enquiryMails from '../app/features/enquiries/mails.ts'
import * as instalmentMails from '../app/features/instalments/mails.ts'
import * as newsletterMails from '../app/features/newsletter/mails.ts'
import * as operatorMails from '../app/features/operators/mails.ts'
import * as agreementMails from '../app/features/payouts/agreement-mails.ts'
import * as payoutMails from '../app/features/payouts/mails.ts'
import * as quoteMails from '../app/features/quotes/mails.ts'
import * as registrationMails from '../app/features/registrations/mails.ts'
import * as reviewMails from '../app/features/reviews/mails.ts'
import * as accountantMails from '../app/features/tax/accountant-mails.ts'

/** A valid name typed by a stranger. It must not appear in mails to people who never asked for them. */
const TYPED = 'You Won a Prize'
const EMAIL = 'victim@example.com'
const site = { brand: 'Jubilee', publicUrl: new URL('https://jubilee.example') }

type Proof = { emailVerified: boolean }
const account = (proof: Proof) => ({ email: EMAIL, name: TYPED, ...proof })

/**
 * The mails that can be caused without a payment or a verified address. A mail in neither list fails the first test:
 * decide who can cause it.
 */
const causedByAnybody: Record<string, (proof: Proof) => MailMessage> = {
  verificationMail: (proof) => accountMails.verificationMail(account(proof), 'token', site),
  emailChangeMail: (proof) => accountMails.emailChangeMail(account(proof), 'token', site),
  passwordResetMail: (proof) => accountMails.passwordResetMail(account(proof), 'token', site),
  passwordChangedMail: (proof) => accountMails.passwordChangedMail(account(proof), site),
  emailChangedMail: (proof) => accountMails.emailChangedMail(account(proof), 'token', site),
  emailChangedAgainMail: (proof) => accountMails.emailChangedAgainMail(account(proof), site),
  emailLeftMail: (proof) => accountMails.emailLeftMail(account(proof), site),
  emailChangeUndoneMail: (proof) => accountMails.emailChangeUndoneMail(account(proof), site),
  newDeviceMail: (proof) => accountMails.newDeviceMail(account(proof), 'token', site, 'Firefox on Linux'),
  factorChangedMail: (proof) =>
    accountMails.factorChangedMail(account(proof), 'token', site, 'passkey-added'),
  accountDeletedMail: (proof) => accountMails.accountDeletedMail(account(proof), site),
  confirmQuestionMail: () =>
    enquiryMails.confirmQuestionMail({ conversationId: 'c', email: EMAIL, linkToken: 'token' }, site),
  // Anyone can write to a business, whose vendor may have signed up with another person's address.
  unreadMessagesMail: ({ emailVerified }) =>
    enquiryMails.unreadMessagesMail(
      { side: 'vendor', email: EMAIL, name: TYPED, isProven: emailVerified },
      {
        conversationId: 'c',
        burst: '1',
        businessId: 'b',
        businessName: TYPED,
        otherName: TYPED,
        messages: [{ body: TYPED, fileCount: 1 }],
        linkToken: 'token',
        replyTo: 'r-token@reply.jubilee.example',
      },
      site,
    ),
  // An operator writes it, but anyone can list and talk with another person's address.
  reportLetterMail: ({ emailVerified }) =>
    operatorMails.reportLetterMail(
      { side: 'vendor', email: EMAIL, name: TYPED, isProven: emailVerified },
      { key: 'k', kind: 'warning', otherName: TYPED, body: TYPED },
      site,
    ),
  // Anyone can list, and accept the agreement, with another person's address.
  agreementChangedMail: ({ emailVerified }) =>
    agreementMails.agreementChangedMail(
      { key: 'k', until: new Date('2026-12-24T00:00:00Z') },
      { email: EMAIL, name: TYPED, isProven: emailVerified },
      site,
    ),
  agreementAskedMail: ({ emailVerified }) =>
    agreementMails.agreementAskedMail('k', { email: EMAIL, name: TYPED, isProven: emailVerified }, site),
  // Anyone can register a business with another person's address.
  registerProblemMail: ({ emailVerified }) =>
    registrationMails.registerProblemMail(
      { key: 'k', problem: 'cancelled', abn: '51824753556' },
      { email: EMAIL, name: TYPED, isProven: emailVerified },
      site,
    ),
  // A vendor may enter anybody's address as their accountant's. Only their own, which is proven, is in it.
  accountantAskedMail: () =>
    accountantMails.accountantAskedMail(
      { id: 'a', email: EMAIL, vendorEmail: 'vendor@example.com', token: 'token' },
      site,
    ),
  // Anybody can enter an address below a search. Only the search's closed parts are in the mail.
  confirmAlertMail: () =>
    alertMails.confirmAlertMail(
      { alertId: 'a', askedAt: new Date(0), to: EMAIL, what: 'Photographers, 90 guests', token: 'token' },
      site,
    ),
  welcomeMail: () =>
    newsletterMails.welcomeMail({
      messageId: '<newsletter@jubilee.example>',
      to: EMAIL,
      site,
      unsubscribeUrl: 'https://jubilee.example/newsletter/unsubscribe?token=x',
    }),
}

const causedByPaying = [
  ...Object.keys(bookingMails),
  ...Object.keys(cancellationMails),
  ...Object.keys(changeMails),
  ...Object.keys(refundMails),
  ...Object.keys(instalmentMails),
  // To vendors, about the money of paid bookings and the account that it goes to.
  ...Object.keys(payoutMails),
  // Reviews need a paid booking and are read by a moderator.
  'newReviewMail',
  'reviewRejectedMail',
  // To the customer of a paid booking that has taken place.
  'reviewInvitationMail',
  'reviewReceivedMail',
  // Mails of quotes go to proven addresses alone.
  ...Object.keys(quoteMails),
  // Only proven addresses have a reply address.
  'replyRefusedMail',
  // To operators, about a paid booking.
  'troubleMail',
  // To operators, about a proved address that an admin typed.
  'roleChangedMail',
  // To vendors with paid bookings.
  'detailsAskedMail',
  // To operators, about paid bookings.
  'reportDueMail',
  // To a vendor with a proven address who has asked for it.
  'accountantAgreedMail',
  // To an address whose holder has agreed, about tax documents of paid bookings.
  'accountantMonthMail',
  // To an address whose holder has confirmed the search.
  'alertsMail',
].filter((name) => name.endsWith('Mail'))

/** Every function of the product that writes a mail. */
function allMails(): string[] {
  const modules = import.meta.glob<object>('../app/features/**/*mails.ts', { eager: true })
  return Object.values(modules).flatMap((module) =>
    Object.entries(module)
      .filter(([name, value]) => typeof value === 'function' && name.endsWith('Mail'))
      .map(([name]) => name),
  )
}

it('every mail is listed by who can cause it', () => {
  expect(allMails().toSorted()).toEqual([...Object.keys(causedByAnybody), ...causedByPaying].toSorted())
  expect(Object.keys(reviewMails)).toEqual(expect.arrayContaining(['newReviewMail', 'reviewRejectedMail']))
})

it('the newsletter and a mail to an accountant alone, of mails that anyone can cause, end by the button of a mail program', () => {
  const ended = Object.entries(causedByAnybody).filter(
    ([, mail]) => mail({ emailVerified: true }).unsubscribeUrl,
  )
  expect(ended.map(([name]) => name)).toEqual(['accountantAskedMail', 'welcomeMail'])
})

describe('a mail that anyone can cause', () => {
  it.each(Object.keys(causedByAnybody))('%s has no typed text in it for an unverified address', (name) => {
    const mail = causedByAnybody[name]?.({ emailVerified: false })
    const whole = JSON.stringify(mail)
    expect(whole).not.toContain(TYPED)
    // The mail is otherwise complete, with an address and a greeting.
    expect(mail?.to).toBe(EMAIL)
    expect(mail?.text).toMatch(/^[^\n]+\n\nHello,\n\n/)
  })

  it('greets the owner of a verified address by first name', () => {
    expect(causedByAnybody.passwordChangedMail?.({ emailVerified: true }).text).toMatch(
      /^[^\n]+\n\nHi You,\n/,
    )
  })
})

describe('a name stored before the rule for names', () => {
  it.each(['Kim\n\nClaim it at https://evil.example', 'evil.example', 'x'.repeat(81), ''])(
    'is left out of greetings: %j',
    (name) => {
      const mail = accountMails.passwordChangedMail({ email: EMAIL, name, emailVerified: true }, site)
      expect(mail.text).toMatch(/^[^\n]+\n\nHello,\n\nYour password/)
      const review = {
        id: 'r',
        businessId: 'b',
        businessName: 'The Hall',
        authorName: 'Kim L.',
        rating: 5,
        body: 'Good.',
      }
      expect(reviewMails.newReviewMail(review, { email: EMAIL, name }, site).text).toMatch(
        /^[^\n]+\n\nHello,\n\nKim L\./,
      )
    },
  )
})
