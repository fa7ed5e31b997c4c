import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { zoneLabel } from '../../../shared/time-span.ts'
import { useDialogs } from '../../../ui/dialog.tsx'
import { HelpLink } from '../../../ui/help-link.tsx'
import { useLeaveWarning } from '../../../ui/use-leave-warning.ts'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import { BusinessTimeHead, NothingToBook } from '../components/vendor-time-head.tsx'
import { AVAILABILITY_TITLE } from '../messages.ts'
import { Calendars, Exceptions, Feed, Settings, type ShownAvailability } from './availability-sections.tsx'

type Props = { businesses: readonly { id: string; name: string }[] }

/**
 * The availability of a business: its hours, exceptions, outside calendars and calendar feed.
 * @param shown null while there is no business
 */
export function AvailabilityScreen({ businesses, shown }: Props & { shown: ShownAvailability | null }) {
  useLiveUpdates(shown ? ['calendars'] : [])
  if (!shown) {
    return (
      <NothingToBook
        title={AVAILABILITY_TITLE}
        text="List your business first, then set here when customers can book it."
      />
    )
  }
  return <BusinessAvailability key={shown.business.id} businesses={businesses} shown={shown} />
}

function BusinessAvailability({ businesses, shown }: Props & { shown: ShownAvailability }) {
  const { business, rules } = shown
  const navigate = useNavigate()
  const dialogs = useDialogs()
  const [dirty, setDirty] = useState(false)
  const letGo = useLeaveWarning(dirty, LEAVE_WORDS)
  useScrollToPart()

  const switchTo = async (id: string) => {
    // Switching the business stays on the same page, which the leave warning doesn't notice.
    if (dirty && !(await dialogs.confirm(LEAVE_WORDS))) return
    letGo()
    await navigate(`?${new URLSearchParams({ business: id })}`)
  }

  return (
    <>
      <BusinessTimeHead
        title={AVAILABILITY_TITLE}
        businesses={businesses}
        business={business}
        zone={`${zoneLabel(rules.timeZone)}, from your listing’s place`}
        onSwitch={(id) => void switchTo(id)}
      />
      <HelpLink article="opening-hours-and-calendars">How hours and calendars work</HelpLink>

      <div className="time-parts mt-8">
        <section className="time-part" aria-labelledby="hours-title">
          <Settings titleId="hours-title" shown={shown} dirty={dirty} onDirty={setDirty} />
        </section>
        <Part
          id="calendars"
          title="Your calendars"
          text="Customers can’t book when these calendars are busy. We read them every 15 minutes and store only the times and titles of their events."
        >
          <Calendars shown={shown} />
          <section id="feed" aria-labelledby="feed-title" className="mt-8 border-t border-line pt-6">
            <h3 id="feed-title" className="mb-1 text-lg">
              Your bookings in another calendar
            </h3>
            <p className="mb-5 max-w-prose text-quiet">
              A secret address that Google, Apple and Outlook can subscribe to.
            </p>
            <Feed shown={shown} />
          </section>
        </Part>
        <Part
          id="special-dates"
          title="Days off"
          text="A holiday, a fortnight away, or an extra Sunday: days with different hours."
        >
          <Exceptions shown={shown} />
        </Part>
      </div>
    </>
  )
}

const LEAVE_WORDS = {
  title: 'Leave without saving?',
  body: 'Your changes to hours and bookings aren’t saved yet.',
  confirmLabel: 'Leave',
  cancelLabel: 'Stay here',
}

function Part({
  id,
  title,
  text,
  children,
}: {
  id: string
  title: string
  text: string
  children: ReactNode
}) {
  return (
    <section id={id} className="time-part" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="mb-1 text-xl">
        {title}
      </h2>
      <p className="mb-5 max-w-prose text-quiet">{text}</p>
      {children}
    </section>
  )
}

/** Scrolls to the part of the page that the address names, also for a link within the page. */
function useScrollToPart() {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash.length > 1) document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [hash])
}
