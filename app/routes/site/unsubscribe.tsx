import { data } from 'react-router'
import { z } from 'zod'
import { unsubscribe } from '../../features/newsletter/commands.server.ts'
import { UnsubscribeScreen } from '../../features/newsletter/screens/unsubscribe-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { pageTitle } from '../../shared/page-meta.ts'
import type { Route } from './+types/unsubscribe'

export const meta: Route.MetaFunction = ({ matches }) => [
  { title: pageTitle('Unsubscribe', matches[0]?.loaderData) },
  { name: 'description', content: 'Unsubscribe from our newsletter.' },
]

/** Mail programs send this field when their own unsubscribe button is pressed (RFC 8058). */
const oneClickSchema = z.object({ 'List-Unsubscribe': z.string() })

/** Unsubscribes only by POST, because mail programs open links to scan them. */
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
  return <UnsubscribeScreen isDone={actionData?.done ?? null} />
}
