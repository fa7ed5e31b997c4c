import { formatInstant } from '../../../shared/dates.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ACTION_LABELS } from '../act-rules.ts'
import type { LogEntry } from '../log-queries.server.ts'
import { OPERATIONS_ZONE } from '../messages.ts'

/** The operators' actions, newest first. */
export function LogScreen({ entries }: { entries: readonly LogEntry[] }) {
  return (
    <>
      <h1>Log</h1>
      <p className="mt-4 text-quiet">All operator actions, newest first.</p>
      {entries.length === 0 ? (
        <EmptyState text="No actions yet." />
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
