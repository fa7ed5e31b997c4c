// Apart from the parser, which only the server needs, so that forms can import these limits alone.

/** Enough for every search term at its longest, and some words. */
export const MAX_QUERY_LENGTH = 300
/** The amounts that `amountParameter` reads, up to `MAX_TOTAL_CENTS`, for the browser's own check of an input. */
export const AMOUNT_PATTERN = String.raw`\s*\$?\s*(?=.*[1-9])(?:(?:\d{1,6}|\d{1,3},\d{3})(?:\.\d{1,2})?|\d{1,3}(?:\.\d{1,2})?\s*(?:[Kk]|[Tt]housand))\s*`
