/**
 * Points between the card's confirmation and the stored booking where a test kills the server process (kill -9). The
 * product doesn't depend on them. The setting CRASH_AT names one, and is refused on a real deployment.
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
  'money-posted',
  'settled-uncommitted',
  'settled',
  'event-processed',
  'refund-claimed',
  'refund-made',
  'refund-moved-uncommitted',
  'refund-moved',
  'dispute-stored-uncommitted',
  'dispute-stored',
  'transfer-claimed',
  'transfer-made',
  'transfer-stored-uncommitted',
  'reversal-claimed',
  'reversal-made',
  'instalment-reminded-uncommitted',
  'instalment-claimed',
  'instalment-charged',
  'instalment-refused-uncommitted',
  'instalment-settled',
  'change-proposed-uncommitted',
  'change-applied-uncommitted',
  'tax-document-numbered',
  'tax-document-stored-uncommitted',
] as const

export type FaultPointName = (typeof FAULT_POINTS)[number]

/** Called at each fault point. Does nothing outside the crash test. */
export type FaultPoint = (point: FaultPointName) => void
