/** The default commission: 10 %, in basis points. */
export const COMMISSION_BASIS_POINTS = 1_000

/** The default reserve at the provider for refunds and disputes: 10 % of the money that is owed, in basis points. */
export const RESERVE_BASIS_POINTS = 1_000
