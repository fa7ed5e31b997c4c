// Part of the script that every page loads first: once the connection is lost, nothing more can be fetched.
export const STILL_SIGNED_IN = 'You are still logged in'
export const SIGN_OUT_FAILED = 'Logging out failed. You are still logged in, so please try again.'
