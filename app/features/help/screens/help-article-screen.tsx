import { useEffect } from 'react'
import { href, Link, useLocation } from 'react-router'
import { Breadcrumbs } from '../../../ui/breadcrumbs.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { type HelpArticle, type HelpPlace, type HelpSection, partOf } from '../rules.ts'
import type { HelpEntry } from './help-screen.tsx'

const PLACES: Record<HelpPlace, string> = {
  search: href('/venues-vendors'),
  shortlist: href('/shortlist/:link?', {}),
  messages: href('/messages/:id?', {}),
  'my-bookings': href('/my-bookings'),
  signup: href('/signup'),
  payment: href('/payment'),
  settings: href('/settings-privacy'),
  listings: href('/dashboard/list-business'),
  registration: href('/dashboard/register-business'),
  availability: href('/dashboard/availability'),
  calendar: href('/dashboard/calendar'),
  bookings: href('/dashboard/bookings'),
  inbox: href('/dashboard/inbox/:id?', {}),
  payouts: href('/dashboard/payouts'),
}

/** One article, with where to do it and what to read next. */
export function HelpArticleScreen({
  article,
  related,
}: {
  article: HelpArticle
  related: readonly HelpEntry[]
}) {
  const { title, summary, sections, links = [] } = article
  usePartInView()
  return (
    <article className="page pt-8 pb-24 md:pt-12">
      <Breadcrumbs crumbs={[{ label: 'Help', to: href('/help/:article?', {}) }, { label: title }]} />
      <h1 className="mt-6 max-w-3xl">{title}</h1>
      <p className="lede mt-4 max-w-prose">{summary}</p>
      <div className="mt-10 grid gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,42rem)_minmax(0,1fr)]">
        <div className="grid gap-y-9">
          {sections.map((section, index) => (
            <Section key={section.heading ?? index} section={section} />
          ))}
          {links.length > 0 ? (
            <p className="flex flex-wrap gap-3 print:hidden">
              {links.map(({ label, to }) => (
                <ButtonLink key={to} to={PLACES[to]}>
                  {label}
                </ButtonLink>
              ))}
            </p>
          ) : null}
        </div>
        <aside className="print:hidden" aria-labelledby="help-related">
          <h2 id="help-related" className="mb-3 text-lg">
            Read next
          </h2>
          <ul>
            {related.map(({ slug, title: other }) => (
              <li key={slug}>
                <Link className="link inline-block py-1.5" to={href('/help/:article?', { article: slug })}>
                  {other}
                </Link>
              </li>
            ))}
          </ul>
          <p className="mt-6 text-quiet">
            Still stuck?{' '}
            <Link className="link" to={`${href('/advice-support')}#contact`}>
              Talk to us
            </Link>
          </p>
        </aside>
      </div>
    </article>
  )
}

/**
 * Scrolls to the part that the address names and focuses its heading, so that screen readers and Tab continue there. The
 * browser does this itself only when it loads a document, not for a link within the site.
 */
function usePartInView() {
  const { hash, key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a press on the same link again is another visit
  useEffect(() => {
    const heading = hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null
    heading?.scrollIntoView()
    heading?.focus({ preventScroll: true })
  }, [hash, key])
}

function Section({
  section: { heading, paragraphs = [], steps = [], points = [] },
}: {
  section: HelpSection
}) {
  return (
    <section className="max-w-prose">
      {heading ? (
        <h2 id={partOf(heading)} tabIndex={-1} className="mb-3 text-xl">
          {heading}
        </h2>
      ) : null}
      <div className="grid gap-y-3.5">
        {paragraphs.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {steps.length > 0 ? (
          <ol className="grid list-decimal gap-y-2.5 pl-6 marker:font-semibold marker:text-brand">
            {steps.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ol>
        ) : null}
        {points.length > 0 ? (
          <ul className="grid list-disc gap-y-2.5 pl-6 marker:text-brand">
            {points.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        ) : null}
      </div>
    </section>
  )
}
