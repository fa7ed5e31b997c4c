import { Link } from '../../../ui/link.tsx'

/** The orders of a list, with the present one marked. */
export function ListOrder({
  orders,
}: {
  orders: readonly { label: string; href: string; isPresent: boolean }[]
}) {
  return (
    <nav aria-label="Order" className="list-order">
      <ul>
        {orders.map(({ label, href, isPresent }) => (
          <li key={label}>
            <Link to={href} aria-current={isPresent ? 'true' : undefined} preventScrollReset>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
