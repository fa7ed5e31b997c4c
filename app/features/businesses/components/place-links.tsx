import { Link } from '../../../ui/link.tsx'
import { RenderedOnce } from '../../../ui/rendered-once.tsx'
import { categoryCountText } from '../landing-messages.ts'
import { type Category, landingPath } from '../rules.ts'

/** Links to the landing pages of a category, with each place's count and distance. */
export function PlaceLinks({
  category,
  places,
}: {
  category: Category
  places: readonly { placeId: string; label: string; listed: number; distanceKm?: number }[]
}) {
  return (
    <ul className="grid gap-x-12 sm:grid-cols-2 lg:grid-cols-3">
      {places.map(({ placeId, label, listed, distanceKm }) => (
        <li key={placeId} className="border-t border-line">
          <Link
            to={landingPath(category, placeId)}
            className="group flex min-h-12 items-baseline justify-between gap-4 py-3"
          >
            <span className="font-semibold text-brand group-hover:underline group-hover:underline-offset-4">
              {label}
            </span>
            <span className="figures flex-none text-sm text-quiet">
              {categoryCountText(category, listed)}
              {distanceKm === undefined ? null : ` · ${distanceKm} km`}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

type Places = { category: Category; places: readonly { placeId: string; label: string; listed: number }[] }

/** 'By place' on the page of a category. Renders nothing without places. */
export function ByPlace(props: Places) {
  if (props.places.length === 0) return null
  return (
    <RenderedOnce
      as="nav"
      aria-labelledby="by-place"
      className="mt-20 border-t border-line pt-8"
      inside={PlacesOfCategory}
      data={props}
    />
  )
}

function PlacesOfCategory({ category, places }: Places) {
  return (
    <>
      <h2 id="by-place" className="mb-5 text-xl">
        By place
      </h2>
      <PlaceLinks category={category} places={places} />
    </>
  )
}
