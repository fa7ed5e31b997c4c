import type { ComponentProps } from 'react'
import { href } from 'react-router'
import { Breadcrumbs } from '../../../ui/breadcrumbs.tsx'
import { deferred } from '../../../ui/deferred.tsx'
import { placeLabel } from '../../places/rules.ts'
import type { LandingView } from '../landing-queries.server.ts'
import { CATEGORY_PATHS } from '../rules.ts'

/** All below the breadcrumbs. It works before its script loads. */
export const LandingSections = deferred(
  'landing',
  async () => (await import('./landing-sections.tsx')).LandingSections,
)

/** The breadcrumbs of a landing page: the list, the category, the place. */
export function landingCrumbs({ category, place }: LandingView) {
  return [
    { label: 'Venues & vendors', to: href('/venues-vendors') },
    { label: category, to: CATEGORY_PATHS[category] },
    { label: placeLabel(place) },
  ]
}

/** One category in one place. */
export function LandingScreen(page: ComponentProps<typeof LandingSections>) {
  return (
    <div className="page pt-5 pb-24 md:pt-7">
      <Breadcrumbs crumbs={landingCrumbs(page.landing)} />
      <LandingSections {...page} />
    </div>
  )
}
