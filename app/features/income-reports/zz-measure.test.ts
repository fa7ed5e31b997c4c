import { sql } from 'kysely'
import { it } from 'vitest'
import { openTestDatabase } from '../../../tests/database.ts'
import { fillEarnings } from '../../../tests/earnings.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { findNextToLodge, listHalfYears, listVendorTrades } from './queries.server.ts'

it('measures', { timeout: 600_000 }, async () => {
  const { db, close } = await openTestDatabase()
  const start = Date.parse('2023-07-02T00:00:00Z')
  // 7 half-years, 60,000 bookings of 300 vendors.
  for (let n = 0; n < 60; n++) {
    await fillEarnings(
      db,
      Array.from({ length: 500 }, (_, i) => {
        const bookedAt = new Date(start + ((n * 500 + i) / 30_000) * 1270 * DAY_MS)
        return {
          vendorUserId: `v${(n * 500 + i) % 300}`,
          bookedAt,
          eventUntil: new Date(bookedAt.getTime() + 10 * DAY_MS),
          progress: 'earned' as const,
          totalCents: 10_000 + i,
        }
      }),
    )
  }
  await sql`analyze`.execute(db)
  const time = async (name: string, work: () => Promise<unknown>) => {
    await work()
    const times = []
    for (let i = 0; i < 3; i++) {
      const at = performance.now()
      await work()
      times.push(performance.now() - at)
    }
    console.log('MEASURE', name, times.map((t) => t.toFixed(0)).join(' '), 'ms')
  }
  await time('half-year', () => listVendorTrades(db, '2025-07-01'))
  await time('one vendor', () => listVendorTrades(db, '2025-07-01', 'v1'))
  await time('next to lodge', () => findNextToLodge(db, '2026-12-20'))
  await time('half-years', () => listHalfYears(db, '2026-12-20'))
  await close()
})
