import { data, href } from 'react-router'
import { DocumentScreen } from '../../features/agreements/screens/document-screen.tsx'
import { findDocument } from '../../features/agreements/text-queries.server.ts'
import { cachePage, servicesContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle, privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/document'

/** Loads a document, or an earlier version of one. */
export function loader({ params, context }: Route.LoaderArgs) {
  cachePage(context, [])
  const { brand, platform } = context.get(servicesContext).config
  const operator = { name: platform.name, abn: platform.abn }
  const document = findDocument(params.document, operator)
  if (!document) throw data(null, { status: 404 })
  return { document, operator, brand }
}

export const meta: Route.MetaFunction = ({ loaderData, matches, params }) => {
  const site = matches[0]?.loaderData
  if (!loaderData) return privateMeta('Not found', site)
  const { title, isFormer } = loaderData.document
  return pageMeta(site, {
    title: pageTitle(title, site),
    description: `${title} of ${site?.brand ?? 'this website'}.`,
    path: href('/legal/:document', { document: params.document }),
    noIndex: isFormer,
  })
}

export default function Document({ loaderData }: Route.ComponentProps) {
  return <DocumentScreen {...loaderData} />
}
