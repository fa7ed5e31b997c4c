import type { ComponentProps } from 'react'
import { href } from 'react-router'
import { Breadcrumbs } from '../../../ui/breadcrumbs.tsx'
import { deferred } from '../../../ui/deferred.tsx'

/** All below the breadcrumbs. It works before its script loads. */
export const VendorSections = deferred(
  'vendor',
  async () => (await import('./vendor-sections.tsx')).VendorSections,
)

/** The breadcrumbs of a vendor's profile. */
export function vendorCrumbs(name: string) {
  return [{ label: 'Vendors', to: href('/vendors') }, { label: name }]
}

/** A vendor's public profile with their listings (Decisions 16 and 20). */
export function VendorScreen(page: ComponentProps<typeof VendorSections>) {
  return (
    <div className="page pt-6 pb-24">
      <Breadcrumbs crumbs={vendorCrumbs(page.vendor.name)} />
      <VendorSections {...page} />
    </div>
  )
}
