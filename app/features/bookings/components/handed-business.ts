import type { BusinessView } from '../../businesses/queries.server.ts'

/** The part of a business that can be booked before, or without, the server's fresh row (Decision 11). */
export type HandedBusiness = Pick<
  BusinessView,
  'id' | 'name' | 'location' | 'pictures' | 'priceCents' | 'priceUnit' | 'bookingTypes'
>

/**
 * Finds the business that the page before handed over in navigation state (Specification, section 2).
 * @param id the business that this page is about; another one is ignored
 */
export function readHandedBusiness(state: unknown, id: string): HandedBusiness | null {
  if (!isRecord(state)) return null
  const business = isRecord(state.business) ? state.business : state.vendor
  if (!isRecord(business) || business.id !== id || typeof business.name !== 'string') return null
  const { name, location, pictures, priceCents, bookingTypes } = business
  const priceUnit = business.priceUnit === 'perHour' ? 'perHour' : 'perPerson'
  const taken = UNITS.filter((unit) => Array.isArray(bookingTypes) && bookingTypes.includes(unit))
  return {
    id,
    name,
    location: typeof location === 'string' ? location : '',
    pictures: Array.isArray(pictures) ? pictures.filter(isPicture).slice(0, 1) : [],
    priceCents: typeof priceCents === 'number' && Number.isSafeInteger(priceCents) ? priceCents : 0,
    priceUnit,
    bookingTypes: taken.length > 0 ? taken : [priceUnit],
  }
}

const UNITS = ['perPerson', 'perHour'] as const

/** The first picture of what was handed over, if it is one of this site. */
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
