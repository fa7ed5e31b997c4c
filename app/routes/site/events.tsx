import { href, Link } from 'react-router'
import { countBusinessesByCategory } from '../../features/businesses/market-queries.server.ts'
import { CATEGORY_TEXTS, OCCASION_NAMES, OCCASION_TEXTS } from '../../features/businesses/messages.ts'
import { CATEGORY_PATHS, OCCASION_CATEGORIES, OCCASIONS } from '../../features/businesses/rules.ts'
import { searchHref } from '../../features/search/schema.ts'
import { cachePage, servicesContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle } from '../../shared/page-meta.ts'
import { classNames } from '../../ui/class-names.ts'
import { Picture } from '../../ui/picture.tsx'
import { listTopics } from '../page-topics.ts'
import type { Route } from './+types/events'
import { siteImage } from './site-image.server.ts'

const TITLE = 'Occasions'

export async function loader({ context }: Route.LoaderArgs) {
  cachePage(context, listTopics('listings'))
  const counts = await countBusinessesByCategory(context.get(servicesContext).db)
  return {
    occasions: OCCASIONS.map((occasion) => ({
      occasion,
      name: OCCASION_NAMES[occasion],
      texts: OCCASION_TEXTS[occasion],
      image: siteImage(`occasion-${occasion}`, 'occasions', '3x2'),
      // No link leads to an empty list.
      categories: OCCASION_CATEGORIES[occasion].flatMap((category) => {
        const count = counts.get(category) ?? 0
        const to = searchHref(CATEGORY_PATHS[category], { occasion })
        return count > 0 ? [{ category, heading: CATEGORY_TEXTS[category].heading, to, count }] : []
      }),
    })),
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  return pageMeta(site, {
    title: pageTitle(TITLE, site),
    description:
      'Weddings, birthdays, work parties, christenings and more: what each usually needs, when to begin, and who to ask.',
    path: href('/events'),
    ...(loaderData?.occasions[0] ? { image: { ...loaderData.occasions[0].image, alt: TITLE } } : {}),
  })
}

export default function Events({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page pt-10 pb-24 md:pt-16">
      <header className="grid gap-x-16 gap-y-8 md:grid-cols-[1.1fr_1fr] md:items-end">
        <div>
          <h1 className="display">What are you planning?</h1>
          <p className="lede mt-5">
            Every gathering needs a few of the same people, in a different order. Pick yours, and start with
            what books out first.
          </p>
        </div>
        <nav aria-label="Occasions on this page">
          <ul className="flex flex-wrap gap-2.5 md:justify-end">
            {loaderData.occasions.map(({ occasion, name }) => (
              <li key={occasion}>
                <a
                  href={`#${occasion}`}
                  className="inline-flex min-h-11 items-center rounded-full border border-line-strong px-4.5 font-medium hover:border-brand hover:bg-brand-soft"
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      {loaderData.occasions.map(({ occasion, name, texts, image, categories }, index) => {
        return (
          <section
            key={occasion}
            id={occasion}
            aria-labelledby={`${occasion}-title`}
            className={classNames(
              'mt-16 grid items-center gap-x-14 gap-y-7 md:mt-24',
              index % 2 === 0 ? 'md:grid-cols-[1.35fr_1fr]' : 'md:grid-cols-[1fr_1.35fr]',
            )}
          >
            <Picture
              image={image}
              alt=""
              ratio="3 / 2"
              sizes="(min-width: 1280px) 720px, (min-width: 769px) 54vw, 92vw"
              priority={index === 0}
              className={index % 2 === 0 ? undefined : 'md:order-2'}
            />
            <div>
              <h2 id={`${occasion}-title`}>{name}</h2>
              <p className="mt-4 max-w-prose">{texts.intro}</p>
              <p className="mt-3 max-w-prose text-quiet">{texts.start}</p>
              <ol className="mt-5 max-w-md">
                {categories.map(({ category, heading, to, count }) => (
                  <li key={category} className="border-t border-line">
                    <Link to={to} className="group flex min-h-11 items-baseline justify-between gap-4 py-2.5">
                      <span className="font-semibold text-brand group-hover:underline group-hover:underline-offset-4">
                        {heading}
                      </span>
                      <span className="figures text-sm text-quiet">
                        {count}
                        <span className="unseen"> listed</span>
                      </span>
                    </Link>
                  </li>
                ))}
              </ol>
            </div>
          </section>
        )
      })}
    </div>
  )
}
