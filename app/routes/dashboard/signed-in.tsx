import { Outlet } from 'react-router'
import { signedInToRead } from '../contract.server.ts'

/** The screens of the dashboard that lead to /login. Their actions say themselves that nobody is logged in. */
export const middleware = [signedInToRead]

export default function SignedIn() {
  return <Outlet />
}
