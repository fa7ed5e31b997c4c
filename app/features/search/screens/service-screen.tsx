import type { ComponentProps } from 'react'
import { Breadcrumbs, type Crumb } from '../../../ui/breadcrumbs.tsx'
import { deferred } from '../../../ui/deferred.tsx'

/** All below the breadcrumbs. It works before its script loads. */
export const ServiceSections = deferred(
  'service',
  async () => (await import('./service-sections.tsx')).ServiceSections,
)

/** The landing page of a service, in a place or across Australia. */
export function ServiceScreen({
  crumbs,
  ...page
}: ComponentProps<typeof ServiceSections> & { crumbs: Crumb[] }) {
  return (
    <div className="page pt-5 pb-24 md:pt-7">
      <Breadcrumbs crumbs={crumbs} />
      <ServiceSections {...page} />
    </div>
  )
}
