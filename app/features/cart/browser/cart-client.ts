import { href } from 'react-router'
import type { LocalDate } from '../../../shared/dates.ts'
import type { DayAnswer } from '../rules.ts'

/** Asks the server whether a quantity can be booked on a day. Never fails: without a connection the answer is 'unknown'. */
export async function findDay(
  item: { id: string; unit: 'perPerson' | 'perHour'; quantity: number },
  date: LocalDate,
  signal: AbortSignal,
): Promise<DayAnswer> {
  const query = new URLSearchParams({ day: date, type: item.unit, quantity: String(item.quantity) })
  try {
    const path = href('/api/availability/:businessId', { businessId: item.id })
    const response = await fetch(`${path}?${query}`, { signal })
    if (response.status === 404) return 'gone'
    if (!response.ok) return 'unknown'
    const { times, maxGuests } = (await response.json()) as { times: string[]; maxGuests: number | null }
    if (item.unit === 'perPerson' && maxGuests !== null && item.quantity > maxGuests) return { maxGuests }
    return times.length > 0 ? 'free' : 'taken'
  } catch {
    return 'unknown'
  }
}
