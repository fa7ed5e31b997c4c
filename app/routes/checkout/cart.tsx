import { CART_EMPTY_HINT, CART_TITLE } from '../../features/cart/messages.ts'
import { pageTitle } from '../../shared/page-meta.ts'
import type { Route } from './+types/cart'
import '../../styles/whole.css'
import { CartScreen } from '../../features/cart/screens/cart-screen.tsx'

export const meta: Route.MetaFunction = ({ matches }) => [
  { title: pageTitle(CART_TITLE, matches[0]?.loaderData) },
  { name: 'description', content: CART_EMPTY_HINT },
]

export default function CartPage() {
  return <CartScreen />
}
