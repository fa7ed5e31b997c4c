import { data, href } from 'react-router'
import { NotThere } from '../../features/businesses/screens/not-there-screen.tsx'
import { pageMeta, pageTitle } from '../../shared/page-meta.ts'
import type { Route } from './+types/catch-all'
import { siteImage } from './site-image.server.ts'

const TITLE = 'This page isn’t here'

/** Every path that no other route matches. It answers 404, so that nothing indexes or caches the address. */
export function loader() {
  return data({ picture: siteImage('not-found', 'page', '4x3') }, { status: 404 })
}

export const meta: Route.MetaFunction = ({ matches }) => {
  const site = matches[0]?.loaderData
  return pageMeta(site, {
    title: pageTitle(TITLE, site),
    description: 'There is nothing at this address.',
    path: href('/'),
    noIndex: true,
  })
}

export default function CatchAll({ loaderData }: Route.ComponentProps) {
  return (
    <NotThere title={TITLE} picture={loaderData.picture}>
      The address may be old or mistyped. Look for what you had in mind, or start from a category.
    </NotThere>
  )
}
