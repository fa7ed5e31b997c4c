const HIGHEST_SHOWN = 99

/** A count on an icon or beside a word. Hidden at 0; '99+' above 99. Decorative: give the count elsewhere as text. */
export function Badge({ count }: { count: number }) {
  if (count <= 0) return null
  return (
    <span className="badge" aria-hidden="true">
      {count > HIGHEST_SHOWN ? `${HIGHEST_SHOWN}+` : count}
    </span>
  )
}
