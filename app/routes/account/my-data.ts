import { href } from 'react-router'
import { originOf } from '../../adapters/accounts/security-log.ts'
import { exportAdminClaims } from '../../features/operators/named-admin-queries.server.ts'
import { exportViews } from '../../features/operators/view-commands.server.ts'
import { exportAccount } from '../../features/privacy/queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/my-data'

/** Everything stored about the signed-in account, as a file. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, now, securityLog } = context.get(servicesContext)
  const session = await requireSession({ request, url, context }, href('/settings-privacy'))
  const { uid, email, emailVerified } = session.user
  await securityLog.noteAfter({ kind: 'data-exported', userId: uid, origin: originOf(request) })
  const kept = await exportAccount(db, {
    userId: uid,
    verifiedEmail: emailVerified ? email : null,
    now: now(),
  })
  const adminAddresses = await exportAdminClaims(db, uid)
  const whole = { ...kept, adminAddresses, ...(await exportViews(db, uid)) }
  return new Response(`${JSON.stringify(whole, null, 2)}\n`, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="my-data.json"',
      'cache-control': 'private, no-store',
    },
  })
}
