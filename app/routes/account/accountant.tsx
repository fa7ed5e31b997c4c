import { href, redirect } from 'react-router'
import { confirmAccountant, endByAccountant } from '../../features/tax/accountant-commands.server.ts'
import { CONFIRM_TITLE } from '../../features/tax/accountant-messages.ts'
import { listForAccountant, openAccountantLink } from '../../features/tax/accountant-queries.server.ts'
import { accountantPageSchema } from '../../features/tax/accountant-schema.ts'
import { AccountantScreen } from '../../features/tax/screens/accountant-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { accountantDeps } from '../../services/deps.server.ts'
import { brokenForm } from '../../shared/body-refusals.ts'
import { readForm } from '../../shared/form.ts'
import { KEPT_ADDRESS, privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/accountant'

export const meta: Route.MetaFunction = ({ matches }) => [
  ...privateMeta(CONFIRM_TITLE, matches[0]?.loaderData),
  KEPT_ADDRESS,
]

/** Opens the link of a mail to a vendor's accountant. Mail programs open links to scan them, so a GET changes nothing. */
export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const { config, db, now } = context.get(servicesContext)
  const link = await openAccountantLink({ db, now, secret: config.secret }, token)
  if (!link) throw new Response('There is no such link.', { status: 404 })
  const { vendorName, email } = link
  if (link.about === 'confirm') return { token, vendorName, email, about: link.about, state: link.state }
  const documents = link.state === 'open' ? await listForAccountant(db, link) : []
  const { about, state, month } = link
  return { token, vendorName, email, about, state, month, documents }
}

/** Agrees, or ends the mails: by a button of the page, or by the mail program's own. */
export async function action({ params: { token }, request, context }: Route.ActionArgs) {
  const parsed = accountantPageSchema.safeParse(
    Object.fromEntries(await readForm(request, accountantPageSchema)),
  )
  const { intent, 'List-Unsubscribe': oneClick } = parsed.data ?? {}
  const deps = accountantDeps(context.get(servicesContext))
  if (intent !== 'confirm' && intent !== 'end' && oneClick === undefined) throw brokenForm()
  const outcome =
    intent === 'confirm' ? await confirmAccountant(deps, token) : await endByAccountant(deps, token)
  if (!outcome.ok && outcome.reason === 'not_found')
    throw new Response('There is no such link.', { status: 404 })
  // A mail program reads no page.
  return oneClick === undefined ? redirect(href('/accountant/:token', { token })) : { ok: outcome.ok }
}

export default function Accountant({ loaderData }: Route.ComponentProps) {
  return <AccountantScreen {...loaderData} />
}
