const HIGHEST_SHOWN = 99

/** A count on an icon or beside a word. Nothing is shown at 0; above 99 it reads '99+'. Name the count elsewhere. */
export function Badge({ count }: { count: number }) {
  if (count <= 0) return null
  return (
    <span className="badge" aria-hidden="true">
      {count > HIGHEST_SHOWN ? `${HIGHEST_SHOWN}+` : count}
    </span>
  )
}
