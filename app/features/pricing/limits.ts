import type { Cents } from '../../shared/money.ts'

// The limits of one booking (Decision 5), and so of prices, capacities, carts, quotes and searches.
export const MIN_TOTAL_CENTS: Cents = 50
export const MAX_TOTAL_CENTS: Cents = 99_999_999
export const MAX_HOURS = 24
export const MAX_GUESTS = 10_000
