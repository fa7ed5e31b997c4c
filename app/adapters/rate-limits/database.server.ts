import { WEEKLY } from '../../shared/limit-keys.ts'
import { PREPARED } from '../../shared/prepared.server.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import type { Database } from '../database/port.ts'
import type { Limit, RateLimits } from './port.ts'

const KEPT_MS = DAY_MS
const WEEKLY_KEPT_MS = 7 * DAY_MS

/** Rate limits counted in the product's own database: no second service, and correct across processes. */
export function createRateLimits(db: Database, now: () => Date): RateLimits {
  const windowStart = ({ windowMs }: Limit) => new Date(Math.floor(now().getTime() / windowMs) * windowMs)

  return {
    async take(key, limit, uses = 1) {
      const window_start = windowStart(limit)
      const row = await db
        .insertInto('rate_limits')
        .values({ key, window_start, count: uses })
        .onConflict((conflict) =>
          conflict
            .columns(['key', 'window_start'])
            .doUpdateSet((eb) => ({ count: eb('rate_limits.count', '+', uses) })),
        )
        .returning('count')
        .modifyEnd(PREPARED)
        .executeTakeFirstOrThrow()
      return row.count <= limit.max
    },
    async giveBack(key, limit, uses = 1) {
      await db
        .updateTable('rate_limits')
        .set((eb) => ({ count: eb('count', '-', uses) }))
        .where('key', '=', key)
        .where('window_start', '=', windowStart(limit))
        .where('count', '>=', uses)
        .execute()
    },
    async forget(key) {
      await db.deleteFrom('rate_limits').where('key', '=', key).execute()
    },
    async forgetOld() {
      const before = (ms: number) => new Date(now().getTime() - ms)
      await db
        .deleteFrom('rate_limits')
        .where('window_start', '<', before(KEPT_MS))
        .where((eb) =>
          eb.or([eb('key', 'not like', `${WEEKLY}%`), eb('window_start', '<', before(WEEKLY_KEPT_MS))]),
        )
        .execute()
    },
  }
}
