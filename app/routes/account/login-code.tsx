import { data, href, redirect } from 'react-router'
import { submitAccountForm } from '../../features/accounts/commands.server.ts'
import { CODE_WRONG, RECOVERY_CODE_WRONG } from '../../features/accounts/messages.ts'
import { withNext } from '../../features/accounts/rules.ts'
import { codeSchema, recoveryCodeSchema } from '../../features/accounts/schema.ts'
import { type LoginCodeAnswer, LoginCodeScreen } from '../../features/accounts/screens/login-code-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { intentSchema, ownPath, readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/login-code'
import { welcome } from './welcome.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Enter your code', matches[0]?.loaderData)

/** The second step of a login, for a browser that has given the right password within the last ten minutes. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { accounts, config } = context.get(servicesContext)
  const next = ownPath(url.searchParams.get('next'), href('/'))
  if (await findSession({ request, context })) throw redirect(next)
  // A hosted service asks for its codes itself.
  if (!accounts.secondFactor) throw redirect(withNext(href('/login'), next))
  return { next, brand: config.brand, isDue: await accounts.secondFactor.isCodeDue(request) }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { accounts } = context.get(servicesContext)
  const { secondFactor } = accounts
  if (!secondFactor) throw redirect(href('/login'))
  const form = await readForm(request, [intentSchema, codeSchema, recoveryCodeSchema])
  const isRecovery = form.get('intent') === 'recovery-code'
  const outcome = isRecovery
    ? await submitAccountForm({
        form,
        schema: recoveryCodeSchema,
        ask: (fields) => secondFactor.completeSignIn(request, fields),
        onField: { 'invalid-verification-code': { field: 'recoveryCode', message: RECOVERY_CODE_WRONG } },
      })
    : await submitAccountForm({
        form,
        schema: codeSchema,
        ask: (fields) => secondFactor.completeSignIn(request, fields),
        onField: { 'invalid-verification-code': { field: 'code', message: CODE_WRONG } },
      })
  if (outcome.ok) return welcome({ request, context, url }, outcome.answer)
  const intent = isRecovery ? 'recovery-code' : 'code'
  return data<LoginCodeAnswer>({ intent, result: outcome.result }, { status: outcome.status })
}

export default function LoginCode({ loaderData, actionData }: Route.ComponentProps) {
  return <LoginCodeScreen loaderData={loaderData} actionData={actionData} />
}
