import { data, href, redirect } from 'react-router'
import { z } from 'zod'
import { ACCOUNT_STEP_REFUSALS } from '../../features/sandbox/account-messages.ts'
import { accountFormSchema, shownStep } from '../../features/sandbox/account-schema.ts'
import {
  type AccountFormAnswer,
  SandboxAccountScreen,
} from '../../features/sandbox/screens/sandbox-account-screen.tsx'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { notStored, sandboxFormOnly, unlisted } from '../contract.server.ts'
import type { Route } from './+types/account'
import { sandboxServices } from './services.server.ts'
import '../../styles/whole.css'

export const middleware: Route.MiddlewareFunction[] = [unlisted, notStored, sandboxFormOnly]

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('Test provider', matches[0]?.loaderData)

/** The test provider's form of a vendor's account. A link opens it once and hands over to a session. */
export async function loader({ request, params, url, context }: Route.LoaderArgs) {
  const { sandbox } = sandboxServices(context)
  // A preview of the link must not use it up.
  if (request.method === 'HEAD') return { form: null, chosen: null }
  const opened = await sandbox.payouts.openAccountForm(params.token)
  if (!opened) throw new Response('Not found', { status: 404 })
  if (opened.outcome === 'left') throw redirect(opened.url)
  if (opened.outcome === 'session') throw redirect(href('/sandbox/account/:token', { token: opened.token }))
  return { form: opened.form, chosen: url.searchParams.get('step') }
}

/** Saves a step. The last one leads back to the address that the link named. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { sandbox } = sandboxServices(context)
  const typed = Object.fromEntries(await readForm(request, accountFormSchema)) as Record<string, string>
  const parsed = accountFormSchema.safeParse(typed)
  if (!parsed.success) {
    const { fieldErrors } = z.flattenError(parsed.error)
    return data<AccountFormAnswer>({ refusal: null, errors: fieldErrors, typed }, { status: 422 })
  }
  const saved = await sandbox.payouts.saveAccountStep(params.token, parsed.data)
  if (!saved.ok) {
    const { reason } = saved
    // The loader knows where an expired session leads.
    if (reason === 'no_session') throw redirect(href('/sandbox/account/:token', params))
    const refusal = ACCOUNT_STEP_REFUSALS[reason]
    return data<AccountFormAnswer>({ refusal, errors: {}, typed }, { status: 409 })
  }
  throw redirect(saved.isComplete ? saved.returnUrl : href('/sandbox/account/:token', params))
}

export default function SandboxAccount({ loaderData, actionData }: Route.ComponentProps) {
  const { form, chosen } = loaderData
  if (!form) return null
  const step = shownStep(form, actionData?.typed.step ?? chosen)
  return <SandboxAccountScreen form={form} step={step} answer={actionData ?? null} />
}
