import { data } from 'react-router'
import {
  acceptChange,
  type ChangeParty,
  declineChange,
  proposeChange,
} from '../../features/bookings/changes/commands.server.ts'
import type { ChangeAnswer } from '../../features/bookings/changes/components/change-note.tsx'
import {
  CHANGE_AGREED,
  CHANGE_AGREED_TO_PAY,
  CHANGE_DECLINED,
  CHANGE_REFUSALS,
  CHANGE_SENT,
  CHANGE_STALE,
} from '../../features/bookings/changes/messages.ts'
import { openChangePayment } from '../../features/bookings/changes/payment-commands.server.ts'
import {
  type ChangePage,
  fieldProblem,
  findChangePage,
  toProblem,
} from '../../features/bookings/changes/queries.server.ts'
import { findRowByLink, findRowOfVendor } from '../../features/bookings/row-queries.server.ts'
import { bookingIdSchema, changeSchema, isLinkToken } from '../../features/bookings/schema.ts'
import type { InstalmentAnswer } from '../../features/instalments/schema.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services/deps.server.ts'
import { readForm } from '../../shared/form.ts'
import { findSession, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/change'

type Args = Pick<Route.ActionArgs, 'params' | 'request' | 'context' | 'url'>

/** Loads the page of a change: by the booking's link for its customer, by its id for its signed-in vendor. */
export async function loadChange(args: Args): Promise<ChangePage | null> {
  const { params, context, url } = args
  const deps = bookingDeps(context.get(servicesContext))
  const typed = readTyped(url.searchParams)
  const { linkToken: key } = params
  if (isLinkToken(key)) return findChangePage(deps, { linkToken: key }, typed)
  if (!bookingIdSchema.safeParse(key).success) return null
  const { user } = await requireSession(args)
  return findChangePage(deps, { bookingId: key, userId: user.uid }, typed)
}

const MAX_TYPED = 20

/** Reads the proposed date, time and quantity from the form's address; null if it has none of them. */
function readTyped(parameters: URLSearchParams) {
  const text = (name: string) => (parameters.get(name) ?? '').slice(0, MAX_TYPED)
  if (!['date', 'time', 'quantity'].some((name) => parameters.has(name))) return null
  return { date: text('date'), time: text('time'), quantity: text('quantity') }
}

/** Proposes, answers, or opens the payment of a change. */
export async function changeAction(args: Args) {
  const { params, request, context } = args
  const deps = bookingDeps(context.get(servicesContext))
  const form = Object.fromEntries(await readForm(request, changeSchema))
  const found = await findParty(args)
  if (!found) return answer(404, CHANGE_REFUSALS.not_found)
  const { bookingId, party } = found
  const parsed = changeSchema.safeParse(form)
  if (!parsed.success) {
    const problem = fieldProblem(parsed.error)
    return answer(422, problem.text ?? '', problem)
  }
  switch (parsed.data.intent) {
    case 'open': {
      if (party.side !== 'customer') return answer(404, CHANGE_REFUSALS.not_found)
      const opened = await openChangePayment(deps, params.linkToken)
      if (opened.ok && opened.amountCents === parsed.data.shownCents)
        return data<InstalmentAnswer>({ intent: 'open', ...opened })
      // A payment has one amount, and without its secret no card can pay it.
      const reason = opened.ok ? 'amount_changed' : opened.reason
      const status = reason === 'unknown_booking' ? 404 : reason === 'provider_unavailable' ? 503 : 409
      return data<InstalmentAnswer>({ ok: false, reason }, { status })
    }
    case 'propose': {
      const { date, time, quantity, shown } = parsed.data
      const proposed = await proposeChange(deps, {
        bookingId,
        party,
        proposed: { date, time, quantity },
        shown,
      })
      if (proposed.ok) return answer(200, CHANGE_SENT)
      switch (proposed.reason) {
        case 'stale':
          return answer(409, CHANGE_STALE)
        case 'not_found':
          return answer(404, CHANGE_REFUSALS.not_found)
        case 'open':
        case 'over':
        case 'event_begun':
        case 'no_terms':
          return answer(409, CHANGE_REFUSALS[proposed.reason])
        default: {
          const problem = toProblem(proposed)
          return answer(409, problem.text ?? '', problem)
        }
      }
    }
    case 'agree': {
      const { changeId, shown } = parsed.data
      const agreed = await acceptChange(deps, { bookingId, changeId, party, shown })
      if (agreed.ok)
        return answer(
          200,
          agreed.isDue ? (party.side === 'vendor' ? CHANGE_AGREED_TO_PAY : '') : CHANGE_AGREED,
        )
      if (agreed.reason === 'stale') return answer(409, CHANGE_STALE)
      return answer(agreed.reason === 'not_found' ? 404 : 409, CHANGE_REFUSALS[agreed.reason])
    }
    case 'decline': {
      const declined = await declineChange(deps, { bookingId, changeId: parsed.data.changeId, party })
      if (declined.ok) return answer(200, CHANGE_DECLINED)
      return answer(declined.reason === 'not_found' ? 404 : 409, CHANGE_REFUSALS[declined.reason])
    }
  }
}

function answer(status: number, text: string, problem?: ChangeAnswer['problem']) {
  return data<ChangeAnswer>({ ok: status === 200, text, ...(problem ? { problem } : {}) }, { status })
}

/** Finds the side that posts: the holder of the booking's link, or its signed-in vendor. */
async function findParty({
  params,
  request,
  context,
}: Args): Promise<{ bookingId: string; party: ChangeParty } | null> {
  const { db } = context.get(servicesContext)
  const { linkToken: key } = params
  if (isLinkToken(key)) {
    const row = await findRowByLink(db, key)
    return row ? { bookingId: row.id, party: { side: 'customer', by: { linkToken: key } } } : null
  }
  const session = bookingIdSchema.safeParse(key).success ? await findSession({ request, context }) : null
  if (!session) return null
  const userId = session.user.uid
  const row = await findRowOfVendor(db, { bookingId: key, userId })
  return row ? { bookingId: row.id, party: { side: 'vendor', userId } } : null
}
