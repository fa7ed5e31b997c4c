import type { UndecidedTimes } from '../../features/bookings/decisions/rules.ts'
import { capitalised } from '../../features/businesses/asked-rules.ts'
import { answerTimeText, durationText } from '../../shared/durations.ts'
import { DAY_MS } from '../../shared/time-units.ts'

/**
 * The texts of /advice-support. The advice is our own rule of thumb; the answers about bookings follow Decisions 3 to
 * 22.
 */

export const TIMELINE = [
  {
    when: '12 months ahead',
    title: 'Numbers, season, venue',
    text: 'Write the guest list before you look at venues, then book a date. Spring and autumn Saturdays go first; a Friday or Sunday opens most doors.',
  },
  {
    when: '9 months',
    title: 'People who can’t be in two places',
    text: 'A photographer, a band or a planner can be in only one place a day. Venues and caterers can often move things; these people can’t.',
  },
  {
    when: '6 months',
    title: 'Food and sound',
    text: 'Settle the caterer and the music, and ask the venue about power, noise and when the last song must end.',
  },
  {
    when: '4 months',
    title: 'Invitations, beds, buses',
    text: 'Ask for replies six weeks before the day, and leave a line for dietary needs. In the regions, reserve rooms nearby and a bus.',
  },
  {
    when: '6 weeks',
    title: 'Trials and tastings',
    text: 'Hair, menu, sound for the speeches. If you want to change anything, do it now.',
  },
  {
    when: '2 weeks',
    title: 'Final numbers',
    text: 'Give the count to the caterer and the venue, with the dietary list. Write one page with times, names and phone numbers, and send it to every vendor.',
  },
  {
    when: 'The day before',
    title: 'Hand it over',
    text: 'Give that page, the rings, the playlist and your phone to someone who isn’t you.',
  },
] as const

export const CHECKLIST = [
  {
    title: 'Ask any vendor',
    items: [
      'What exactly does the price include, and is it per person or per hour?',
      'When do you arrive, and when must everything be gone?',
      'Who comes on the day, and what is their number?',
      'What do you need from the venue: power, water, parking?',
      'What happens if it rains, or if someone is ill?',
    ],
  },
  {
    title: 'Ask the venue',
    items: [
      'How many can sit, and how many can dance?',
      'When does the music stop, and how loud may it be?',
      'May we bring our own caterer, drinks, candles?',
      'Is every room reached without steps?',
      'Is there shade at four in the afternoon, and a roof at five?',
    ],
  },
] as const

export type Question = { question: string; answer: string }

/** The times of an undecided booking in words, by this deployment's settings. */
export type AnswerTimes = { answer: string; remindAfter: string; beforeEvent: string }

/** 'two days', and 'one' and 'a day' of the default settings. */
export function answerTimes({
  declineAfterMs,
  remindAfterMs,
  declineBeforeEventMs,
}: UndecidedTimes): AnswerTimes {
  const answer = answerTimeText(declineAfterMs)
  // 'Two days', and a reminder 'after one'.
  const isDay = (ms: number) => ms === DAY_MS
  return {
    answer,
    remindAfter: isDay(remindAfterMs) && answer.endsWith('days') ? 'one' : durationText(remindAfterMs),
    beforeEvent: isDay(declineBeforeEventMs) ? 'a day' : durationText(declineBeforeEventMs),
  }
}

export const customerQuestions = ({ answer }: AnswerTimes): readonly Question[] => [
  {
    question: 'Do I need an account to book?',
    answer:
      'No. You give your name, email and phone, and every email about the booking has a link to it. With an account, all your bookings are under My Bookings. Those you made as a guest appear there once your email is verified.',
  },
  {
    question: 'When do I pay, and how?',
    answer:
      'By card, when you book: everything, or a deposit. A deposit’s balance is charged to the same card before the event, on a day that you see before paying, and we email you a week ahead. The total is the price on the page times your guests or hours, including GST where it applies.',
  },
  {
    question: 'What if the vendor says no?',
    answer: `You get a full refund. A vendor has ${answer} to answer. If they don’t, the booking is declined automatically and refunded in the same way. Most banks show a refund within five to ten business days.`,
  },
  {
    question: 'Can I change my mind?',
    answer:
      'Until the vendor answers, you can withdraw the booking and get everything back. After that you can propose another date or number of guests, or cancel. What you get back then follows the listing’s cancellation policy. Your booking shows the amount before you confirm.',
  },
  {
    question: 'Why does a listing say ‘Price on request’?',
    answer:
      'The vendor quotes a price for each event, so ask for a quote on its page. You can keep it in your cart while you compare.',
  },
  {
    question: 'What does ‘ABN registered’ mean?',
    answer:
      'That the vendor has registered their business with us, with an Australian Business Number (ABN) that can exist, and that the government’s register hasn’t denied. It tells you who you are dealing with. It isn’t a rating: for that, read the reviews.',
  },
  {
    question: 'Who writes the reviews?',
    answer:
      'Customers with an approved booking, once for each booking, after the event. A person reads every review before it appears. Vendors can’t review themselves or remove what others wrote.',
  },
  {
    question: 'Is my cart saved?',
    answer:
      'In this browser, until you clear it. It reserves no date and charges nothing: it is a place to compare. Another device has its own cart.',
  },
]

export const vendorQuestions = ({ answer, remindAfter, beforeEvent }: AnswerTimes): readonly Question[] => [
  {
    question: 'What does it cost to list?',
    answer:
      'Nothing. You need an account, a name, a category, a description, at least one service, a price and a suburb. Pictures help more than anything else.',
  },
  {
    question: 'Do I have to register my business?',
    answer:
      'No, you can list and take bookings without it. Once you register with a valid ABN, your listings show ‘ABN registered’, which customers look for.',
  },
  {
    question: 'What do customers see of me?',
    answer:
      'Your business name, logo, description, website and ABN, and the suburb and state of each listing. Never your own name, address or date of birth. Your phone and email go only to customers who have paid.',
  },
  {
    question: 'How long do I have to answer a booking?',
    answer: `${capitalised(answer)}, or until ${beforeEvent} before the event if that comes first. We remind you after ${remindAfter}. A booking that nobody answers is declined and refunded.`,
  },
  {
    question: 'I declined by mistake. Can I undo it?',
    answer:
      'Yes, for a short while: approve it again and the refund is called off. Once the refund is on its way, the decision is final, and the screen says so.',
  },
  {
    question: 'Which pictures can I use?',
    answer:
      'Up to three for each listing, at most 2 MB each, in the usual photo formats. We take out hidden data such as where a picture was taken.',
  },
]

/** Asked only where vendors are paid by us. */
export const PAYOUT_QUESTIONS: readonly Question[] = [
  {
    question: 'When am I paid?',
    answer:
      'After the event. We hold the customer’s payment until then, wait a short time, and send your share to your account. Your bank usually has it two days later. Payouts, beside your bookings, shows each step with its day.',
  },
  {
    question: 'How do I set up my payouts?',
    answer:
      'Open your dashboard, then Bookings and Payouts. Accept the vendor agreement, then tell our payment provider who you are and where to pay you: about five minutes. You can stop and continue later. Money that was waiting leaves within minutes.',
  },
  {
    question: 'Why is a payout held?',
    answer:
      'Payouts gives the reason beside the booking, and what to do: the agreement or your account isn’t finished, a refund is on its way, or a customer’s bank disputes the payment. What you owe from a refunded booking is kept from your next payouts.',
  },
]
