import { Link } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { BusinessCard } from '../components/business-card.tsx'
import { BusinessFeature } from '../components/business-feature.tsx'
import { BusinessRow } from '../components/business-row.tsx'
import { PlaceLinks } from '../components/place-links.tsx'
import { categoryCountText, middlePriceText, priceRangeText } from '../landing-messages.ts'
import type { LandingView } from '../landing-queries.server.ts'
import { UNIT_TEXTS } from '../messages.ts'
import { CATEGORY_PATHS, landingPath } from '../rules.ts'

/** The businesses, prices and services of one category in one place, and links to nearby places. */
export function LandingSections({
  landing,
  kind,
  heading,
  intro,
  allHref,
}: {
  landing: LandingView
  /** The category's name as a heading. */
  kind: string
  heading: string
  intro: string
  /** The search for all businesses of the category in this place. */
  allHref: string
}) {
  const { category, place, listed, businesses, around, neighbours, otherCategories } = landing
  const [lead, ...others] = listed > 0 ? businesses : around
  return (
    <>
      <div className="mt-6 grid gap-x-16 gap-y-10 md:mt-9 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)] lg:items-end">
        <header>
          <h1 className="display">
            {heading}
            <span className="text-quiet">, {place.state}</span>
          </h1>
          <p className="lede mt-5">{intro}</p>
        </header>
        {/* On a phone the picture comes before the figures. */}
        {lead ? (
          <div className="lg:order-last lg:col-span-2 lg:mt-4">
            <h2 className="unseen">The {kind.toLowerCase()}</h2>
            <BusinessFeature business={lead} distanceKm={distanceOf(lead)} />
          </div>
        ) : null}
        <Facts landing={landing} />
      </div>
      <Others businesses={others} />
      {listed > businesses.length ? (
        <p className="mt-12">
          <ButtonLink to={allHref} variant="quiet">
            All {categoryCountText(category, listed)} in {place.name}
          </ButtonLink>
        </p>
      ) : null}
      {listed > 0 && around.length > 0 ? (
        <section aria-labelledby="around" className="mt-20 border-t border-line pt-12">
          <h2 id="around">Not far from {place.name}</h2>
          <Rows businesses={around} />
        </section>
      ) : null}
      {neighbours.length > 0 ? (
        <nav aria-labelledby="neighbours" className="mt-20 border-t border-line pt-10">
          <h2 id="neighbours" className="mb-6">
            {kind} in places nearby
          </h2>
          <PlaceLinks category={category} places={neighbours} />
        </nav>
      ) : null}
      {otherCategories.length > 0 ? (
        <nav aria-labelledby="others" className="mt-16">
          <h2 id="others" className="text-xl">
            More in {place.name}
          </h2>
          <ul className="mt-3 flex flex-wrap gap-x-7 gap-y-1">
            {otherCategories.map((other) => (
              <li key={other.category}>
                <Link to={landingPath(other.category, place.id)} className="link inline-block py-2.5">
                  {categoryCountText(other.category, other.listed)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      <p className="mt-10">
        <Link to={CATEGORY_PATHS[category]} className="link inline-block py-2.5">
          All {kind.toLowerCase()} in Australia
        </Link>
      </p>
    </>
  )
}

type Shown = LandingView['businesses'][number] | LandingView['around'][number]

/** The distance of a business in the surroundings, or undefined for one in the place itself. */
function distanceOf(business: Shown): number | undefined {
  return 'distanceKm' in business ? business.distanceKm : undefined
}

/** Fewer businesses than a full row of cards are shown as rows, so that no card is alone. */
const MIN_CARDS = 3

function Others({ businesses }: { businesses: readonly Shown[] }) {
  if (businesses.length < MIN_CARDS) return <Rows businesses={businesses} />
  return (
    <ul className="mt-12 grid gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-3">
      {businesses.map((business) => (
        <li key={business.id}>
          <BusinessCard business={business} distanceKm={distanceOf(business)} />
        </li>
      ))}
    </ul>
  )
}

function Rows({ businesses }: { businesses: readonly Shown[] }) {
  if (businesses.length === 0) return null
  return (
    <ul className="mt-10 grid gap-x-12 gap-y-8 lg:grid-cols-2">
      {businesses.map((business) => (
        <li key={business.id}>
          <BusinessRow business={business} distanceKm={distanceOf(business)} />
        </li>
      ))}
    </ul>
  )
}

/** The prices and services of the place's businesses. With a single one, its own card shows them. */
function Facts({ landing: { listed, prices, services } }: { landing: LandingView }) {
  if (listed < 2 || (prices.length === 0 && services.length === 0)) return null
  return (
    <dl className="border-b border-line [&>div]:border-t [&>div]:border-line [&>div]:py-3">
      {prices.map((range) => {
        const middle = middlePriceText(range)
        return (
          <div key={range.priceUnit}>
            <dt className="text-sm text-quiet">Prices {UNIT_TEXTS[range.priceUnit]}, including any GST</dt>
            <dd className="mt-0.5 flex flex-wrap items-baseline gap-x-3">
              <span className="price text-xl">{priceRangeText(range)}</span>
              {middle ? <span className="figures text-sm text-quiet">{middle}</span> : null}
            </dd>
          </div>
        )
      })}
      {services.length > 0 ? (
        <div>
          <dt className="text-sm text-quiet">Most offered</dt>
          <dd className="mt-0.5">{services.join(' · ')}</dd>
        </div>
      ) : null}
    </dl>
  )
}
