import { listOperatorLog } from '../../features/operators/log-queries.server.ts'
import { ACTION_LABELS } from '../../features/operators/wording.ts'
import { servicesContext } from '../../request-context.server.ts'
import { formatInstant } from '../../shared/dates.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { Route } from './+types/log'
import { OPERATIONS_ZONE } from './zone.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Log | Operations', matches[0]?.loaderData)

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  return { entries: await listOperatorLog(services.db) }
}

export default function OperatorLog({ loaderData: { entries } }: Route.ComponentProps) {
  return (
    <>
      <h1>Log</h1>
      <p className="mt-4 text-quiet">Everything that operators did, the newest first.</p>
      {entries.length === 0 ? (
        <EmptyState text="Nothing has been done yet." />
      ) : (
        <ol className="mt-6 border-t border-line">
          {entries.map((entry) => (
            <li key={entry.id} className="border-b border-line py-4">
              <p className="[overflow-wrap:anywhere]">
                <span className="font-semibold">{ACTION_LABELS[entry.action]}</span>: {entry.subjectLabel}
              </p>
              {entry.reason ? <p className="mt-1 max-w-prose text-sm">{entry.reason}</p> : null}
              <p className="figures mt-1 text-sm text-quiet [overflow-wrap:anywhere]">
                {entry.operatorEmail}, {formatInstant(new Date(entry.at), OPERATIONS_ZONE)}
              </p>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
