import { useEffect } from 'react'
import { Form, redirect, useSubmit } from 'react-router'
import { signedOutHeaders } from '../../features/accounts/commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { Button } from '../../ui/button.tsx'
import type { Route } from './+types/logout'
import '../../styles/whole.css'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('Logout', matches[0]?.loaderData)

/** Signs out and returns to the start (Specification, section 2). */
export async function action({ request, context }: Route.ActionArgs) {
  const { accounts, config, log } = context.get(servicesContext)
  await readForm(request, [])
  const answer = await accounts.signOut(request)
  // A logout failure is only logged (Specification, section 4); this browser forgets its session all the same.
  if (!answer.ok) log.warn({ reason: answer.reason }, 'signing out failed')
  const cookies = answer.ok ? answer.cookies : accounts.forgetCookies()
  return redirect('/', { headers: signedOutHeaders(cookies, config.publicUrl) })
}

/** Following a link must change nothing on the server, so this page sends the form by itself. */
export default function Logout() {
  const submit = useSubmit()
  useEffect(() => {
    void submit(null, { method: 'post', replace: true })
  }, [submit])
  return (
    <div className="page page-column py-8 md:py-12">
      <h1>Signing you out</h1>
      <Form method="post" className="mt-6">
        <Button type="submit">Logout</Button>
      </Form>
    </div>
  )
}
