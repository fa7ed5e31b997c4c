import { data } from 'react-router'
import { signedOutHeaders, submitAccountForm } from '../../features/accounts/commands.server.ts'
import type { AccountResult } from '../../features/accounts/components/account-form.tsx'
import {
  accountWording,
  LINK_CHOICE_MISSING,
  LINK_PASSWORD_MISSING,
  LINK_PASSWORD_WRONG,
} from '../../features/accounts/messages.ts'
import { confirmEmailSchema, detachEmailSchema } from '../../features/accounts/schema.ts'
import { type LinkOutcome, VerifyEmailScreen } from '../../features/accounts/screens/verify-email-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { KEPT_ADDRESS, privateMeta } from '../../shared/page-meta.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/verify-email'

export const meta: Route.MetaFunction = ({ matches }) => [
  ...privateMeta('Confirm your email', matches[0]?.loaderData),
  KEPT_ADDRESS,
]

/** Mail programs open links to scan them, so a GET changes nothing. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { accounts, config } = context.get(servicesContext)
  const token = url.searchParams.get('token') ?? ''
  const [found, session] = await Promise.all([
    accounts.findEmailLink(request, { token }),
    findSession({ request, context }),
  ])
  const user = session?.user ?? null
  return {
    token,
    policy: config.passwordPolicy,
    link: found.ok ? { kind: found.kind, email: found.email, isOwn: found.isOwn } : null,
    problem: found.ok ? null : accountWording[found.reason],
    isSignedIn: user !== null,
    confirmedEmail: user?.emailVerified ? user.email : null,
  }
}

const done = (what: LinkOutcome, headers?: Headers) =>
  data({ done: what, message: null, result: undefined as AccountResult }, headers ? { headers } : {})
const refused = (status: number, answer: { message?: string; result?: AccountResult }) =>
  data({ done: null, message: answer.message ?? null, result: answer.result }, { status })

export async function action({ request, context }: Route.ActionArgs) {
  const { accounts, config } = context.get(servicesContext)
  const form = await readForm(request, [confirmEmailSchema, detachEmailSchema])
  if (form.get('intent') === 'confirm') {
    const outcome = await submitAccountForm({
      form,
      schema: confirmEmailSchema,
      ask: ({ token, password = null }) => accounts.confirmEmail(request, { token, password }),
      onField: {
        'missing-password': { field: 'password', message: LINK_PASSWORD_MISSING },
        'wrong-password': { field: 'password', message: LINK_PASSWORD_WRONG },
      },
    })
    if (!outcome.ok) {
      const message =
        outcome.reason === 'invalid_fields'
          ? accountWording['invalid-action-code']
          : accountWording[outcome.reason]
      return refused(outcome.status, { result: outcome.result, message })
    }
    const { changed, email, cookies } = outcome.answer
    return done(
      { how: 'confirmed', changed, email },
      cookies.length > 0 ? signedOutHeaders(cookies, config.publicUrl) : undefined,
    )
  }
  const parsed = detachEmailSchema.safeParse(Object.fromEntries(form))
  if (!parsed.success) return refused(400, { message: LINK_CHOICE_MISSING })
  const { intent, token } = parsed.data
  const forNewAccount = intent === 'new-account'
  const answer = await accounts.detachEmail(request, { token, forNewAccount })
  if (!answer.ok) {
    const status = answer.reason === 'too-many-requests' ? 429 : 400
    return refused(status, { message: accountWording[answer.reason] })
  }
  const { email, beginsBy } = answer
  return done(forNewAccount ? { how: 'new-account', email, beginsBy } : { how: 'detached', email })
}

export default function VerifyEmail({ loaderData, actionData }: Route.ComponentProps) {
  return <VerifyEmailScreen loaderData={loaderData} actionData={actionData} />
}
