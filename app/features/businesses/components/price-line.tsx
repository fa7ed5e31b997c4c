import { formatMoney, type PriceUnit } from '../../../shared/money.ts'
import { classNames } from '../../../ui/class-names.ts'
import { PRICE_ON_REQUEST_TEXT, UNIT_TEXTS } from '../wording.ts'

/** 'from $85.00 per person', with the figure in front; the same words as `priceText` (Decision 5). */
export function PriceLine({
  priceCents,
  priceUnit,
  className,
}: {
  priceCents: number
  priceUnit: PriceUnit
  className?: string
}) {
  if (priceCents <= 0)
    return <p className={classNames('price text-lg', className)}>{PRICE_ON_REQUEST_TEXT}</p>
  return (
    <p className={className}>
      <span className="text-sm text-quiet">from </span>
      <span className="price text-lg">{formatMoney(priceCents)}</span>
      <span className="text-sm text-quiet"> {UNIT_TEXTS[priceUnit]}</span>
    </p>
  )
}
