import { useCallback, useEffect, useState } from 'react'
import { data, Form, href, redirect } from 'react-router'
import { signedOutHeaders } from '../../features/accounts/commands.server.ts'
import { useAuth } from '../../features/accounts/components/auth-context.tsx'
import { STILL_SIGNED_IN } from '../../features/accounts/sign-out-wording.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { Button } from '../../ui/button.tsx'
import type { Route } from './+types/logout'
import '../../styles/whole.css'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('Logout', matches[0]?.loaderData)

/** Signs out and returns to the start (Specification, section 2). After a failure, which is logged, the session still works. */
export async function action({ request, context }: Route.ActionArgs) {
  const { accounts, config, log } = context.get(servicesContext)
  await readForm(request, [])
  try {
    const answer = await accounts.signOut(request)
    if (answer.ok) return redirect(href('/'), { headers: signedOutHeaders(answer.cookies, config.publicUrl) })
    log.warn({ reason: answer.reason }, 'signing out failed')
  } catch (error) {
    log.warn({ err: error }, 'signing out failed')
  }
  return data({ isSignedIn: true }, { status: 503 })
}

/** A GET must not change anything on the server, so this page signs out by a request of its own. */
export default function Logout({ actionData }: Route.ComponentProps) {
  const { logout } = useAuth()
  // Without JavaScript, or before it runs, the form posts here and this page is the answer.
  const hasFailedBefore = actionData !== undefined
  const [state, setState] = useState<'leaving' | 'failed'>(hasFailedBefore ? 'failed' : 'leaving')
  const leave = useCallback(async () => {
    setState('leaving')
    if (!(await logout())) setState('failed')
  }, [logout])
  useEffect(() => {
    if (!hasFailedBefore) void leave()
  }, [hasFailedBefore, leave])
  return (
    <div className="page page-column py-8 md:py-12">
      <h1>{state === 'failed' ? STILL_SIGNED_IN : 'Signing you out'}</h1>
      <p className="mt-3 text-quiet" role="alert">
        {state === 'failed' ? 'Signing out failed. Check your connection and try again.' : null}
      </p>
      <Form
        method="post"
        className="mt-6"
        onSubmit={(event) => {
          event.preventDefault()
          void leave()
        }}
      >
        <Button type="submit" variant={state === 'failed' ? 'brand' : 'secondary'}>
          {state === 'failed' ? 'Try again' : 'Logout'}
        </Button>
      </Form>
    </div>
  )
}
