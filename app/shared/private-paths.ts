/**
 * How addresses begin that are nothing for a search engine: accounts, the dashboard, checkout, calls, what only a link in
 * a mail leads to. robots.txt keeps crawlers out of them; whatever is asked for all the same says `noindex`.
 */
export const PRIVATE_PATHS = [
  '/account-action',
  '/account-closed',
  '/addservice',
  '/api/',
  '/bookings/',
  '/calendar-feed/',
  '/cart',
  '/confirm-deactivation',
  '/confirm-deletion',
  '/create-payment-intent',
  '/dashboard',
  '/logout',
  '/my-bookings',
  '/my-profile',
  '/new-email',
  '/newsletter/unsubscribe',
  '/notifications',
  '/operations',
  '/outbox',
  '/payment',
  '/photos/',
  '/reactivate',
  '/reset-password',
  '/settings-privacy',
  '/success',
  '/undo-email-change',
  '/userdashboard',
  '/verify-email',
  '/webhooks/',
] as const

/** Whether search engines have no business at this path: it begins as one of PRIVATE_PATHS does, as robots.txt reads them. */
export function isPrivatePath(path: string): boolean {
  return PRIVATE_PATHS.some((beginning) => path.startsWith(beginning))
}
