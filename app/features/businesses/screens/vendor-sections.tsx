import { Avatar } from '../../../ui/avatar.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { AbnMark } from '../components/abn-mark.tsx'
import { BusinessCard } from '../components/business-card.tsx'
import type { BusinessCardView } from '../queries.server.ts'
import { groupAbn } from '../rules.ts'
import type { VendorView } from '../vendor-queries.server.ts'

/** A vendor's details and their listings. */
export function VendorSections({
  vendor,
  businesses,
}: {
  vendor: VendorView
  businesses: readonly BusinessCardView[]
}) {
  return (
    <>
      <header className="mt-8 grid items-start gap-x-10 gap-y-6 md:grid-cols-[auto_1fr]">
        <Avatar name={vendor.name} url={vendor.logoUrl} size={120} />
        <div>
          <h1>{vendor.name}</h1>
          {vendor.description ? <p className="lede mt-4">{vendor.description}</p> : null}
          <ul className="mt-5 flex flex-wrap items-center gap-x-7 gap-y-2">
            {vendor.abn ? (
              <li className="flex flex-wrap items-center gap-x-3">
                <AbnMark />
                <span className="figures text-sm text-quiet">{groupAbn(vendor.abn)}</span>
              </li>
            ) : null}
            {vendor.website ? (
              <li>
                <a
                  href={vendor.website}
                  rel="nofollow ugc noopener"
                  className="link inline-flex items-center gap-1.5"
                >
                  {new URL(vendor.website).hostname.replace(/^www\./, '')}
                  <Icon name="external-link" className="size-4" />
                </a>
              </li>
            ) : null}
          </ul>
        </div>
      </header>
      <section aria-labelledby="listings" className="mt-14 border-t border-line pt-10">
        <h2 id="listings">
          {businesses.length === 1 ? 'Their listing' : `Their ${businesses.length} listings`}
        </h2>
        <ul className="mt-8 grid gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-3">
          {businesses.map((business, index) => (
            <li key={business.id}>
              <BusinessCard business={business} priority={index === 0} />
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
