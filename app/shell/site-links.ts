import { href } from 'react-router'

/** A link of the header, the drawer or the footer. */
export type SiteLink = { label: string; to: string }

/** The links that every visitor sees. */
export const MAIN_LINKS: readonly SiteLink[] = [
  { label: 'Venues & vendors', to: href('/venues-vendors') },
  { label: 'Occasions', to: href('/events') },
  { label: 'Advice & support', to: href('/advice-support') },
]

/** In every footer. */
export const HELP_LINK: SiteLink = { label: 'Help', to: href('/help/:article?', {}) }

/** The signed-in person's menu, in order (Specification, section 2); Logout follows as a button. */
export const ACCOUNT_LINKS: readonly SiteLink[] = [
  { label: 'My Profile', to: href('/my-profile') },
  { label: 'My Dashboard', to: href('/dashboard') },
  { label: 'My Bookings', to: href('/my-bookings') },
  { label: 'Notifications', to: href('/notifications') },
  { label: 'Settings & Privacy', to: href('/settings-privacy') },
]
export const NOTIFICATIONS_PATH = href('/notifications')
export const LOGOUT_LABEL = 'Logout'
export const LOG_IN_LINK: SiteLink = { label: 'Log In', to: href('/login') }
export const SIGN_UP_LINK: SiteLink = { label: 'Sign Up', to: href('/signup') }
/** To the page about listing, which anyone may see. */
export const LIST_LINK: SiteLink = { label: 'List your business', to: href('/list-your-business') }
/** For someone signed in, straight to the form. */
export const NEW_LISTING_LINK: SiteLink = { ...LIST_LINK, to: href('/addservice') }
/** The header and the menu also link to these (Specification, section 2). */
export const DASHBOARD_LINK: SiteLink = { label: 'Vendor dashboard', to: href('/dashboard') }
export const PAYMENT_LINK: SiteLink = { label: 'Finish payment', to: href('/payment') }
export const OPERATOR_LINK: SiteLink = { label: 'Operations', to: href('/operations') }
export const SHORTLIST_LINK: SiteLink = { label: 'Shortlist', to: href('/shortlist/:link?', {}) }
export const SEARCH_PATH = href('/venues-vendors')
export const SEARCH_PARAMETER = 'q'
export const SEARCH_PLACEHOLDER = 'Search...'
