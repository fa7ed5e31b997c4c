import { data } from 'react-router'
import { signedOutHeaders, submitAccountForm } from '../../features/accounts/commands.server.ts'
import { resetPasswordSchema } from '../../features/accounts/schema.ts'
import { ResetPasswordScreen } from '../../features/accounts/screens/reset-password-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { KEPT_ADDRESS, privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/reset-password'

export const meta: Route.MetaFunction = ({ matches }) => [
  ...privateMeta('Choose a new password', matches[0]?.loaderData),
  KEPT_ADDRESS,
]

export async function loader({ context, url }: Route.LoaderArgs) {
  const { accounts, config } = context.get(servicesContext)
  const token = url.searchParams.get('token') ?? ''
  return { token, email: await accounts.findResetEmail(token), policy: config.passwordPolicy }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { accounts, config } = context.get(servicesContext)
  const schema = resetPasswordSchema(config.passwordPolicy)
  const outcome = await submitAccountForm({
    form: await readForm(request, schema),
    schema,
    ask: (fields) => accounts.resetPassword(request, fields),
    newPassword: 'password',
  })
  if (!outcome.ok) return data({ done: false, result: outcome.result }, { status: outcome.status })
  return data(
    { done: true, result: undefined },
    { headers: signedOutHeaders(outcome.answer.cookies, config.publicUrl) },
  )
}

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  return <ResetPasswordScreen loaderData={loaderData} actionData={actionData} />
}
