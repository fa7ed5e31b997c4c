import { type Cents, parsePrice, toNumericString } from '../../../shared/money.ts'
import type { BookingForm } from '../rules.ts'

/** What the payment screen shows of the business; the booking screen hands over more, which is carried along. */
type HandedVendor = {
  id: string
  name: string
  location?: string
  pictures?: unknown
}

/**
 * What the booking screen hands to the payment screen (Specification, section 3), and the key of this press of the
 * button. `totalPrice` is a numeric string such as '1200.50' (Decision 5).
 */
export type PaymentHandoff = {
  booking: BookingForm
  totalPrice: string
  vendor: HandedVendor
  submitKey: string
}

/** A key for one press of the button: random and unguessable, since whoever knows it can go on with the payment. */
export function newSubmitKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** Puts the hand-off together. */
export function toHandoff(booking: BookingForm, totalCents: Cents, vendor: HandedVendor): PaymentHandoff {
  return { booking, totalPrice: toNumericString(totalCents), vendor, submitKey: newSubmitKey() }
}

/** The hand-off's total in whole cents. */
export function handedTotalCents(handoff: PaymentHandoff): Cents {
  return parsePrice(handoff.totalPrice) ?? 0
}

/**
 * Reads navigation state. It survives reloads and restarts of the browser, so an older version of this page may
 * have written it: without booking, vendor and total price there is no hand-off (Specification, section 2).
 */
export function parseHandoff(state: unknown): PaymentHandoff | null {
  if (!isRecord(state) || !isRecord(state.booking) || !isRecord(state.vendor)) return null
  const { booking, vendor, totalPrice, submitKey } = state
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
  }
}

const TEXTS = ['fullName', 'email', 'phone', 'date', 'time'] as const

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
