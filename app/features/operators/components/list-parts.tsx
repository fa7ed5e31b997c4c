import { Link } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Picture, type PictureImage } from '../../../ui/picture.tsx'
import { EXPORT_NOTE } from '../messages.ts'
import { useMayOpen } from './operator-role.tsx'

/** The first pictures of businesses, by their ids. */
export type Pictures = Readonly<Record<string, PictureImage>>

/** The filters of a list, as links. */
export function FilterLinks<Name extends string>({
  label,
  names,
  labels,
  current,
  hrefFor,
}: {
  label: string
  names: readonly Name[]
  labels: Readonly<Record<Name, string>>
  current: Name
  hrefFor: (name: Name) => string
}) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-2">
      {names.map((name) => (
        <Link
          key={name}
          to={hrefFor(name)}
          aria-current={name === current ? 'page' : undefined}
          className="tag min-h-11 px-4 text-base aria-[current]:bg-brand aria-[current]:text-on-brand"
        >
          {labels[name]}
        </Link>
      ))}
    </nav>
  )
}

/** The small picture of a row's business. */
export function RowPicture({ image }: { image: PictureImage | null | undefined }) {
  return (
    <Picture
      image={image ?? null}
      alt=""
      sizes="64px"
      ratio="1 / 1"
      className="size-12 rounded-card sm:size-16"
    />
  )
}

/**
 * Links to the next page of a list and back to its first, and the download of all its rows.
 * @param props.path of the screen
 * @param props.filter the screen's parameters without its page
 * @param props.exportPath of the file; null for a list without one
 */
export function ListFoot({
  path,
  filter,
  older,
  isFirst,
  exportPath,
}: {
  path: string
  filter: Readonly<Record<string, string>>
  older: string | null
  isFirst: boolean
  exportPath: string | null
}) {
  const mayOpen = useMayOpen()
  const address = (to: string, more: Record<string, string> = {}) => {
    const query = new URLSearchParams({ ...filter, ...more }).toString()
    return query ? `${to}?${query}` : to
  }
  const canExport = exportPath !== null && mayOpen(exportPath)
  if (older === null && isFirst && !canExport) return null
  return (
    <div className="mt-6 grid gap-4">
      {older !== null || !isFirst ? (
        <nav aria-label="Pages" className="flex flex-wrap gap-3">
          {isFirst ? null : (
            <ButtonLink to={address(path)}>
              <Icon name="arrow-left" />
              Newest
            </ButtonLink>
          )}
          {older === null ? null : (
            <ButtonLink to={address(path, { before: older })} rel="next">
              Older
              <Icon name="arrow-right" />
            </ButtonLink>
          )}
        </nav>
      ) : null}
      {canExport ? (
        <p className="flex flex-wrap items-center gap-x-4 text-sm text-quiet">
          <a className="link inline-flex min-h-11 items-center gap-2" href={address(exportPath)} download>
            <Icon name="download" />
            Download CSV
          </a>
          {EXPORT_NOTE}
        </p>
      ) : null}
    </div>
  )
}
