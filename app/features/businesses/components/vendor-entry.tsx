import { href } from 'react-router'
import { Avatar } from '../../../ui/avatar.tsx'
import { Card, CoverLink } from '../../../ui/card.tsx'
import { Picture } from '../../../ui/picture.tsx'
import { businessCountText } from '../messages.ts'
import type { BusinessCardView } from '../queries.server.ts'
import type { VendorView } from '../vendor-queries.server.ts'
import { AbnMark } from './abn-mark.tsx'

/** The path of a vendor's public profile (Specification, section 2; Decision 16). */
export function vendorPath(userId: string): string {
  return `${href('/vendorsprofile')}?id=${encodeURIComponent(userId)}`
}

const MAX_THUMBNAILS = 3

/** A vendor in the directory: name, categories, places, and pictures of some listings. */
export function VendorEntry({
  vendor,
  businesses,
}: {
  vendor: VendorView
  businesses: readonly BusinessCardView[]
}) {
  const categories = [...new Set(businesses.map((business) => business.category))]
  const places = [...new Set(businesses.map((business) => business.location))]
  return (
    <Card
      as="article"
      pressable
      className="grid! items-center gap-x-8 gap-y-4 py-7 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
    >
      <div className="flex items-center gap-5">
        <Avatar name={vendor.name} url={vendor.logoUrl} size={64} />
        <div className="min-w-0">
          <h2 className="text-xl">
            <CoverLink to={vendorPath(vendor.userId)}>{vendor.name}</CoverLink>
          </h2>
          <p className="mt-1 text-quiet">
            {categories.join(', ')} in {places.slice(0, 2).join(' and ')}
          </p>
          <p className="mt-1 flex flex-wrap items-center gap-x-4">
            <span className="figures text-sm text-quiet">{businessCountText(businesses.length)}</span>
            {vendor.abn ? <AbnMark /> : null}
          </p>
        </div>
      </div>
      <ul className="grid grid-cols-3 gap-3" aria-hidden="true">
        {businesses.slice(0, MAX_THUMBNAILS).map((business) => (
          <li key={business.id}>
            <Picture
              image={business.pictures[0] ?? null}
              alt=""
              ratio="4 / 3"
              sizes="(min-width: 769px) 200px, 30vw"
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}
