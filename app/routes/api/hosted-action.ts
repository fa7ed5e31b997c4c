import { href, redirect } from 'react-router'
import { servicesContext } from '../../request-context.server.ts'
import type { Route } from './+types/hosted-action'

/** Where the links in a hosted service's mails lead, by what they are for. */
const SCREENS: Readonly<Record<string, string>> = {
  resetPassword: href('/reset-password'),
  verifyEmail: href('/verify-email'),
  verifyAndChangeEmail: href('/verify-email'),
  recoverEmail: href('/undo-email-change'),
}

/**
 * The one address that a hosted service's mails can link to ('action URL' in its console): leads to our own screen for
 * the link's purpose, with its code.
 */
export function loader({ context, url }: Route.LoaderArgs) {
  const screen = SCREENS[url.searchParams.get('mode') ?? '']
  const code = url.searchParams.get('oobCode')
  if (!context.get(servicesContext).hostedAccounts || !screen || !code) throw redirect(href('/login'))
  return redirect(`${screen}?${new URLSearchParams({ token: code })}`)
}
