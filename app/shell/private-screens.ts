import { href } from 'react-router'

/** The account's screens, including all paths below them. */
const ACCOUNT_SCREENS = [
  href('/my-profile'),
  href('/my-bookings'),
  href('/messages/:id?'),
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

/** Screens that show a list and one of its items: from item to item they stay on the screen. */
const SPLIT_SCREENS = [href('/messages/:id?'), href('/dashboard/inbox/:id?')]

/** Whether both paths lead to the same screen of a list and its items. */
export const isSameSplit = (from: string, to: string) =>
  SPLIT_SCREENS.some((screen) => isAt(from, screen) && isAt(to, screen))
