import { UNDO_REFUSALS } from '../../features/accounts/messages.ts'
import { UndoEmailChangeScreen } from '../../features/accounts/screens/undo-email-change-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { KEPT_ADDRESS, privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/undo-email-change'
import { pressLink, readLink } from './press-link.server.ts'

export const meta: Route.MetaFunction = ({ matches }) => [
  ...privateMeta('Undo the change of your email', matches[0]?.loaderData),
  KEPT_ADDRESS,
]

export function loader({ request, context }: Route.LoaderArgs) {
  const { accounts } = context.get(servicesContext)
  return readLink(accounts.findUndoLink, request, UNDO_REFUSALS)
}

export function action({ request, context }: Route.ActionArgs) {
  const { accounts, config } = context.get(servicesContext)
  return pressLink(accounts.undoEmailChange, request, {
    refusals: UNDO_REFUSALS,
    publicUrl: config.publicUrl,
  })
}

export default function UndoEmailChange({ loaderData, actionData }: Route.ComponentProps) {
  return <UndoEmailChangeScreen loaderData={loaderData} actionData={actionData} />
}
