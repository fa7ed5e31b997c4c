import { Link } from 'react-router'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Picture, type PictureImage } from '../../../ui/picture.tsx'
import { type BusinessFilter, filterHref } from '../rules.ts'

/** A list that nothing is left in: says what was looked for, and offers each step back from it. */
export function NoMatches({
  filter,
  path,
  image,
}: {
  filter: BusinessFilter
  path: string
  image: PictureImage
}) {
  const ways = [
    filter.q && (filter.place || filter.category)
      ? { to: filterHref(path, { ...filter, q: '', page: 1 }), label: `Without “${filter.q}”` }
      : null,
    filter.place
      ? { to: filterHref(path, { ...filter, place: '', page: 1 }), label: 'Anywhere in Australia' }
      : null,
    filter.category
      ? { to: filterHref(path, { ...filter, category: null, page: 1 }), label: 'In every category' }
      : null,
    { to: path, label: 'Start again' },
  ].filter((way) => way !== null)
  return (
    <EmptyState
      illustration={<Picture image={image} alt="" sizes="280px" ratio="4 / 3" />}
      title="Nothing here fits all of that"
      text="Fewer words or a wider place usually help: a state finds more than a suburb."
      action={
        <ul className="flex flex-wrap justify-center gap-x-6 gap-y-2">
          {ways.map((way) => (
            <li key={way.label}>
              <Link to={way.to} className="link inline-block py-2">
                {way.label}
              </Link>
            </li>
          ))}
        </ul>
      }
    />
  )
}
