import { Outlet } from 'react-router'
import { unlisted } from '../contract.server.ts'

/** Steps of one person that are open to everybody: a cart, links from mails, the way out. */
export const middleware = [unlisted]

export default function Unlisted() {
  return <Outlet />
}
