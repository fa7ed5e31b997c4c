/** One safeguard, and what its absence looks like. */
export type Mutant = {
  name: string
  file: string
  /** Occurs once in the file. */
  from: string
  to: string
  /** Test files, of which one must fail. */
  tests: readonly string[]
}

const IN_FEATURES = 'app/features/'
const IN_ADAPTERS = 'app/adapters/'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'guard: a payment of another amount buys nothing',
    file: `${IN_FEATURES}payments/settlement-commands.server.ts`,
    from: "if (next === 'paid' && payment.state !== 'paid' && !right) next = 'failed'",
    to: 'void right',
    tests: [`${IN_FEATURES}payments/settlement-commands.test.ts`],
  },
  {
    name: 'guard: a payment after its end is refunded',
    file: `${IN_FEATURES}payments/rules.ts`,
    from: "return state === 'cancelled' || state === 'expired'",
    to: "return state === ('none' as string)",
    tests: [
      `${IN_FEATURES}payments/settlement-commands.test.ts`,
      `${IN_FEATURES}payments/sweep-commands.test.ts`,
    ],
  },
  {
    name: 'guard: a report needs the payment’s own secret',
    file: `${IN_FEATURES}payments/settlement-commands.server.ts`,
    from: 'if (clientSecret !== undefined && !sameText(found.clientSecret, clientSecret))',
    to: 'if (clientSecret !== undefined && sameText(found.clientSecret, ""))',
    tests: [`${IN_FEATURES}payments/settlement-commands.test.ts`, 'app/routes/api/payment-routes.test.ts'],
  },
  {
    name: 'guard: a refund never exceeds its charge',
    file: `${IN_FEATURES}payments/refund-commands.server.ts`,
    from: 'if (order.amountCents > leftCents) return',
    to: 'if (order.amountCents < 0) return',
    tests: [`${IN_FEATURES}payments/refund-commands.test.ts`],
  },
  {
    name: 'lock: a decline whose refund has left is final',
    file: `${IN_FEATURES}payments/refund-commands.server.ts`,
    from: "if (refunds.length === 0 || refunds.some(({ state }) => state !== 'due')) return null",
    to: '',
    tests: [
      `${IN_FEATURES}bookings/decisions/commands.test.ts`,
      `${IN_FEATURES}payments/refund-commands.test.ts`,
    ],
  },
  {
    name: 'guard: a transaction that refuses is rolled back',
    file: `${IN_ADAPTERS}database/transactions.server.ts`,
    from: 'if (isRefusal(result) && !keepsWrites(result)) throw new RolledBack(result)',
    to: 'void isRefusal',
    tests: [`${IN_ADAPTERS}database/transactions.test.ts`, 'tests/refused-writes.test.ts'],
  },
  {
    name: 'guard: only the owner decides a booking',
    file: `${IN_FEATURES}bookings/decisions/commands.server.ts`,
    from: "if (!row || row.owner_user_id !== input.userId) return refuse('not_found')",
    to: "if (!row) return refuse('not_found')",
    tests: [`${IN_FEATURES}bookings/decisions/commands.test.ts`],
  },
  {
    name: 'guard: a booking is not decided after its event',
    file: `${IN_FEATURES}bookings/decisions/commands.server.ts`,
    from: "return refuse('event_over')",
    to: 'void hasEventEnded',
    tests: [`${IN_FEATURES}bookings/decisions/commands.test.ts`],
  },
  {
    name: 'guard: a stale page decides nothing',
    file: `${IN_FEATURES}bookings/decisions/commands.server.ts`,
    from: "if (input.seen !== undefined && input.seen !== status) return refuse('changed')",
    to: '',
    tests: [`${IN_FEATURES}bookings/decisions/commands.test.ts`, 'app/routes/dashboard/bookings.test.ts'],
  },
  {
    name: 'guard: a full calendar takes no further booking',
    file: `${IN_FEATURES}availability/slot-commands.server.ts`,
    from: "if (!isFree({ capacity }, taken, time.occupied)) return refuse('taken')",
    to: 'void taken',
    tests: [`${IN_FEATURES}availability/commands.test.ts`],
  },
  {
    name: 'unique key: one place is taken once, whatever the code does',
    file: `${IN_FEATURES}availability/slot-commands.server.ts`,
    from: 'is_exclusive: capacity === 1,',
    to: 'is_exclusive: false,',
    tests: [`${IN_FEATURES}availability/commands.test.ts`],
  },
  {
    name: 'guard: a booking’s link is not guessed',
    file: `${IN_FEATURES}bookings/cancellation/withdrawal-commands.server.ts`,
    from: 'return sameText(by.linkToken, await bookingLinkToken(deps.secret, row.payment_row_id))',
    to: 'return true',
    tests: [
      `${IN_FEATURES}bookings/cancellation/withdrawal-commands.test.ts`,
      `${IN_FEATURES}bookings/changes/commands.test.ts`,
    ],
  },
  {
    name: 'guard: an account cancels its own bookings alone',
    file: `${IN_FEATURES}bookings/cancellation/withdrawal-commands.server.ts`,
    from: 'return by.verifiedEmail !== null && by.verifiedEmail.toLowerCase() === row.email.toLowerCase()',
    to: 'return true',
    tests: [`${IN_FEATURES}bookings/cancellation/withdrawal-commands.test.ts`],
  },
  {
    name: 'guard: a quote lapses',
    file: `${IN_FEATURES}quotes/rules.ts`,
    from: "return quote.validUntil <= now ? 'expired' : null",
    to: 'return null',
    tests: [`${IN_FEATURES}quotes/rules.test.ts`, `${IN_FEATURES}quotes/commands.test.ts`],
  },
  {
    name: 'lock: no account is deleted while its quote is being paid',
    file: `${IN_FEATURES}privacy/commands.server.ts`,
    from: 'if (await lockQuotesOf(tx, leaver)) return',
    to: 'if ((await lockQuotesOf(tx, leaver)) === null) return',
    tests: [`${IN_FEATURES}privacy/commands.test.ts`, `${IN_FEATURES}quotes/commands.test.ts`],
  },
  {
    name: 'lock: a vendor’s list of payouts waits for the ledger',
    file: `${IN_FEATURES}payouts/notice-commands.server.ts`,
    from: 'await lockLedger(tx, [vendorUserId])',
    to: 'void lockLedger',
    tests: ['tests/lock-order-race.test.ts'],
  },
  {
    name: 'guard: a review is written once',
    file: `${IN_FEATURES}reviews/commands.server.ts`,
    from: ".onConflict((conflict) => conflict.column('booking_id').doNothing())",
    to: ".onConflict((conflict) => conflict.column('booking_id').doUpdateSet({ body: input.body }))",
    tests: [`${IN_FEATURES}reviews/commands.test.ts`],
  },
  {
    name: 'condition: a hidden business is not visible',
    file: `${IN_FEATURES}businesses/visible-queries.server.ts`,
    from: "column('hidden_at')",
    to: "column('deleted_at')",
    tests: [`${IN_FEATURES}businesses/queries.test.ts`, 'tests/conditions.test.ts'],
  },
  {
    name: 'guard: no transfer while the bank disputes',
    file: `${IN_FEATURES}payouts/rules.ts`,
    from: 'dispute: ({ isDisputed }) => isDisputed,',
    to: 'dispute: () => false,',
    tests: [`${IN_FEATURES}payouts/rules.test.ts`, `${IN_FEATURES}payouts/settlement.test.ts`],
  },
  {
    name: 'guard: no transfer that an operator holds',
    file: `${IN_FEATURES}payouts/rules.ts`,
    from: 'operator: ({ isHeldByOperator }) => isHeldByOperator,',
    to: 'operator: () => false,',
    tests: [`${IN_FEATURES}payouts/rules.test.ts`, `${IN_FEATURES}operators/payouts.test.ts`],
  },
  {
    name: 'rounding: a deposit',
    file: `${IN_FEATURES}terms/rules.ts`,
    from: 'const depositCents = Math.round(',
    to: 'const depositCents = Math.floor(',
    tests: [`${IN_FEATURES}terms/rules.test.ts`],
  },
  {
    name: 'rounding: a refund by the terms, for the customer',
    file: `${IN_FEATURES}terms/rules.ts`,
    from: 'const refundableCents = Math.ceil(',
    to: 'const refundableCents = Math.floor(',
    tests: [`${IN_FEATURES}terms/rules.test.ts`],
  },
  {
    name: 'rounding: GST',
    file: 'app/shared/money.ts',
    from: 'return Math.round(totalCents / GST_SHARE)',
    to: 'return Math.floor(totalCents / GST_SHARE)',
    tests: ['app/shared/money.test.ts'],
  },
  {
    name: 'guard: two halves of an amount need a second person too',
    file: `${IN_FEATURES}operators/move-commands.server.ts`,
    from: 'needsSecondOperator(amounts.cents + amounts.movedCents, limitCents)',
    to: 'needsSecondOperator(amounts.cents, limitCents)',
    tests: [`${IN_FEATURES}operators/refund-orders.test.ts`, `${IN_FEATURES}operators/payouts.test.ts`],
  },
  {
    name: 'guard: an old order is not confirmed',
    file: `${IN_FEATURES}operators/approval-commands.server.ts`,
    from: "if (approval.expiresAt && at >= new Date(approval.expiresAt)) return refuse('expired')",
    to: '',
    tests: [`${IN_FEATURES}operators/refund-orders.test.ts`, `${IN_FEATURES}operators/payouts.test.ts`],
  },
  {
    name: 'guard: nobody confirms what they have asked for',
    file: `${IN_FEATURES}operators/approval-commands.server.ts`,
    from: 'if (refused) return refuse(refused)',
    to: 'void refused',
    tests: [`${IN_FEATURES}operators/refund-orders.test.ts`, `${IN_FEATURES}operators/namings.test.ts`],
  },
  {
    name: 'guard: what was asked for is what is confirmed',
    file: `${IN_FEATURES}operators/approval-commands.server.ts`,
    from: "if (checked.seen !== approval.seen) return refuse('changed')",
    to: '',
    tests: [`${IN_FEATURES}operators/refund-orders.test.ts`, `${IN_FEATURES}operators/approvals.test.ts`],
  },
  {
    name: 'lock: an approval is settled under the lock under which it was asked for',
    file: `${IN_FEATURES}operators/approval-commands.server.ts`,
    from: 'await flow.lock(tx, asked)',
    to: 'void flow.lock',
    tests: ['tests/lock-order-race.test.ts'],
  },
  {
    name: 'guard: a webhook is signed',
    file: `${IN_ADAPTERS}payments/sandbox/webhooks.server.ts`,
    from: 'if (given.length !== right.length || !timingSafeEqual(given, right)) return null',
    to: 'void timingSafeEqual',
    tests: [`${IN_ADAPTERS}payments/contract.test.ts`],
  },
  {
    name: 'guard: a webhook of yesterday is refused',
    file: `${IN_ADAPTERS}payments/sandbox/webhooks.server.ts`,
    from: '> SIGNATURE_TOLERANCE_S) return null',
    to: '> SIGNATURE_TOLERANCE_S * 1e6) return null',
    tests: [`${IN_ADAPTERS}payments/contract.test.ts`],
  },
  {
    name: 'guard: a stranger’s calendar is not fetched from this network',
    file: `${IN_ADAPTERS}calendars/addresses.ts`,
    from: "if (isIPv4(address)) return !closed.check(address, 'ipv4')",
    to: 'if (isIPv4(address)) return true',
    tests: [`${IN_ADAPTERS}calendars/addresses.test.ts`],
  },
  {
    name: 'guard: wrong passwords from one place are limited',
    file: `${IN_ADAPTERS}accounts/password-tries.server.ts`,
    from: 'if (!(await rateLimits.take(quick, TRIES_FROM_ONE_PLACE))) return null',
    to: 'void TRIES_FROM_ONE_PLACE',
    tests: [`${IN_ADAPTERS}accounts/better-auth.test.ts`, `${IN_ADAPTERS}accounts/contract.test.ts`],
  },
  {
    name: 'condition: a session of a disabled account is not live',
    file: `${IN_ADAPTERS}accounts/sessions.server.ts`,
    from: ".where('users.disabled_at', 'is', null)",
    to: '',
    tests: [`${IN_ADAPTERS}accounts/contract.test.ts`],
  },
  {
    name: 'escape: a formula in a spreadsheet',
    file: 'app/shared/csv.ts',
    from: '/^[=+\\-@\\t\\r\\n＝＋－＠]/.test(text)',
    to: 'false',
    tests: ['app/shared/csv.test.ts'],
  },
  {
    name: 'guard: a cookie is signed',
    file: 'app/shared/signed-cookie.server.ts',
    from: 'return sameText(signature, right) ?',
    to: 'return signature.length === right.length ?',
    tests: ['app/shared/signed-cookie.test.ts'],
  },
  {
    name: 'limit: characters are counted after normalising',
    file: 'app/shared/normal-form.ts',
    from: '.normalize(form).slice(0, MAX_LENGTH)',
    to: '.normalize(form)',
    tests: ['app/shared/normal-form.test.ts'],
  },
  {
    name: 'migration: sales of older payments are read after those are locked',
    file: 'database/migrations/0075_sales_of_before.sql',
    from: 'update payments set sale_id = coalesce(follows, id) where sale_id is null;',
    to: `insert into sales select sale.* from payments, sale_of(payments) sale where follows is null;
update payments set sale_id = coalesce(follows, id) where sale_id is null;`,
    tests: ['tests/sales-migration.test.ts'],
  },
  {
    name: 'proof: the instalments of a sale add up to its price',
    file: `${IN_FEATURES}payments/comparison-queries.server.ts`,
    from: 'where price_cents <> planned or has_no_payment`',
    to: 'where has_no_payment`',
    tests: ['tests/tampering.test.ts'],
  },
]
