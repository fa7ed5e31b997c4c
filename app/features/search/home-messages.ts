export type Step = { title: string; text: string }

/** How booking works for a customer (Decisions 5 to 7). @param answerTime how long the vendor has, as 'two days' */
export const howToBook = (answerTime: string): readonly Step[] => [
  {
    title: 'Find who you like',
    text: 'Every listing shows where it is, what it offers and how it’s priced. Keep your favourites in the cart.',
  },
  {
    title: 'Say when and how many',
    text: 'A date, a time, your guests or hours. The total adds up as you type. No account needed.',
  },
  {
    title: 'Pay by card',
    text: 'The total you saw, including any GST: all at once, or a deposit if the vendor takes one. You get a receipt and a link to your booking.',
  },
  {
    title: `Hear back in ${answerTime}`,
    text: 'If the vendor can’t do it, or doesn’t answer in time, you get it all back.',
  },
]

/** How listing works for a vendor. @param answerTime how long they have, as 'two days' */
export const howToList = (answerTime: string): readonly Step[] => [
  {
    title: 'Show what you do',
    text: 'A few pictures, what you offer, where you are, and your price per person or per hour.',
  },
  {
    title: 'Get booked',
    text: 'Bookings arrive with the date, the numbers and the payment already made.',
  },
  {
    title: 'Decide in one tap',
    text: `Approve or decline within ${answerTime}, from your phone. Declining refunds the customer for you.`,
  },
]
