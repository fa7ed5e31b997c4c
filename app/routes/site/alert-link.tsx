import { href, redirect } from 'react-router'
import { confirmAlert, endByLink } from '../../features/alerts/commands.server.ts'
import { ALERTS_TITLE } from '../../features/alerts/messages.ts'
import { alertToken, openAlertLink } from '../../features/alerts/queries.server.ts'
import { alertPageSchema } from '../../features/alerts/schema.ts'
import { AlertsScreen } from '../../features/alerts/screens/alerts-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { alertDeps } from '../../services/deps.server.ts'
import { brokenForm } from '../../shared/body-refusals.ts'
import { readForm } from '../../shared/form.ts'
import { KEPT_ADDRESS, privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/alert-link'

export const meta: Route.MetaFunction = ({ matches }) => [
  ...privateMeta(ALERTS_TITLE, matches[0]?.loaderData),
  KEPT_ADDRESS,
]

const notThere = () => new Response('There is no such link.', { status: 404 })

/** Opens a mailed link. Mail programs open links to scan them, so a GET changes nothing. */
export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const link = await openAlertLink(alertDeps(context.get(servicesContext)), token)
  if (!link) throw notThere()
  if (link.about === 'all') return { about: link.about, alerts: link.alerts }
  return { about: link.about, state: link.state, alert: link.alert }
}

/** Confirms or ends: by a button of the page, or by the mail program's own. */
export async function action({ params: { token }, request, context, url }: Route.ActionArgs) {
  const parsed = alertPageSchema.safeParse(Object.fromEntries(await readForm(request, alertPageSchema)))
  if (!parsed.success) throw brokenForm()
  const { intent, alert, 'List-Unsubscribe': oneClick } = parsed.data
  const deps = alertDeps(context.get(servicesContext))
  if (
    oneClick === undefined &&
    (intent === undefined || (intent === 'end' && alert === undefined && token.startsWith('all.')))
  )
    throw brokenForm()
  if (intent === 'confirm') {
    const confirmed = await confirmAlert(deps, token)
    if (!confirmed.ok && confirmed.reason === 'not_found') throw notThere()
    if (!confirmed.ok) return redirect(url.pathname)
    // The account of the address may have had an alert of this search, which is the one that stays.
    const kept = await alertToken(deps.secret, 'confirm', confirmed.alertId)
    return redirect(href('/alerts/:token', { token: kept }))
  }
  const outcome = await endByLink(deps, token, intent === 'end' ? (alert ?? null) : null)
  if (!outcome.ok) throw notThere()
  // A mail program reads no page.
  return oneClick === undefined ? redirect(url.pathname) : { ok: outcome.ok }
}

export default function AlertLink({ loaderData }: Route.ComponentProps) {
  return <AlertsScreen {...loaderData} />
}
