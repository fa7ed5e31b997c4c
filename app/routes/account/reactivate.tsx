import { data, Form, href, redirect, useNavigation } from 'react-router'
import { signedInHeaders } from '../../features/accounts/commands.server.ts'
import { AccountPage } from '../../features/accounts/components/account-page.tsx'
import { reactivateAccount } from '../../features/privacy/commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { ownPath, readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { Button } from '../../ui/button.tsx'
import { SendFailure } from '../../ui/send-failure.tsx'
import type { Route } from './+types/reactivate'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Reactivate your account', matches[0]?.loaderData)

/** What signing in to a deactivated account leads to (Decision 19). */
export async function loader({ request, context }: Route.LoaderArgs) {
  const session = await context.get(servicesContext).accounts.findDeactivatedSession(request)
  if (!session) throw redirect(href('/login'))
  return data({ name: session.user.displayName ?? session.user.email })
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const services = context.get(servicesContext)
  await readForm(request, [])
  const session = await services.accounts.findDeactivatedSession(request)
  if (!session) throw redirect(href('/login'))
  await reactivateAccount(services, session.user.uid)
  return redirect(ownPath(url.searchParams.get('next'), href('/')), {
    headers: signedInHeaders([], services.config.publicUrl),
  })
}

export default function Reactivate({ loaderData: { name } }: Route.ComponentProps) {
  const pending = useNavigation().formMethod === 'POST'
  return (
    <AccountPage
      title={`Welcome back, ${name}`}
      intro="Your account is deactivated. Reactivate it, and everything is as it was: your profile, your bookings, and your businesses open for new bookings."
      picture="hero-1/welcome-back"
    >
      <Form method="post">
        <Button
          type="submit"
          variant="primary"
          size="large"
          wide
          pending={pending}
          pendingText="Reactivating..."
        >
          Reactivate my account
        </Button>
        <SendFailure />
      </Form>
      <Form method="post" action={href('/logout')} className="mt-3">
        <Button type="submit" variant="quiet" size="large" wide>
          Stay deactivated
        </Button>
        <SendFailure />
      </Form>
    </AccountPage>
  )
}
