import type { Database } from '../database/port.ts'
import type { RateLimits } from './port.ts'

const KEPT_MS = 24 * 60 * 60_000

/** Limits counted in the product's own database: no second service, right over all processes. */
export function createRateLimits(db: Database, now: () => Date): RateLimits {
  return {
    async take(key, limit) {
      const window_start = new Date(Math.floor(now().getTime() / limit.windowMs) * limit.windowMs)
      const row = await db
        .insertInto('rate_limits')
        .values({ key, window_start })
        .onConflict((conflict) =>
          conflict
            .columns(['key', 'window_start'])
            .doUpdateSet((eb) => ({ count: eb('rate_limits.count', '+', 1) })),
        )
        .returning('count')
        .executeTakeFirstOrThrow()
      return row.count <= limit.max
    },
    async forgetOld() {
      await db
        .deleteFrom('rate_limits')
        .where('window_start', '<', new Date(now().getTime() - KEPT_MS))
        .execute()
    },
  }
}
