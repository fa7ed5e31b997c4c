import { href } from 'react-router'
import { servicesContext } from '../../request-context.server.ts'
import { APP_ICONS, iconPath } from '../../shared/app-icons.ts'
import { THEME_COLOURS } from '../../ui/theme.ts'
import type { Route } from './+types/manifest'

/** Describes the site as an app that a phone can install (w3.org/TR/appmanifest). The name is a setting. */
export function loader({ context }: Route.LoaderArgs) {
  const { brand } = context.get(servicesContext).config
  const icons = APP_ICONS.flatMap(({ file, sizePx, kind }) =>
    kind === 'any' || kind === 'maskable'
      ? [{ src: iconPath(file), sizes: `${sizePx}x${sizePx}`, type: 'image/png', purpose: kind }]
      : [],
  )
  const manifest = {
    id: href('/'),
    name: brand,
    short_name: brand,
    description: 'Venues, photographers, caterers and musicians in Australia, booked and paid by card.',
    lang: 'en-AU',
    start_url: href('/'),
    scope: href('/'),
    display: 'standalone',
    // A manifest has no colours by scheme. The document's own tags replace these once it is open.
    theme_color: THEME_COLOURS.light,
    background_color: THEME_COLOURS.light,
    icons: [{ src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }, ...icons],
    shortcuts: [
      { name: 'My Bookings', url: href('/my-bookings') },
      { name: 'My Dashboard', url: href('/dashboard') },
    ],
  }
  return new Response(JSON.stringify(manifest), {
    headers: {
      'content-type': 'application/manifest+json; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    },
  })
}
