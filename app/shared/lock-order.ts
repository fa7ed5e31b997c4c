/**
 * The order in which a transaction takes its locks. Two transactions that lock in one order never wait for each other (a
 * deadlock). Decision 70 has the reasons. `tests/lock-watch.ts` throws in every test at a lock that is out of order, and
 * `tests/lock-order.test.ts` finds sources that lock something that isn't named here.
 *
 * A lock that isn't held yet must come after every lock that is. Taking a held one again is always fine.
 */
export type RankedLock = {
  /** The table whose rows are locked, or the first word of the advisory lock's key (`lockByName`, `lock_ledger`). */
  readonly name: string
  readonly why: string
  /**
   * Tables whose rows are only written under this lock, so they need no place of their own. A transaction that writes them
   * without it takes neither this lock nor one before it later.
   */
  readonly covers?: readonly string[]
  /** Why several of these rows may be locked in any order. Without it, they are locked in the order of their ids. */
  readonly several?: string
}

export const LOCK_ORDER = [
  {
    name: 'operator-roles',
    why: 'Whether an admin is left is decided before anything of the account is touched.',
    covers: ['operator_namings', 'approvals'],
  },
  {
    name: 'operator-moves',
    why: 'What one operator has moved of a purchase is summed before the purchase is locked.',
    covers: ['approvals', 'payout_orders', 'operator_moves'],
  },
  { name: 'listing', why: 'One submission of the listing form; its second press waits before it counts.' },
  { name: 'listings', why: 'The listings of a vendor are counted before one is added or made public.' },
  {
    name: 'users',
    why: 'An account decides about everything that belongs to it.',
    covers: [
      'account_credentials',
      'account_links',
      'passkeys',
      'push_subscriptions',
      'second_factors',
      'sessions',
      'shortlists',
      'verifications',
    ],
  },
  {
    name: 'alert_recipients',
    why: 'Alerts of a recipient are counted, and told of, under it. Those of an account go with the account.',
    covers: ['alerts', 'alert_listings'],
  },
  {
    name: 'bookings',
    why: 'A command finds its purchase by the booking that a person has opened.',
    covers: ['changes', 'cancellations', 'payment_actions', 'tax_queue'],
  },
  {
    name: 'payments',
    why: 'The first payment locks its purchase: later payments, instalments, refunds and disputes.',
    covers: [
      'approvals',
      'disputes',
      'dispute_answers',
      'instalments',
      'payment_actions',
      'sales',
      'saved_cards',
      'tax_queue',
    ],
    several: 'A purchase is locked by its first payment, whatever the ids of those that follow it.',
  },
  {
    name: 'conversations',
    why: 'A payment knows its quote, and a quote is paid by a payment that exists already.',
    covers: ['messages', 'quotes', 'reply_addresses', 'conversation_reports'],
  },
  {
    name: 'calendar',
    why: 'What takes time waits for the business once everything about its own sale is locked.',
    covers: ['availability_exceptions', 'calendar_feeds', 'outside_calendars', 'outside_events'],
  },
  { name: 'held', why: 'The holds of one network address are counted across calendars.' },
  {
    name: 'businesses',
    why: 'Opening hours and the listing copy their guest limit to each other.',
    covers: ['album_pictures', 'availability_settings', 'prefilled_facts'],
    several: 'All listings of a vendor are changed only under the vendor’s row of `users`.',
  },
  {
    name: 'slots',
    why: 'Freeing a time takes no calendar, so this comes after all that take one.',
    several: 'Several are deleted only under their calendar, or with the purchase that has them.',
  },
  {
    name: 'business_registrations',
    why: 'A registration is locked before its logo.',
    covers: ['register_checks'],
  },
  {
    name: 'register-answer',
    why: 'Several accounts may have registered one ABN, and the register answers about each.',
    covers: ['register_answers'],
  },
  {
    name: 'uploads',
    why: 'A listing, photo or logo that is saved takes its files last.',
    several: 'Those of a record are dropped under its row. All others are locked in the order of their keys.',
  },
  { name: 'reviews', why: 'One review is moderated alone.' },
  { name: 'task_marks', why: 'An operator takes one task, and nothing else.' },
  {
    name: 'income_reports',
    why: 'A report to the Tax Office is made or lodged alone.',
    several: 'A half-year has one draft, and the report that replaces it is known to nobody yet.',
  },
  { name: 'receipt_series', why: 'All sales of a seller wait here for a number, so it is held briefly.' },
  { name: 'tax_series', why: 'All documents of an issuer wait here for a number, so it is held briefly.' },
  { name: 'payout_accounts', why: 'The provider’s answer moves all transfers of the account.' },
  {
    name: 'ledger',
    why: 'All money of a vendor waits here, so a transaction posts last.',
    covers: ['ledger_balances', 'ledger_transactions', 'payout_holds', 'transfer_reversals', 'transfers'],
  },
  {
    name: 'payout_queue',
    why: 'Triggers write it after a posting or a new status of a booking.',
    several: 'Several are written only under the ledger of their vendor.',
  },

  // The sandbox is another party: none of its transactions is a product’s, nor the other way round.
  { name: 'sandbox_setups', why: 'A setup makes the payment of its card.' },
  { name: 'sandbox_refunds', why: 'A refund moves money of its payment.' },
  { name: 'sandbox_disputes', why: 'A dispute moves money of its payment.' },
  { name: 'sandbox_transfers', why: 'A reversal takes from the account.' },
  { name: 'sandbox_payments', why: 'A transfer moves money of a payment to an account.' },
  { name: 'sandbox_customers', why: 'The next answer of a saved card is taken by the payment.' },
  { name: 'sandbox_accounts', why: 'An account pays out what it has.' },
  { name: 'sandbox_payouts', why: 'A payout returns to its account.' },
  { name: 'sandbox platform balance', why: 'All transfers of the sandbox take from one balance.' },
] as const satisfies readonly RankedLock[]

/** Locks that no row stands for. Their names are the beginnings of their keys. */
export type NamedLock = Extract<
  (typeof LOCK_ORDER)[number]['name'],
  | 'operator-roles'
  | 'operator-moves'
  | 'listing'
  | 'listings'
  | 'calendar'
  | 'held'
  | 'register-answer'
  | 'sandbox platform balance'
>

/** Locks that triggers add to those of a statement that writes one of the columns or, where none is named, adds a row. */
export const TRIGGERED_LOCKS: readonly { table: string; columns: readonly string[]; lock: string }[] = [
  {
    table: 'bookings',
    columns: ['status', 'date', 'time', 'quantity', 'total_price_cents'],
    lock: 'payout_queue',
  },
  { table: 'ledger_postings', columns: [], lock: 'payout_queue' },
  { table: 'bookings', columns: ['status', 'total_price_cents'], lock: 'tax_queue' },
  { table: 'payment_actions', columns: [], lock: 'tax_queue' },
  { table: 'disputes', columns: [], lock: 'tax_queue' },
  { table: 'instalments', columns: ['reduced_cents'], lock: 'tax_queue' },
  { table: 'availability_settings', columns: ['max_guests'], lock: 'businesses' },
  { table: 'businesses', columns: ['max_guests'], lock: 'availability_settings' },
]
