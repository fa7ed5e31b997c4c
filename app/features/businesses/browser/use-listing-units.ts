import { type RefObject, useState } from 'react'
import { PRICE_UNITS, type PriceUnit } from '../../../shared/money.ts'
import { setTyped } from '../../../ui/set-typed.ts'
import { CATEGORIES, defaultPriceUnit } from '../rules.ts'
import type { ListingDraft } from './listing-draft.ts'

type Units = { unit: PriceUnit | null; types: PriceUnit[]; isOwnChoice: boolean }

/**
 * What the first price of the listing form is per, and which units customers can book by: both follow the category until
 * the vendor says otherwise.
 * @param start what the form begins with
 * @param element the form, whose two prices change places with their units
 */
export function useListingUnits(start: ListingDraft, element: RefObject<HTMLFormElement | null>) {
  const [units, setUnits] = useState<Units>(() => ({
    unit: PRICE_UNITS.find((unit) => unit === start.priceUnit) ?? null,
    types: PRICE_UNITS.filter((type) => start.bookingTypes.includes(type)),
    isOwnChoice: start.priceUnit !== '',
  }))

  /** The category's default (Decision 5), unless the vendor has said something else. */
  function chooseCategory(category: string) {
    if (units.isOwnChoice) return
    const known = CATEGORIES.find((each) => each === category)
    const unit = known ? defaultPriceUnit(known) : null
    setUnits({ unit, types: unit ? [unit] : [], isOwnChoice: false })
  }

  /** The unit of the first price. Of two prices each keeps its unit, so both change places. */
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
      // What is left is what the price is per.
      return {
        unit: unit !== null && next.includes(unit) ? unit : (next[0] ?? unit),
        types: next,
        isOwnChoice: true,
      }
    })
  }

  return { units, chooseCategory, chooseUnit, chooseType }
}
