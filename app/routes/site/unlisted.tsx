import { Outlet } from 'react-router'
import { unlisted } from '../contract.server.ts'

/** Personal steps that need no sign-in: a cart, mailed links, unsubscribing. */
export const middleware = [unlisted]

export default function Unlisted() {
  return <Outlet />
}
