import { formatMoney } from '../../../shared/money.ts'
import { classNames } from '../../../ui/class-names.ts'
import { PRICE_ON_REQUEST_TEXT, UNIT_TEXTS } from '../messages.ts'
import { offeredPrices, type Pricing } from '../rules.ts'

/** 'from $84.00 per person · $450.00 per hour', with the figures in front; the same words as `priceText` (Decision 5). */
export function PriceLine({ pricing, className }: { pricing: Pricing; className?: string }) {
  if (pricing.priceCents <= 0)
    return <p className={classNames('price text-lg', className)}>{PRICE_ON_REQUEST_TEXT}</p>
  return (
    <p className={className}>
      {offeredPrices(pricing).map(({ unit, cents }, index) => (
        // A line ends between two prices, within one only where it is wider than the card, and none begins with the dot.
        <span key={unit}>
          <span className="text-sm text-quiet">{index === 0 ? 'from ' : '\u00a0· '}</span>
          <span className="inline-block max-w-full">
            <span className="price text-lg">{formatMoney(cents)}</span>
            <span className="text-sm text-quiet"> {UNIT_TEXTS[unit]}</span>
          </span>
        </span>
      ))}
    </p>
  )
}
