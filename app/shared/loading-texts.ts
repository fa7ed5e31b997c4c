/**
 * What stands where a page will be, in the frame of every page (Specification, section 2; Decision 10). Apart from
 * each feature's other words, so that no page carries all of those for one of these.
 */
export const LOADING_TEXT = 'Loading...'
export const LOADING_VENDOR_TEXT = 'Loading vendor...'
export const LOADING_BOOKINGS = 'Loading bookings...'
