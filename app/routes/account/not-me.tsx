import { NOT_ME_REFUSALS } from '../../features/accounts/messages.ts'
import { NotMeScreen } from '../../features/accounts/screens/not-me-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { KEPT_ADDRESS, privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/not-me'
import { pressLink, readLink } from './press-link.server.ts'

export const meta: Route.MetaFunction = ({ matches }) => [
  ...privateMeta('This wasn’t me', matches[0]?.loaderData),
  KEPT_ADDRESS,
]

export function loader({ request, context }: Route.LoaderArgs) {
  const { accounts } = context.get(servicesContext)
  return readLink(accounts.findDeviceLink, request, NOT_ME_REFUSALS)
}

export function action({ request, context }: Route.ActionArgs) {
  const { accounts, config } = context.get(servicesContext)
  return pressLink(accounts.refuseDevice, request, { refusals: NOT_ME_REFUSALS, publicUrl: config.publicUrl })
}

export default function NotMe({ loaderData, actionData }: Route.ComponentProps) {
  return <NotMeScreen loaderData={loaderData} actionData={actionData} />
}
