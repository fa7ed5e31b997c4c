/**
 * The placeholder of a loading page, in the frame of every page (Specification, section 2; Decision 10). Separate from
 * each feature's other messages, so that no page loads all of those for one of these.
 */
export const LOADING_TEXT = 'Loading...'
export const LOADING_VENDOR_TEXT = 'Loading vendor...'
export const LOADING_BOOKINGS = 'Loading bookings...'
