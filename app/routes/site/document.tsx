import { data, href } from 'react-router'
import { DOCUMENT_MISSING_TITLE } from '../../features/agreements/messages.ts'
import { DocumentScreen } from '../../features/agreements/screens/document-screen.tsx'
import { findDocument } from '../../features/agreements/text-queries.server.ts'
import { NotThere } from '../../features/businesses/screens/not-there-screen.tsx'
import { cachePage, servicesContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle } from '../../shared/page-meta.ts'
import type { Route } from './+types/document'
import { siteImage } from './site-image.server.ts'

/** Loads a document, or an earlier version of one. */
export function loader({ params, context }: Route.LoaderArgs) {
  cachePage(context, [])
  const { brand, platform } = context.get(servicesContext).config
  const operator = { name: platform.name, abn: platform.abn }
  const document = findDocument(params.document, operator)
  if (!document)
    return data({ document: null, picture: siteImage('not-found', 'page', '4x3') }, { status: 404 })
  return { document, operator, brand }
}

export const meta: Route.MetaFunction = ({ loaderData, matches, params }) => {
  const site = matches[0]?.loaderData
  const title = loaderData?.document?.title ?? DOCUMENT_MISSING_TITLE
  return pageMeta(site, {
    title: pageTitle(title, site),
    description: `${title} of ${site?.brand ?? 'this website'}.`,
    path: href('/legal/:document', { document: params.document }),
    noIndex: !loaderData?.document || loaderData.document.isFormer,
  })
}

export default function Document({ loaderData }: Route.ComponentProps) {
  if (loaderData.document) return <DocumentScreen {...loaderData} />
  return (
    <NotThere title={DOCUMENT_MISSING_TITLE} picture={loaderData.picture}>
      The address may be old or mistyped. The foot of this page leads to our documents.
    </NotThere>
  )
}
