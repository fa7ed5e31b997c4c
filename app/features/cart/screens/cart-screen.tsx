import { useState } from 'react'
import { href } from 'react-router'
import { formatMoney } from '../../../shared/money.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { DrawnPicture } from '../../../ui/drawn-picture.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TextField } from '../../../ui/field.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { useCart } from '../browser/use-cart.ts'
import { useCartDay } from '../browser/use-cart-day.ts'
import { CartList } from '../components/cart-list.tsx'
import {
  addedUpText,
  CART_EMPTY,
  CART_EMPTY_HINT,
  CART_NEEDS_SCRIPT,
  CART_TITLE,
  DAY_HINT,
  DAY_LABEL,
  PAID_SEPARATELY,
  PAID_SEPARATELY_DETAIL,
} from '../messages.ts'
import type { CartItem } from '../rules.ts'

/** The items just removed, for 'Undo'. */
type Removed = { items: readonly CartItem[]; index: number; text: string }

/** The cart of this browser with its total. A removal can be undone. */
export function CartScreen() {
  const cart = useCart()
  const [removed, setRemoved] = useState<Removed | null>(null)
  const { day, first, choose } = useCartDay()
  const box = useKeptFocus<HTMLDivElement>()

  const undo = () => {
    if (!removed) return
    const [only] = removed.items
    if (removed.items.length === 1 && only) cart.putBack(only, removed.index)
    else cart.putAllBack(removed.items)
    setRemoved(null)
  }

  return (
    <div ref={box} className="page section">
      <header className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2">
        <h1>{CART_TITLE}</h1>
        {cart.items.length > 0 ? (
          <Button
            variant="quiet"
            onClick={() => {
              setRemoved({ items: cart.items, index: 0, text: 'Your cart was cleared.' })
              cart.clear()
            }}
          >
            Clear the cart
          </Button>
        ) : null}
      </header>
      <div role="status" className="mt-4 empty:mt-0">
        {removed ? (
          <div className="flex items-center justify-between gap-4 rounded-card bg-info-soft py-2 pr-2 pl-5">
            <p className="min-w-0 py-2">{removed.text}</p>
            <Button variant="quiet" onClick={undo}>
              Undo
            </Button>
          </div>
        ) : null}
      </div>
      {cart.items.length > 0 ? (
        <div className="mt-8 grid items-start gap-10 lg:grid-cols-[1fr_360px] lg:gap-16">
          <div>
            <TextField
              type="date"
              label={DAY_LABEL}
              optional
              hint={DAY_HINT}
              min={first || undefined}
              value={day}
              className="mb-8 max-w-72"
              onChange={(event) => choose(event.currentTarget.value)}
            />
            <CartList
              items={cart.items}
              day={day}
              onQuantity={cart.updateQuantity}
              onRemove={(item, index) => {
                setRemoved({ items: [item], index, text: `${item.name ?? 'The listing'} was removed.` })
                cart.remove(item.id)
              }}
            />
          </div>
          <CartSummary count={cart.count} total={cart.total} addedUp={addedUpText(cart.items)} />
        </div>
      ) : // The server can't read the browser's storage, so it renders neither an empty cart nor a full one.
      cart.isRead ? (
        <EmptyState
          illustration={<DrawnPicture picture="empty-cart/cart" />}
          title={CART_EMPTY}
          text={CART_EMPTY_HINT}
          action={
            <ButtonLink variant="primary" to={href('/venues-vendors')}>
              See venues and vendors
            </ButtonLink>
          }
        />
      ) : (
        <div className="min-h-[60vh]">
          <noscript>
            <Banner>{CART_NEEDS_SCRIPT}</Banner>
          </noscript>
        </div>
      )}
    </div>
  )
}

function CartSummary({ count, total, addedUp }: { count: number; total: number; addedUp: string | null }) {
  return (
    <aside
      aria-label="Summary"
      className="rounded-card border border-line bg-surface p-6 lg:sticky lg:top-[calc(var(--header-height)+24px)] lg:p-8"
    >
      <dl className="grid gap-3">
        <div className="flex items-baseline justify-between gap-4 text-quiet">
          <dt>Items</dt>
          <dd className="figures">{count}</dd>
        </div>
        <div className="flex items-baseline justify-between gap-4 border-t border-line pt-4">
          <dt className="font-semibold">Total</dt>
          <dd className="price text-2xl">{formatMoney(total)}</dd>
        </div>
      </dl>
      {addedUp ? <p className="figures mt-2 text-sm text-quiet">{addedUp}</p> : null}
      <p className="mt-6 font-semibold">{PAID_SEPARATELY}</p>
      <p className="mt-1 text-sm text-quiet">{PAID_SEPARATELY_DETAIL}</p>
    </aside>
  )
}
