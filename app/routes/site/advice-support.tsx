import { href } from 'react-router'
import { listPriceRanges } from '../../features/businesses/market-queries.server.ts'
import { CATEGORIES } from '../../features/businesses/rules.ts'
import { readBudget } from '../../features/search/budget-rules.ts'
import { cachePage, servicesContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle } from '../../shared/page-meta.ts'
import { Picture } from '../../ui/picture.tsx'
import { listTopics } from '../page-topics.ts'
import type { Route } from './+types/advice-support'
import { answerTimes } from './advice.ts'
import {
  Budget,
  Checklist,
  Contact,
  CustomerQuestions,
  Timeline,
  VendorQuestions,
} from './advice-support-sections.tsx'
import { siteImage } from './site-image.server.ts'

const TITLE = 'Advice & support'

const SECTIONS = [
  { id: 'timeline', label: 'When to do what' },
  { id: 'budget', label: 'What it costs' },
  { id: 'checklist', label: 'Before you book' },
  { id: 'for-customers', label: 'Questions about booking' },
  { id: 'for-vendors', label: 'Questions from vendors' },
  { id: 'contact', label: 'Talk to us' },
] as const

export async function loader({ context, url }: Route.LoaderArgs) {
  cachePage(context, [...listTopics('listings'), ...listTopics('prices')])
  const { db, config } = context.get(servicesContext)
  const ranges = await listPriceRanges(db)
  return {
    contact: config.contact,
    hasPayouts: config.payouts.provider !== 'off',
    times: answerTimes(config.undecided),
    // In the order of the categories, per person before per hour.
    prices: CATEGORIES.flatMap((category) =>
      (['perPerson', 'perHour'] as const).flatMap((unit) =>
        ranges.filter((range) => range.category === category && range.priceUnit === unit),
      ),
    ),
    calculation: readBudget(url.searchParams),
    picture: siteImage('planner-run-sheet', 'advice', '16x9'),
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  return pageMeta(site, {
    title: pageTitle(TITLE, site),
    description:
      'A planning timeline, what things cost, what to ask before you book, and answers about bookings, refunds and listings.',
    path: href('/advice-support'),
    ...(loaderData ? { image: { ...loaderData.picture, alt: TITLE } } : {}),
  })
}

export default function AdviceSupport({ loaderData }: Route.ComponentProps) {
  const { contact, hasPayouts, times, prices, picture, calculation } = loaderData
  return (
    <div className="page pt-10 pb-24 md:pt-16">
      <header className="grid items-end gap-x-14 gap-y-8 md:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
        <div>
          <h1 className="display">Good plans, steady nerves</h1>
          <p className="lede mt-5">
            What to do when, what it usually costs, what happens if plans change, and who to ask.
          </p>
        </div>
        <Picture
          image={picture}
          alt=""
          ratio="16 / 9"
          sizes="(min-width: 1280px) 660px, (min-width: 769px) 50vw, 92vw"
          priority
        />
      </header>
      <div className="mt-12 grid gap-x-16 gap-y-10 lg:mt-20 lg:grid-cols-[220px_minmax(0,1fr)]">
        <nav
          aria-label="On this page"
          className="lg:sticky lg:top-[calc(var(--header-height)+28px)] lg:self-start"
        >
          <ul className="flex flex-wrap gap-x-6 lg:block">
            {SECTIONS.map(({ id, label }) => (
              <li key={id} className="lg:border-t lg:border-line">
                <a
                  href={`#${id}`}
                  className="inline-flex min-h-11 items-center font-medium hover:text-brand hover:underline hover:underline-offset-4"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-20">
          <Timeline />
          <Budget prices={prices} calculation={calculation} />
          <Checklist />
          <CustomerQuestions times={times} />
          <VendorQuestions hasPayouts={hasPayouts} times={times} />
          <Contact contact={contact} />
        </div>
      </div>
    </div>
  )
}
