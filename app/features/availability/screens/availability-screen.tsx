import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useDialogs } from '../../../ui/dialog.tsx'
import { useLeaveWarning } from '../../../ui/use-leave-warning.ts'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import { BusinessTimeHead, NothingToBook } from '../components/vendor-time-head.tsx'
import { AVAILABILITY_TITLE } from '../messages.ts'
import { zoneLabel } from '../rules.ts'
import { Calendars, Exceptions, Feed, Settings, type ShownAvailability } from './availability-sections.tsx'

type Props = { businesses: readonly { id: string; name: string }[]; tabs: ReactNode }

/**
 * When a business can be booked: its hours, other days, calendars elsewhere and its own calendar for elsewhere.
 * @param shown null while there is no business
 * @param tabs links to the other screens of the vendor's time
 */
export function AvailabilityScreen({ businesses, shown, tabs }: Props & { shown: ShownAvailability | null }) {
  useLiveUpdates(shown ? ['calendars'] : [])
  if (!shown) {
    return (
      <NothingToBook
        title={AVAILABILITY_TITLE}
        text="List your business first, then say here when it can be booked."
      />
    )
  }
  return <BusinessAvailability key={shown.business.id} businesses={businesses} shown={shown} tabs={tabs} />
}

function BusinessAvailability({ businesses, shown, tabs }: Props & { shown: ShownAvailability }) {
  const { business, rules } = shown
  const navigate = useNavigate()
  const dialogs = useDialogs()
  const [dirty, setDirty] = useState(false)
  const letGo = useLeaveWarning(dirty, LEAVE_WORDS)
  useScrollToPart()

  const switchTo = async (id: string) => {
    // The same page with another business: the warning at leaving does not see that.
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
        zone={`${zoneLabel(rules.timeZone)}, from the place of your listing`}
        onSwitch={(id) => void switchTo(id)}
        tabs={tabs}
      />

      <div className="time-parts mt-10">
        <Settings shown={shown} dirty={dirty} onDirty={setDirty} />
        <Part
          id="other-days"
          title="Other days"
          text="A holiday, a fortnight off, an extra Sunday: days with other hours than the week’s."
        >
          <Exceptions shown={shown} />
        </Part>
        <Part
          id="calendars"
          title="Your other calendars"
          text="What is in them can’t be booked here. We read them every 15 minutes and keep only when you are busy and what it is called."
        >
          <Calendars shown={shown} />
        </Part>
        <Part
          id="feed"
          title="Your bookings in another calendar"
          text="A secret address that Google, Apple and Outlook can subscribe to."
        >
          <Feed shown={shown} />
        </Part>
      </div>
    </>
  )
}

const LEAVE_WORDS = {
  title: 'Leave without saving?',
  body: 'Your changes to hours and bookings are not saved yet.',
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
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="mb-1 text-xl">
        {title}
      </h2>
      <p className="mb-5 max-w-prose text-quiet">{text}</p>
      {children}
    </section>
  )
}

/** A link to a part of this page leads there after the page is there, too. */
function useScrollToPart() {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash.length > 1) document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [hash])
}
