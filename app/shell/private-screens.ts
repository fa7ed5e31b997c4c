import { href } from 'react-router'

/** The account's screens, including all paths below them. */
const ACCOUNT_SCREENS = [
  href('/my-profile'),
  href('/my-bookings'),
  href('/notifications'),
  href('/settings-privacy'),
  href('/confirm-deactivation'),
  href('/confirm-deletion'),
  href('/userdashboard/user'),
]

const isAt = (path: string, screen: string) => path === screen || path.startsWith(`${screen}/`)

/** Whether the path leads to a screen of the signed-in person's account. */
export const isAccountScreen = (path: string) => ACCOUNT_SCREENS.some((screen) => isAt(path, screen))

/** Whether the path leads to a screen of the vendor's dashboard. */
export const isDashboardScreen = (path: string) => isAt(path, href('/dashboard'))
