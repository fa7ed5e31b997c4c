/** The only bank accounts that the sandbox accepts, so that no real one can be used. The numbers are Stripe's. */
export const SANDBOX_BSB = '110000'

/** Payouts to this account arrive. */
export const GOOD_BANK_ACCOUNT = '000123456'

/** Payouts to this account come back. */
export const RETURNING_BANK_ACCOUNT = '111111116'
