import { href } from 'react-router'
import { exportList } from '../../features/operators/export-commands.server.ts'
import { mayOpen, permissionOfScreen } from '../../features/operators/role-rules.ts'
import { EXPORTED_LISTS, readWords } from '../../features/operators/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { csvResponse } from '../csv-response.server.ts'
import type { Route } from './+types/export'
import { refuseRole, requireOperator } from './operator.server.ts'

const SCREENS = {
  payments: href('/operations/payments'),
  bookings: href('/operations/bookings'),
  disputes: href('/operations/disputes/:id?', {}),
  ledger: href('/operations/ledger'),
  accounts: href('/operations/accounts'),
  listings: href('/operations/listings'),
}

/** Sends one of the operators' lists as CSV, with the filter of its screen. */
export async function loader({ params, request, context, url }: Route.LoaderArgs) {
  const operator = await requireOperator({ request, context })
  const { config, db, now } = context.get(servicesContext)
  const list = EXPORTED_LISTS.find((name) => name === params.list)
  if (!list) throw new Response('There is no such list.', { status: 404 })
  // A role that may download lists also needs the list's own permission.
  if (!mayOpen(operator.role, SCREENS[list]))
    throw refuseRole(operator.role, permissionOfScreen(SCREENS[list]) ?? 'export-lists')
  const rows = await exportList(
    { db, now, adminEmails: config.operatorEmails },
    {
      operator,
      list,
      show: url.searchParams.get('show') ?? 'all',
      words: readWords(url.searchParams.get('q')),
      only: url.searchParams.has(list === 'listings' ? 'hidden' : 'disabled'),
    },
  )
  return csvResponse(list, rows)
}
