import type { Cents } from '../../shared/money.ts'

/**
 * The amount of one line, in cents: for lines that are agreed already, such as a quote's, and for sums that are only compared. It has
 * no limits.
 */
export function lineCents({ quantity, unitPriceCents }: { quantity: number; unitPriceCents: Cents }): Cents {
  return quantity * unitPriceCents
}
