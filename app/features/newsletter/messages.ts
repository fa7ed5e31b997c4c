/** Fixed texts of the newsletter form (Specification, sections 4 and 8). */
export const SUBMITTING = 'Submitting...'
export const SUBSCRIBED = 'Thank you for subscribing!'
export const SUBSCRIPTION_FAILED = 'Subscription failed. Please try again.'
