import { type Ref, useRef, useState } from 'react'
import { href, Link } from 'react-router'
import { formatMoney } from '../../../shared/money.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { CardControl } from '../../../ui/card-control.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { deferred } from '../../../ui/deferred.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { PayoutTimes } from '../../terms/rules.ts'
import {
  ADD_TO_CART_TEXT,
  ASK_FOR_QUOTE_TEXT,
  ASK_QUESTION_TEXT,
  BOOK_NOW_TEXT,
  PRICE_ON_REQUEST_TEXT,
  startingPriceText,
  UNIT_TEXTS,
  unitPriceText,
} from '../messages.ts'
import type { BusinessView } from '../queries.server.ts'
import { type BusinessRating, CATEGORY_PATHS, isBookable } from '../rules.ts'
import { AbnMark } from './abn-mark.tsx'
import type { AskedOfPanel } from './book-bar.tsx'
import { RatingMark } from './rating-mark.tsx'

/** A longer name is set smaller, or it would push the price and 'Book Now' out of sight. */
const LONG_NAME_LENGTH = 48
// The bar is out of sight until the visitor scrolls, so it loads later.
const BookBar = deferred('book-bar', async () => (await import('./book-bar.tsx')).BookBar)
const QuoteAsked = deferred('quote-asked', async () => (await import('./book-bar.tsx')).QuoteAsked)
const BookNote = deferred('book-note', async () => (await import('./book-bar.tsx')).BookNote)

/**
 * Name, place, price and the buttons of a business. On a phone a bar keeps 'Book Now' within reach once the buttons
 * have scrolled away. On a wide screen the panel itself stays in view.
 */
export function BookingPanel({
  business,
  terms,
  payoutTimes,
  responseLine,
  answerTime,
  rating,
  onAddToCart,
}: {
  business: BusinessView
  /** How it is cancelled, and its deposit. */
  terms: [cancelling: string, deposit?: string]
  payoutTimes: PayoutTimes | null
  /** How fast the vendor answers; null while too little is known. */
  responseLine: string | null
  /** How long the vendor has to answer a booking: 'two days'. */
  answerTime: string
  rating: BusinessRating | null
  onAddToCart: () => void
}) {
  const actions = useRef<HTMLDivElement>(null)
  const [{ query, askQuery, deposit, isWithoutDeposit }, setAsked] = useState<AskedOfPanel>({
    query: '',
    askQuery: '',
    deposit: null,
    isWithoutDeposit: false,
  })
  const bookable = isBookable(business)
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
          <Icon name="map-pin" className="size-4.5" />
          {business.location}
        </span>
        {rating ? (
          <a href="#reviews" className="hover:underline hover:underline-offset-4">
            <RatingMark rating={rating} />
          </a>
        ) : null}
      </p>
      <StartingPrice
        business={business}
        terms={[terms[0], deposit ?? (isWithoutDeposit ? null : terms[1])].filter(Boolean).join(' · ')}
      />
      <ActionButtons
        ref={actions}
        bookHref={bookable ? href('/book/:id', business) + query : null}
        askQuery={askQuery}
        business={business}
        onAddToCart={onAddToCart}
      />
      {bookable ? (
        <BookBar business={business} payoutTimes={payoutTimes} watched={actions} onAsked={setAsked} />
      ) : (
        <QuoteAsked id={business.id} onAsked={setAsked} />
      )}
      {responseLine ? <p className="mt-4 text-sm text-quiet">{responseLine}</p> : null}
      <BookNote business={business} payoutTimes={payoutTimes} answerTime={answerTime} />
    </>
  )
}

function StartingPrice({ business, terms }: { business: BusinessView; terms: string }) {
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
      <span className="figures w-full text-sm text-quiet">{terms}</span>
    </p>
  )
}

function ActionButtons({
  ref,
  bookHref,
  askQuery,
  business,
  onAddToCart,
}: {
  ref: Ref<HTMLDivElement>
  /** The booking form, filled in with what was searched for. null without a price. */
  bookHref: string | null
  /** The query string of the question's form. */
  askQuery: string
  business: BusinessView
  onAddToCart: () => void
}) {
  const askHref = href('/business/:id/ask', business)
  return (
    <div
      ref={ref}
      className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.25rem),1fr))] md:mt-5 gap-3 md:grid-cols-1"
    >
      <ButtonLink
        to={bookHref ?? askHref + askQuery}
        rel="nofollow"
        state={bookHref ? { business } : null}
        variant="primary"
        size="large"
        wide
        className="px-4!"
      >
        {bookHref ? BOOK_NOW_TEXT : ASK_FOR_QUOTE_TEXT}
      </ButtonLink>
      <Button
        variant="secondary"
        size="large"
        wide
        icon={<Icon name="shopping-bag" />}
        onClick={onAddToCart}
        className="px-4!"
      >
        {ADD_TO_CART_TEXT}
      </Button>
      <div className="col-span-full flex flex-wrap items-center justify-between gap-x-4">
        <Link
          to={bookHref ? askHref + askQuery : askHref + withWish(askQuery)}
          rel="nofollow"
          className="link"
        >
          {ASK_QUESTION_TEXT}
        </Link>
        <CardControl id={business.id} name={business.name} labelled />
      </div>
    </div>
  )
}

/** The query string of a question where the form would ask for a quote. */
const withWish = (askQuery: string) => `${askQuery || '?'}${askQuery ? '&' : ''}wish=question`
