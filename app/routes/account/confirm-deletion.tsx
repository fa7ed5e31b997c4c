import { data, Form, href, redirect, useNavigation } from 'react-router'
import { signedOutHeaders, submitAccountForm } from '../../features/accounts/commands.server.ts'
import { AccountForm } from '../../features/accounts/components/account-form.tsx'
import { confirmPasswordSchema } from '../../features/accounts/schema.ts'
import { CURRENT_PASSWORD_WRONG } from '../../features/accounts/wording.ts'
import { declineOpenBookings, deleteAccount } from '../../features/privacy/commands.server.ts'
import { OpenBookingList } from '../../features/privacy/components/open-booking-list.tsx'
import { listOpenBookings } from '../../features/privacy/queries.server.ts'
import { declinedText } from '../../features/privacy/wording.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services.server.ts'
import { intentSchema, readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { SendFailure } from '../../ui/send-failure.tsx'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/confirm-deletion'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Delete your account', matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  return { openBookings: await listOpenBookings(db, { userId: session.user.uid, now: now() }) }
}

type Result = Parameters<typeof AccountForm>[0]['lastResult']

export async function action({ request, context, url }: Route.ActionArgs) {
  const services = context.get(servicesContext)
  const { accounts, config } = services
  const session = await requireSession({ request, url, context })
  const { uid } = session.user
  const form = await readForm(request, [confirmPasswordSchema, intentSchema])
  if (form.get('intent') === 'decline') {
    const outcome = await declineOpenBookings(bookingDeps(services), uid)
    return data({ message: declinedText(outcome), result: undefined as Result })
  }
  const outcome = await submitAccountForm({
    form,
    schema: confirmPasswordSchema,
    ask: (fields) => accounts.confirmPassword(request, fields),
    onField: { 'wrong-password': { field: 'password', message: CURRENT_PASSWORD_WRONG } },
  })
  if (!outcome.ok) return data({ message: null, result: outcome.result }, { status: outcome.status })
  const deleted = await deleteAccount({ ...services, ...config }, uid)
  // The screen shows the bookings, which came since it was opened.
  if (!deleted.ok && deleted.reason === 'open_bookings') {
    return data({ message: null, result: undefined as Result }, { status: 409 })
  }
  return redirect(`${href('/account-closed')}?how=deleted`, {
    headers: signedOutHeaders(accounts.forgetCookies(), config.publicUrl),
  })
}

export default function ConfirmDeletion({ loaderData: { openBookings }, actionData }: Route.ComponentProps) {
  const navigation = useNavigation()
  const declining = navigation.formData?.get('intent') === 'decline'
  return (
    <div className="max-w-prose">
      <h1 className="text-3xl md:text-4xl">Delete your account?</h1>
      <p className="mt-4">
        For good: your account, your businesses, files, notifications and newsletter entry. Nobody can bring
        them back.
      </p>
      <p className="mt-3 text-quiet">
        Of bookings we keep what the law asks us to keep; your name, e-mail and phone are taken off them once
        they are over. Bookings you have made yourself stay valid: you find them by the links in our mails.
      </p>
      {actionData?.message ? (
        <div className="mt-6" role="status">
          <Banner tone="success">{actionData.message}</Banner>
        </div>
      ) : null}
      {openBookings.length > 0 ? (
        <section className="mt-8" aria-labelledby="open-bookings">
          <h2 id="open-bookings" className="text-xl">
            {openBookings.length === 1
              ? 'One booking is still open'
              : `${openBookings.length} bookings are still open`}
          </h2>
          <p className="mt-2">
            Your customers have paid and their day is still to come. Host them first, or decline and refund
            them all now.
          </p>
          <OpenBookingList bookings={openBookings} />
          <Form method="post" className="mt-6 flex flex-wrap gap-3">
            <Button
              type="submit"
              name="intent"
              value="decline"
              variant="danger"
              pending={declining}
              pendingText="Declining..."
            >
              {openBookings.length === 1
                ? 'Decline and refund it'
                : `Decline and refund all ${openBookings.length}`}
            </Button>
            <ButtonLink to={href('/dashboard/bookings')} variant="quiet">
              See my bookings
            </ButtonLink>
            <SendFailure />
          </Form>
        </section>
      ) : (
        <section className="mt-8 border-line border-t pt-8" aria-label="Delete my account">
          <AccountForm
            intent="delete"
            variant="danger"
            schema={confirmPasswordSchema}
            lastResult={actionData?.result}
            step="delete-account"
            submitLabel="Delete my account"
            pendingLabel="Deleting..."
            fields={[
              {
                name: 'password',
                label: 'Your password',
                type: 'password',
                autoComplete: 'current-password',
                hint: 'So that nobody else can do this in your place.',
              },
            ]}
          />
          <p className="mt-5 text-sm">
            <ButtonLink to={href('/settings-privacy')} variant="quiet">
              Keep my account
            </ButtonLink>
          </p>
        </section>
      )}
    </div>
  )
}
