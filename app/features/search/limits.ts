// Apart from the parser, which only the server needs, so that forms can import these limits alone.

/** Enough for every search term at its longest, and some words. */
export const MAX_QUERY_LENGTH = 300
/** The most that one booking can have (Decision 5). */
export const MAX_HOURS = 24
export const MAX_GUESTS = 10_000
export const MAX_PLACE_LENGTH = 100
export const MAX_BUDGET_CENTS = 99_999_999
