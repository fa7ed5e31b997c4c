import { data, type RouterContextProvider } from 'react-router'
import { isLinkToken } from '../../features/bookings/schema.ts'
import { findInstalmentByLink } from '../../features/instalments/queries.server.ts'
import type { InstalmentAnswer } from '../../features/instalments/schema.ts'
import { servicesContext } from '../../request-context.server.ts'

type Args = { params: { linkToken: string }; context: Readonly<RouterContextProvider> }

/** Loads the next instalment of a booking by its unguessable link; 404 without the booking. No account is needed. */
export async function loadInstalment({ params: { linkToken }, context }: Args) {
  const due = isLinkToken(linkToken)
    ? await findInstalmentByLink(context.get(servicesContext), linkToken)
    : null
  return data({ due }, { status: due ? 200 : 404 })
}

const STATUS_OF = {
  unknown_booking: 404,
  nothing_due: 409,
  amount_changed: 409,
  unknown_setup: 409,
  unreadable: 422,
  time_gone: 409,
  balance_unpaid: 409,
  too_small: 409,
  provider_unavailable: 503,
} as const

/** The response to a press that was refused. */
export const refusal = (reason: keyof typeof STATUS_OF) =>
  data<InstalmentAnswer>({ ok: false, reason }, { status: STATUS_OF[reason] })
