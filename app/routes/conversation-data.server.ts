import type { Database } from '../adapters/database/port.ts'
import { findAvailability } from '../features/availability/hours-queries.server.ts'
import { HOME_ZONE } from '../shared/dates.ts'

/** The zone in which the times of a conversation are shown: the listing's. */
export async function zoneOf(db: Database, businessId: string | undefined): Promise<string> {
  const hours = businessId ? await findAvailability(db, businessId) : null
  return hours?.timeZone ?? HOME_ZONE
}

/** The number of a message in an address, to read those before it; null for none. */
export function readBefore(query: URLSearchParams): number | null {
  const before = query.get('before') ?? ''
  return /^[1-9]\d{0,14}$/.test(before) ? Number(before) : null
}

/** The page of a list in an address, from 1. */
export function readPage(query: URLSearchParams): number {
  const page = query.get('page') ?? ''
  return /^[1-9]\d{0,3}$/.test(page) ? Number(page) : 1
}
