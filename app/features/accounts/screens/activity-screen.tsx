import { href, Link } from 'react-router'
import { formatInstant, HOME_ZONE } from '../../../shared/dates.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useMounted } from '../../../ui/use-mounted.ts'
import { ActivityList } from '../components/activity-list.tsx'
import {
  ACTIVITY_INTRO,
  ACTIVITY_INTRO_HOSTED,
  ACTIVITY_TITLE,
  eventText,
  isDoubtful,
  NO_ACTIVITY,
  NOT_ME_TITLE,
} from '../security-messages.ts'
import type { Activity } from '../security-queries.server.ts'
import type { ActivityEvent } from '../security-rules.ts'

const NOT_ME = 'not-me'

/** Recent activity: what happened to the signed-in person's account. */
export function ActivityScreen({
  events,
  older,
  isFirst,
  network,
  hasFactors,
}: Activity & {
  /** Whether this page begins with the newest event. */
  isFirst: boolean
  /** The network of this request, by which people recognise their own. */
  network: string | null
  /** Whether passwords, passkeys and two-step login are checked here, not by a hosted service. */
  hasFactors: boolean
}) {
  const isMounted = useMounted()
  const zone = isMounted ? Intl.DateTimeFormat().resolvedOptions().timeZone : HOME_ZONE
  const path = href('/settings-privacy/activity')
  return (
    <>
      <p>
        <Link className="link" to={href('/settings-privacy')}>
          Settings &amp; Privacy
        </Link>
      </p>
      <h1 className="mt-3 text-3xl md:text-4xl">{ACTIVITY_TITLE}</h1>
      <p className="mt-3 max-w-prose text-quiet">
        {hasFactors ? ACTIVITY_INTRO : ACTIVITY_INTRO_HOSTED}{' '}
        {zone === HOME_ZONE ? 'Times are Sydney’s.' : 'Times are your own.'}
      </p>
      <div className="mt-6 max-w-column">
        {events.length === 0 ? (
          <EmptyState text={NO_ACTIVITY} />
        ) : (
          <ActivityList
            events={events}
            formatTime={(at) => formatInstant(new Date(at), zone)}
            placeOf={(of) => (of === network ? 'the network you use now' : `another network, ${of}`)}
            actionOf={notMe}
          />
        )}
        <nav aria-label="Pages" className="mt-5 flex flex-wrap gap-3 empty:hidden">
          {isFirst ? null : <ButtonLink to={path}>Newest</ButtonLink>}
          {older ? <ButtonLink to={`${path}?before=${older}`}>Older</ButtonLink> : null}
        </nav>
        <NotMe hasFactors={hasFactors} />
      </div>
    </>
  )
}

const notMe = (event: ActivityEvent) =>
  isDoubtful(event.kind) ? (
    <a className="link text-sm" href={`#${NOT_ME}`} aria-label={`${NOT_ME_TITLE}: ${eventText(event)}`}>
      {NOT_ME_TITLE}
    </a>
  ) : null

/** The section 'If it wasn’t you': how to lock a stranger out. */
function NotMe({ hasFactors }: { hasFactors: boolean }) {
  const settings = href('/settings-privacy')
  return (
    <section id={NOT_ME} aria-labelledby={`${NOT_ME}-title`} className="mt-10 scroll-mt-24">
      <h2 id={`${NOT_ME}-title`} className="text-2xl">
        If it wasn’t you
      </h2>
      <p className="mt-3 max-w-prose">
        A refused login let nobody in: someone mistyped an email, or is guessing. If a stranger did get in, or
        changed something:
      </p>
      <ol className="mt-4 grid max-w-prose list-decimal gap-2 pl-5">
        <li>
          <a className="link" href={`${settings}#change-password`}>
            Change your password
          </a>
          . That logs out every other device.
        </li>
        {hasFactors ? (
          <li>
            Remove{' '}
            <a className="link" href={`${settings}#passkeys`}>
              passkeys
            </a>{' '}
            that you don’t know, and turn on{' '}
            <a className="link" href={`${settings}#two-step`}>
              two-step login
            </a>
            .
          </li>
        ) : null}
        <li>Was your email changed? The mail that we sent to your old address undoes it for seven days.</li>
        <li>
          Still unsure?{' '}
          <Link className="link" to={href('/advice-support')}>
            Contact us
          </Link>
          .
        </li>
      </ol>
    </section>
  )
}
