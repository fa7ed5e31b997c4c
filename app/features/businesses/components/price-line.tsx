import { formatMoney } from '../../../shared/money.ts'
import { classNames } from '../../../ui/class-names.ts'
import { PRICE_ON_REQUEST_TEXT, UNIT_TEXTS } from '../messages.ts'
import { offeredPrices, type Pricing } from '../rules.ts'

/** 'from $84.00 per person · $450.00 per hour', the same text as `priceText`, with larger figures (Decision 5). */
export function PriceLine({ pricing, className }: { pricing: Pricing; className?: string }) {
  if (pricing.priceCents <= 0)
    return <p className={classNames('price text-lg', className)}>{PRICE_ON_REQUEST_TEXT}</p>
  return (
    <p className={className}>
      {offeredPrices(pricing).map(({ unit, cents }, index) => (
        // Breaks lines between two prices, or within a price that is wider than the card, but never before the dot.
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
