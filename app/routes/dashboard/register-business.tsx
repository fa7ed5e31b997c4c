import type { SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { data } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { changeRegistration, registerBusiness } from '../../features/registrations/commands.server.ts'
import type { AskAnswer } from '../../features/registrations/components/register-standing.tsx'
import { REGISTER_TITLE } from '../../features/registrations/messages.ts'
import { findVersionedRegistration } from '../../features/registrations/queries.server.ts'
import { askAgain } from '../../features/registrations/register-commands.server.ts'
import { findOwnStanding } from '../../features/registrations/register-queries.server.ts'
import {
  type RegistrationAnswer,
  type RegistrationRefusal,
  registrationSchema,
  registrationVersionsSchema,
} from '../../features/registrations/schema.ts'
import { RegistrationScreen } from '../../features/registrations/screens/registration-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { registerDeps } from '../../services/deps.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { intentSchema, readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { actionFailure } from '../../ui/action-failure.ts'
import { findSession, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/register-business'
import { FIRST_ZONE, findRegistrationStart } from './registration-start.server.ts'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(REGISTER_TITLE, matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, now, businessRegister } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const userId = session.user.uid
  const found = await findVersionedRegistration(db, userId)
  return {
    registration: found?.registration ?? null,
    version: found?.version ?? null,
    standing: await findOwnStanding(db, { userId, isAsked: businessRegister !== null, now: now() }),
    ...(await findRegistrationStart(context.get(servicesContext), session.user)),
  }
}

const STATUSES = {
  invalid_fields: 400,
  signed_out: 401,
  too_often: 429,
  already_registered: 409,
  changed_meanwhile: 409,
  not_found: 404,
  unknown_logo: 404,
  unavailable: 503,
  not_reached: 503,
  failed: 503,
} as const satisfies Record<RegistrationRefusal | 'unavailable', number>

/**
 * Registers the signed-in user's business, or with `intent=change` changes their registration. `intent=ask-register` asks the
 * Australian Business Register about it again.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { now, rateLimits } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return refuse('signed_out')
  const schema = registrationSchema(wallTimeAt(now(), FIRST_ZONE).date)
  const form = await readForm(request, [schema, intentSchema, registrationVersionsSchema])
  const deps = registerDeps(context.get(servicesContext))
  if (form.get('intent') === 'ask-register') {
    const outcome = await askAgain({ ...deps, rateLimits }, session.user.uid)
    return data<AskAnswer>(outcome, { status: outcome.ok ? 200 : STATUSES[outcome.reason] })
  }
  const submission = parseWithZod(form, { schema })
  const versions = parseWithZod(form, { schema: registrationVersionsSchema })
  if (submission.status !== 'success' || versions.status !== 'success')
    return refuse('invalid_fields', submission.reply())
  if (!(await mayWrite(rateLimits, session.user.uid))) return refuse('too_often', submission.reply())
  const isChange = form.get('intent') === 'change'
  const { seen, anyway } = versions.value
  const outcome = isChange
    ? await changeRegistration(deps, session.user.uid, submission.value, anyway ?? seen)
    : await registerBusiness(deps, session.user.uid, submission.value)
  if (outcome.ok) return data<RegistrationAnswer>({ ok: true, isChange })
  return outcome.reason === 'changed_meanwhile'
    ? refuse(outcome.reason, submission.reply(), outcome.version)
    : refuse(outcome.reason)
}

function refuse(reason: RegistrationRefusal, result?: SubmissionResult, version?: string) {
  return data<RegistrationAnswer>({ ok: false, reason, result, version }, { status: STATUSES[reason] })
}

/** Reports a lost connection or a server failure as a message; the typed values stay. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    return refuse(actionFailure(error))
  }
}

export default function RegisterBusiness({ loaderData }: Route.ComponentProps) {
  return <RegistrationScreen {...loaderData} />
}
