import type { SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { data } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { listBusinessIdsOfOwner } from '../../features/businesses/owner-queries.server.ts'
import { changeRegistration, registerBusiness } from '../../features/registrations/commands.server.ts'
import { type FAILURE_REASONS, REGISTER_TITLE } from '../../features/registrations/messages.ts'
import { findOwnRegistration } from '../../features/registrations/queries.server.ts'
import { registrationSchema } from '../../features/registrations/schema.ts'
import {
  type RegistrationAnswer,
  RegistrationScreen,
} from '../../features/registrations/screens/registration-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { intentSchema, readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { actionFailure } from '../../ui/action-failure.ts'
import { findSession, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/register-business'

/** The first zone in which a new day begins. */
const FIRST_ZONE = 'Australia/Sydney'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(REGISTER_TITLE, matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  return {
    registration: await findOwnRegistration(db, session.user.uid),
    today: wallTimeAt(now(), FIRST_ZONE).date,
    hasListings: (await listBusinessIdsOfOwner(db, session.user.uid)).length > 0,
  }
}

type Refusal = keyof typeof FAILURE_REASONS

const STATUSES = {
  invalid_fields: 400,
  signed_out: 401,
  too_often: 429,
  already_registered: 409,
  not_found: 404,
  unknown_logo: 404,
  not_reached: 503,
  failed: 503,
} as const satisfies Record<Refusal, number>

/** Registers the signed-in user's business, or with `intent=change` changes their registration. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, jobs, now, rateLimits } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return refuse('signed_out')
  const schema = registrationSchema(wallTimeAt(now(), FIRST_ZONE).date)
  const form = await readForm(request, [schema, intentSchema])
  const submission = parseWithZod(form, { schema })
  if (submission.status !== 'success') return refuse('invalid_fields', submission.reply())
  if (!(await mayWrite(rateLimits, session.user.uid))) return refuse('too_often', submission.reply())
  const deps = { db, jobs, now }
  const isChange = form.get('intent') === 'change'
  const save = isChange ? changeRegistration : registerBusiness
  const outcome = await save(deps, session.user.uid, submission.value)
  return outcome.ok ? data<RegistrationAnswer>({ ok: true, isChange }) : refuse(outcome.reason)
}

function refuse(reason: Refusal, result?: SubmissionResult) {
  return data<RegistrationAnswer>({ ok: false, reason, result }, { status: STATUSES[reason] })
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
