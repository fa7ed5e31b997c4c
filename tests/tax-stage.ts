import { issueSaleDocuments } from '../app/features/tax/commands.server.ts'
import type { TaxDeps } from '../app/features/tax/deps.server.ts'
import { listChain } from '../app/features/tax/queries.server.ts'
import type { TaxDocument } from '../app/features/tax/rules.ts'
import type { aBookingWorld } from './builders.ts'

/** The stage of the tests of tax documents: what the business register says, and what was issued. */

type World = Pick<Awaited<ReturnType<typeof aBookingWorld>>, 'db' | 'clock'>

/** The services of tax documents in a booking world, of an operator with a name and an ABN. */
export function taxDepsOf({ db, clock }: World, overrides: Partial<TaxDeps> = {}): TaxDeps {
  return {
    ...{ db, now: clock.now, brand: 'Jubilee', isRegisterAsked: true, faultPoint: () => {} },
    platform: { name: 'Jubilee', abn: '51824753556' },
    ...overrides,
  }
}

/** Stores an answer of the business register, given now for the first time. */
export async function registerSays(
  { db, clock }: World,
  answer: {
    abn: string
    status?: 'active' | 'cancelled' | 'unknown'
    statusSince?: string | null
    gstSince: string | null
  },
): Promise<void> {
  const at = clock.now()
  await db
    .insertInto('register_answers')
    .values({
      abn: answer.abn,
      status: answer.status ?? 'active',
      status_since: answer.statusSince ?? null,
      ...{ entity_name: 'NIA PTY LTD', entity_type: 'Australian Private Company', state: 'VIC' },
      business_names: '[]',
      gst_since: answer.gstSince,
      ...{ first_at: at, last_at: at },
    })
    .execute()
}

/** The contents of a booking's documents, oldest first. */
export async function documentsOf({ db }: World, bookingId: string): Promise<TaxDocument[]> {
  return (await listChain(db, bookingId)).map(({ content }) => content)
}

/** Issues all documents that are due, so that the proof compares them with the ledger. */
export async function issuesAll(world: World): Promise<void> {
  const deps = taxDepsOf(world, { isRegisterAsked: false })
  const due = () =>
    world.db
      .selectFrom('tax_queue')
      .select('booking_id')
      .where('look_at', '<=', world.clock.now())
      .executeTakeFirst()
  while (await due()) await issueSaleDocuments(deps)
}
