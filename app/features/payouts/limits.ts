/** How long after an event its vendor's share leaves, unless a setting says otherwise. */
export const PAYOUT_DELAY_HOURS = 48

export const LONGEST_PAYOUT_DELAY_HOURS = 720

/** How long money is held for a vendor at most, unless a setting says otherwise. */
export const HOLD_LIMIT_DAYS = 85

/** Stripe lets an Australian business hold money for 90 days at most (docs.stripe.com/connect/manual-payouts). */
export const LONGEST_HOLD_LIMIT_DAYS = 90

/** An operator's action on more than this needs a second operator, unless a setting says otherwise. */
export const SECOND_OPERATOR_CENTS = 500_000
