import { Link } from 'react-router'
import { classNames } from '../../../../ui/class-names.ts'
import { Icon } from '../../../../ui/icon.tsx'

/**
 * The heading of a block of an overview, with a link to all that the block shows a part of.
 * @param small where the block is one of several beside each other
 */
export function OverviewHeading({
  title,
  link,
  small,
}: {
  title: string
  link?: { to: string; label: string } | null | undefined
  small?: boolean
}) {
  return (
    <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
      <h2 className={small ? 'text-lg' : 'text-xl'}>{title}</h2>
      {link ? (
        <Link
          className={classNames('link inline-flex items-center gap-1.5', small && 'min-h-8 font-medium')}
          to={link.to}
        >
          {link.label}
          <Icon name="arrow-right" className="size-4" />
        </Link>
      ) : null}
    </div>
  )
}
