import { durationText } from '../../shared/durations.ts'
import { CHANGE_LASTS_MS } from '../bookings/changes/rules.ts'
import { UNDECIDED_TIMES, type UndecidedTimes } from '../bookings/decisions/rules.ts'
import { MAX_ALBUM_PICTURES } from '../businesses/album-rules.ts'
import { MAX_IMAGES } from '../businesses/rules.ts'
import {
  MAX_MESSAGE_FILES,
  MAX_SAVED_REPLIES,
  MIN_CONVERSATIONS_SHOWN,
  RETENTION_MONTHS,
} from '../enquiries/rules.ts'
import { MAX_UPLOAD_BYTES } from '../files/rules.ts'
import { DEFAULT_VALID_DAYS, MAX_LINES, MAX_VALID_DAYS } from '../quotes/rules.ts'
import { EXTENSION_DAYS, REMIND_DAYS_BEFORE } from '../sales/plan-rules.ts'
import { MAX_COMPARED, MAX_ENTRIES } from '../shortlists/rules.ts'
import { daysText, POLICY_LABELS, policyText, shareText } from '../terms/policy-messages.ts'
import {
  BALANCE_NOTICE_DAYS,
  COOLING_OFF_DAYS_BEFORE,
  COOLING_OFF_HOURS,
  DEFAULT_PLAN,
  MAX_BALANCE_DAYS,
  MAX_DEPOSIT_BP,
  MIN_BALANCE_DAYS,
  MIN_DEPOSIT_BP,
  POLICY_NAMES,
} from '../terms/rules.ts'
import type { HelpArticle } from './rules.ts'

// The texts of /help. Figures come from the rules, so that no article says otherwise.

const MB = 1_048_576

const BANK_TIME = 'Most banks show a refund within five to ten business days.'
const DEPOSITS = `${shareText(MIN_DEPOSIT_BP)} to ${shareText(MAX_DEPOSIT_BP)}`
const POLICY_LIST = POLICY_NAMES.map((name) => `${POLICY_LABELS[name]}: ${policyText(name, 'You get')}`)

/** '48 hours to answer, or until 24 hours before the event', by this deployment's settings. */
const answerTime = ({ declineAfterMs, declineBeforeEventMs }: UndecidedTimes) =>
  `${durationText(declineAfterMs)} to answer, or until ${durationText(declineBeforeEventMs)} before the event`

const bookAndPay = (times: UndecidedTimes): HelpArticle => ({
  slug: 'book-and-pay',
  audience: 'customers',
  title: 'Book and pay',
  summary: 'What you need, when your card is charged, and what happens after you have paid.',
  sections: [
    {
      heading: 'Book',
      steps: [
        'Choose a day on the business page and press Book Now.',
        'Choose a time, enter your guests or hours and your contact details.',
        'Check the total and the payment dates, then pay by card.',
      ],
    },
    {
      heading: 'What you pay',
      paragraphs: [
        'The total is the price for your guests or hours, including GST where it applies. Many listings take a deposit now and the balance before the event. The line above the card form shows each payment with its date.',
        'Nobody else can take the time while you pay. If you leave the page, ‘Finish payment’ in the menu leads back to it.',
      ],
    },
    {
      heading: 'After paying',
      paragraphs: [
        `The vendor has ${answerTime(times)} if that is sooner. If they decline or don’t answer, you get a full refund automatically.`,
      ],
    },
  ],
  links: [{ label: 'Your bookings', to: 'my-bookings' }],
  related: ['deposits-and-balances', 'payment-problems', 'withdraw-or-cancel'],
})

const answerBookings = (times: UndecidedTimes): HelpArticle => ({
  slug: 'answer-bookings',
  audience: 'vendors',
  title: 'Answer a booking',
  summary: 'How long you have, what the customer is told, and how to undo a mistake.',
  sections: [
    {
      paragraphs: [
        `The customer has paid when a booking reaches you. You have ${answerTime(times)} if that is sooner. We remind you after ${durationText(times.remindAfterMs)}. A booking that nobody answers is declined, and the customer gets everything back.`,
      ],
    },
    {
      heading: 'Declined by mistake?',
      paragraphs: [
        'Press Undo beside the booking. The customer isn’t told of a decline straight away, and the screen says until when you can take it back.',
      ],
    },
    {
      heading: 'The day doesn’t suit you',
      paragraphs: [
        `Approve it and propose another date. The customer has ${durationText(CHANGE_LASTS_MS)} to agree, and the booking stays as it is until then.`,
      ],
    },
  ],
  links: [{ label: 'Your bookings', to: 'bookings' }],
  related: ['opening-hours-and-calendars', 'deposits-and-policies'],
})

/** An article, or one whose figures are settings. */
type Written = HelpArticle | ((times: UndecidedTimes) => HelpArticle)

const CUSTOMER_ARTICLES: readonly Written[] = [
  {
    slug: 'find-a-venue-or-vendor',
    audience: 'customers',
    title: 'Find a venue or vendor',
    summary: 'Search in plain words, filter, look at the map, and see prices for your day and your guests.',
    sections: [
      {
        heading: 'Search in plain words',
        paragraphs: [
          'Type what you have in mind, as you would say it: ‘vegan catering Geelong, 90 guests, March’. We show what we understood as small labels above the list. Remove a label if it is wrong.',
          'Places can be suburbs, postcodes, cities or regions. ‘Near me’ asks your browser for your position only when you press it. We use the suburb and don’t store the position.',
        ],
      },
      {
        heading: 'Get a price for your day',
        paragraphs: [
          'Once you have given a date and a number of guests or hours, each card shows the total and whether that day is free. The business page and the booking form keep your answers.',
        ],
      },
      {
        heading: 'Nothing found?',
        paragraphs: [
          'The page says which filter to remove and how many listings each step would bring back. Distance and budget usually help first.',
        ],
      },
    ],
    links: [{ label: 'Search venues and vendors', to: 'search' }],
    related: ['shortlist-and-compare', 'ask-a-question', 'book-and-pay'],
  },
  {
    slug: 'shortlist-and-compare',
    audience: 'customers',
    title: 'Save, compare and share',
    summary: 'Keep favourites without an account, put them side by side, and let your partner add theirs.',
    sections: [
      {
        paragraphs: [
          `Press the heart on a card to save a listing, up to ${MAX_ENTRIES} of them. Without an account the list stays in this browser. Once you log in, it belongs to your account and follows you to other devices.`,
        ],
      },
      {
        heading: 'Compare',
        paragraphs: [
          `Choose up to ${MAX_COMPARED} saved listings and press Compare. Prices, guests, ratings and facts stand side by side.`,
        ],
      },
      {
        heading: 'Share',
        paragraphs: [
          'Make a link on the shortlist and send it to whoever plans with you. They can open the list and add to it. End the link at any time: it stops working at once.',
        ],
      },
    ],
    links: [{ label: 'Your shortlist', to: 'shortlist' }],
    related: ['find-a-venue-or-vendor', 'ask-a-question'],
  },
  {
    slug: 'ask-a-question',
    audience: 'customers',
    title: 'Ask a question or get a quote',
    summary: 'Write to a vendor before you book, send files, and accept a quote.',
    sections: [
      {
        heading: 'Ask',
        paragraphs: [
          `Every business page has ‘Ask a question’. You can attach up to ${MAX_MESSAGE_FILES} pictures or PDFs. Without an account, you first confirm your email address by the link that we send you.`,
          'The answer comes by email, and you read and reply on the page that it links to. With an account, all your conversations are under Messages.',
        ],
      },
      {
        heading: 'Quotes',
        paragraphs: [
          `A vendor can send you a quote with a day, a time and a price for each line. Tick the optional lines that you want. A quote is valid until the day that it names, at most ${MAX_VALID_DAYS} days.`,
          'Accepting a quote leads to the payment. Your booking is confirmed as soon as you have paid, because the vendor has already agreed to it.',
        ],
      },
      {
        heading: 'Stay safe',
        paragraphs: [
          'Pay through your booking here. We can’t refund what is paid elsewhere. If someone asks you for cash or a bank transfer, open the menu of the conversation and report it.',
          `Messages are deleted ${RETENTION_MONTHS} months after the last one.`,
        ],
      },
    ],
    links: [{ label: 'Your messages', to: 'messages' }],
    related: ['book-and-pay', 'find-a-venue-or-vendor'],
  },
  bookAndPay,
  {
    slug: 'your-booking-link',
    audience: 'customers',
    title: 'Your booking without an account',
    summary: 'Find a booking again, share it only with people you trust, and move it into an account.',
    sections: [
      {
        paragraphs: [
          'Every email about your booking has a link to it. On that page you see the vendor’s contact details, pay a balance, change the card, propose a change, or cancel. You can also download the receipt and add the event to your calendar.',
          'The link is the key to your booking. Anyone who has it can do the same, so forward it only to people you trust.',
        ],
      },
      {
        heading: 'Lost the email?',
        paragraphs: [
          'Create an account with the address that you booked with and confirm that address. All bookings made with it then appear under My Bookings.',
        ],
      },
    ],
    links: [{ label: 'Sign up', to: 'signup' }],
    related: ['withdraw-or-cancel', 'keep-your-account-safe'],
  },
  {
    slug: 'deposits-and-balances',
    audience: 'customers',
    title: 'Deposits and balances',
    summary: 'When the rest is charged, how to pay early, and what happens if the card is refused.',
    sections: [
      {
        heading: 'How it works',
        paragraphs: [
          `With a deposit you pay ${DEPOSITS} now. The balance is charged to the same card at 9:00 am, venue time, on the day that you saw before paying. We email you ${REMIND_DAYS_BEFORE} days before.`,
          `Some events are too far ahead to be paid in full. They take ${shareText(DEFAULT_PLAN.depositBasisPoints)} now and the rest ${DEFAULT_PLAN.balanceDaysBefore} days before. If the event is near, you pay everything at once.`,
        ],
      },
      {
        heading: 'Pay early or use another card',
        paragraphs: [
          'Open your booking and press ‘Pay now’ or ‘Change card’. We keep only the last four digits. The saved card is removed as soon as nothing is due.',
        ],
      },
      {
        heading: 'If the card is refused',
        paragraphs: [
          'We try again on later mornings and tell you each time. The email and your booking name the day by which you have to pay. If nothing is paid by then, we cancel the booking. Its cancellation terms say what you get back.',
        ],
      },
    ],
    links: [{ label: 'Your bookings', to: 'my-bookings' }],
    related: ['payment-problems', 'withdraw-or-cancel', 'change-a-booking'],
  },
  {
    slug: 'payment-problems',
    audience: 'customers',
    title: 'Refused cards and payments that don’t work',
    summary: 'Refused cards, your bank’s approval, lost connections and double charges.',
    sections: [
      {
        heading: 'The card is refused',
        paragraphs: [
          'Nothing was charged. Check the number, the expiry date and the security code, then try again or use another card. Your bank can tell you why it refused: we can’t see the reason.',
        ],
      },
      {
        heading: 'The bank asks you to approve',
        paragraphs: [
          'A window of your bank opens. Approve the payment there, in its app or by code. If you close the window, nothing is charged and you can try again.',
        ],
      },
      {
        heading: 'The connection was lost',
        paragraphs: [
          'Open ‘Finish payment’ in the menu, or your email. A payment that went through becomes your booking, even if you never saw the last page. The same booking is never charged twice.',
        ],
      },
      {
        heading: 'Paid, but the time was gone',
        paragraphs: [
          `If someone else got the time at the last moment, you get everything back automatically. ${BANK_TIME}`,
        ],
      },
    ],
    links: [{ label: 'Finish a payment', to: 'payment' }],
    related: ['book-and-pay', 'refunds'],
  },
  {
    slug: 'withdraw-or-cancel',
    audience: 'customers',
    title: 'Withdraw or cancel a booking',
    summary: 'What you get back, and until when cancelling is free.',
    sections: [
      {
        heading: 'Before the vendor has answered',
        paragraphs: ['Withdraw the booking from its page. You get everything back.'],
      },
      {
        heading: 'After that',
        paragraphs: [
          'Press ‘Cancel booking’. The page shows what you get back today and what it costs later. Nothing happens until you confirm.',
          'Each listing has one of three policies. You see it on the business page, before you pay, and in your booking:',
        ],
        points: POLICY_LIST,
      },
      {
        heading: 'Always',
        points: [
          `You get everything back for ${COOLING_OFF_HOURS} hours after you paid, if the event is ${COOLING_OFF_DAYS_BEFORE} days or more away.`,
          'You get everything back if the vendor cancels.',
          'A balance that isn’t due yet is never charged once you have cancelled.',
        ],
      },
    ],
    links: [{ label: 'Your bookings', to: 'my-bookings' }],
    related: ['refunds', 'change-a-booking', 'your-booking-link'],
  },
  {
    slug: 'change-a-booking',
    audience: 'customers',
    title: 'Change the date or the number of guests',
    summary: 'Propose a change, see the new price first, and keep your time until the vendor agrees.',
    sections: [
      {
        steps: [
          'Open your booking and press ‘Change date or guests’.',
          'Choose another day, time or number. The page shows the difference in price before you send anything.',
          `Send it. The vendor has ${durationText(CHANGE_LASTS_MS)} to agree. The new time is held for you meanwhile, and your booking keeps its own.`,
        ],
      },
      {
        heading: 'What it costs',
        paragraphs: [
          'The price follows the terms that you booked with, even if the listing costs more now. If the change costs more, you pay the difference once the vendor has agreed. If it costs less, you get the difference back or pay a smaller balance.',
          'The days of the cancellation policy then count from the new date.',
        ],
      },
      {
        heading: 'The vendor proposes another date',
        paragraphs: [
          'You get an email. Agree or decline on the booking’s page. Nothing changes without your answer.',
        ],
      },
    ],
    related: ['withdraw-or-cancel', 'deposits-and-balances'],
  },
  {
    slug: 'refunds',
    audience: 'customers',
    title: 'Refunds',
    summary: 'When the money leaves us, and when your bank shows it.',
    sections: [
      {
        paragraphs: [
          `A refund goes back to the card that paid. We send it shortly after the booking is declined, withdrawn or cancelled, and email you. ${BANK_TIME}`,
          'Your booking shows each refund with its amount. The receipt lists it too.',
        ],
      },
      {
        heading: 'The card no longer exists',
        paragraphs: [
          'Your bank usually moves the money to your new card or account. If it comes back to us, we email you, and you tell us on your booking’s page where to send it.',
        ],
      },
      {
        heading: 'You asked your bank to take the payment back',
        paragraphs: [
          'The bank then decides, and until it has, we can’t refund that payment. If the payment stays with us, we send any refund after that. If the bank returns it to you, we send none.',
        ],
      },
    ],
    related: ['withdraw-or-cancel', 'payment-problems'],
  },
  {
    slug: 'reviews',
    audience: 'customers',
    title: 'Write a review',
    summary: 'Who can review, and what happens before a review appears.',
    sections: [
      {
        paragraphs: [
          'After the event, you can review each approved booking once, under My Bookings. Give one to five stars and a few words about how it was.',
          'A person reads every review before it appears. We refuse insults, advertising and personal details, and tell you why. Vendors can’t remove reviews or review themselves.',
        ],
      },
    ],
    links: [{ label: 'Your bookings', to: 'my-bookings' }],
    related: ['your-booking-link'],
  },
  {
    slug: 'keep-your-account-safe',
    audience: 'customers',
    title: 'Keep your account safe',
    summary: 'Passkeys, two-step login, new devices, your data, and what to do if something looks wrong.',
    sections: [
      {
        heading: 'Log in safely',
        points: [
          'Add a passkey under Settings & Privacy, and log in with your fingerprint, face or device code.',
          'Or turn on two-step login with an authenticator app. Keep the recovery codes somewhere other than your phone.',
          'Choose a password that you use nowhere else. Common passwords are refused.',
        ],
      },
      {
        heading: 'A login that wasn’t you',
        paragraphs: [
          'We email you when a new device logs in. Press ‘This wasn’t me’ in that email: every browser is logged out, the old password stops working, and you choose a new one.',
        ],
      },
      {
        heading: 'Your data',
        paragraphs: [
          'Settings & Privacy lets you download everything we hold about you, deactivate the account, or delete it. Booking records that the law requires stay.',
        ],
      },
    ],
    links: [{ label: 'Settings & Privacy', to: 'settings' }],
    related: ['your-booking-link'],
  },
]

const VENDOR_ARTICLES: readonly Written[] = [
  {
    slug: 'list-your-business',
    audience: 'vendors',
    title: 'List your business',
    summary: 'What a listing needs, and what makes people book it.',
    sections: [
      {
        paragraphs: [
          'Listing is free. You need an account, a name, a category, a description, at least one service, a suburb and a price. Your draft is kept in this browser until you save it.',
        ],
      },
      {
        heading: 'What brings bookings',
        points: [
          `${MAX_IMAGES} good pictures of at most ${MAX_UPLOAD_BYTES.listing / MB} MB each. We remove hidden data such as where a picture was taken.`,
          `An album of up to ${MAX_ALBUM_PICTURES} more, with captions, under My Listings.`,
          'The facts that people filter by: guests seated and standing, parking, step-free access, what is included.',
          'Opening hours and days off that are up to date. Free days on your page are what people book.',
          'An answer within hours. Response times appear on your page after ' +
            `${MIN_CONVERSATIONS_SHOWN} conversations.`,
        ],
      },
      {
        heading: 'Delete a listing',
        paragraphs: [
          'Press Delete under My Listings. The page and its pictures go at once, and can’t be brought back.',
          'A listing with open bookings can’t be deleted. Delete then hides it from new customers: its page is closed, and the bookings stay valid. ‘Show again’ opens it. Once the bookings are over, you can delete the listing.',
          'For a break, keep the listing and close the days under Availability.',
        ],
      },
    ],
    links: [{ label: 'My Listings', to: 'listings' }],
    related: ['prices', 'opening-hours-and-calendars', 'register-your-business'],
  },
  {
    slug: 'register-your-business',
    audience: 'vendors',
    title: 'Register your ABN',
    summary: 'What ‘ABN registered’ means, and who sees your details.',
    sections: [
      {
        paragraphs: [
          'Register once with your ABN, and every listing of yours shows ‘ABN registered’. You can list and take bookings without it.',
          'We ask the Australian Business Register, the government’s public list of ABNs, about yours. If it says that the ABN is cancelled or unknown, or that you aren’t registered for GST as you told us, we tell you what to do. Until then the mark is off and your payouts wait.',
          'Customers see your business name, logo, website and ABN. Your own name, address and date of birth stay private. Your phone and email go only to customers who have paid.',
        ],
      },
    ],
    links: [{ label: 'Register your business', to: 'registration' }],
    related: ['list-your-business'],
  },
  {
    slug: 'prices',
    audience: 'vendors',
    title: 'Set your prices',
    summary: 'Per person, per hour, both, or on request, and the maximum number of guests.',
    sections: [
      {
        points: [
          'Charge per person or per hour. A second price lets customers choose.',
          'Prices include GST where it applies. The customer pays exactly what the page shows.',
          'Leave the price at $0 for ‘Price on request’. Customers then ask for a quote.',
          'The maximum number of guests limits what can be booked, and who finds you with ‘90 guests’.',
        ],
      },
      {
        heading: 'A new price',
        paragraphs: [
          'It applies to new bookings. A booking keeps the price and terms that it was sold with.',
        ],
      },
    ],
    links: [{ label: 'My Listings', to: 'listings' }],
    related: ['deposits-and-policies', 'quotes'],
  },
  {
    slug: 'deposits-and-policies',
    audience: 'vendors',
    title: 'Choose a payment plan and a cancellation policy',
    summary: 'What customers pay when, and what you keep if they cancel.',
    sections: [
      {
        heading: 'Payment plan',
        paragraphs: [
          `Take everything when people book, or a deposit of ${DEPOSITS} and the balance ${MIN_BALANCE_DAYS} to ${MAX_BALANCE_DAYS} days before the event. If the balance would be due within ${BALANCE_NOTICE_DAYS} days, the customer pays everything at once.`,
          'We remind the customer, charge the balance, and try again if the card is refused. You can give a late customer ' +
            `${daysText(EXTENSION_DAYS)} more, once.`,
        ],
      },
      {
        heading: 'Cancellation policy',
        points: POLICY_NAMES.map((name) => `${POLICY_LABELS[name]}: ${policyText(name, 'Customers get')}`),
      },
      {
        heading: 'If you cancel',
        paragraphs: [
          'The customer gets everything back. From your second cancellation of an approved booking on, your page says so. Propose another date first.',
        ],
      },
    ],
    links: [{ label: 'My Listings', to: 'listings' }],
    related: ['answer-bookings', 'payouts'],
  },
  {
    slug: 'opening-hours-and-calendars',
    audience: 'vendors',
    title: 'Opening hours, days off and calendars',
    summary: 'Let people book only when you can come, and keep your own calendar in sync.',
    sections: [
      {
        heading: 'Hours',
        points: [
          'Choose when you work: weekends, every day or evenings by one press, or hours for each weekday. Add days off for holidays.',
          'Add time for setting up and packing up. It is blocked around each event.',
          'Say how much notice you need, how far ahead people can book, and how many events you take at the same time.',
        ],
      },
      {
        heading: 'Calendars',
        paragraphs: [
          'Block time in the calendar with one press. Subscribe to your bookings in Google, Apple or Outlook by the private address on the Availability page. Import another calendar by its iCal address, and its busy times can’t be booked here.',
          'Two people can never book the same time, even if both press at the same moment.',
        ],
      },
    ],
    links: [
      { label: 'Availability', to: 'availability' },
      { label: 'Calendar', to: 'calendar' },
    ],
    related: ['answer-bookings', 'list-your-business'],
  },
  answerBookings,
  {
    slug: 'inbox',
    audience: 'vendors',
    title: 'Your inbox',
    summary: 'Answer questions quickly, with saved replies, by email or from your phone.',
    sections: [
      {
        points: [
          'Unanswered conversations come first, the longest waiting on top. They are marked after one day and after three.',
          `Save replies that you write often, up to ${MAX_SAVED_REPLIES}, and insert one with a press.`,
          'Several new messages make one email. If it says so, you can answer by replying to it.',
          'Block or report someone from the menu of the conversation. We read reported conversations only.',
        ],
      },
      {
        heading: 'Your response time',
        paragraphs: [
          `From ${MIN_CONVERSATIONS_SHOWN} conversations on, your page shows how quickly you usually answer. Fast answers win bookings.`,
        ],
      },
    ],
    links: [{ label: 'Your inbox', to: 'inbox' }],
    related: ['quotes', 'answer-bookings'],
  },
  {
    slug: 'quotes',
    audience: 'vendors',
    title: 'Write and send a quote',
    summary: 'Lines, options, a day, and a time that can be held.',
    sections: [
      {
        steps: [
          'Open the conversation and press ‘Write a quote’.',
          `Add up to ${MAX_LINES} lines. Mark those that the customer may leave out as optional.`,
          `Set the day, the time and how long the quote is valid: ${DEFAULT_VALID_DAYS} days unless you choose otherwise.`,
          'Hold the time if you like. Others can’t book it meanwhile.',
        ],
      },
      {
        heading: 'After sending',
        paragraphs: [
          'Price, words and terms are fixed. To change something, send a new version: it replaces the old one. When the customer pays, the booking is approved at once, so check your calendar first.',
        ],
      },
    ],
    links: [{ label: 'Your inbox', to: 'inbox' }],
    related: ['inbox', 'deposits-and-policies'],
  },
  {
    slug: 'payouts',
    audience: 'vendors',
    title: 'Get paid',
    summary: 'Set up your account, see when money leaves, and why a payout may wait.',
    needsPayouts: true,
    sections: [
      {
        heading: 'Set up',
        paragraphs: [
          'Open Payouts on your dashboard. Accept the vendor agreement, then tell our payment provider who you are and where to pay you. It takes about five minutes, and you can continue later.',
        ],
      },
      {
        heading: 'When money leaves',
        paragraphs: [
          'We hold the customer’s payment until the event is over, wait a short time, and send your share. Your bank usually has it two days later. Payouts shows each step with its day, and our commission.',
        ],
      },
      {
        heading: 'Why a payout waits',
        points: [
          'You haven’t accepted the agreement, or your account isn’t complete.',
          'A refund is on its way, or the customer’s bank disputes the payment.',
          'You owe something from a refunded booking. We keep it from your next payouts.',
        ],
      },
    ],
    links: [{ label: 'Payouts', to: 'payouts' }],
    related: ['disputed-payments', 'deposits-and-policies'],
  },
  {
    slug: 'disputed-payments',
    audience: 'vendors',
    title: 'When a customer disputes a payment',
    summary: 'What the bank asks, what you can send, and who pays.',
    needsPayouts: true,
    sections: [
      {
        paragraphs: [
          'A customer can ask their bank to take a payment back, which is called a dispute or a chargeback. The bank then decides, often within two months. Your share waits, or comes back from your account if it was paid out.',
          'Send us what proves your side: messages, photos of the day, a signed contract. Keep conversations and changes on the platform, because they are the best proof there is.',
        ],
      },
      {
        heading: 'The decision',
        paragraphs: [
          'If the bank decides in your favour, we send your share. If not, the customer keeps the money, and your share of it goes back too. The bank’s fee is ours.',
        ],
      },
    ],
    related: ['payouts', 'inbox'],
  },
]

const HELP_ARTICLES = [...CUSTOMER_ARTICLES, ...VENDOR_ARTICLES]

/**
 * The articles in the order of /help, customers' first.
 * @param hasPayouts whether vendors are paid by us
 * @param times when a booking that its vendor doesn't answer is reminded of and declined
 */
export function listArticles(hasPayouts: boolean, times: UndecidedTimes = UNDECIDED_TIMES): HelpArticle[] {
  return HELP_ARTICLES.map((written) => (typeof written === 'function' ? written(times) : written)).filter(
    ({ needsPayouts }) => hasPayouts || !needsPayouts,
  )
}
