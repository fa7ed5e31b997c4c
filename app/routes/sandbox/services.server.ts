import type { RouterContextProvider } from 'react-router'
import { servicesContext } from '../../request-context.server.ts'

/** The services with the sandbox's own. @throws a 404 response where there is no sandbox */
export function sandboxServices(context: Readonly<RouterContextProvider>) {
  const { sandbox, payouts, clock, db, jobs } = context.get(servicesContext)
  if (!sandbox || !clock) throw new Response('Not found', { status: 404 })
  return { sandbox, arePayoutsOn: payouts !== null, clock, db, jobs }
}
