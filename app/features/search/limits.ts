// Apart from the reading of a search, which only the server does: the forms need no more of it.

/** Every search term at its longest, and words beside them. */
export const MAX_LINE_LENGTH = 300
/** What one booking can be at most (Decision 5). */
export const MAX_HOURS = 24
export const MAX_GUESTS = 10_000
export const MAX_PLACE_LENGTH = 100
export const MAX_BUDGET_CENTS = 99_999_999
