import { Link } from '../ui/link.tsx'
import { RenderedOnce } from '../ui/rendered-once.tsx'
import type { SiteLink } from './site-links.ts'

type Shown = { links: readonly SiteLink[]; current?: string | undefined; linkClass?: string | undefined }

/**
 * A list of the frame's links.
 * @param props.path the path of the page, whose link is marked; without it, none is
 */
export function LinkList({
  path = '',
  className,
  links,
  linkClass,
}: Omit<Shown, 'current'> & { path?: string; className?: string }) {
  const current = links.find(({ to }) => leadsTo(path, to))?.to
  return (
    <RenderedOnce as="ul" className={className} inside={LinkItems} data={{ links, current, linkClass }} />
  )
}

function LinkItems({ links, current, linkClass }: Shown) {
  return links.map(({ label, to }) => (
    <li key={label}>
      <Link to={to} className={linkClass} aria-current={to === current ? 'page' : undefined}>
        {label}
      </Link>
    </li>
  ))
}

/** Whether a path is that of a link, or below it. */
export function leadsTo(path: string, to: string): boolean {
  return `${path.toLowerCase()}/`.startsWith(`${to.toLowerCase()}/`)
}
