import { data } from 'react-router'
import { submitAccountForm } from '../../features/accounts/commands.server.ts'
import { forgotPasswordSchema } from '../../features/accounts/schema.ts'
import { ForgotPasswordScreen } from '../../features/accounts/screens/forgot-password-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/forgot-password'

export const meta: Route.MetaFunction = ({ matches }) => [
  ...privateMeta('Reset your password', matches[0]?.loaderData),
  { name: 'robots', content: 'noindex' },
]

/** The response is the same for every address (Decision 21). */
export async function action({ request, context }: Route.ActionArgs) {
  const { accounts } = context.get(servicesContext)
  const outcome = await submitAccountForm({
    form: await readForm(request, forgotPasswordSchema),
    schema: forgotPasswordSchema,
    ask: (fields) => accounts.requestPasswordReset(request, fields),
  })
  if (!outcome.ok) return data({ sent: false, result: outcome.result }, { status: outcome.status })
  return data({ sent: true, result: undefined })
}

export default function ForgotPassword({ actionData }: Route.ComponentProps) {
  return <ForgotPasswordScreen actionData={actionData} />
}
