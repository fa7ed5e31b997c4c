import { formatMoney, type PriceUnit } from '../../../shared/money.ts'
import type { Pricing } from '../../businesses/rules.ts'
import { bookablePrice } from '../form-rules.ts'

/** '40 people', '1 hour'. */
export function quantityText(quantity: number, bookingType: PriceUnit): string {
  const count = quantity.toLocaleString('en-AU')
  if (bookingType === 'perHour') return quantity === 1 ? '1 hour' : `${count} hours`
  return quantity === 1 ? '1 person' : `${count} people`
}

/** Keeps each time, such as '4:00 pm', on one line. */
export function keepTimesWhole(text: string): React.ReactNode {
  // Splitting with a capture group makes every second part a time.
  return text.split(/(\d{1,2}:\d\d [ap]m)/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other key
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  )
}

/** The most characters that stay on one line. A longer part, such as a name, may break. */
const UNBROKEN = 24

/** Parts of a line, with a dot after each but the last. No line begins with a dot, or breaks within a short part. */
export function withDots(parts: readonly (string | null)[]): string {
  return parts
    .filter((part) => part !== null)
    .map((part) => (part.length > UNBROKEN ? part : part.replaceAll(' ', '\u00a0')))
    .join('\u00a0· ')
}

/** The total and its calculation for a summary; null while the quantity can't be booked. */
export function totalParts(
  pricing: Pricing,
  quantity: number,
  bookingType: PriceUnit,
  maxGuests: number | null,
) {
  const price = bookablePrice(pricing, { quantity, bookingType }, maxGuests)
  return (
    price && {
      totalCents: price.totalCents,
      words: price.lines
        .map((line) => `${quantityText(line.quantity, line.unit)} × ${formatMoney(line.unitPriceCents)}`)
        .join(', '),
    }
  )
}

/** A label and its value, as one row of a description list. */
export function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 border-b border-line py-3 print:py-1.5">
      <dt className="text-quiet">{label}</dt>
      <dd className="figures ml-auto min-w-0 text-right font-medium text-balance [overflow-wrap:anywhere]">
        {children}
      </dd>
    </div>
  )
}
