import type { Database } from '../../adapters/database/port.ts'
import type { SandboxCharge } from '../../adapters/payments/sandbox/charges.server.ts'
import type { SandboxProvider } from '../../adapters/payments/sandbox.server.ts'

/** A charge of the sandbox with what was sold. Times are ISO 8601, UTC. */
export type ConsoleCharge = Omit<SandboxCharge, 'createdAt'> & {
  createdAt: string
  /** Null where our side has no such payment. */
  sold: { businessName: string; customerName: string; date: string; time: string } | null
}

/** Lists the newest charges of the sandbox with what was sold. */
export async function listConsoleCharges(
  { db, sandbox }: { db: Database; sandbox: SandboxProvider },
  limit: number,
): Promise<ConsoleCharge[]> {
  const charges = await sandbox.listCharges(limit)
  if (charges.length === 0) return []
  const payments = await db
    .selectFrom('payments')
    .select(['provider_reference', 'sold', 'draft'])
    .where('provider', '=', sandbox.name)
    .where(
      'provider_reference',
      'in',
      charges.map(({ reference }) => reference),
    )
    .execute()
  const byReference = new Map(payments.map((row) => [row.provider_reference, row]))
  return charges.map((charge) => {
    const found = byReference.get(charge.reference)
    return {
      ...charge,
      createdAt: charge.createdAt.toISOString(),
      sold: found
        ? {
            businessName: found.sold.businessName,
            customerName: found.draft.fullName,
            date: found.draft.date,
            time: found.draft.time,
          }
        : null,
    }
  })
}
