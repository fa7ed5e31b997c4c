import { href } from 'react-router'
import { servicesContext, unlistedPathsContext } from '../../request-context.server.ts'
import type { Route } from './+types/robots'

/** Rules for crawlers, and the address of the sitemap (RFC 9309, sitemaps.org). */
export function loader({ context }: Route.LoaderArgs) {
  const { config } = context.get(servicesContext)
  const lines = [
    'User-agent: *',
    'Allow: /',
    ...context.get(unlistedPathsContext).map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${new URL(href('/sitemap.xml'), config.publicUrl).href}`,
    '',
  ]
  return new Response(lines.join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
}
