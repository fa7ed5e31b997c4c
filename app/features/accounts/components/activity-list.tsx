import type { ReactNode } from 'react'
import { Tag } from '../../../ui/tag.tsx'
import { eventText, timesText } from '../security-messages.ts'
import { type ActivityEvent, isRefusal } from '../security-rules.ts'

/**
 * The security events of an account, newest first.
 * @param props.formatTime writes a time as the reader wants it
 * @param props.placeOf writes a network for the reader
 * @param props.actionOf what the reader can do about an event
 */
export function ActivityList({
  events,
  formatTime,
  placeOf,
  actionOf,
}: {
  events: readonly ActivityEvent[]
  formatTime: (at: string) => string
  placeOf: (network: string) => string
  actionOf?: (event: ActivityEvent) => ReactNode
}) {
  return (
    <ol className="border-line border-t">
      {events.map((event) => (
        <li key={event.id} className="flex flex-wrap items-start gap-x-6 gap-y-2 border-line border-b py-4">
          <div className="min-w-0 flex-1 basis-60">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
              {eventText(event)}
              {event.times > 1 ? (
                <Tag tone={isRefusal(event.kind) ? 'error' : 'neutral'}>{timesText(event.times)}</Tag>
              ) : null}
            </p>
            <p className="figures mt-1 text-quiet text-sm">
              <time dateTime={event.at}>{formatTime(event.at)}</time>
            </p>
            {event.device ? (
              <p className="text-quiet text-sm">
                {event.device}
                {event.network ? `, ${placeOf(event.network)}` : ''}
              </p>
            ) : null}
          </div>
          {actionOf?.(event)}
        </li>
      ))}
    </ol>
  )
}
