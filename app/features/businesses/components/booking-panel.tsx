import { MapPin, ShoppingBag } from 'lucide-react'
import { type Ref, useRef } from 'react'
import { href, Link } from 'react-router'
import { formatMoney } from '../../../shared/money.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { deferred } from '../../../ui/deferred.tsx'
import {
  ADD_TO_CART_TEXT,
  BOOK_NOW_TEXT,
  PRICE_ON_REQUEST_TEXT,
  startingPriceText,
  UNIT_TEXTS,
  unitPriceText,
} from '../messages.ts'
import type { BusinessView } from '../queries.server.ts'
import { type BusinessRating, CATEGORY_PATHS, isBookable } from '../rules.ts'
import { AbnMark } from './abn-mark.tsx'
import { RatingMark } from './rating-mark.tsx'

/** A longer name is set smaller, or it would push the price and 'Book Now' out of sight. */
const LONG_NAME_LENGTH = 48
// The bar is out of sight until the visitor scrolls, so it loads later.
const BookBar = deferred('book-bar', async () => (await import('./book-bar.tsx')).BookBar)

/**
 * Name, place, price and the buttons of a business. On a phone a bar keeps 'Book Now' within reach once the buttons
 * have scrolled away. On a wide screen the panel itself stays in view.
 */
export function BookingPanel({
  business,
  termsLine,
  rating,
  onAddToCart,
}: {
  business: BusinessView
  /** How it is cancelled and paid, in one line. */
  termsLine: string
  rating: BusinessRating | null
  onAddToCart: () => void
}) {
  const actions = useRef<HTMLDivElement>(null)
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link to={CATEGORY_PATHS[business.category]} className="tag hover:underline">
          {business.category}
        </Link>
        {business.abnRegistered ? <AbnMark /> : null}
      </p>
      <h1
        className={classNames(
          'mt-3 text-2xl wrap-anywhere',
          business.name.length <= LONG_NAME_LENGTH && 'md:text-3xl lg:text-4xl',
        )}
      >
        {business.name}
      </h1>
      <p className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-1">
        <span className="inline-flex items-center gap-1.5 text-quiet">
          <MapPin aria-hidden="true" className="size-4.5" />
          {business.location}
        </span>
        {rating ? (
          <a href="#reviews" className="hover:underline hover:underline-offset-4">
            <RatingMark rating={rating} />
          </a>
        ) : null}
      </p>
      <StartingPrice business={business} termsLine={termsLine} />
      <ActionButtons ref={actions} business={business} onAddToCart={onAddToCart} />
      {isBookable(business) ? (
        <>
          <p className="mt-4 text-sm text-quiet">
            You pay when you book. The vendor answers within two days, and you get a full refund if they can’t
            do it.
          </p>
          <BookBar business={business} watched={actions} />
        </>
      ) : (
        <p className="mt-4 text-sm text-quiet">
          This vendor sets a price for each event, so it can’t be booked here yet. Keep it in your cart while
          you compare.
        </p>
      )}
    </>
  )
}

function StartingPrice({ business, termsLine }: { business: BusinessView; termsLine: string }) {
  if (!isBookable(business)) return <p className="price mt-5 text-2xl">{PRICE_ON_REQUEST_TEXT}</p>
  const price = formatMoney(business.priceCents)
  const label = startingPriceText(price).slice(0, -price.length)
  return (
    <p className="mt-4 flex flex-wrap items-baseline gap-x-2 border-t border-line pt-4 md:mt-5 md:pt-5">
      <span className="price text-2xl">
        {/* The specified wording stays one text, with its figure set larger. */}
        <span className="font-sans text-base tracking-normal text-quiet">{label}</span>
        {price}
      </span>
      <span className="text-quiet">{UNIT_TEXTS[business.priceUnit]}</span>
      {business.secondPrice ? (
        <span className="figures w-full">
          <span className="text-quiet">or</span>{' '}
          {unitPriceText(business.secondPrice.cents, business.secondPrice.unit)}
        </span>
      ) : null}
      <span className="w-full text-sm text-quiet">{termsLine}</span>
    </p>
  )
}

function ActionButtons({
  ref,
  business,
  onAddToCart,
}: {
  ref: Ref<HTMLDivElement>
  business: BusinessView
  onAddToCart: () => void
}) {
  const bookable = isBookable(business)
  return (
    <div ref={ref} className={bookable ? 'mt-4 grid grid-cols-2 md:mt-5 gap-3 md:grid-cols-1' : 'mt-5'}>
      {bookable ? (
        <ButtonLink
          to={href('/book/:id', { id: business.id })}
          rel="nofollow"
          state={{ business }}
          variant="primary"
          size="large"
          wide
          className="px-4!"
        >
          {BOOK_NOW_TEXT}
        </ButtonLink>
      ) : null}
      <Button
        variant="secondary"
        size="large"
        wide
        icon={<ShoppingBag aria-hidden="true" />}
        onClick={onAddToCart}
        className="px-4!"
      >
        {ADD_TO_CART_TEXT}
      </Button>
    </div>
  )
}
