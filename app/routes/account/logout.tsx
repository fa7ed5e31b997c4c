import { data, href, redirect } from 'react-router'
import { signedOutHeaders } from '../../features/accounts/commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/logout'
import '../../styles/whole.css'
import { LogoutScreen } from '../../features/accounts/screens/logout-screen.tsx'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('Logout', matches[0]?.loaderData)

/**
 * Signs out and returns to the home page (Specification, section 2). After a failure, which is logged, the session
 * still works.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { accounts, config, log } = context.get(servicesContext)
  await readForm(request, [])
  try {
    const answer = await accounts.signOut(request)
    if (answer.ok) return redirect(href('/'), { headers: signedOutHeaders(answer.cookies, config.publicUrl) })
    log.warn({ reason: answer.reason }, 'signing out failed')
  } catch (error) {
    log.warn({ err: error }, 'signing out failed')
  }
  return data({ isSignedIn: true }, { status: 503 })
}

export default function Logout({ actionData }: Route.ComponentProps) {
  return <LogoutScreen hasFailedBefore={actionData !== undefined} />
}
