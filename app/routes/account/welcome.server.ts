import { href, type RouterContextProvider, redirect } from 'react-router'
import type { SignedInAnswer } from '../../adapters/accounts/port.ts'
import { noteSignIn, signedInHeaders, signedOutHeaders } from '../../features/accounts/commands.server.ts'
import { withNext } from '../../features/accounts/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { ownPath } from '../../shared/form.ts'

/**
 * Ends every way of signing in: notes the device, and redirects to the page that the visitor came for. Before that, a
 * deactivated account has to be reactivated, and one without an address has to get one.
 */
export async function welcome(
  { request, context, url }: { request: Request; context: Readonly<RouterContextProvider>; url: URL },
  { cookies, userId, deactivated, needsEmail }: Extract<SignedInAnswer, { ok: true }>,
): Promise<Response> {
  const { config, db, jobs, now } = context.get(servicesContext)
  const next = ownPath(url.searchParams.get('next'), href('/'))
  if (deactivated)
    return redirect(withNext(href('/reactivate'), next), {
      headers: signedOutHeaders(cookies, config.publicUrl),
    })
  await noteSignIn({ db, jobs, now, ...config }, { userId, userAgent: request.headers.get('user-agent') })
  return redirect(needsEmail ? withNext(href('/new-email'), next) : next, {
    headers: signedInHeaders(cookies, config.publicUrl),
  })
}
