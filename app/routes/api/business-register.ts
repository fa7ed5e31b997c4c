import { lookUpAbn } from '../../features/registrations/register-commands.server.ts'
import { lookupText } from '../../features/registrations/register-messages.ts'
import { nameOf, structureOf } from '../../features/registrations/register-rules.ts'
import type { BusinessStructure } from '../../features/registrations/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { jsonAnswer } from '../../shared/json-body.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/business-register'

type Refusal = 'signed_out' | 'not_an_abn' | 'not_asked' | 'too_often' | 'unavailable'

export type LookupAnswer =
  | {
      ok: true
      /** The register's answer in a line. */
      text: string
      /** To fill in where the form has none; '' and null if the register has none, or the ABN isn't active. */
      businessName: string
      structure: BusinessStructure | null
    }
  | { ok: false; reason: Refusal }

const STATUSES = {
  signed_out: 401,
  not_an_abn: 400,
  not_asked: 404,
  too_often: 429,
  unavailable: 503,
} as const satisfies Record<Refusal, number>

/** Looks up the ABN that a signed-in person is typing: '?abn=51824753556'. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, businessRegister: register, rateLimits, now } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return answer({ ok: false, reason: 'signed_out' })
  const input = { userId: session.user.uid, abn: url.searchParams.get('abn') ?? '' }
  const found = await lookUpAbn({ db, register, rateLimits, now }, input)
  if (!found.ok) return answer(found)
  const { facts } = found
  const isActive = facts.status === 'active'
  return answer({
    ok: true,
    text: lookupText(facts),
    businessName: isActive ? nameOf(facts) : '',
    structure: isActive ? structureOf(facts.entityType) : null,
  })
}

function answer(body: LookupAnswer): Response {
  return jsonAnswer(body.ok ? 200 : STATUSES[body.reason], body)
}
