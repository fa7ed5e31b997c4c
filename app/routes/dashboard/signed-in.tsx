import { Outlet } from 'react-router'
import { signedInToRead } from '../contract.server.ts'

/** The dashboard screens that redirect to /login. Their actions answer a signed-out visitor with a message instead. */
export const middleware = [signedInToRead]

export default function SignedIn() {
  return <Outlet />
}
