import { href } from 'react-router'
import { TabLinks } from '../ui/tabs.tsx'

/**
 * The three screens on which a vendor looks after their time. They stand above those screens: the dashboard's menu keeps
 * the specification's children.
 * @param businessId the one that is shown; left out, each screen shows what it shows first
 */
export function BookingsTabs({ businessId }: { businessId?: string | undefined }) {
  const query = businessId ? `?${new URLSearchParams({ business: businessId })}` : ''
  return (
    <TabLinks
      label="Bookings and times"
      tabs={[
        { to: `${href('/dashboard/bookings')}${query}`, label: 'Bookings' },
        { to: `${href('/dashboard/calendar')}${query}`, label: 'Calendar' },
        { to: `${href('/dashboard/availability')}${query}`, label: 'Availability' },
      ]}
    />
  )
}
