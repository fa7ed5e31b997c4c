import { href, useRouteLoaderData } from 'react-router'
import { useAuth } from '../features/accounts/components/auth-context.tsx'
import { Badge } from '../ui/badge.tsx'
import { TabLinks } from '../ui/tabs.tsx'

/**
 * The vendor's screens for bookings, messages, availability and, while vendors are paid, their payouts. The tabs are on the screens themselves, because the
 * specification fixes the items of the dashboard's menu.
 * @param props.businessId the selected business; without it, each screen shows its default
 */
export function BookingsTabs({ businessId }: { businessId?: string | undefined }) {
  const hasPayouts = useRouteLoaderData<{ hasPayouts: boolean }>('root')?.hasPayouts
  const unread = useAuth().unreadMessages?.vendor ?? 0
  const query = businessId ? `?${new URLSearchParams({ business: businessId })}` : ''
  return (
    <TabLinks
      label="Bookings and times"
      tabs={[
        { to: `${href('/dashboard/bookings')}${query}`, label: 'Bookings' },
        {
          to: href('/dashboard/inbox/:id?'),
          label:
            unread > 0 ? (
              <span className="inline-flex items-center gap-2">
                Inbox
                <Badge count={unread} />
                <span className="unseen">{unread} unread</span>
              </span>
            ) : (
              'Inbox'
            ),
        },
        { to: `${href('/dashboard/calendar')}${query}`, label: 'Calendar' },
        { to: `${href('/dashboard/availability')}${query}`, label: 'Availability' },
        ...(hasPayouts ? [{ to: href('/dashboard/payouts'), label: 'Payouts', end: true }] : []),
      ]}
    />
  )
}
