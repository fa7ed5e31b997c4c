import { data, href, redirect } from 'react-router'
import type { AccountCode } from '../../adapters/accounts/port.ts'
import { signedOutHeaders } from '../../features/accounts/commands.server.ts'
import { accountWording, NOT_ME_REFUSALS } from '../../features/accounts/messages.ts'
import { notMeSchema } from '../../features/accounts/schema.ts'
import { NotMeScreen } from '../../features/accounts/screens/not-me-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/not-me'

export const meta: Route.MetaFunction = ({ matches }) => [
  ...privateMeta('This wasn’t me', matches[0]?.loaderData),
  { name: 'referrer', content: 'no-referrer' },
]

const problemOf = (reason: AccountCode) => NOT_ME_REFUSALS[reason] ?? accountWording[reason]

/** Mail programs open links to scan them, so a GET changes nothing. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { accounts } = context.get(servicesContext)
  const token = url.searchParams.get('token') ?? ''
  const link = await accounts.findDeviceLink(request, { token })
  return { token, email: link.ok ? link.email : null, problem: link.ok ? null : problemOf(link.reason) }
}

/** Needs no session: the link proves the account's address. A new password follows, since a stranger knows the old one. */
export async function action({ request, context }: Route.ActionArgs) {
  const { accounts, config } = context.get(servicesContext)
  const parsed = notMeSchema.safeParse(Object.fromEntries(await readForm(request, notMeSchema)))
  if (!parsed.success)
    return data({ email: null, problem: problemOf('invalid-action-code') }, { status: 400 })
  const answer = await accounts.refuseDevice(request, parsed.data)
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

export default function NotMe({ loaderData, actionData }: Route.ComponentProps) {
  return <NotMeScreen loaderData={loaderData} actionData={actionData} />
}
