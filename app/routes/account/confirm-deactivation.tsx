import { Form, href, redirect, useNavigation } from 'react-router'
import { signedOutHeaders } from '../../features/accounts/commands.server.ts'
import { deactivateAccount } from '../../features/privacy/commands.server.ts'
import { listShownBusinessNames } from '../../features/privacy/queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { SendFailure } from '../../ui/send-failure.tsx'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/confirm-deactivation'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Deactivate your account', matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  return { businesses: await listShownBusinessNames(db, session.user.uid) }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  await readForm(request, [])
  const services = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  await deactivateAccount(services, session.user.uid)
  return redirect(`${href('/account-closed')}?how=deactivated`, {
    headers: signedOutHeaders(services.accounts.forgetCookies(), services.config.publicUrl),
  })
}

export default function ConfirmDeactivation({ loaderData: { businesses } }: Route.ComponentProps) {
  const pending = useNavigation().formMethod === 'POST'
  return (
    <div className="max-w-prose">
      <h1 className="text-3xl md:text-4xl">Deactivate your account?</h1>
      <p className="mt-4">
        A pause, for as long as you like. When you log in again, we offer to reactivate it.
      </p>
      <ul className="mt-4 grid list-disc gap-1.5 pl-5">
        <li>You are signed out everywhere.</li>
        {businesses.length > 0 ? (
          <li>
            {businesses.length === 1 ? businesses[0] : `Your ${businesses.length} businesses`}{' '}
            {businesses.length === 1 ? 'is' : 'are'} hidden and can’t be booked.
          </li>
        ) : null}
        {businesses.length > 0 ? (
          <li>
            Bookings you have approved stay. Those that wait for your answer are declined after two days, with
            a full refund.
          </li>
        ) : null}
        <li>Your own bookings go on; their mails still reach you.</li>
      </ul>
      <Form method="post" className="mt-8 flex flex-wrap gap-3">
        <Button type="submit" variant="danger" pending={pending} pendingText="Deactivating...">
          Deactivate my account
        </Button>
        <ButtonLink to={href('/settings-privacy')} variant="quiet">
          Keep it
        </ButtonLink>
        <SendFailure />
      </Form>
    </div>
  )
}
