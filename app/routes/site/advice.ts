/** The texts of /advice-support. Advice is our own rule of thumb; what it says of bookings follows Decisions 3 to 22. */

export const TIMELINE = [
  {
    when: '12 months ahead',
    title: 'Numbers, season, venue',
    text: 'Write the guest list before you look at rooms, then hold a date with the venue. Spring and autumn Saturdays go first; a Friday or Sunday opens most doors.',
  },
  {
    when: '9 months',
    title: 'The people there is only one of',
    text: 'A photographer, a band or a planner can be in one place a day. Venues and caterers can often move things; these can’t.',
  },
  {
    when: '6 months',
    title: 'Food and sound',
    text: 'Settle the caterer and the music, and ask the venue about power, noise and when the last song must end.',
  },
  {
    when: '4 months',
    title: 'Invitations, beds, buses',
    text: 'Send them with an answer-by date six weeks before the day, and one line for dietary needs. In the regions, hold rooms nearby and a bus.',
  },
  {
    when: '6 weeks',
    title: 'Trials and tastings',
    text: 'Hair, menu, sound for the speeches. Whatever you are going to change, change it now.',
  },
  {
    when: '2 weeks',
    title: 'Final numbers',
    text: 'Give the count to the caterer and the venue, with the dietary list. Write one page with times, names and phone numbers, and send it to every vendor.',
  },
  {
    when: 'The day before',
    title: 'Hand it over',
    text: 'Give that page, the rings, the playlist and your phone to one person who is not you.',
  },
] as const

/** Whole per cent; they add up to 100. */
export const BUDGET_SHARES = [
  { label: 'Food and drink', percent: 38, note: 'follows the guest list' },
  { label: 'The room', percent: 22, note: 'with chairs, linen and staff' },
  { label: 'Pictures and film', percent: 12, note: 'what is left of it later' },
  { label: 'Music and sound', percent: 8, note: 'speeches as well' },
  { label: 'Flowers, hair and extras', percent: 10, note: 'the parts people touch' },
  { label: 'Kept back', percent: 10, note: 'for what nobody thought of' },
] as const

export const CHECKLIST = [
  {
    title: 'Ask any vendor',
    items: [
      'What exactly is in the price, and per what?',
      'When do you arrive, and when must everything be gone?',
      'Who comes on the day, and what is their number?',
      'What do you need from the venue: power, water, parking?',
      'What happens when it rains, or when somebody is ill?',
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

export const CUSTOMER_QUESTIONS: readonly Question[] = [
  {
    question: 'Do I need an account to book?',
    answer:
      'No. You give your name, e-mail and phone, and every mail about the booking has a link to it. With an account, your bookings stand together under My Bookings; those you made as a guest join them once your e-mail is verified.',
  },
  {
    question: 'When do I pay, and how?',
    answer:
      'By card, in full, when you book. The total is the price on the page times your guests or hours, with GST included, and it stands on the button before you press it. Each booking is paid on its own.',
  },
  {
    question: 'What if the vendor says no?',
    answer:
      'You get all of it back. A vendor has two days to answer; without an answer the booking is declined by itself, and refunded just the same. Banks usually show a refund within a few working days.',
  },
  {
    question: 'Can I change my mind?',
    answer:
      'Until the vendor has answered you can withdraw the booking yourself, with a full refund, from the link in your mail. After that, talk to the vendor: their phone and e-mail are in your booking.',
  },
  {
    question: 'Why does a listing say ‘Price on request’?',
    answer:
      'Its vendor makes a price for each event, so there is nothing to multiply yet and it can’t be booked here. It can still wait in your cart while you compare.',
  },
  {
    question: 'What does ‘ABN registered’ mean?',
    answer:
      'That the vendor has registered their business with us, with an Australian Business Number whose check digits are right. It says who you deal with; it is no grade. For how good they are, read the reviews.',
  },
  {
    question: 'Who writes the reviews?',
    answer:
      'Customers whose booking was approved and whose day has passed, once for each booking. A person reads every review before it appears. Vendors can’t review themselves or remove what others wrote.',
  },
  {
    question: 'Is my cart kept?',
    answer:
      'In this browser, until you clear it. It holds no date and charges nothing: it is a place to compare. Another device has a cart of its own.',
  },
]

export const VENDOR_QUESTIONS: readonly Question[] = [
  {
    question: 'What does it cost to list?',
    answer:
      'Nothing. You need an account, a description, a price and a place; pictures help more than anything else.',
  },
  {
    question: 'Must I register my business?',
    answer:
      'You can list and be booked without it. Once you register with a valid ABN, your listings carry the mark ‘ABN registered’, and customers look for it.',
  },
  {
    question: 'What do customers see of me?',
    answer:
      'Your business name, logo, description, website and ABN, and the suburb and state of each listing. Never your own name, address or date of birth. Your phone and e-mail go only to customers who have paid.',
  },
  {
    question: 'How long do I have to answer a booking?',
    answer:
      'Two days, or until a day before the event if that comes first. We remind you after one. A booking that nobody answers is declined and refunded.',
  },
  {
    question: 'I declined by mistake. Can I undo it?',
    answer:
      'Yes, for a short while: approve it again and the refund is called off. Once the refund is on its way the decision stands, and the screen says so.',
  },
  {
    question: 'Which pictures can I use?',
    answer:
      'Up to three for each listing, at most 2 MB each, in the usual photo formats. We take out hidden data such as where a picture was taken.',
  },
]
