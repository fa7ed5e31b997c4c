import { classNames } from '../../../ui/class-names.ts'
import { deferred } from '../../../ui/deferred.tsx'
import { Link } from '../../../ui/link.tsx'
import { Picture, type PictureImage } from '../../../ui/picture.tsx'
import type { Occasion } from '../../businesses/rules.ts'
import { OCCASIONS_HEADING, OCCASIONS_INTRO } from '../occasion-messages.ts'
import type { PlanFields } from './events-sections.tsx'

/** When, how many and roughly how much. */
export const PlanForm = deferred('plan-form', async () => (await import('./events-sections.tsx')).PlanForm)

export type EventsPage = {
  plan: PlanFields
  occasions: readonly {
    occasion: Occasion
    name: string
    texts: { intro: string; start: string }
    image: PictureImage
    /** Its trades, with the number of listings and the share of the budget; and its services. */
    rows: readonly {
      heading: string
      to: string
      count: number
      about: string | null
      services: readonly { name: string; to: string }[]
    }[]
  }[]
}

/** The occasions: what each needs, with searches that carry what is planned. */
export function EventsScreen({ plan, occasions }: EventsPage) {
  return (
    <div className="page pt-10 pb-24 md:pt-16">
      <header className="max-w-3xl">
        <h1 className="display">{OCCASIONS_HEADING}</h1>
        <p className="lede mt-5">{OCCASIONS_INTRO}</p>
      </header>
      <PlanForm {...plan} />
      <nav aria-label="Occasions on this page" className="mt-8">
        <ul className="flex flex-wrap gap-2.5">
          {occasions.map(({ occasion, name }) => (
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
      {occasions.map(({ occasion, name, texts, image, rows }, index) => (
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
            <Trades rows={rows} />
          </div>
        </section>
      ))}
    </div>
  )
}

function Trades({ rows }: { rows: EventsPage['occasions'][number]['rows'] }) {
  return (
    <ol className="mt-5 max-w-md">
      {rows.map(({ heading, to, count, about, services }) => (
        <li key={heading} className="border-t border-line pb-1">
          <Link to={to} className="group flex min-h-11 items-baseline justify-between gap-4 py-2.5">
            <span className="font-semibold text-brand group-hover:underline group-hover:underline-offset-4">
              {heading}
            </span>
            <span className="figures text-sm text-quiet">
              {about ?? (
                <>
                  {count}
                  <span className="unseen"> listed</span>
                </>
              )}
            </span>
          </Link>
          {services.length > 0 ? (
            <ul className="-mt-1.5 flex flex-wrap gap-x-4 text-sm">
              {services.map(({ name, to: there }) => (
                <li key={name}>
                  <Link to={there} className="link inline-block py-2">
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          ) : null}
        </li>
      ))}
    </ol>
  )
}
