import { type Cents, gstIncluded } from '../../shared/money.ts'

/**
 * The accounts of the ledger. Debits are positive and credits negative, so an asset or an expense has a positive balance,
 * and a debt or an income a negative one.
 */
export const LEDGER_ACCOUNTS = [
  // Ours: at the provider, and at our own bank.
  'provider_balance',
  'bank',
  // Owed: to customers or vendors until it is earned, and to vendors after that.
  'customer_money_held',
  'vendor_payable',
  // Owed to us by a vendor.
  'vendor_receivable',
  // Income, and the tax in it.
  'commission',
  'gst_on_commission',
  // Expenses.
  'provider_fees',
  // With a cardholder's bank until it decides.
  'disputed',
  'losses',
] as const
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number]

/** The vendor of postings that concern the operator's money alone. */
export const OPERATOR_OWN = ''

/** The accounts of cash. */
export type CashAccount = 'provider_balance' | 'bank'

/** The kinds of transactions, each with a function below that returns its postings. */
export const TRANSACTION_KINDS = [
  'charge',
  'fee',
  'refund',
  'refund_failed',
  'earned',
  'commission',
  'transfer',
  'reversal',
  'dispute_opened',
  'dispute_won',
  'dispute_lost',
  'dispute_fee',
  'adjustment',
  'write_off',
  'opening',
] as const
export type TransactionKind = (typeof TRANSACTION_KINDS)[number]

/** One signed amount on one account. */
export type Posting = {
  account: LedgerAccount
  /** Never 0. */
  cents: Cents
  /** Another booking of the same vendor, whose debt a transfer nets. Without it, the transaction's own booking. */
  bookingId?: string
}

/** The postings of a transaction. They sum to 0; without any, nothing moves. */
export type Entry<Kind extends TransactionKind = TransactionKind> = {
  kind: Kind
  postings: readonly Posting[]
}

/** The rate of the operator's share. Fixed when a payment begins, so that later changes don't affect it. */
export type CommissionTerms = {
  /** 0 to 10,000: hundredths of a percent. */
  basisPoints: number
  /** Whether the operator was registered for GST, which the commission then includes. */
  isGstRegistered: boolean
}

/** The terms of a sale without commission. */
export const NO_COMMISSION: CommissionTerms = { basisPoints: 0, isGstRegistered: false }

/** The earned part of a booking's price, and the commission on it, in cents. */
export type KeptMoney = {
  cents: Cents
  /** Includes the GST. */
  commissionCents: Cents
  gstCents: Cents
}

/**
 * A booking's money by where it went, from its postings, in cents. At every commit:
 * charged + covered = refunded + held + earned + commission + disputed + lost.
 */
export type BookingMoney = {
  /** Paid by the customer. */
  chargedCents: Cents
  /** Paid by the operator in place of the vendor. */
  coveredCents: Cents
  refundedCents: Cents
  /** Nobody's yet. Below 0 only while a bank disputes more than the booking still has. */
  heldCents: Cents
  /** The vendor's share, paid out or not. */
  earnedCents: Cents
  /** The operator's share, GST included. */
  commissionCents: Cents
  /** With a cardholder's bank, which hasn't decided yet. */
  disputedCents: Cents
  /** Taken by a cardholder's bank for good. */
  lostCents: Cents
  kept: KeptMoney
  /** The vendor's share that isn't transferred yet. Below 0, a reversal is outstanding. */
  payableCents: Cents
  /** The vendor's debt from this booking: the amount that a reversal couldn't bring back. */
  receivableCents: Cents
}

/** The money of a booking without postings. */
export const NO_MONEY: BookingMoney = {
  chargedCents: 0,
  coveredCents: 0,
  refundedCents: 0,
  heldCents: 0,
  earnedCents: 0,
  commissionCents: 0,
  disputedCents: 0,
  lostCents: 0,
  kept: { cents: 0, commissionCents: 0, gstCents: 0 },
  payableCents: 0,
  receivableCents: 0,
}

/** The party that pays for a refund or a lost dispute. */
export type BorneBy = 'vendor' | 'operator'

const BASIS = 10_000

/**
 * The operator's commission on what is kept of a price, GST included: rounded half up to a cent.
 * @param basisPoints 0 to 10,000
 */
export function commissionOn(keptCents: Cents, basisPoints: number): Cents {
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > BASIS)
    throw new RangeError(`${basisPoints} basis points is no rate of commission.`)
  if (!Number.isSafeInteger(keptCents) || keptCents < 0)
    throw new RangeError(`${keptCents} cents can't be kept of a price.`)
  const scaled = keptCents * basisPoints + BASIS / 2
  // Exact: a quotient of floating-point numbers could be rounded up to the next cent.
  return (scaled - (scaled % BASIS)) / BASIS
}

/** The commission on what is kept, and the GST in it: one eleventh. */
export function sharesOf(keptCents: Cents, terms: CommissionTerms): KeptMoney {
  const commissionCents = commissionOn(keptCents, terms.basisPoints)
  return {
    cents: keptCents,
    commissionCents,
    gstCents: terms.isGstRegistered ? gstIncluded(commissionCents) : 0,
  }
}

/** A customer's card was charged. The money is held until it is earned or refunded. */
export function charge(cents: Cents): Entry<'charge'> {
  checkAmount(cents)
  return entry('charge', { provider_balance: cents, customer_money_held: -cents })
}

/** The provider's fee for a charge. The operator bears it, even if the booking ends. */
export function fee(cents: Cents): Entry<'fee'> {
  checkAmount(cents)
  return entry('fee', { provider_fees: cents, provider_balance: -cents })
}

/**
 * Money went back to the customer: held money first, then earned money, whose commission falls with it. The provider decides how
 * much it sends back, so a refund may exceed the booking's money. If a dispute in progress may still return the rest, held money
 * turns negative until the decision. Anything beyond that is the operator's loss.
 * @param input.money before the refund
 * @param input.borneBy 'operator' leaves the vendor's share and the commission as they are
 * @param input.paidFrom 'bank' for a refund that was paid past the provider
 */
export function refund(input: {
  money: BookingMoney
  cents: Cents
  terms: CommissionTerms
  borneBy: BorneBy
  paidFrom: CashAccount
}): Entry<'refund'> {
  const { money, cents, borneBy, paidFrom } = input
  checkAmount(cents)
  const paid = { [paidFrom]: -cents }
  if (borneBy === 'operator') return entry('refund', paid, { losses: cents })
  const heldCents = Math.min(cents, Math.max(0, money.heldCents))
  const backCents = Math.min(cents - heldCents, money.kept.cents)
  const beyondCents = cents - heldCents - backCents
  const disputedCents = Math.min(beyondCents, Math.max(0, money.disputedCents + Math.min(0, money.heldCents)))
  return entry(
    'refund',
    paid,
    { customer_money_held: heldCents + disputedCents, losses: beyondCents - disputedCents },
    takeBack(money.kept, backCents, input.terms),
  )
}

/**
 * A refund came back from the customer's bank. It is held for the customer, to be paid in another way.
 * @param input.lossCents the part that makes up for a loss of the operator: what the operator bore of this refund, or what a
 *   lost dispute has cost them since, whose money the customer already has
 */
export function refundFailed(input: { cents: Cents; lossCents: Cents }): Entry<'refund_failed'> {
  const { cents, lossCents } = input
  checkAmount(lossCents, cents - lossCents)
  return entry('refund_failed', {
    provider_balance: cents,
    customer_money_held: lossCents - cents,
    losses: -lossCents,
  })
}

/** Held money became the vendor's. Its commission is a transaction of its own. */
export function earned(cents: Cents): Entry<'earned'> {
  checkAmount(cents)
  return entry('earned', { customer_money_held: cents, vendor_payable: -cents })
}

/**
 * The operator's commission on what is kept. Only the difference to the commission so far is posted, so it ends at
 * round(rate × kept) in whatever order money was earned and refunded.
 * @param kept after `earned`
 */
export function commission(kept: KeptMoney, terms: CommissionTerms): Entry<'commission'> {
  const due = sharesOf(kept.cents, terms)
  const commissionCents = due.commissionCents - kept.commissionCents
  const gstCents = due.gstCents - kept.gstCents
  return entry('commission', {
    vendor_payable: commissionCents,
    commission: gstCents - commissionCents,
    gst_on_commission: -gstCents,
  })
}

/**
 * Money went to the vendor's account, less the debts that it pays.
 * @param input.cents what is transferred; 0 when debts take all of it
 * @param input.debts of other bookings of this vendor, each with the part that is paid
 */
export function transfer(input: {
  cents: Cents
  debts: readonly { bookingId: string; cents: Cents }[]
  paidFrom: CashAccount
}): Entry<'transfer'> {
  const { debts, paidFrom } = input
  for (const debt of debts) checkAmount(debt.cents)
  const nettedCents = debts.reduce((sum, debt) => sum + debt.cents, 0)
  checkAmount(input.cents, nettedCents)
  const { kind, postings } = entry('transfer', {
    [paidFrom]: -input.cents,
    vendor_payable: input.cents + nettedCents,
  })
  const netted = debts.map(
    ({ bookingId, cents }): Posting => ({ account: 'vendor_receivable', cents: -cents, bookingId }),
  )
  return { kind, postings: [...postings, ...netted] }
}

/**
 * Money came back from the vendor's account.
 * @param input.broughtBackCents by the provider
 * @param input.owedCents what it couldn't bring back: from now on the vendor's debt
 */
export function reversal(input: { broughtBackCents: Cents; owedCents: Cents }): Entry<'reversal'> {
  const { broughtBackCents, owedCents } = input
  checkAmount(broughtBackCents, owedCents)
  return entry('reversal', {
    provider_balance: broughtBackCents,
    vendor_receivable: owedCents,
    vendor_payable: -broughtBackCents - owedCents,
  })
}

/**
 * A cardholder's bank took money until it decides. Earned money becomes held again and its commission falls, so a dispute is
 * always about held money.
 */
export function disputeOpened(input: {
  money: BookingMoney
  cents: Cents
  terms: CommissionTerms
}): Entry<'dispute_opened'> {
  const { money, cents, terms } = input
  checkAmount(cents)
  const missingCents = cents - Math.max(0, money.heldCents)
  // A bank may take more than is there, since it doesn't know of every refund.
  const backCents = Math.min(Math.max(0, missingCents), money.kept.cents)
  return entry(
    'dispute_opened',
    { provider_balance: -cents, disputed: cents },
    { customer_money_held: -backCents },
    takeBack(money.kept, backCents, terms),
  )
}

/** The bank returned disputed money. It is held, to be earned again. */
export function disputeWon(cents: Cents): Entry<'dispute_won'> {
  checkAmount(cents)
  return entry('dispute_won', { provider_balance: cents, disputed: -cents })
}

/**
 * The bank kept disputed money. Any part that the booking no longer has is the operator's loss.
 * @param input.borneBy 'operator' leaves the held money to be earned
 */
export function disputeLost(input: {
  money: BookingMoney
  cents: Cents
  borneBy: BorneBy
}): Entry<'dispute_lost'> {
  const { money, cents, borneBy } = input
  checkAmount(cents)
  const thereCents = Math.max(0, money.heldCents + money.disputedCents)
  const heldCents = borneBy === 'vendor' ? Math.min(cents, thereCents) : 0
  return entry('dispute_lost', {
    disputed: -cents,
    customer_money_held: heldCents,
    losses: cents - heldCents,
  })
}

/**
 * The decision on a lost dispute was reversed on appeal: its money is with the bank again.
 * @param input.lossCents the part that was the operator's loss
 */
export function disputeReopened(input: { cents: Cents; lossCents: Cents }): Entry<'dispute_lost'> {
  const { cents, lossCents } = input
  checkAmount(lossCents, cents - lossCents)
  return entry('dispute_lost', {
    disputed: cents,
    customer_money_held: lossCents - cents,
    losses: -lossCents,
  })
}

/** The provider's fee for a dispute: the operator's loss. */
export function disputeFee(cents: Cents): Entry<'dispute_fee'> {
  checkAmount(cents)
  return entry('dispute_fee', { losses: cents, provider_balance: -cents })
}

/** An operator moved money between two accounts, for a reason that their log has. */
export function adjustment(input: {
  from: LedgerAccount
  to: LedgerAccount
  cents: Cents
}): Entry<'adjustment'> {
  if (input.from === input.to) throw new RangeError('An adjustment needs two accounts.')
  checkAmount(input.cents)
  return entry('adjustment', { [input.from]: -input.cents, [input.to]: input.cents })
}

/** An operator gave up a vendor's debt. */
export function writeOff(cents: Cents): Entry<'write_off'> {
  checkAmount(cents)
  return entry('write_off', { losses: cents, vendor_receivable: -cents })
}

/**
 * A charge of a payment that began before the ledger. Its refunds and disputes are transactions of their own, since each may
 * still come back or be decided.
 * @param input.heldAt where the money went
 */
export function opening(input: { cents: Cents; heldAt: CashAccount }): Entry<'opening'> {
  checkAmount(input.cents)
  return entry('opening', { [input.heldAt]: input.cents, customer_money_held: -input.cents })
}

/** Takes earned money back from the vendor and from the commission, which stays at its rate of the rest. */
function takeBack(kept: KeptMoney, cents: Cents, terms: CommissionTerms): Amounts {
  if (cents === 0) return {}
  const rest = sharesOf(kept.cents - cents, terms)
  const commissionCents = kept.commissionCents - rest.commissionCents
  const gstCents = kept.gstCents - rest.gstCents
  return {
    vendor_payable: cents - commissionCents,
    commission: commissionCents - gstCents,
    gst_on_commission: gstCents,
  }
}

type Amounts = Partial<Record<LedgerAccount, Cents>>

/** @param parts added up by account */
function entry<Kind extends TransactionKind>(kind: Kind, ...parts: readonly Amounts[]): Entry<Kind> {
  const postings = LEDGER_ACCOUNTS.flatMap((account): Posting[] => {
    const cents = parts.reduce((sum, part) => sum + (part[account] ?? 0), 0)
    return cents === 0 ? [] : [{ account, cents }]
  })
  return { kind, postings }
}

/** @throws RangeError unless these are whole cents, none below 0 and together above 0 */
function checkAmount(...parts: readonly Cents[]): void {
  const total = parts.reduce((sum, cents) => sum + cents, 0)
  if (total <= 0 || !parts.every((cents) => Number.isSafeInteger(cents) && cents >= 0))
    throw new RangeError(`${parts.join(' and ')} cents is no amount to post.`)
}

/** The checks of a proof, in order. */
export const LEDGER_CHECKS = [
  'transactions_sum_to_zero',
  'balances_equal_postings',
  'bookings_accounted_for',
  'sales_agree',
  'payments_are_of_sales',
  'payments_are_posted',
  'refunds_are_posted',
  'payments_agree',
  'commission_is_of_the_sale',
  'ledger_names_payments',
  'instalments_agree',
  'purchases_are_booked',
  'prices_are_agreed',
  'statuses_are_decided',
  'cancellations_agree',
  'changes_agree',
  'ledger_names_bookings',
  'quotes_agree',
  'transfers_are_posted',
  'ledger_names_transfers',
  'orders_are_posted',
  'bank_payouts_agree',
  'tax_documents_agree',
  'tax_numbers_are_dense',
  'commission_is_invoiced',
  'income_reports_agree',
  'movements_are_posted',
  'fees_are_posted',
  'provider_balance_moved',
] as const

/** One invariant of the money, and where it doesn't hold. */
export type LedgerCheck = {
  name: (typeof LEDGER_CHECKS)[number]
  count: number
  /**
   * The first ones. The subject is a transaction's key, a vendor and an account, or the id of a booking, payment or movement. The
   * detail says what differs, where the amount alone doesn't.
   */
  differences: { subject: string; cents: Cents; detail?: string }[]
}

/**
 * Returns the part of our balance at the provider that the operator may withdraw, in cents. Below 0, nothing is free.
 * @param input.availableCents as the provider said some time ago
 * @param input.balanceCents our balance at the provider as of now, by the ledger
 * @param input.owedCents what customers and vendors are owed as of now
 * @param input.reserveBasisPoints the reserve, as a share of what is owed
 * @returns also what has left since the provider was asked
 */
export function withdrawableCents(input: {
  availableCents: Cents
  balanceCents: Cents
  owedCents: Cents
  reserveBasisPoints: number
}): { leftCents: Cents; owedCents: Cents; reserveCents: Cents; freeCents: Cents } {
  const { availableCents, balanceCents, owedCents, reserveBasisPoints } = input
  const leftCents = Math.max(0, availableCents - Math.max(0, balanceCents))
  const reserveCents = commissionOn(owedCents, reserveBasisPoints)
  const freeCents = availableCents - leftCents - owedCents - reserveCents
  return { leftCents, owedCents, reserveCents, freeCents }
}
