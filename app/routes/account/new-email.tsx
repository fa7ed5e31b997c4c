import { data, Form, href, redirect } from 'react-router'
import { signedInHeaders, submitAccountForm } from '../../features/accounts/commands.server.ts'
import { AccountForm } from '../../features/accounts/components/account-form.tsx'
import { AccountPage } from '../../features/accounts/components/account-page.tsx'
import { withNext } from '../../features/accounts/rules.ts'
import { changeEmailSchema } from '../../features/accounts/schema.ts'
import { CURRENT_PASSWORD_WRONG, EMAIL_TAKEN, emailChangeSent } from '../../features/accounts/wording.ts'
import { servicesContext } from '../../request-context.server.ts'
import { ownPath, readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { Button } from '../../ui/button.tsx'
import { findSession, signInPath } from '../require-session.server.ts'
import type { Route } from './+types/new-email'

const PICTURE = 'hero-2/log-in'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Give us another e-mail', matches[0]?.loaderData)

/** Where every private screen leads while the account has no address of its own (Decision 34). */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { config } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) throw redirect(signInPath(url))
  const next = ownPath(url.searchParams.get('next'), href('/'))
  if (!session.user.needsEmail) throw redirect(next, { headers: signedInHeaders([], config.publicUrl) })
  return { next }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { accounts } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) throw redirect(signInPath(url))
  const form = await readForm(request, changeEmailSchema)
  const outcome = await submitAccountForm({
    form,
    schema: changeEmailSchema,
    ask: (fields) => accounts.requestEmailChange(request, fields),
    onField: {
      'wrong-password': { field: 'password', message: CURRENT_PASSWORD_WRONG },
      'email-already-in-use': { field: 'email', message: EMAIL_TAKEN },
    },
  })
  if (!outcome.ok) return data({ message: null, result: outcome.result }, { status: outcome.status })
  return data({ message: emailChangeSent(String(form.get('email')).trim()), result: undefined })
}

export default function NewEmail({ loaderData: { next }, actionData }: Route.ComponentProps) {
  return (
    <AccountPage
      title="Give us another e-mail"
      intro="The address of this account belongs to another person, who told us so. Everything in the account is still here. Give us an address of your own to go on."
      picture={PICTURE}
    >
      {actionData?.message ? (
        <p role="status" className="mb-6">
          {actionData.message}
        </p>
      ) : null}
      <AccountForm
        key={actionData?.message ?? ''}
        schema={changeEmailSchema}
        lastResult={actionData?.result}
        action={withNext(href('/new-email'), next)}
        step="change-email"
        submitLabel="Send the link"
        pendingLabel="Sending..."
        fields={[
          { name: 'email', label: 'New e-mail', type: 'email', autoComplete: 'email' },
          { name: 'password', label: 'Your password', type: 'password', autoComplete: 'current-password' },
        ]}
      />
      <Form method="post" action={href('/logout')} className="mt-3">
        <Button type="submit" variant="quiet" size="large" wide>
          Log out
        </Button>
      </Form>
    </AccountPage>
  )
}
