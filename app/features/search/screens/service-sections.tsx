import { ButtonLink } from '../../../ui/button.tsx'
import { Link } from '../../../ui/link.tsx'
import { BusinessGrid } from '../../businesses/components/business-grid.tsx'
import type { SearchHit } from '../queries.server.ts'

type LabelledLink = { label: string; to: string; detail?: string }

/** The vendors of one service, and links to its places and to the other services of its category. */
export function ServiceSections({
  heading,
  state,
  intro,
  businesses,
  all,
  places,
  others,
}: {
  heading: string
  /** The state of the page's place, null for all of Australia. */
  state: string | null
  intro: string
  businesses: SearchHit[]
  /** The search for all of them. */
  all: LabelledLink
  places: LabelledLink[]
  others: LabelledLink[]
}) {
  return (
    <>
      <header className="mt-6 max-w-3xl md:mt-9">
        <h1 className="display">
          {heading}
          {state ? <span className="text-quiet">, {state}</span> : null}
        </h1>
        <p className="lede mt-5">{intro}</p>
      </header>
      <div className="mt-12">
        <BusinessGrid businesses={businesses} priority />
      </div>
      <p className="mt-12">
        <ButtonLink to={all.to} variant="quiet">
          {all.label}
        </ButtonLink>
      </p>
      <Links id="places" title={state ? 'In other places' : 'By place'} links={places} />
      <Links id="others" title="More of what the day needs" links={others} />
    </>
  )
}

function Links({ id, title, links }: { id: string; title: string; links: LabelledLink[] }) {
  if (links.length === 0) return null
  return (
    <nav aria-labelledby={id} className="mt-16 border-t border-line pt-10">
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      <ul className="mt-4 grid gap-x-12 sm:grid-cols-2 lg:grid-cols-3">
        {links.map(({ label, to, detail }) => (
          <li key={to} className="flex items-baseline justify-between gap-4">
            <Link to={to} className="link inline-block py-2.5">
              {label}
            </Link>
            {detail ? <span className="figures text-sm text-quiet">{detail}</span> : null}
          </li>
        ))}
      </ul>
    </nav>
  )
}
