import type { CSSProperties, ReactNode } from 'react'
import { href, Link } from 'react-router'
import { formatDay, formatTime } from '../../../../shared/dates.ts'
import { formatMoney } from '../../../../shared/money.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { Picture, type PictureImage } from '../../../../ui/picture.tsx'
import { Stars } from '../../../../ui/stars.tsx'
import { Tag } from '../../../../ui/tag.tsx'
import type { Completeness } from '../../../businesses/completeness-rules.ts'
import { viewsText } from '../../../businesses/components/listing-card.tsx'
import { ListingProgress } from '../../../businesses/components/listing-progress.tsx'
import { FirstSteps, type SharedPage } from '../../../businesses/components/listing-steps.tsx'
import type { FirstStepFacts } from '../../../businesses/first-step-rules.ts'
import type { Category } from '../../../businesses/rules.ts'
import { useLiveUpdates } from '../../../notifications/browser/use-live-updates.ts'
import { quantityText } from '../../components/booking-facts.tsx'
import { OccupancyStrips, RevenueChart, ViewsCharts } from '../../insights/components/insight-charts.tsx'
import { ratingFinding } from '../../insights/messages.ts'
import type { VendorInsights } from '../../insights/queries.server.ts'
import {
  MESSAGES_TITLE,
  MY_DASHBOARD,
  partPaymentText,
  UNPAID_BALANCES,
  waitingText,
} from '../../messages.ts'
import { OverviewHeading } from '../components/overview-heading.tsx'
import type { OverviewBooking, VendorOverview } from '../overview-queries.server.ts'

type Listing = {
  id: string
  name: string
  picture: PictureImage | null
  category: Category
  recentViews: number
  hidden: boolean
  completeness: Completeness
}

/** The published reviews of all listings. */
type Ratings = {
  average: number
  count: number
  byStars: readonly { stars: number; count: number }[]
  newest: { authorName: string; rating: number; body: string; businessId: string; businessName: string }
}

type Props = {
  overview: VendorOverview
  insights: VendorInsights
  /** Null without a published review. */
  ratings: Ratings | null
  listings: readonly Listing[]
  firstSteps: { facts: FirstStepFacts; page: SharedPage | null }
  /** Conversations that wait for the vendor's answer. */
  waitingCount: number
  /** The vendor's desk. */
  desk: ReactNode
}

/** My Dashboard: what waits for the vendor, the year in charts, and the next events. */
export function VendorOverviewScreen(props: Props) {
  const { overview, listings } = props
  // A vendor without listings gets no bookings.
  useLiveUpdates(listings.length > 0 ? ['bookings', 'inbox', 'desk'] : [])
  return (
    <div className="grid grid-cols-1 gap-6 md:gap-10">
      <h1 className="text-3xl md:text-4xl">{MY_DASHBOARD}</h1>
      {props.desk}
      <FirstSteps {...props.firstSteps} />

      <div className="grid grid-cols-1 gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,260px)]">
        <div className="grid grid-cols-1 content-start gap-10">
          <NextEvents overview={overview} hasListings={listings.length > 0} />
          <Unpaid overview={overview} />
          {listings.length > 0 ? <Charts insights={props.insights} /> : null}
        </div>
        <div className="grid grid-cols-1 content-start gap-10">
          <Block title={`Paid in ${overview.month}`} link={null}>
            <p className="price text-3xl">{formatMoney(overview.paidThisMonthCents)}</p>
            <p className="mt-1 text-sm text-quiet">Bookings made this month, excluding refunds.</p>
          </Block>
          {listings.length > 0 ? <RatingsBlock ratings={props.ratings} /> : null}
          {listings.length > 0 ? <Messages waitingCount={props.waitingCount} /> : null}
          <PageViews listings={listings} />
        </div>
      </div>
    </div>
  )
}

function Charts({ insights }: { insights: VendorInsights }) {
  return (
    <>
      <RevenueChart insights={insights} />
      <ViewsCharts insights={insights} />
      <OccupancyStrips insights={insights} />
    </>
  )
}

/** All unpaid balances, those with more time and those that end their booking too. Renders nothing without any. */
function Unpaid({ overview: { unpaid } }: { overview: VendorOverview }) {
  if (unpaid.length === 0) return null
  return (
    <Block title={UNPAID_BALANCES} link={{ to: href('/dashboard/bookings'), label: 'Bookings' }}>
      <Bookings bookings={unpaid} />
    </Block>
  )
}

function NextEvents({ overview, hasListings }: { overview: VendorOverview; hasListings: boolean }) {
  const { nextEvents } = overview
  return (
    <Block
      title="Next events"
      link={hasListings ? { to: href('/dashboard/calendar'), label: 'Calendar' } : null}
    >
      {nextEvents.length > 0 ? (
        <Bookings bookings={nextEvents} />
      ) : (
        <p className="text-quiet">No approved bookings ahead.</p>
      )}
      {hasListings ? (
        <p className="mt-4 text-sm text-quiet">
          Closed for a while, or booked elsewhere?{' '}
          <Link className="link" to={href('/dashboard/availability')}>
            Set your availability
          </Link>
        </p>
      ) : null}
    </Block>
  )
}

/** The stars that customers gave, and the newest review. */
function RatingsBlock({ ratings }: { ratings: Ratings | null }) {
  if (!ratings)
    return (
      <Block title="Ratings" link={null}>
        <p className="text-quiet">
          Customers can write a review the day after their event. We publish it here and on your page.
        </p>
      </Block>
    )
  const { average, count, byStars, newest } = ratings
  const most = Math.max(...byStars.map((one) => one.count))
  return (
    <Block title={ratingFinding({ average, count })} link={null}>
      <Stars rating={average} />
      <table className="rating-bars mt-3">
        <caption className="unseen">Reviews by stars</caption>
        <thead className="unseen">
          <tr>
            <th scope="col">Stars</th>
            <th scope="col">Share</th>
            <th scope="col">Reviews</th>
          </tr>
        </thead>
        <tbody>
          {byStars.map((one) => (
            <tr key={one.stars}>
              <th scope="row">{one.stars === 1 ? '1 star' : `${one.stars} stars`}</th>
              <td>
                <i style={{ '--share': (one.count / most) * 100 } as CSSProperties} aria-hidden="true" />
              </td>
              <td>{one.count}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <figure className="mt-5">
        <blockquote className="line-clamp-4">‘{newest.body}’</blockquote>
        <figcaption className="mt-2 text-sm text-quiet">
          {newest.authorName} about{' '}
          <Link className="link" to={href('/business/:id', { id: newest.businessId })}>
            {newest.businessName}
          </Link>
        </figcaption>
      </figure>
    </Block>
  )
}

/** The step to the inbox. The customers who have waited longest come first there. */
function Messages({ waitingCount }: { waitingCount: number }) {
  return (
    <Block title={MESSAGES_TITLE} link={{ to: href('/dashboard/inbox/:id?'), label: 'Inbox' }}>
      <p className={classNames('figures', waitingCount === 0 && 'text-quiet')}>{waitingText(waitingCount)}</p>
    </Block>
  )
}

function PageViews({ listings }: { listings: readonly Listing[] }) {
  return (
    <Block
      title="Page views"
      link={listings.length > 0 ? { to: href('/dashboard/list-business'), label: 'My Listings' } : null}
    >
      {listings.length > 0 ? (
        <ul className="grid grid-cols-1 gap-4">
          {listings.map((listing) => (
            <li key={listing.id} className="flex items-center gap-3.5">
              <Picture
                image={listing.picture}
                alt=""
                sizes="64px"
                ratio="1 / 1"
                className="w-14 flex-none rounded-control"
              />
              <div className="min-w-0">
                <p className="font-semibold break-words">{listing.name}</p>
                <p className="figures text-sm text-quiet">{viewsText(listing.recentViews)}</p>
                {listing.hidden ? <Tag tone="error">Hidden</Tag> : null}
                <ListingProgress listing={listing} completeness={listing.completeness} />
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-quiet">We start counting with your first listing.</p>
      )}
    </Block>
  )
}

function Block({
  title,
  link,
  children,
}: {
  title: string
  link: { to: string; label: string } | null
  children: ReactNode
}) {
  return (
    <section className="min-w-0 border-t border-line pt-5">
      <OverviewHeading title={title} link={link} small />
      {children}
    </section>
  )
}

function Bookings({ bookings }: { bookings: readonly OverviewBooking[] }) {
  return (
    <ul className="grid grid-cols-1 gap-4">
      {bookings.map((booking) => (
        <li key={booking.id} className="grid gap-x-6 gap-y-0.5 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div className="min-w-0">
            <p className="font-semibold [overflow-wrap:anywhere]">{booking.customerName}</p>
            <p className="figures text-sm text-quiet">
              {formatDay(booking.date)} at {formatTime(booking.time)}
            </p>
          </div>
          <div className="min-w-0 sm:text-right">
            <p className="price">{formatMoney(booking.totalCents)}</p>
            <p className="text-sm text-quiet [overflow-wrap:anywhere]">
              {quantityText(booking.quantity, booking.bookingType)} · {booking.vendorName}
            </p>
            {booking.due ? (
              <p
                className={classNames(
                  'figures text-sm',
                  booking.due.standing === 'scheduled' && 'text-quiet',
                )}
              >
                {partPaymentText(booking.due, booking.timeZone)}
              </p>
            ) : null}
          </div>
        </li>
      ))}
    </ul>
  )
}
