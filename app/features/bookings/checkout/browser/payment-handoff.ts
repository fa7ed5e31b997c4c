import { href } from 'react-router'
import { type Cents, parsePrice, toNumericString } from '../../../../shared/money.ts'
import type { BookingForm } from '../../form-rules.ts'

/** The fields of the business that the payment screen shows. Further fields are passed along untouched. */
type HandedVendor = {
  id: string
  name: string
  location?: string
  pictures?: unknown
}

/**
 * The hand-off from the booking screen to the payment screen (Specification, section 3), with the key of this press of
 * the button. `totalPrice` is a numeric string such as '1200.50' (Decision 5).
 */
export type PaymentHandoff = {
  booking: BookingForm
  totalPrice: string
  vendor: HandedVendor
  submitKey: string
  /** The page of the quote that is paid; missing for a booking from the form. */
  quotePath?: string
}

/** Makes the key of one press of the button. It is unguessable, because it authorises continuing the payment. */
export function newSubmitKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** Builds the hand-off, with a new submit key. */
export function toHandoff(booking: BookingForm, totalCents: Cents, vendor: HandedVendor): PaymentHandoff {
  return { booking, totalPrice: toNumericString(totalCents), vendor, submitKey: newSubmitKey() }
}

/** The hand-off's total in whole cents. */
export function handedTotalCents(handoff: PaymentHandoff): Cents {
  return parsePrice(handoff.totalPrice) ?? 0
}

/**
 * Reads the hand-off from navigation state. The state survives reloads and browser restarts, so an older version of
 * this page may have written it.
 * @returns null without a booking, vendor and total price (Specification, section 2)
 */
export function parseHandoff(state: unknown): PaymentHandoff | null {
  if (!isRecord(state) || !isRecord(state.booking) || !isRecord(state.vendor)) return null
  const { booking, vendor, totalPrice, submitKey, quotePath } = state
  const isComplete =
    TEXTS.every((field) => typeof booking[field] === 'string') &&
    typeof booking.quantity === 'number' &&
    (booking.bookingType === 'perPerson' || booking.bookingType === 'perHour') &&
    typeof vendor.id === 'string' &&
    typeof vendor.name === 'string' &&
    typeof totalPrice === 'string' &&
    (parsePrice(totalPrice) ?? 0) > 0
  if (!isComplete) return null
  return {
    booking: booking as BookingForm,
    vendor: vendor as HandedVendor,
    totalPrice,
    submitKey: typeof submitKey === 'string' ? submitKey : newSubmitKey(),
    ...(typeof quotePath === 'string' && quotePath.startsWith(QUOTE_PATH) ? { quotePath } : {}),
  }
}

/** The beginning of a quote's path. */
const QUOTE_PATH = href('/quotes/:id/:link?', { id: '' })

const TEXTS = ['fullName', 'email', 'phone', 'date', 'time'] as const

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
