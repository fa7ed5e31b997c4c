import type { Database } from '../../adapters/database/port.ts'
import type { SandboxCharge } from '../../adapters/payments/sandbox/charges.server.ts'
import type { SandboxProvider } from '../../adapters/payments/sandbox.server.ts'
import { saleJson } from '../sales/queries.server.ts'

/** A charge of the sandbox with its sale. Times are ISO 8601, UTC. */
export type ConsoleCharge = Omit<SandboxCharge, 'createdAt'> & {
  createdAt: string
  /** Null where our side has no such payment. */
  sale: { businessName: string; customerName: string; date: string; time: string } | null
}

/** Lists the newest charges of the sandbox with its sale. */
export async function listConsoleCharges(
  { db, sandbox }: { db: Database; sandbox: SandboxProvider },
  limit: number,
): Promise<ConsoleCharge[]> {
  const charges = await sandbox.listCharges(limit)
  if (charges.length === 0) return []
  const payments = await db
    .selectFrom('payments')
    .innerJoin('sales', 'sales.id', 'payments.sale_id')
    .select(['payments.provider_reference', saleJson().as('sale')])
    .where('payments.provider', '=', sandbox.name)
    .where(
      'payments.provider_reference',
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
      sale: found
        ? {
            businessName: found.sale.businessName,
            customerName: found.sale.customer.fullName,
            date: found.sale.date,
            time: found.sale.time,
          }
        : null,
    }
  })
}
