import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { isPlaceholderEmail } from '../../../shared/placeholder-email.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ActivityList } from '../../accounts/components/activity-list.tsx'
import type { Activity } from '../../accounts/security-queries.server.ts'
import { NO_ACCOUNT_ACTIVITY, OPERATIONS_ZONE } from '../messages.ts'

/** One account's security log, as its owner sees it. */
export function ActivityScreen({
  id,
  name,
  email,
  events,
  older,
  isFirst,
}: Activity & { id: string; name: string; email: string | null; isFirst: boolean }) {
  const path = href('/operations/accounts/:id/activity', { id })
  return (
    <div className="max-w-[860px]">
      <p>
        <Link className="link" to={href('/operations/accounts')}>
          All accounts
        </Link>
      </p>
      <h1 className="mt-3 text-3xl wrap-anywhere">
        {email === null ? 'Activity of a deleted account' : `Activity of ${name}`}
      </h1>
      {email === null || isPlaceholderEmail(email) ? null : <p className="mt-1 wrap-anywhere">{email}</p>}
      <p className="mt-4 text-sm text-quiet">
        {email === null ? 'Each event is kept for 180 days' : 'As its owner sees it'}, newest first. The log
        and this list record that you opened it.
      </p>
      <div className="mt-6">
        {events.length === 0 ? (
          <EmptyState text={NO_ACCOUNT_ACTIVITY} />
        ) : (
          <ActivityList
            events={events}
            formatTime={(at) => formatInstant(new Date(at), OPERATIONS_ZONE)}
            placeOf={(network) => `network ${network}`}
          />
        )}
        <nav aria-label="Pages" className="mt-5 flex flex-wrap gap-3 empty:hidden">
          {isFirst ? null : <ButtonLink to={path}>Newest</ButtonLink>}
          {older ? <ButtonLink to={`${path}?before=${older}`}>Older</ButtonLink> : null}
        </nav>
      </div>
    </div>
  )
}
