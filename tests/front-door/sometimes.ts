/** The goals of histories. Each run prints those that it hasn't reached. */
export const GOALS = [
  'a customer booked',
  'a guest booked',
  'a time was taken before',
  'a payment came too late for its time',
  'a process died with a payment in flight',
  'an answer was lost and its request repeated',
  'a booking was approved',
  'a booking was declined',
  'a decline was taken back',
  'a booking was withdrawn',
  'a booking was cancelled by its customer',
  'a change was proposed',
  'a change was answered',
  'a change was paid',
  'a balance was paid by its customer',
  'another card was saved',
  'an event was reviewed',
  'a vendor gave more time for a balance',
  'a vendor blocked time',
  'a vendor set up payouts',
  'a quote was sent',
  'a quote was accepted',
  'a quote was paid',
  'a conversation was blocked',
  'an operator refunded',
  'an operator cancelled a booking',
  'a second operator confirmed',
  'an account was disabled',
  'an account was deactivated',
  'an account was deleted',
  'a listing was hidden by an operator',
  'a dispute was answered',
  'a dispute was lost',
  'a dispute was won',
  // By what the database has at the end
  'a declined booking was refunded',
  'a balance was charged to a saved card',
  'a transfer reached a vendor',
  'a transfer was brought back',
  'a refund came back and was settled',
] as const

export type Goal = (typeof GOALS)[number]

/** The goals that even a few histories must reach, or they'd prove little. */
export const USUAL_GOALS: readonly Goal[] = [
  'a customer booked',
  'a guest booked',
  'a booking was approved',
  'a booking was declined',
  'a declined booking was refunded',
]

/** The goals that the histories of a night must also reach. */
export const NIGHTLY_GOALS: readonly Goal[] = [
  'a time was taken before',
  'an answer was lost and its request repeated',
  'a change was proposed',
  'a vendor set up payouts',
  'a balance was charged to a saved card',
  'a transfer reached a vendor',
]
