import { href, Link } from 'react-router'
import { formatDay, isLocalDate, type LocalDate } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { ButtonLink, IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Picture } from '../../../ui/picture.tsx'
import { useDayAnswer } from '../browser/use-cart-day.ts'
import { CHECKING_TEXT, CHOOSE_ANOTHER_DAY, dayText } from '../messages.ts'
import { bookingQuery, type CartItem, cartPriceCents, itemTotal } from '../rules.ts'
import { QuantityStepper } from './quantity-stepper.tsx'

// A cart item has only the address of its image, so this stands in for the size and colour.
const IMAGE_SHAPE = { width: 640, height: 480, colour: null }

/** The items of the cart, each with its price, its quantity and a link to book it. */
export function CartList({
  items,
  day,
  onQuantity,
  onRemove,
}: {
  items: readonly CartItem[]
  /** The day that the cart is for, or ''. */
  day: LocalDate
  onQuantity: (id: string, quantity: number) => void
  onRemove: (item: CartItem, index: number) => void
}) {
  return (
    <ul className="border-t border-line">
      {items.map((item, index) => {
        const name = item.name?.trim() || 'A listing without a name'
        const priceCents = cartPriceCents(item.price)
        const page = href('/business/:id', { id: item.id })
        return (
          <li
            key={item.id}
            className="grid grid-cols-[88px_1fr_auto] gap-x-4 gap-y-4 border-b border-line py-6 sm:grid-cols-[144px_1fr_auto] sm:gap-x-6"
          >
            <Link to={page} tabIndex={-1} aria-hidden="true" className="sm:row-span-2">
              <Picture
                image={isOwnImage(item.image) ? { url: item.image, ...IMAGE_SHAPE } : null}
                alt=""
                sizes="(min-width: 560px) 144px, 88px"
                ratio="4 / 3"
              />
            </Link>
            <div className="min-w-0">
              <h2 className="line-clamp-3 text-lg leading-tight sm:text-xl">
                <Link to={page} className="py-1 hover:underline hover:underline-offset-4">
                  {name}
                </Link>
              </h2>
              <p className="figures mt-1 text-sm text-quiet">
                {priceCents > 0
                  ? `${formatMoney(priceCents)} ${unitWords(item.priceUnit)}`.trim()
                  : 'Price on request'}
              </p>
              {priceCents > 0 ? <DayLine item={item} day={day} /> : null}
            </div>
            <IconButton
              label={`Remove ${name}`}
              className="-mt-2 -mr-2"
              onClick={() => onRemove(item, index)}
            >
              <Icon name="trash-2" />
            </IconButton>
            <div className="col-span-3 flex flex-wrap items-center gap-x-3 gap-y-3 sm:gap-x-5 sm:col-span-2 sm:col-start-2">
              <QuantityStepper
                label={`Quantity of ${name}`}
                quantity={item.quantity}
                onChange={(quantity) => onQuantity(item.id, quantity)}
              />
              {priceCents > 0 ? (
                <p className="price sm:text-lg">
                  <span className="unseen">Total </span>
                  {formatMoney(itemTotal(item))}
                </p>
              ) : null}
              {priceCents > 0 ? (
                <ButtonLink
                  variant="brand"
                  to={bookPath(item, day)}
                  className="ml-auto"
                  aria-label={`Book ${name}`}
                >
                  Book
                </ButtonLink>
              ) : (
                <ButtonLink to={page} className="ml-auto">
                  See the listing
                </ButtonLink>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** Allows only pictures of this site, since anything may have written to the browser's storage. */
function isOwnImage(image: unknown): image is string {
  return typeof image === 'string' && /^\/[^/\\]/.test(image) && !image.includes('?')
}

function unitWords(unit: unknown): string {
  if (unit === 'perPerson') return 'per person'
  return unit === 'perHour' ? 'per hour' : ''
}

/** Whether the item can be booked on the cart's day. Renders nothing without a day. */
function DayLine({ item, day }: { item: CartItem; day: LocalDate }) {
  const answer = useDayAnswer(item, day)
  if (!isLocalDate(day)) return null
  return (
    <p role="status" className={answer === 'free' ? 'figures mt-1 text-success' : 'figures mt-1'}>
      {answer === null ? CHECKING_TEXT : dayText(answer, formatDay(day))}
      {answer === 'taken' ? (
        <>
          {'. '}
          <Link to={bookPath(item, '')} className="link">
            {CHOOSE_ANOTHER_DAY}
            <span className="unseen"> for {item.name}</span>
          </Link>
        </>
      ) : null}
    </p>
  )
}

/** The booking page of an item, with the quantity and the day chosen here filled in. */
function bookPath(item: CartItem, day: LocalDate): string {
  return href('/book/:id', { id: item.id }) + bookingQuery(item, day)
}
