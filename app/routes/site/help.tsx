import { data, href } from 'react-router'
import { NotThere } from '../../features/businesses/screens/not-there-screen.tsx'
import { listArticles } from '../../features/help/messages.ts'
import { type HelpArticle, MAX_HELP_QUERY, searchArticles } from '../../features/help/rules.ts'
import { HelpArticleScreen } from '../../features/help/screens/help-article-screen.tsx'
import { HelpScreen } from '../../features/help/screens/help-screen.tsx'
import { cachePage, servicesContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle } from '../../shared/page-meta.ts'
import type { Route } from './+types/help'
import { siteImage } from './site-image.server.ts'

const HELP = 'Help'
const MISSING = 'This article isn’t here'

const entryOf = ({ slug, title, summary }: HelpArticle) => ({ slug, title, summary })

/** The list of articles, the articles found, or one of them. */
export function loader({ params, context, url }: Route.LoaderArgs) {
  cachePage(context, [])
  const { config } = context.get(servicesContext)
  const articles = listArticles(config.payouts.provider !== 'off', config.undecided)
  if (params.article === undefined) {
    const query = (url.searchParams.get('q') ?? '').trim().slice(0, MAX_HELP_QUERY)
    return {
      kind: 'list' as const,
      query,
      found: query ? searchArticles(articles, query).map(entryOf) : null,
      groups: [
        { heading: 'For customers', articles: articles.filter(isFor('customers')).map(entryOf) },
        { heading: 'For venues and vendors', articles: articles.filter(isFor('vendors')).map(entryOf) },
      ],
    }
  }
  const article = articles.find(({ slug }) => slug === params.article)
  if (!article)
    return data({ kind: 'missing' as const, picture: siteImage('not-found', 'page', '4x3') }, { status: 404 })
  const related = articles.filter(({ slug }) => article.related.includes(slug)).map(entryOf)
  return { kind: 'article' as const, article, related }
}

const isFor =
  (audience: HelpArticle['audience']) =>
  (article: HelpArticle): boolean =>
    article.audience === audience

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  if (loaderData?.kind === 'article') {
    const { slug, title, summary } = loaderData.article
    return pageMeta(site, {
      // Some articles are about a page of the same name.
      title: pageTitle(`${title} · ${HELP}`, site),
      description: summary,
      path: href('/help/:article?', { article: slug }),
    })
  }
  return pageMeta(site, {
    title: pageTitle(loaderData?.kind === 'list' ? HELP : MISSING, site),
    description: 'Answers about finding, booking, paying and cancelling, and about listing a business.',
    path: href('/help/:article?', {}),
    noIndex: loaderData?.kind !== 'list' || loaderData.query !== '',
  })
}

export default function Help({ loaderData }: Route.ComponentProps) {
  if (loaderData.kind === 'list') return <HelpScreen {...loaderData} />
  if (loaderData.kind === 'article') return <HelpArticleScreen {...loaderData} />
  return (
    <NotThere title={MISSING} picture={loaderData.picture}>
      The address may be old or mistyped. The help page lists all articles.
    </NotThere>
  )
}
