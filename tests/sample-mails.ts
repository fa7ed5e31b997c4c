import type { MailMessage } from '../app/adapters/mail/port.ts'
import * as account from '../app/features/accounts/mails.ts'
import * as alert from '../app/features/alerts/mails.ts'
import * as cancellation from '../app/features/bookings/cancellation/mails.ts'
import * as change from '../app/features/bookings/changes/mails.ts'
import type { MailedBooking } from '../app/features/bookings/frame-mails.ts'
import * as booking from '../app/features/bookings/mails.ts'
import * as refund from '../app/features/bookings/refund-mails.ts'
import * as enquiry from '../app/features/enquiries/mails.ts'
import { detailsAskedMail, reportDueMail } from '../app/features/income-reports/mails.ts'
import * as instalment from '../app/features/instalments/mails.ts'
import { welcomeMail } from '../app/features/newsletter/mails.ts'
import { reportLetterMail, roleChangedMail, troubleMail } from '../app/features/operators/mails.ts'
import * as agreement from '../app/features/payouts/agreement-mails.ts'
import * as payout from '../app/features/payouts/mails.ts'
import * as quote from '../app/features/quotes/mails.ts'
import * as registration from '../app/features/registrations/mails.ts'
import * as review from '../app/features/reviews/mails.ts'
import {
  accountantAgreedMail,
  accountantAskedMail,
  accountantMonthMail,
} from '../app/features/tax/accountant-mails.ts'
import type { MailSite } from '../app/shared/mail.ts'

const BUSINESS = { id: 'harbour-light-pavilion', name: 'Harbour Light Pavilion' }
export const SPAN = 'Saturday 13 March 2027, 4:00 pm to 11:00 pm, Sydney time'
const ZONE = 'Australia/Sydney'
const at = (time: string) => new Date(`2027-${time}:00.000Z`)
const BY = at('02-01T05:30')

const KIM = { email: 'kim.lee@example.com', name: 'Kim Lee', emailVerified: true }
const VENDOR = {
  name: 'Ellery Events Pty Ltd',
  person: 'Margot Ellery',
  phone: '02 9555 0142',
  email: 'margot@example.com',
}

type Stated = {
  booked: Required<MailedBooking>
  due: Required<instalment.MailedInstalment>
  paid: Required<payout.PaidBooking>
  reviewed: Required<review.MailedReview>
  messages: Required<enquiry.MailedMessages>
}

/** The samples of what several mails state, with every field. */
export const STATED: Stated = {
  booked: {
    id: 'b-1',
    businessId: BUSINESS.id,
    vendorName: BUSINESS.name,
    customerName: KIM.name,
    customerEmail: KIM.email,
    customerPhone: '0412 345 678',
    date: '2027-03-13',
    time: '16:00',
    timeZone: ZONE,
    span: SPAN,
    place: 'Balmain East, NSW',
    quantity: 90,
    bookingType: 'perPerson',
    stated: [{ label: 'BYO drinks', text: 'Yes' }],
    totalCents: 783_000,
    takenOffCents: 0,
    terms: {
      tiers: [
        { daysBefore: 60, shareBasisPoints: 10_000 },
        { daysBefore: 14, shareBasisPoints: 5_000 },
      ],
      paidAt: at('01-12T02:00').toISOString(),
      payments: [
        { cents: 156_600, at: at('01-12T02:00').toISOString(), state: 'paid' },
        { cents: 626_400, at: at('02-11T05:00').toISOString(), state: 'scheduled' },
      ],
    },
    paymentId: 'p-1',
  },
  due: {
    id: 'i-1',
    paymentId: 'p-1',
    businessId: BUSINESS.id,
    vendorName: BUSINESS.name,
    customerName: KIM.name,
    customerEmail: KIM.email,
    span: SPAN,
    timeZone: ZONE,
    amountCents: 626_400,
    dueAt: at('02-11T05:00'),
    card: { lastFour: '4242' },
  },
  paid: {
    businessId: BUSINESS.id,
    vendorName: BUSINESS.name,
    span: SPAN,
  },
  reviewed: {
    id: 'r-1',
    businessId: BUSINESS.id,
    businessName: BUSINESS.name,
    authorName: 'Kim L.',
    rating: 5,
    body: 'The light at seven, the oysters, and nobody looked at a phone.',
  },
  messages: {
    conversationId: 'c-1',
    burst: '1',
    businessId: BUSINESS.id,
    businessName: BUSINESS.name,
    otherName: 'Isla Brennan',
    messages: [
      { body: 'Is there a ramp to the deck?\nMy grandmother uses a frame.', fileCount: 0 },
      { body: 'And here is the table plan <first draft>.', fileCount: 1 },
    ],
    linkToken: 'token',
    replyTo: 'r-token@reply.jubilee.example',
  },
}

/**
 * Every mail of the product by the name of its function, each with the longest of what it can say.
 * @param changed replaces some fields of the samples
 */
export function sampleMails(
  site: MailSite,
  changed: { [Name in keyof Stated]?: Partial<Stated[Name]> } = {},
): Record<string, MailMessage> {
  const [kim, vendor] = [KIM, VENDOR]
  const booked = { ...STATED.booked, ...changed.booked }
  const due = { ...STATED.due, ...changed.due }
  const paid = { ...STATED.paid, ...changed.paid }
  const reviewed = { ...STATED.reviewed, ...changed.reviewed }
  const messages = { ...STATED.messages, ...changed.messages }
  const parts = { refundCents: 156_600, waitingCents: 0, returnedCents: 0 }
  const amounts = { ...parts, refundCents: 391_500, keptCents: 234_900, uncollectedCents: 156_600 }
  const late = {
    id: 'p-1',
    vendorName: BUSINESS.name,
    customerName: kim.name,
    customerEmail: kim.email,
    amountCents: 156_600,
  }
  const sale = {
    date: '2027-03-13',
    time: '16:00',
    quantity: 90,
    priceCents: 783_000,
    event: { from: at('03-13T05:00').toISOString(), until: at('03-13T12:00').toISOString() },
    occupied: { from: at('03-13T03:00').toISOString(), until: at('03-13T13:00').toISOString() },
  }
  const moved = {
    ...sale,
    date: '2027-03-20',
    quantity: 100,
    priceCents: 870_000,
    event: { from: at('03-20T05:00').toISOString(), until: at('03-20T12:00').toISOString() },
    occupied: { from: at('03-20T03:00').toISOString(), until: at('03-20T13:00').toISOString() },
  }
  const proposal = { id: 'c-1', proposedBy: 'customer', before: sale, after: moved, expiresAt: BY } as const
  const plan = { dueCents: 17_400, refundCents: 0, balance: { cents: 696_000, dueAt: at('02-18T05:00') } }
  const asVendor = { side: 'vendor', contact: vendor } as const
  const asCustomer = { side: 'customer' } as const
  const offered = {
    id: 'q-1',
    conversationId: 'c-1',
    version: 1,
    state: 'sent',
    businessId: BUSINESS.id,
    businessName: BUSINESS.name,
    customerName: kim.name,
    timeZone: ZONE,
    span: SPAN,
    date: '2027-03-13',
    bookingType: 'perPerson',
    quantity: 90,
    guests: null,
    validUntil: BY.toISOString(),
    heldUntil: BY.toISOString(),
    note: 'The long table on the deck, and the piano if it rains.',
    lines: [
      { id: 'l-1', label: 'Dinner by the water', quantity: 90, unitPriceCents: 8_700, isOptional: false },
      { id: 'l-2', label: 'Oysters on arrival', quantity: 90, unitPriceCents: 1_200, isOptional: true },
    ],
  } as unknown as Parameters<typeof quote.quoteSentMail>[0]
  const toVendor = { side: 'vendor', email: vendor.email, name: vendor.name, isProven: true } as const
  const why = { side: 'customer', reason: 'The deck is under repair until April.' } as const
  const money = { key: 'payout-1', booking: paid, amountCents: 704_700 }
  return {
    verificationMail: account.verificationMail(kim, 'token', site),
    emailChangeMail: account.emailChangeMail(kim, 'token', site),
    passwordResetMail: account.passwordResetMail(kim, 'token', site),
    passwordChangedMail: account.passwordChangedMail(kim, site),
    emailChangedMail: account.emailChangedMail(kim, 'token', site),
    emailChangedAgainMail: account.emailChangedAgainMail(kim, site),
    emailLeftMail: account.emailLeftMail(kim, site),
    emailChangeUndoneMail: account.emailChangeUndoneMail(kim, site),
    newDeviceMail: account.newDeviceMail(kim, 'token', site, 'Firefox on Linux'),
    factorChangedMail: account.factorChangedMail(kim, 'token', site, 'recovery-codes-renewed'),
    accountDeletedMail: account.accountDeletedMail(kim, site),
    bookingPaidMail: booking.bookingPaidMail(booked, vendor, BY, site),
    newBookingMail: booking.newBookingMail(booked, vendor, BY, site),
    reminderMail: booking.reminderMail(booked, vendor, BY, site),
    comingUpMail: booking.comingUpMail(
      booked,
      vendor,
      { days: 42, isToday: false, endsAt: null, now: BY },
      site,
    ),
    eventReminderForVendorMail: booking.eventReminderForVendorMail(booked, vendor, false, site),
    approvedMail: booking.approvedMail(booked, BY, false, site),
    declinedMail: booking.declinedMail(
      booked,
      {
        decidedAt: BY,
        wasApproved: true,
        reason: why.reason,
        refund: parts,
        alternatives: [{ id: 'the-boatshed', name: 'The Boatshed', location: 'Birchgrove, NSW' }],
      },
      site,
    ),
    undecidedMail: booking.undecidedMail(booked, parts, site),
    withdrawnMail: booking.withdrawnMail(booked, { ...parts, refundCents: 150_000 }, site),
    customerWithdrewMail: booking.customerWithdrewMail(booked, vendor, site),
    declinedForVendorMail: booking.declinedForVendorMail(booked, vendor, parts, site),
    cancelledByCustomerMail: cancellation.cancelledByCustomerMail(booked, amounts, site),
    customerCancelledMail: cancellation.customerCancelledMail(booked, vendor, amounts, site),
    overdueEndedMail: cancellation.overdueEndedMail(booked, { ...amounts, wasExtended: true }, site),
    overdueEndedForVendorMail: cancellation.overdueEndedForVendorMail(
      booked,
      vendor,
      { ...amounts, wasExtended: true },
      site,
    ),
    cancelledMail: cancellation.cancelledMail(booked, { ...why, ...amounts }, site),
    cancelledForVendorMail: cancellation.cancelledForVendorMail(booked, vendor, { ...why, ...amounts }, site),
    refundedMail: refund.refundedMail(booked, { refundId: 'r-1', amountCents: 156_600 }, site),
    refundCameBackMail: refund.refundCameBackMail(booked, { refundId: 'r-1', amountCents: 156_600 }, site),
    unfulfilledRefundCameBackMail: refund.unfulfilledRefundCameBackMail(
      { ...late, firstPaymentId: 'p-1', refundId: 'r-1' },
      site,
    ),
    refundAccountNamedMail: refund.refundAccountNamedMail(
      {
        ...late,
        firstPaymentId: 'p-1',
        masked: 'PayID k…@example.com',
        isReplaced: true,
        at: at('01-11T05:00'),
      },
      site,
    ),
    notBookedMail: refund.notBookedMail({ ...late, span: SPAN, why: 'time_gone' }, site),
    latePaymentMail: refund.latePaymentMail(
      {
        ...late,
        paidFor: 'balance',
        isCalledOff: false,
        due: { amountCents: 182_700, at: at('02-11T05:00'), timeZone: ZONE },
      },
      site,
    ),
    changeProposedMail: change.changeProposedMail(booked, proposal, plan, asVendor, site),
    changeAcceptedMail: change.changeAcceptedMail(booked, proposal, plan, asCustomer, site),
    changedMail: change.changedMail(booked, proposal, { plan, waitingCents: 0 }, asCustomer, site),
    changeDeclinedMail: change.changeDeclinedMail(booked, proposal, 'declined', asCustomer, site),
    changeExpiredMail: change.changeExpiredMail(booked, proposal, asVendor, site),
    confirmQuestionMail: enquiry.confirmQuestionMail(
      { conversationId: 'c-1', email: kim.email, linkToken: 'token' },
      site,
    ),
    unreadMessagesMail: enquiry.unreadMessagesMail(toVendor, messages, site),
    replyRefusedMail: enquiry.replyRefusedMail(
      toVendor,
      {
        conversationId: 'c-1',
        receivedId: 'm-1',
        otherName: 'Isla Brennan',
        reason: 'It has no text.',
        linkToken: 'token',
      },
      site,
    ),
    instalmentReminderMail: instalment.instalmentReminderMail(
      due,
      { chargedAt: at('02-11T05:00'), cardExpires: true },
      site,
    ),
    instalmentPaidMail: instalment.instalmentPaidMail(due, site),
    cardRefusedMail: instalment.cardRefusedMail(
      due,
      {
        declineCode: 'insufficient_funds',
        tryId: 't-1',
        nextTryAt: BY,
        overdueAt: at('02-18T05:00'),
        refundCents: 156_600,
      },
      site,
    ),
    instalmentReducedMail: instalment.instalmentReducedMail(due, 50_000, site),
    extensionMail: instalment.extensionMail(due, BY, site),
    unpaidInstalmentMail: instalment.unpaidInstalmentMail(
      due,
      vendor,
      { notice: 3, overdueAt: at('02-18T05:00'), canExtend: true },
      site,
    ),
    welcomeMail: welcomeMail({
      messageId: '<newsletter@jubilee.example>',
      to: kim.email,
      site,
      unsubscribeUrl: new URL('/newsletter/unsubscribe?token=x', site.publicUrl).href,
    }),
    confirmAlertMail: alert.confirmAlertMail(
      {
        ...{ alertId: 'a-1', askedAt: at('01-12T02:00'), to: kim.email },
        ...{ what: 'Photographers, Saturday 13 March 2027, 110 guests seated', token: 'confirm.a-1.x' },
      },
      site,
    ),
    alertsMail: alert.alertsMail(
      {
        ...{ recipientId: 'r-1', key: '1', to: kim.email, token: 'all.r-1.x' },
        groups: [
          {
            text: 'Photographers, near Williamstown VIC, Saturday 13 March 2027, 110 guests',
            address: '/photographers?date=2027-03-13&guests=110&near=1&place=Williamstown%2C+VIC',
            businesses: [
              { ...BUSINESS, line: 'Balmain East, NSW, $145.00 per person' },
              { id: 'okafor', name: 'Okafor & Daughters', line: 'Williamstown, VIC, $320.00 per hour' },
            ],
            more: 3,
          },
        ],
      },
      site,
    ),
    roleChangedMail: roleChangedMail(
      {
        kind: 'named',
        role: 'finance',
        key: 'r-1',
        email: 'margaret.featherstonehaugh@jubilee.example',
        by: 'operator@jubilee.example',
      },
      'operator@jubilee.example',
      site,
    ),
    reportLetterMail: reportLetterMail(
      { side: 'customer', email: KIM.email, name: KIM.name, isProven: true },
      {
        key: 'l-1',
        kind: 'warning',
        otherName: BUSINESS.name,
        body: 'Please keep payments on the site.\n\nWe can’t help with money that is paid in cash.',
      },
      site,
    ),
    troubleMail: troubleMail(
      {
        paymentId: 'p-1',
        amountCents: 156_600,
        dueAt: BY,
        key: 'near:1',
        kind: 'near_decline',
        vendorName: BUSINESS.name,
        span: SPAN,
        daysBefore: 12,
        reason: why.reason,
        waits: true,
      },
      'operator@jubilee.example',
      site,
    ),
    accountNeedsMail: payout.accountNeedsMail(
      { key: 'needs-1', codes: ['external_account'], dueAt: BY, isPaused: false },
      vendor,
      site,
    ),
    agreementChangedMail: agreement.agreementChangedMail(
      { key: 'agreement-1', until: BY },
      { ...vendor, isProven: true },
      site,
    ),
    agreementAskedMail: agreement.agreementAskedMail('agreement-2', { ...vendor, isProven: true }, site),
    registerProblemMail: registration.registerProblemMail(
      { key: 'register-1', problem: 'cancelled', abn: '51824753556' },
      { ...vendor, isProven: true },
      site,
    ),
    detailsAskedMail: detailsAskedMail('vendor-1', BY, { ...vendor, isProven: true }, site),
    reportDueMail: reportDueMail(
      { half: '2026-07-01', daysBefore: 30, incomplete: 12, isLodged: false },
      'operator@jubilee.example',
      site,
    ),
    accountantAskedMail: accountantAskedMail(
      { id: 'a-1', email: 'books@accounts.example', vendorEmail: VENDOR.email, token: 'a-1.confirm.x' },
      site,
    ),
    accountantAgreedMail: accountantAgreedMail(
      { id: 'a-1', accountantEmail: 'books@accounts.example' },
      vendor,
      site,
    ),
    accountantMonthMail: accountantMonthMail(
      {
        ...{ id: 'a-1', email: 'books@accounts.example', vendorName: VENDOR.name },
        ...{ month: '2027-09', token: 'a-1.2027-09.x' },
      },
      site,
    ),
    accountReadyMail: payout.accountReadyMail('ready-1', vendor, site),
    moneySentMail: payout.moneySentMail({ ...money, nettedCents: 12_000 }, vendor, site),
    moneyHeldMail: payout.moneyHeldMail({ ...money, reason: 'dispute' }, vendor, site),
    bankReturnedMail: payout.bankReturnedMail(
      { key: 'bank-1', amountCents: 704_700, bankLast4: '3456' },
      vendor,
      site,
    ),
    bookingDisputedMail: payout.bookingDisputedMail(
      { ...money, id: 'd-1', proof: { by: at('03-14T05:00') }, timeZone: ZONE },
      vendor,
      site,
    ),
    disputeDecidedMail: payout.disputeDecidedMail({ ...money, isWon: false }, vendor, site),
    debtMail: payout.debtMail({ key: 'debt-1', booking: paid, owedCents: 90_000 }, vendor, site),
    quoteSentMail: quote.quoteSentMail(offered, kim, false, site),
    quoteWithdrawnMail: quote.quoteWithdrawnMail(offered, kim, site),
    quoteDeclinedMail: quote.quoteDeclinedMail(offered, vendor, site),
    quoteExpiredMail: quote.quoteExpiredMail(offered, vendor, site),
    newReviewMail: review.newReviewMail(reviewed, vendor, site),
    reviewInvitationMail: review.reviewInvitationMail(
      {
        bookingId: booked.id,
        number: 2,
        businessId: booked.businessId,
        businessName: booked.vendorName,
        date: booked.date,
      },
      kim,
      { linkToken: 't'.repeat(43), endUrl: new URL('/reviews/end?token=x', site.publicUrl).href },
      site,
    ),
    reviewReceivedMail: review.reviewReceivedMail(reviewed, kim, site),
    reviewRejectedMail: review.reviewRejectedMail(
      reviewed,
      kim,
      { reason: 'It names a person who was not there.', at: BY },
      site,
    ),
  }
}
