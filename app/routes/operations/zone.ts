/** Operators read every time in one zone, whatever the venue's. */
export const OPERATIONS_ZONE = 'Australia/Sydney'
