/** A link of the header, the drawer or the footer. */
export type SiteLink = { label: string; to: string }

/** The links that are the same for everybody. */
export const MAIN_LINKS: readonly SiteLink[] = [
  { label: 'Venues & vendors', to: '/venues-vendors' },
  { label: 'Occasions', to: '/events' },
  { label: 'Advice & support', to: '/advice-support' },
]

/** The signed-in person's menu, in its order (Specification, section 2); Logout follows as a button. */
export const ACCOUNT_LINKS: readonly SiteLink[] = [
  { label: 'My Profile', to: '/my-profile' },
  { label: 'My Dashboard', to: '/dashboard' },
  { label: 'My Bookings', to: '/my-bookings' },
  { label: 'Notifications', to: '/notifications' },
  { label: 'Settings & Privacy', to: '/settings-privacy' },
]
export const NOTIFICATIONS_PATH = '/notifications'
export const LOGOUT_LABEL = 'Logout'
export const LOG_IN_LINK: SiteLink = { label: 'Log In', to: '/login' }
export const SIGN_UP_LINK: SiteLink = { label: 'Sign Up', to: '/signup' }
/** The header and the menu also link to these (Specification, section 2). */
export const LIST_LINK: SiteLink = { label: 'List your business', to: '/dashboard' }
export const PAYMENT_LINK: SiteLink = { label: 'Finish payment', to: '/payment' }
export const OPERATOR_LINK: SiteLink = { label: 'Operations', to: '/operations' }
export const SEARCH_PATH = '/venues-vendors'
export const SEARCH_PARAMETER = 'q'
export const SEARCH_PLACEHOLDER = 'Search...'
