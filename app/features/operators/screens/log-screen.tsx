import { EmptyState } from '../../../ui/empty-state.tsx'
import { LogEntries } from '../components/log-entries.tsx'
import type { LogEntry } from '../log-queries.server.ts'

/** The operators' actions, newest first. */
export function LogScreen({ entries }: { entries: readonly LogEntry[] }) {
  return (
    <>
      <h1>Log</h1>
      <p className="mt-4 text-quiet">All operator actions, newest first.</p>
      {entries.length === 0 ? <EmptyState text="No actions yet." /> : <LogEntries entries={entries} />}
    </>
  )
}
