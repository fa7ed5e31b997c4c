import { data, href } from 'react-router'
import { findAvailability } from '../../features/availability/hours-queries.server.ts'
import { cancellationsNotice } from '../../features/bookings/cancellation/messages.ts'
import { countVendorCancellations } from '../../features/bookings/cancellation/queries.server.ts'
import { findAlbum } from '../../features/businesses/album-queries.server.ts'
import { factLines } from '../../features/businesses/fact-messages.ts'
import { BUSINESS_NOT_FOUND_TEXT, businessTitle, CATEGORY_TEXTS } from '../../features/businesses/messages.ts'
import { findBusiness } from '../../features/businesses/queries.server.ts'
import {
  offeredBookingTypes,
  pickNearby,
  seoDescription,
  wholeSentences,
} from '../../features/businesses/rules.ts'
import { findVendor } from '../../features/businesses/vendor-queries.server.ts'
import { useCart } from '../../features/cart/browser/use-cart.ts'
import { responseText } from '../../features/enquiries/messages.ts'
import { findResponseTimes } from '../../features/enquiries/response-queries.server.ts'
import { listBusinessesOfVendor, listSimilarNearby } from '../../features/reviews/card-queries.server.ts'
import { findApprovedReviews } from '../../features/reviews/queries.server.ts'
import {
  BusinessAround,
  BusinessDetails,
  BusinessGallery,
  BusinessScreen,
  businessCrumbs,
  FreeDays,
} from '../../features/reviews/screens/business-screen.tsx'
import { policyText, termsTexts } from '../../features/terms/policy-messages.ts'
import { cachePage, servicesContext, structuredDataContext } from '../../request-context.server.ts'
import { payoutTimesOf } from '../../services/deps.server.ts'
import { answerTimeText } from '../../shared/durations.ts'
import { pageMeta, pageTitle, siteOf } from '../../shared/page-meta.ts'
import { breadcrumbList } from '../../shared/structured-data.ts'
import type { RouteHandle } from '../../shell/load-route-module.ts'
import { deferred } from '../../ui/deferred.tsx'
import { cardOf } from '../card-address.ts'
import { cardTopics, listTopics, reachKm, vendorTopic } from '../page-topics.ts'
import { siteImage } from '../site/site-image.server.ts'
import type { Route } from './+types/business'
import { businessData } from './business-data.ts'

const NotThere = deferred(
  'not-there',
  async () => (await import('../../features/businesses/screens/not-there-screen.tsx')).NotThere,
)

export const handle: RouteHandle = {
  deferred: [NotThere, BusinessGallery, FreeDays, BusinessDetails, BusinessAround],
}

const MAX_OTHER_LISTINGS = 2
const MAX_SIMILAR = 3
/** Messengers show some three lines of a link's description. */
const SHARE_LENGTH = 200

export async function loader({ params, context }: Route.LoaderArgs) {
  const { config, db, now } = context.get(servicesContext)
  const business = await findBusiness(db, params.id)
  if (business === null || business === 'gone') {
    const absent = { found: false as const, picture: siteImage('not-found', 'business', '4x3') }
    // A deleted business leaves a tombstone, so that search engines drop it (Decision 19).
    return data(absent, { status: business === 'gone' ? 410 : 404 })
  }
  const [reviews, vendor, ofVendor, similar, cancellations, response, hours, album] = await Promise.all([
    findApprovedReviews(db, business.id),
    findVendor(db, business.userId),
    listBusinessesOfVendor(db, business.userId),
    listSimilarNearby(db, business, MAX_SIMILAR),
    countVendorCancellations(db, { userId: business.userId, now: now() }),
    // Has no topic: a cached page lives for minutes, and 90 days of answers change slowly.
    findResponseTimes(db, { businessId: business.id, now: now() }),
    findAvailability(db, business.id),
    findAlbum(db, business.id),
  ])
  const farthestKm = reachKm(similar, MAX_SIMILAR)
  cachePage(context, [
    vendorTopic(business.userId),
    ...cardTopics([business], similar),
    ...listTopics(
      'listings',
      [business.category],
      farthestKm === null ? null : { around: business.place, km: farthestKm },
    ),
  ])
  const others = ofVendor.filter((other) => other.id !== business.id).slice(0, MAX_OTHER_LISTINGS)
  const site = siteOf(config)
  context.set(structuredDataContext, [
    businessData(site, business, reviews),
    breadcrumbList(site, businessCrumbs(business)),
  ])
  return {
    found: true as const,
    business,
    shareDescription: wholeSentences(business.description, SHARE_LENGTH),
    terms: termsTexts(business.terms),
    payoutTimes: payoutTimesOf(context.get(servicesContext)),
    // One text, so that the sentence about the vendor adds no script to a public page.
    cancelling: [policyText(business.terms.policy, 'You get'), cancellationsNotice(cancellations)]
      .filter(Boolean)
      .join(' '),
    responseLine: responseText(response),
    answerTime: answerTimeText(config.undecided.declineAfterMs),
    facts: factLines(
      business,
      offeredBookingTypes(business).includes('perPerson') ? (hours?.eventMinutes ?? null) : null,
    ),
    album,
    kind: CATEGORY_TEXTS[business.category].heading,
    reviews,
    vendor,
    others,
    similar: pickNearby(similar),
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  if (!loaderData?.found) {
    return pageMeta(site, {
      title: pageTitle(BUSINESS_NOT_FOUND_TEXT, site),
      description: 'This listing is not here.',
      path: href('/venues-vendors'),
      noIndex: true,
    })
  }
  const { business } = loaderData
  return pageMeta(site, {
    title: site ? businessTitle(business.name, site.brand) : business.name,
    description: seoDescription(business.description),
    path: href('/business/:id', { id: business.id }),
    shareTitle: business.seoTitle,
    shareDescription: loaderData.shareDescription,
    card: cardOf(href('/business/:id', { id: business.id }), business.name),
  })
}

export default function BusinessRoute({ loaderData }: Route.ComponentProps) {
  const cart = useCart()
  if (loaderData.found) return <BusinessScreen {...loaderData} onAddToCart={cart.add} />
  return (
    <NotThere title={BUSINESS_NOT_FOUND_TEXT} picture={loaderData.picture}>
      Its owner may have taken it down, or the address may be mistyped. You can find plenty of others.
    </NotThere>
  )
}
