import { parseWithZod } from '@conform-to/zod/v4'
import { data, href, Link } from 'react-router'
import { limitedAddress } from '../../adapters/rate-limits/addresses.ts'
import { alertOffer, readAlertAddress } from '../../features/alerts/address-queries.server.ts'
import { followSearch } from '../../features/alerts/commands.server.ts'
import {
  ALERTS_TITLE,
  alertOnText,
  confirmSentText,
  EMAIL_MISSING,
  REFUSAL_TEXTS,
} from '../../features/alerts/messages.ts'
import { askSchema } from '../../features/alerts/schema.ts'
import { AlertForm } from '../../features/alerts/screens/alert-form-sections.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { alertDeps } from '../../services/deps.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/alerts'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(ALERTS_TITLE, matches[0]?.loaderData)

/** Follows a search for an address. The form is below each list with a search. */
export async function action({ request, context }: Route.ActionArgs) {
  const { now } = context.get(servicesContext)
  const form = await readForm(request, askSchema)
  const submission = parseWithZod(form, { schema: askSchema })
  const search = readAlertAddress(String(form.get('search') ?? ''))
  const typed = {
    email: String(form.get('email') ?? ''),
    offer: search && alertOffer(search, 'new', now()),
  }
  if (submission.status !== 'success') {
    const isBadSearch = submission.error?.search !== undefined
    const message = isBadSearch ? REFUSAL_TEXTS.no_search : (submission.error?.email?.[0] ?? EMAIL_MISSING)
    return data({ ok: false, message, ...typed }, { status: 400 })
  }
  const session = await findSession({ request, context })
  const { search: address, email } = submission.value
  const outcome = await followSearch(alertDeps(context.get(servicesContext)), {
    address,
    email,
    network: limitedAddress(request),
    owner: session && {
      userId: session.user.uid,
      verifiedEmail: session.user.emailVerified ? session.user.email : null,
    },
  })
  if (!outcome.ok) {
    const status = outcome.reason === 'too_often' ? 429 : outcome.reason === 'gone' ? 401 : 409
    return data({ ok: false, message: REFUSAL_TEXTS[outcome.reason], ...typed }, { status })
  }
  return data({ ok: true, message: outcome.isOn ? alertOnText(email) : confirmSentText(email), ...typed })
}

/** The page that a browser without script shows after sending the form, which keeps what was typed. */
export default function Alerts({ actionData }: Route.ComponentProps) {
  return (
    <div className="page page-column py-8 md:py-12">
      <h1>{ALERTS_TITLE}</h1>
      {actionData?.offer ? (
        <AlertForm offer={actionData.offer} typed={{ email: actionData.email, answer: actionData }} />
      ) : (
        <p role="status" className="mt-3">
          {actionData?.message ?? 'Search for a venue or vendor, and press ‘Tell me’ below what you find.'}
        </p>
      )}
      <p className="mt-6">
        <Link className="link" to={actionData?.offer?.search ?? href('/venues-vendors')}>
          {actionData?.offer ? 'Back to the search' : 'Browse all venues and vendors'}
        </Link>
      </p>
    </div>
  )
}
