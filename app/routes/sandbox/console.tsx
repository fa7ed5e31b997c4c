import { data } from 'react-router'
import { z } from 'zod'
import {
  advanceClock,
  stepAccount,
  stepDispute,
  stepPayout,
  stepRefund,
  stepSavedCard,
} from '../../features/sandbox/commands.server.ts'
import { CLOCK_MOVED, doneText, SANDBOX_REFUSALS } from '../../features/sandbox/messages.ts'
import { listConsoleCharges } from '../../features/sandbox/queries.server.ts'
import { consoleSchema, type SandboxOperation } from '../../features/sandbox/schema.ts'
import { type ConsoleAnswer, SandboxScreen } from '../../features/sandbox/screens/sandbox-screen.tsx'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { notStored, sandboxOnly, unlisted } from '../contract.server.ts'
import type { Route } from './+types/console'
import { sandboxServices } from './services.server.ts'
import '../../styles/whole.css'

const SHOWN_CHARGES = 50
const SHOWN_ACCOUNTS = 20

export const middleware: Route.MiddlewareFunction[] = [unlisted, notStored, sandboxOnly]

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('Sandbox', matches[0]?.loaderData)

export async function loader({ context }: Route.LoaderArgs) {
  const services = sandboxServices(context)
  return {
    now: services.clock.now().toISOString(),
    aheadMs: services.clock.aheadMs(),
    charges: await listConsoleCharges(services, SHOWN_CHARGES),
    accounts: services.arePayoutsOn ? await services.sandbox.payouts.listAccounts(SHOWN_ACCOUNTS) : null,
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = sandboxServices(context)
  const fields = Object.fromEntries(await readForm(request, consoleSchema)) as Record<string, string>
  const parsed = consoleSchema.safeParse(fields)
  if (!parsed.success) {
    const errors = z.flattenError(parsed.error).fieldErrors as Record<string, string[] | undefined>
    const message = Object.values(errors)[0]?.[0] ?? 'We couldn’t read this request.'
    return data<ConsoleAnswer>({ ok: false, message, fields }, { status: 422 })
  }
  const outcome = await perform(parsed.data, services)
  if (!outcome.ok) {
    const message = SANDBOX_REFUSALS[outcome.reason]
    return data<ConsoleAnswer>({ ok: false, message, fields }, { status: 409 })
  }
  const message = parsed.data.intent === 'clock' ? CLOCK_MOVED : doneText(parsed.data)
  return data<ConsoleAnswer>({ ok: true, message, fields })
}

function perform(operation: SandboxOperation, services: ReturnType<typeof sandboxServices>) {
  switch (operation.intent) {
    case 'clock':
      return advanceClock(services, operation)
    case 'dispute':
      return stepDispute(services.sandbox, operation)
    case 'refund':
      return stepRefund(services.sandbox, operation)
    case 'saved-card':
      return stepSavedCard(services.sandbox, operation)
    case 'account':
      return stepAccount(services.sandbox, operation)
    case 'payout':
      return stepPayout(services.sandbox, operation)
  }
}

export default function Console({ loaderData, actionData }: Route.ComponentProps) {
  return <SandboxScreen {...loaderData} answer={actionData ?? null} />
}
