import { sql } from 'kysely'
import type { BusinessRegister } from '../../adapters/business-register/port.ts'
import type { Database } from '../../adapters/database/port.ts'
import { askAboutAbn } from '../registrations/register-commands.server.ts'
import { isValidAbn } from '../registrations/rules.ts'

/** Each ten minutes, as often as waiting bookings are looked at. */
const ABNS_PER_RUN = 10
/** Between two asks of a run, so that the register isn't hurried. */
const PAUSE_MS = 500

/** The services that ask the register about sales; `register` is null where none is asked, and `wait` pauses for milliseconds. */
export type AskingDeps = {
  db: Database
  now: () => Date
  register: BusinessRegister | null
  wait: (ms: number) => Promise<unknown>
}

/**
 * Asks the register about the ABNs of waiting sales that have no registration. Their vendor changed the ABN, or left, before it had
 * answered, and other jobs ask about registrations only.
 */
export async function askAboutSales({ db, now, register, wait }: AskingDeps): Promise<void> {
  if (!register) return
  const { rows } = await sql<{ abn: string }>`
    select s.abn from tax_queue q join bookings b on b.id = q.booking_id join sales s on s.id = b.payment_row_id
    where q.waits_since is not null and s.abn ~ '^[0-9]{11}$'
      and not exists (select from register_answers r where r.abn = s.abn)
      and not exists (select from business_registrations r where r.abn = s.abn)
    group by 1 order by min(q.waits_since), 1 limit ${ABNS_PER_RUN}`.execute(db)
  for (const { abn } of rows.filter((row) => isValidAbn(row.abn))) {
    await askAboutAbn({ db, now, register }, abn)
    await wait(PAUSE_MS)
  }
}
