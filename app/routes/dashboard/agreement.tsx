import { data } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { AGREEMENT_TITLE } from '../../features/agreements/messages.ts'
import { findAgreementStanding } from '../../features/agreements/queries.server.ts'
import { type AcceptAnswer, type AcceptRefusal, acceptSchema } from '../../features/agreements/schema.ts'
import { AgreementScreen } from '../../features/agreements/screens/agreement-screen.tsx'
import { vendorAgreement } from '../../features/agreements/text-queries.server.ts'
import { acceptAndPublish } from '../../features/businesses/agreement-commands.server.ts'
import { countWaitingListings, findVendorZone } from '../../features/businesses/owner-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { formatInstant } from '../../shared/dates.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { actionFailure } from '../../ui/action-failure.ts'
import { findSession, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/agreement'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(AGREEMENT_TITLE, matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, config, now } = context.get(servicesContext)
  const { user } = await requireSession({ request, url, context })
  const userId = user.uid
  const [{ state, acceptBy }, waiting, zone] = await Promise.all([
    findAgreementStanding(db, { userId, now: now() }),
    countWaitingListings(db, userId),
    findVendorZone(db, userId),
  ])
  return {
    agreement: vendorAgreement(config.platform),
    state,
    until: acceptBy && formatInstant(acceptBy, zone),
    waiting,
  }
}

const STATUSES = {
  signed_out: 401,
  too_often: 429,
  other_version: 409,
  not_reached: 503,
  failed: 503,
} as const satisfies Record<AcceptRefusal, number>

/** Accepts the agreement. The listings that waited for it become public. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, rateLimits } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return refuse('signed_out')
  const form = acceptSchema.safeParse(Object.fromEntries(await readForm(request, acceptSchema)))
  // We didn't make a form without a version: there is nothing that it could accept.
  if (!form.success) return refuse('other_version')
  const userId = session.user.uid
  if (!(await mayWrite(rateLimits, userId))) return refuse('too_often')
  const accepted = await acceptAndPublish({ db, now }, { userId, version: form.data.version })
  if (!accepted.ok) return refuse(accepted.reason)
  return data<AcceptAnswer>({ ok: true, published: accepted.published })
}

function refuse(reason: AcceptRefusal) {
  return data<AcceptAnswer>({ ok: false, reason }, { status: STATUSES[reason] })
}

/** Reports a lost connection or a server failure as a message. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    return refuse(actionFailure(error))
  }
}

export default function Agreement({ loaderData, actionData }: Route.ComponentProps) {
  return <AgreementScreen {...loaderData} posted={actionData} />
}
