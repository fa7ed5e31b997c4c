import { Form, href, Link } from 'react-router'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { type HelpArticle, MAX_HELP_QUERY } from '../rules.ts'

export type HelpEntry = Pick<HelpArticle, 'slug' | 'title' | 'summary'>

/**
 * All articles by audience, or those that were found.
 * @param props.found null without a query
 */
export function HelpScreen({
  groups,
  query,
  found,
}: {
  groups: readonly { heading: string; articles: readonly HelpEntry[] }[]
  query: string
  found: readonly HelpEntry[] | null
}) {
  return (
    <div className="page pt-10 pb-24 md:pt-16">
      <header>
        <h1 className="display">How can we help?</h1>
        <search>
          <Form action={href('/help/:article?', {})} className="mt-7 flex max-w-xl gap-3" key={query}>
            <label className="unseen" htmlFor="help-words">
              Search help articles
            </label>
            <input
              id="help-words"
              name="q"
              type="search"
              className="control min-w-0 grow"
              placeholder="Refund, deposit, calendar …"
              defaultValue={query}
              maxLength={MAX_HELP_QUERY}
              enterKeyHint="search"
            />
            <Button type="submit" variant="primary">
              Search
            </Button>
          </Form>
        </search>
      </header>
      {found ? <Found query={query} found={found} /> : null}
      {found?.length ? null : (
        <div className="mt-12 grid gap-x-16 gap-y-12 md:mt-16 md:grid-cols-2">
          {groups.map(({ heading, articles }) => (
            <section key={heading}>
              <h2 className="mb-4 text-2xl">{heading}</h2>
              <Entries entries={articles} />
            </section>
          ))}
        </div>
      )}
      <p className="mt-14">
        Still stuck?{' '}
        <Link className="link" to={`${href('/advice-support')}#contact`}>
          Talk to us
        </Link>
      </p>
    </div>
  )
}

function Found({ query, found }: { query: string; found: readonly HelpEntry[] }) {
  if (found.length === 0)
    return (
      <div className="mt-12">
        <EmptyState
          title="No article found"
          text={`No article mentions ‘${query}’. Try a single word, or choose an article below.`}
          action={<ButtonLink to={`${href('/advice-support')}#contact`}>Talk to us</ButtonLink>}
        />
      </div>
    )
  return (
    <section className="mt-12 max-w-prose">
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <div role="status">
          <h2 className="text-2xl">{found.length === 1 ? '1 article' : `${found.length} articles`}</h2>
        </div>
        <Link className="link" to={href('/help/:article?', {})}>
          All articles
        </Link>
      </div>
      <Entries entries={found} />
    </section>
  )
}

function Entries({ entries }: { entries: readonly HelpEntry[] }) {
  return (
    <ul className="border-b border-line">
      {entries.map(({ slug, title, summary }) => (
        <li key={slug} className="border-t border-line">
          <Link to={href('/help/:article?', { article: slug })} className="group block py-4">
            <span className="font-semibold group-hover:underline">{title}</span>
            <span className="mt-0.5 block text-quiet">{summary}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
