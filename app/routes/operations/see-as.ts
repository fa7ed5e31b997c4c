import { data, href, redirect } from 'react-router'
import { reasonSchema } from '../../features/operators/act-schema.ts'
import { viewSchema } from '../../features/operators/schema.ts'
import { endView, startView } from '../../features/operators/view-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { signedInCookies } from '../../shared/cookies.ts'
import { readForm } from '../../shared/form.ts'
import { newId } from '../../shared/ids.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/see-as'
import { requireOperator } from './operator.server.ts'
import { readViewCookie, viewCookie } from './view.server.ts'

/** There is no screen here: the form is on the list of accounts. */
export function loader() {
  return redirect(href('/operations/accounts'))
}

/** Starts a view of the product as another account, or stops it ('stop'). */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { config, db, now, realNow } = context.get(servicesContext)
  const operator = await requireOperator({ request, context })
  const deps = { db, now, realNow, adminEmails: config.operatorEmails }
  const fields = Object.fromEntries(await readForm(request, viewSchema))
  if (params.step !== undefined) {
    if (params.step !== 'stop') throw data(null, { status: 404 })
    const id = readViewCookie(request, config.publicUrl)
    if (id) await endView(deps, { id, operator })
    return leadTo(href('/operations/accounts'), null)
  }
  const form = viewSchema.safeParse(fields)
  const stated = form.success ? reasonSchema.safeParse(form.data.reason) : null
  if (!form.success || !stated?.success)
    return leadTo(`${href('/operations/accounts')}?view=reason_missing`, null)
  const session = await requireSession({ request, context, url })
  const { id: userId } = form.data
  const input = { operator, sessionId: session.id, userId, reason: stated.data }
  const started = await startView(deps, input)
  if (!started.ok) return leadTo(`${href('/operations/accounts')}?view=${started.reason}`, null)
  return leadTo(href('/userdashboard/user'), started.id)

  function leadTo(path: string, viewId: string | null) {
    const headers = new Headers({ location: path, 'cache-control': 'no-store' })
    headers.append('set-cookie', viewCookie(viewId, config.publicUrl))
    // The other tabs notice that the browser shows somebody else.
    for (const cookie of signedInCookies(newId(), config.publicUrl)) headers.append('set-cookie', cookie)
    return new Response(null, { status: 303, headers })
  }
}

/** With a component, a refusal is shown in the frame of the site. */
export default function SeeAs() {
  return null
}
