import { formatInstant } from '../../../shared/dates.ts'
import { OPERATIONS_ZONE } from '../messages.ts'

const DOTS = { plain: 'bg-line-strong', good: 'bg-success', bad: 'bg-error' } as const

/** A history, oldest event first. Times are ISO 8601, UTC. */
export function Timeline({
  entries,
}: {
  entries: readonly { at: string; what: string; detail: string; tone?: keyof typeof DOTS }[]
}) {
  return (
    <ol className="mt-4 grid gap-4 border-l border-line pl-6">
      {entries.map(({ at, what, detail, tone = 'plain' }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a history only grows at its end
        <li key={index} className="relative">
          <span
            aria-hidden="true"
            className={`absolute top-1.5 -left-[29px] size-2.5 rounded-full ${DOTS[tone]}`}
          />
          <p className="font-semibold [overflow-wrap:anywhere]">{what}</p>
          {detail ? <p className="text-sm [overflow-wrap:anywhere]">{detail}</p> : null}
          <p className="figures text-sm text-quiet">{formatInstant(new Date(at), OPERATIONS_ZONE)}</p>
        </li>
      ))}
    </ol>
  )
}
