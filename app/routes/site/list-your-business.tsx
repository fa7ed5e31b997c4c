import { href } from 'react-router'
import { isBookable, pickFeatured } from '../../features/businesses/rules.ts'
import { vendorOffer } from '../../features/payouts/offer-messages.ts'
import { listBestRatedCards } from '../../features/reviews/card-queries.server.ts'
import { ListYourBusinessScreen } from '../../features/search/screens/list-your-business-screen.tsx'
import { cachePage, servicesContext, structuredDataContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle, siteOf } from '../../shared/page-meta.ts'
import { itemList } from '../../shared/structured-data.ts'
import { cardTopics, listTopics, RATINGS_TOPIC } from '../page-topics.ts'
import type { Route } from './+types/list-your-business'
import { siteImage } from './site-image.server.ts'

const TITLE = 'List your business'
/** Enough of the best rated to include three categories. */
const RANKED_COUNT = 40
const SHOWN_COUNT = 3

export async function loader({ context }: Route.LoaderArgs) {
  const { config, db } = context.get(servicesContext)
  const ranked = await listBestRatedCards(db, RANKED_COUNT)
  cachePage(context, [...cardTopics(ranked), ...listTopics('listings'), RATINGS_TOPIC])
  const businesses = pickFeatured(ranked.filter(isBookable), SHOWN_COUNT)
  if (businesses.length > 0)
    context.set(structuredDataContext, [
      itemList(
        siteOf(config),
        TITLE,
        businesses.map(({ id, name }) => ({ name, path: href('/business/:id', { id }) })),
      ),
    ])
  const { payouts, commissionBasisPoints, platform, payoutDelayMs, holdLimitMs, undecided, brand } = config
  return {
    brand,
    offer: vendorOffer({
      payouts:
        payouts.provider === 'off'
          ? null
          : {
              commission: {
                basisPoints: commissionBasisPoints,
                isGstRegistered: platform.isGstRegistered,
              },
              times: { delayMs: payoutDelayMs, holdLimitMs },
            },
      undecided,
    }),
    businesses,
    picture: siteImage('hero-4', 'list-your-business', '4x3'),
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  return pageMeta(site, {
    title: pageTitle(TITLE, site),
    description:
      'For venues, caterers, musicians and everyone who makes a celebration: how a listing works, what it costs, and how the money comes.',
    path: href('/list-your-business'),
    ...(loaderData ? { image: { ...loaderData.picture, alt: TITLE } } : {}),
  })
}

export default function ListYourBusiness({ loaderData }: Route.ComponentProps) {
  return <ListYourBusinessScreen {...loaderData} />
}
