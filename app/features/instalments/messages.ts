import { formatDay, wallTimeAt } from '../../shared/dates.ts'
import { formatMoney } from '../../shared/money.ts'

/** The day of an instant by the venue's clock, in words. */
export const dayAt = (instant: Date, timeZone: string) => formatDay(wallTimeAt(instant, timeZone).date)

/** The consent of a customer who changes the card: who charges it, how much and when. */
export function cardConsentText(
  charge: { amountCents: number; chargedAt: Date; isDue: boolean },
  { brand, timeZone }: { brand: string; timeZone: string },
): string {
  const when = charge.isDue ? 'now' : `on ${dayAt(charge.chargedAt, timeZone)}`
  return `You agree that ${brand} saves this card and charges it ${formatMoney(charge.amountCents)} ${when} for this booking. We delete it once nothing is due.`
}

/** A saved card in words: 'card ending 4242'. */
export const cardText = (lastFour: string | null) => (lastFour ? `card ending ${lastFour}` : 'saved card')
