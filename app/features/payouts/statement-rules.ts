import type { LocalDate } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import type { TransactionKind } from '../ledger/rules.ts'

/** One movement of our debt to a vendor. */
export type StatementLine = {
  date: LocalDate
  /** 'commission_back' for the commission on money that a refund or a dispute has taken back. */
  kind: TransactionKind | 'commission_back'
  /** null for money that is about no booking. */
  booking: { customerName: string; businessName: string; event: LocalDate } | null
  /** Signed: what the vendor is owed grows or falls by it. */
  cents: Cents
  /** The GST in a line of commission. Below 0 when it is given back. */
  gstCents: Cents
}

/** The account of one month of our debt to a vendor: the opening balance, its movements and the closing balance. */
export type Statement = {
  /** 'YYYY-MM'. */
  month: string
  /** Below 0, the vendor owed us. */
  openingCents: Cents
  lines: StatementLine[]
  closingCents: Cents
  /** Paid by customers for bookings that aren't earned yet, at the end of the month. */
  heldCents: Cents
}

/** The sums of a statement, each as a positive amount unless its comment says otherwise. */
export function statementSums({ lines }: Pick<Statement, 'lines'>): {
  earnedCents: Cents
  /** Includes the GST. Both are below 0 in a month that gives back more than it takes. */
  commissionCents: Cents
  gstCents: Cents
  /** Signed: refunds, disputes, corrections. */
  otherCents: Cents
  sentCents: Cents
} {
  const sum = (of: (line: StatementLine) => boolean, pick = (line: StatementLine) => line.cents) =>
    lines.filter(of).reduce((total, line) => total + pick(line), 0)
  const isSent = ({ kind }: StatementLine) => kind === 'transfer' || kind === 'reversal'
  const isCommission = ({ kind }: StatementLine) => kind === 'commission' || kind === 'commission_back'
  const isEarned = ({ kind }: StatementLine) => kind === 'earned'
  return {
    earnedCents: sum(isEarned),
    commissionCents: 0 - sum(isCommission),
    gstCents: sum(isCommission, ({ gstCents }) => gstCents),
    otherCents: sum((line) => !isSent(line) && !isCommission(line) && !isEarned(line)),
    sentCents: 0 - sum(isSent),
  }
}

/** Whether a text is a month of the calendar, 'YYYY-MM'. */
export function isMonth(text: string): boolean {
  return /^[12]\d{3}-(0[1-9]|1[0-2])$/.test(text)
}
