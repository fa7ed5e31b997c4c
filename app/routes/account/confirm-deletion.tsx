import { data, href, redirect } from 'react-router'
import { originOf } from '../../adapters/accounts/security-log.ts'
import { signedOutHeaders, submitAccountForm } from '../../features/accounts/commands.server.ts'
import type { AccountResult } from '../../features/accounts/components/account-form.tsx'
import { CURRENT_PASSWORD_WRONG } from '../../features/accounts/messages.ts'
import { confirmPasswordSchema, proofSchema } from '../../features/accounts/schema.ts'
import { hasTrade, lacksDetails } from '../../features/income-reports/queries.server.ts'
import { isLastAdmin } from '../../features/operators/people-queries.server.ts'
import { findOpenMoney } from '../../features/payouts/queries.server.ts'
import { declineOpenBookings, deleteAccount } from '../../features/privacy/commands.server.ts'
import { declinedText, QUOTE_BEING_PAID } from '../../features/privacy/messages.ts'
import { listOpenBookings } from '../../features/privacy/queries.server.ts'
import { ConfirmDeletionScreen } from '../../features/privacy/screens/confirm-deletion-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps, closingDeps } from '../../services/deps.server.ts'
import { brokenForm } from '../../shared/body-refusals.ts'
import { intentSchema, readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { BESIDE_PROOF, findProofAsked, proveAgain } from '../ask-again.server.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/confirm-deletion'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Delete your account', matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { config, db, now, payouts } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const userId = session.user.uid
  return {
    openBookings: await listOpenBookings(db, { userId, now: now() }),
    openMoney: payouts ? await findOpenMoney(db, userId) : null,
    hasTraded: await hasTrade(db, userId),
    lacksDetails: payouts ? await lacksDetails(db, userId, now()) : false,
    isLastAdmin: await isLastAdmin(db, userId, config.operatorEmails),
    proofAsked: await findProofAsked({ request, context }),
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { accounts, config } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const { uid } = session.user
  const form = await readForm(request, [confirmPasswordSchema, proofSchema, intentSchema])
  if (form.get('intent') === 'decline') {
    const outcome = await declineOpenBookings(bookingDeps(context.get(servicesContext)), uid)
    return data({ message: declinedText(outcome), result: undefined as AccountResult })
  }
  // Within ten minutes of the login nothing else would stop an empty form.
  if (form.get('intent') !== 'delete') throw brokenForm()
  const outcome = accounts.proofs
    ? await submitAccountForm({
        form,
        schema: proofSchema,
        ask: () => proveAgain({ request, context }, form),
        onField: BESIDE_PROOF,
      })
    : await submitAccountForm({
        form,
        schema: confirmPasswordSchema,
        ask: (fields) => accounts.confirmPassword(request, fields),
        onField: { 'wrong-password': { field: 'password', message: CURRENT_PASSWORD_WRONG } },
      })
  if (!outcome.ok) return data({ message: null, result: outcome.result }, { status: outcome.status })
  const deleted = await deleteAccount(closingDeps(context.get(servicesContext)), uid, originOf(request))
  // The screen shows the bookings and the money that arrived since it was opened.
  if (!deleted.ok && deleted.reason !== 'not_found') {
    const isLastAdmin = deleted.reason === 'last_admin'
    const refusal = deleted.reason === 'quote_being_paid' ? QUOTE_BEING_PAID : null
    return data({ message: null, result: undefined as AccountResult, isLastAdmin, refusal }, { status: 409 })
  }
  return redirect(`${href('/account-closed')}?how=deleted`, {
    headers: signedOutHeaders(accounts.forgetCookies(), config.publicUrl),
  })
}

export default function ConfirmDeletion({ loaderData, actionData }: Route.ComponentProps) {
  return <ConfirmDeletionScreen loaderData={loaderData} actionData={actionData} />
}
