import { data, Form, href, Link, redirect, useNavigation } from 'react-router'
import type { AccountCode } from '../../adapters/accounts/port.ts'
import { signedOutHeaders } from '../../features/accounts/commands.server.ts'
import { AccountPage } from '../../features/accounts/components/account-page.tsx'
import { undoEmailChangeSchema } from '../../features/accounts/schema.ts'
import { accountWording, UNDO_REFUSALS } from '../../features/accounts/wording.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import type { Route } from './+types/undo-email-change'

const PICTURE = 'hero-4/forgotten'

export const meta: Route.MetaFunction = ({ matches }) => [
  ...privateMeta('Undo the change of your e-mail', matches[0]?.loaderData),
  { name: 'referrer', content: 'no-referrer' },
]

const problemOf = (reason: AccountCode) => UNDO_REFUSALS[reason] ?? accountWording[reason]

/** Mail programs open links to look at them, so opening one changes nothing. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { accounts } = context.get(servicesContext)
  const token = url.searchParams.get('token') ?? ''
  const link = await accounts.findUndoLink(request, { token })
  return { token, email: link.ok ? link.email : null, problem: link.ok ? null : problemOf(link.reason) }
}

/** Needs no session: the link proves the old address. A new password comes next, since the old one may be known. */
export async function action({ request, context }: Route.ActionArgs) {
  const { accounts, config } = context.get(servicesContext)
  const given = undoEmailChangeSchema.safeParse(
    Object.fromEntries(await readForm(request, undoEmailChangeSchema)),
  )
  if (!given.success) return data({ email: null, problem: problemOf('invalid-action-code') }, { status: 400 })
  const answer = await accounts.undoEmailChange(request, given.data)
  if (!answer.ok) {
    const status = answer.reason === 'too-many-requests' ? 429 : 400
    return data({ email: null, problem: problemOf(answer.reason) }, { status })
  }
  const headers = signedOutHeaders(answer.cookies, config.publicUrl)
  if (answer.resetToken)
    return redirect(`${href('/reset-password')}?${new URLSearchParams({ token: answer.resetToken })}`, {
      headers,
    })
  return data({ email: answer.email, problem: null }, { headers })
}

export default function UndoEmailChange({ loaderData, actionData }: Route.ComponentProps) {
  const pending = useNavigation().formMethod === 'POST'
  if (actionData?.email)
    return (
      <AccountPage title="The change is undone" picture={PICTURE}>
        <p role="status">
          Your account uses {actionData.email} again. We have sent a link there to choose a new password.
        </p>
        <p className="mt-6">
          <Link className="link" to={href('/forgot-password')}>
            Send me the link again
          </Link>
        </p>
      </AccountPage>
    )
  const problem = actionData?.problem ?? loaderData.problem
  return (
    <AccountPage
      title="Undo the change of your e-mail"
      intro={
        loaderData.email
          ? `Your account gets ${loaderData.email} back. Every browser is signed out, and you choose a new password.`
          : undefined
      }
      picture={PICTURE}
    >
      {problem ? (
        <div className="mb-6" role="alert">
          <Banner tone="error">{problem}</Banner>
        </div>
      ) : null}
      {loaderData.email && !actionData ? (
        <Form method="post">
          <input type="hidden" name="token" value={loaderData.token} />
          <Button
            type="submit"
            variant="primary"
            size="large"
            wide
            pending={pending}
            pendingText="Undoing..."
          >
            Undo the change
          </Button>
        </Form>
      ) : (
        <p>
          <Link className="link" to={href('/advice-support')}>
            Contact us
          </Link>
        </p>
      )}
    </AccountPage>
  )
}
