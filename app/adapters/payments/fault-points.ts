/**
 * Where a test lets the server process die (kill -9) between the card's confirmation and the stored booking. Nothing
 * of the product depends on them; the setting CRASH_AT names one, and is refused on a real deployment.
 */
export const FAULT_POINTS = [
  'card-checked',
  'card-charged-uncommitted',
  'card-charged',
  'webhook-sending',
  'report-received',
  'webhook-received',
  'event-recorded',
  'provider-asked',
  'payment-locked',
  'payment-moved',
  'booking-inserted',
  'receipt-numbered',
  'mails-queued',
  'settled-uncommitted',
  'settled',
  'event-processed',
  'refund-claimed',
  'refund-made',
] as const

export type FaultPointName = (typeof FAULT_POINTS)[number]

/** Called at each point. Outside that one test it does nothing. */
export type FaultPoint = (point: FaultPointName) => void
