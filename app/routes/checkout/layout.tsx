import { Outlet } from 'react-router'
import { keepLiveData } from '../../ui/live-data.ts'
import { notStored, unlisted } from '../contract.server.ts'
import type { Route } from './+types/layout'
import '../../styles/whole.css'

/** A customer's booking, by its unguessable link or by the cookie of the browser that paid. */
export const middleware = [unlisted, notStored]

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepLiveData]

export default function Layout() {
  return <Outlet />
}
