import { countContacts } from '../../features/enquiries/response-queries.server.ts'
import { openReport } from '../../features/operators/report-commands.server.ts'
import { listReports } from '../../features/operators/report-queries.server.ts'
import { ReportScreen } from '../../features/operators/screens/report-screen.tsx'
import { ReportsScreen } from '../../features/operators/screens/reports-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { enquiryDeps } from '../../services/deps.server.ts'
import { newId } from '../../shared/ids.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { readBefore } from '../conversation-data.server.ts'
import type { Route } from './+types/reports'
import { requireOperator } from './operator.server.ts'
import { performOperation } from './perform.server.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  privateMeta(`${params.id ? 'Report' : 'Reports'} | Operations`, matches[0]?.loaderData)

/** The list of reported conversations, or one of them, whose opening is logged. */
export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const operator = await requireOperator({ request, context })
  if (params.id === undefined) {
    const show = url.searchParams.get('show') === 'closed' ? 'closed' : 'open'
    const [reports, contacts] = await Promise.all([listReports(db, show), countContacts(db, now())])
    return { kind: 'list', show, reports, contacts } as const
  }
  const before = readBefore(url.searchParams)
  const opened = await openReport(enquiryDeps(context.get(servicesContext)), {
    operator,
    reportId: params.id,
    ...(before === null ? {} : { before }),
  })
  if (!opened) throw new Response('Not found', { status: 404 })
  return { kind: 'one', ...opened, letterKey: newId(), now: now().toISOString() } as const
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

export default function Reports({ loaderData }: Route.ComponentProps) {
  if (loaderData.kind === 'one') {
    const { kind: _, ...opened } = loaderData
    return <ReportScreen {...opened} />
  }
  const { show, reports, contacts } = loaderData
  return <ReportsScreen show={show} reports={reports} contacts={contacts} />
}
