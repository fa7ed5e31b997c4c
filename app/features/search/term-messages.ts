import { type Cents, formatShortMoney, type PriceUnit } from '../../shared/money.ts'
import { UNIT_TEXTS } from '../businesses/messages.ts'

/** The search's listed price in words, or '' without one. */
export function priceText({
  minCents,
  maxCents,
  per,
}: {
  minCents: Cents | null
  maxCents: Cents | null
  per: PriceUnit | null
}): string {
  const unit = per ? ` ${UNIT_TEXTS[per]}` : ' each'
  if (minCents !== null && maxCents !== null)
    return `${formatShortMoney(minCents)} to ${formatShortMoney(maxCents)}${unit}`
  if (maxCents !== null) return `up to ${formatShortMoney(maxCents)}${unit}`
  return minCents === null ? '' : `from ${formatShortMoney(minCents)}${unit}`
}

/** 'a wedding', 'an anniversary'. */
export function anOccasion(name: string): string {
  return `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name.toLowerCase()}`
}
