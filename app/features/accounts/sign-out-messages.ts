// In the first script of every page: after a lost connection there is no fetching another one.
export const STILL_SIGNED_IN = 'You are still signed in'
export const SIGN_OUT_FAILED = 'Signing out failed. You are still signed in, so please try again.'
