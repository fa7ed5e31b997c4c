import { Card, CoverLink } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Picture, type PictureImage } from '../../../ui/picture.tsx'
import { businessCountText } from '../messages.ts'
import { CATEGORY_PATHS, type Category } from '../rules.ts'

export type CategoryTile = {
  category: Category
  heading: string
  /** Shown before the count. null where there is no room. */
  line: string | null
  image: PictureImage
  count: number
}

/** The categories that span several cells. The spans fill the grid at every width. */
const SPANS: Partial<Record<Category, string>> = {
  Venues: 'col-span-2 md:row-span-2',
  Catering: 'col-span-2',
}

/** The eight categories as a mosaic of pictures in different sizes. */
export function CategoryMosaic({ tiles }: { tiles: readonly CategoryTile[] }) {
  return (
    <ul className="grid auto-rows-[max(176px,min(17.5vw,236px))] grid-cols-2 gap-3 md:grid-cols-4 md:gap-4">
      {tiles.map(({ category, heading, line, image, count }) => (
        <Card as="li" pressable key={category} className={classNames('h-full', SPANS[category])}>
          <Picture
            image={image}
            alt=""
            sizes={
              SPANS[category]
                ? '(min-width: 1280px) 630px, (min-width: 769px) 46vw, 92vw'
                : '(min-width: 1280px) 310px, (min-width: 769px) 23vw, 46vw'
            }
            className="size-full"
          />
          <div className="absolute bottom-0 left-0 max-w-full rounded-tr-card bg-ground pt-1.5 pr-4 pl-0.5">
            <h3 className={category === 'Venues' ? 'text-xl md:text-2xl' : 'text-lg'}>
              <CoverLink to={CATEGORY_PATHS[category]}>{heading}</CoverLink>
            </h3>
            <p className="figures text-sm text-quiet">
              {line ? `${line} · ` : null}
              {businessCountText(count)}
            </p>
          </div>
        </Card>
      ))}
    </ul>
  )
}
