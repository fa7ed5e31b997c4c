import type { UnitPrice } from '../../../../shared/money.ts'
import type { BusinessView } from '../../../businesses/queries.server.ts'
import { otherUnit } from '../../../businesses/rules.ts'

/** The part of a business that the booking screen needs before, or without, the server's fresh row (Decision 11). */
export type HandedBusiness = Pick<
  BusinessView,
  'id' | 'name' | 'location' | 'pictures' | 'priceCents' | 'priceUnit' | 'secondPrice'
>

/**
 * Reads the business that the previous page handed over in navigation state (Specification, section 2).
 * @param id the business of this page; any other is ignored
 */
export function readHandedBusiness(state: unknown, id: string): HandedBusiness | null {
  if (!isRecord(state)) return null
  const business = isRecord(state.business) ? state.business : state.vendor
  if (!isRecord(business) || business.id !== id || typeof business.name !== 'string') return null
  const { name, location, pictures, secondPrice } = business
  const priceUnit = business.priceUnit === 'perHour' ? 'perHour' : 'perPerson'
  const secondCents = isRecord(secondPrice) ? centsOf(secondPrice.cents) : 0
  const second: UnitPrice = { unit: otherUnit(priceUnit), cents: secondCents }
  return {
    id,
    name,
    location: typeof location === 'string' ? location : '',
    pictures: Array.isArray(pictures) ? pictures.filter(isPicture).slice(0, 1) : [],
    priceCents: centsOf(business.priceCents),
    priceUnit,
    secondPrice: second.cents > 0 ? second : null,
  }
}

function centsOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0
}

/** The first handed-over picture that is hosted on this site. */
export function firstHandedPicture(pictures: unknown): BusinessView['pictures'][number] | null {
  return (Array.isArray(pictures) ? pictures.find(isPicture) : undefined) ?? null
}

function isPicture(value: unknown): value is BusinessView['pictures'][number] {
  return (
    isRecord(value) &&
    typeof value.url === 'string' &&
    /^\/[^/\\]/.test(value.url) &&
    typeof value.width === 'number' &&
    typeof value.height === 'number'
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
