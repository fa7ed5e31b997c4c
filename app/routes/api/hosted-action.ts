import { href, redirect } from 'react-router'
import { servicesContext } from '../../request-context.server.ts'
import type { Route } from './+types/hosted-action'

/** Our screens by the purpose of a link in a hosted service's mail. */
const SCREENS: ReadonlyMap<string, string> = new Map([
  ['resetPassword', href('/reset-password')],
  ['verifyEmail', href('/verify-email')],
  ['verifyAndChangeEmail', href('/verify-email')],
  ['recoverEmail', href('/undo-email-change')],
])

/**
 * The one address to which a hosted service's mails can link ('action URL' in its console): redirects to our own screen
 * for the link's purpose, with its code.
 */
export function loader({ context, url }: Route.LoaderArgs) {
  const screen = SCREENS.get(url.searchParams.get('mode') ?? '')
  const code = url.searchParams.get('oobCode')
  if (!context.get(servicesContext).hostedAccounts || !screen || !code) throw redirect(href('/login'))
  return redirect(`${screen}?${new URLSearchParams({ token: code })}`)
}
