import { href } from 'react-router'
import { countBusinessesByCategory } from '../../features/businesses/market-queries.server.ts'
import { CATEGORY_TEXTS, OCCASION_NAMES, OCCASION_TEXTS } from '../../features/businesses/messages.ts'
import { OCCASIONS } from '../../features/businesses/rules.ts'
import { SERVICE_ROWS } from '../../features/businesses/service-match-rules.ts'
import { aboutText, OCCASIONS_TITLE } from '../../features/search/occasion-messages.ts'
import { monthsToPlan, occasionRows } from '../../features/search/occasion-rules.ts'
import { readSearch } from '../../features/search/schema.ts'
import { EventsScreen, PlanForm } from '../../features/search/screens/events-screen.tsx'
import { listOfferedServices } from '../../features/search/service-queries.server.ts'
import { cachePage, servicesContext } from '../../request-context.server.ts'
import { HOME_ZONE, wallTimeAt } from '../../shared/dates.ts'
import { toNumericString } from '../../shared/money.ts'
import { pageMeta, pageTitle } from '../../shared/page-meta.ts'
import { writeMonths } from '../../shared/periods.ts'
import type { RouteHandle } from '../../shell/load-route-module.ts'
import { cardOf } from '../card-address.ts'
import { listTopics } from '../page-topics.ts'
import type { Route } from './+types/events'
import { siteImage } from './site-image.server.ts'

export const handle: RouteHandle = { deferred: [PlanForm] }

/** The occasions, with searches that carry what the address plans: `months` or `date`, `guests` and `budget`. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  // A listing's services are among its markers, whose changes are told as prices.
  cachePage(context, [...listTopics('listings'), ...listTopics('prices')])
  const [counts, offered] = await Promise.all([countBusinessesByCategory(db), listOfferedServices(db)])
  const planned = readSearch(url.searchParams)
  const { date, months, guests, budgetCents } = planned
  const categories = new Set([...counts].flatMap(([category, count]) => (count > 0 ? [category] : [])))
  return {
    plan: {
      offered: monthsToPlan(wallTimeAt(now(), HOME_ZONE).date),
      date: date ?? '',
      month: writeMonths(months),
      guests: guests === null ? '' : String(guests),
      budget: budgetCents === null ? '' : toNumericString(budgetCents).replace(/\.00$/, ''),
    },
    occasions: OCCASIONS.map((occasion) => ({
      occasion,
      name: OCCASION_NAMES[occasion],
      texts: OCCASION_TEXTS[occasion],
      image: siteImage(`occasion-${occasion}`, 'occasions', '3x2'),
      rows: occasionRows(occasion, { planned, categories, offered }).map((row) => ({
        heading: CATEGORY_TEXTS[row.category].heading,
        to: row.to,
        count: counts.get(row.category) ?? 0,
        about: row.budgetCents === null ? null : aboutText(row.budgetCents),
        services: row.services.map(({ id, to }) => ({ name: SERVICE_ROWS[id].many, to })),
      })),
    })),
  }
}

export const meta: Route.MetaFunction = ({ matches }) => {
  const site = matches[0]?.loaderData
  return pageMeta(site, {
    title: pageTitle(OCCASIONS_TITLE, site),
    description:
      'Weddings, birthdays, work parties, christenings and more: what each usually needs, when to begin, and who to ask.',
    path: href('/events'),
    card: cardOf(href('/events'), OCCASIONS_TITLE),
  })
}

export default function Events({ loaderData }: Route.ComponentProps) {
  return <EventsScreen {...loaderData} />
}
