import { type RefObject, useState } from 'react'
import { PRICE_UNITS, type PriceUnit, parsePrice, type UnitPrice } from '../../../shared/money.ts'
import { setTyped } from '../../../ui/set-typed.ts'
import { MAX_TOTAL_CENTS } from '../../pricing/limits.ts'
import { CATEGORIES, defaultPriceUnit } from '../rules.ts'
import type { ListingDraft } from './listing-draft.ts'

type Units = { unit: PriceUnit | null; types: PriceUnit[]; isOwnChoice: boolean }

/**
 * The typed prices of the listing form, the unit of the first one, and the booking types. Units and types follow the category
 * until the vendor chooses.
 * @param start the initial draft of the form
 * @param element the form, whose two prices swap fields when the first unit changes
 */
export function useListingUnits(start: ListingDraft, element: RefObject<HTMLFormElement | null>) {
  const [units, setUnits] = useState<Units>(() => ({
    unit: PRICE_UNITS.find((unit) => unit === start.priceUnit) ?? null,
    types: PRICE_UNITS.filter((type) => start.bookingTypes.includes(type)),
    isOwnChoice: start.priceUnit !== '',
  }))

  const [typed, setPrices] = useState({ price: start.price, secondPrice: start.secondPrice })
  const prices = units.types.map((type) => ({
    unit: type,
    cents: parsePrice(type === units.unit ? typed.price : typed.secondPrice),
  }))
  const first = prices.find(({ unit }) => unit === units.unit)
  /** Null while it is unclear, too high, or on request. */
  const firstPrice: UnitPrice | null =
    first?.cents && first.cents <= MAX_TOTAL_CENTS ? { unit: first.unit, cents: first.cents } : null
  const typePrice = (changed: Partial<typeof typed>) => setPrices((before) => ({ ...before, ...changed }))

  /** Sets the category's default unit (Decision 5), unless the vendor has chosen one. */
  function chooseCategory(category: string) {
    if (units.isOwnChoice) return
    const known = CATEGORIES.find((each) => each === category)
    const unit = known ? defaultPriceUnit(known) : null
    setUnits({ unit, types: unit ? [unit] : [], isOwnChoice: false })
  }

  /** Sets the unit of the first price. Each of two prices keeps its unit, so they swap fields. */
  function chooseUnit(unit: PriceUnit) {
    const hasBoth = units.types.length > 1
    setUnits({ unit, types: hasBoth ? units.types : [unit], isOwnChoice: true })
    if (!hasBoth || !element.current) return
    const typed = new FormData(element.current)
    for (const [to, from] of [
      ['price', 'secondPrice'],
      ['secondPrice', 'price'],
    ] as const) {
      const input = element.current.elements.namedItem(to)
      if (input instanceof HTMLInputElement) setTyped(input, String(typed.get(from) ?? ''))
    }
  }

  function chooseType(type: PriceUnit, wanted: boolean) {
    setUnits(({ unit, types }) => {
      const next = PRICE_UNITS.filter((each) => (each === type ? wanted : types.includes(each)))
      // If the first unit was unticked, the other one becomes the first.
      return {
        unit: unit !== null && next.includes(unit) ? unit : (next[0] ?? unit),
        types: next,
        isOwnChoice: true,
      }
    })
  }

  return { units, prices, firstPrice, typePrice, chooseCategory, chooseUnit, chooseType }
}
