import { data, Form, href, Link } from 'react-router'
import { z } from 'zod'
import { unsubscribe } from '../../features/newsletter/commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { pageTitle } from '../../shared/page-meta.ts'
import { Button } from '../../ui/button.tsx'
import { SendFailure } from '../../ui/send-failure.tsx'
import type { Route } from './+types/unsubscribe'

export const meta: Route.MetaFunction = ({ matches }) => [
  { title: pageTitle('Unsubscribe', matches[0]?.loaderData) },
  { name: 'description', content: 'End the monthly letter.' },
]

/** Mail programs send this field when their own unsubscribe button is pressed (RFC 8058). */
const oneClickSchema = z.object({ 'List-Unsubscribe': z.string() })

/** Ended by a press: mail programs open links by themselves to look at them. */
export async function action({ request, context, url }: Route.ActionArgs) {
  await readForm(request, oneClickSchema)
  const { config, db, now } = context.get(servicesContext)
  const query = url.searchParams
  const outcome = await unsubscribe(
    { db, now, secret: config.secret },
    { email: query.get('email') ?? '', token: query.get('token') ?? '' },
  )
  return data({ done: outcome.ok }, { status: outcome.ok ? 200 : 400 })
}

export default function Unsubscribe({ actionData }: Route.ComponentProps) {
  return (
    <div className="page page-column py-8 md:py-12">
      <h1>{actionData?.done ? 'You are unsubscribed' : 'Unsubscribe'}</h1>
      {actionData?.done ? (
        <p className="mt-3 text-quiet" role="status">
          No more letters come to this address.
        </p>
      ) : (
        <Form method="post" className="mt-6 grid gap-5">
          {actionData ? (
            <p className="field-error" role="alert">
              This link is not complete. Open it again from the mail.
            </p>
          ) : null}
          <Button type="submit" variant="primary">
            Unsubscribe
          </Button>
          <SendFailure />
        </Form>
      )}
      <p className="mt-6">
        <Link className="link" to={href('/')}>
          Go to the start
        </Link>
      </p>
    </div>
  )
}
