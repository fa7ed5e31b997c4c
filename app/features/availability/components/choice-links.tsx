import { Link } from 'react-router'

/** A choice among things to look at as links, for where fields are disabled. */
export function ChoiceLinks({
  label,
  options,
  value,
  toOf,
}: {
  label: string
  options: readonly { value: string; label: string }[]
  value: string | null
  toOf: (value: string) => string
}) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-x-5">
      {options.map((option) => (
        <Link
          key={option.value}
          className="link inline-flex min-h-11 items-center aria-[current=page]:font-semibold aria-[current=page]:no-underline"
          to={toOf(option.value)}
          preventScrollReset
          aria-current={option.value === value ? 'page' : undefined}
        >
          {option.label}
        </Link>
      ))}
    </nav>
  )
}
