import { formatInstant } from '../../../shared/dates.ts'
import { ACTION_LABELS } from '../act-rules.ts'
import type { LogEntry } from '../log-queries.server.ts'
import { OPERATIONS_ZONE } from '../messages.ts'

/** Entries of the operators' log. */
export function LogEntries({ entries }: { entries: readonly LogEntry[] }) {
  return (
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
  )
}
