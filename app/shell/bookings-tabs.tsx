import { href, useRouteLoaderData } from 'react-router'
import { TabLinks } from '../ui/tabs.tsx'

/**
 * The vendor's screens for bookings, availability and, while vendors are paid, their payouts. The tabs are on the screens themselves, because the
 * specification fixes the items of the dashboard's menu.
 * @param props.businessId the selected business; without it, each screen shows its default
 */
export function BookingsTabs({ businessId }: { businessId?: string | undefined }) {
  const hasPayouts = useRouteLoaderData<{ hasPayouts: boolean }>('root')?.hasPayouts
  const query = businessId ? `?${new URLSearchParams({ business: businessId })}` : ''
  return (
    <TabLinks
      label="Bookings and times"
      tabs={[
        { to: `${href('/dashboard/bookings')}${query}`, label: 'Bookings' },
        { to: `${href('/dashboard/calendar')}${query}`, label: 'Calendar' },
        { to: `${href('/dashboard/availability')}${query}`, label: 'Availability' },
        ...(hasPayouts ? [{ to: href('/dashboard/payouts'), label: 'Payouts', end: true }] : []),
      ]}
    />
  )
}
