import type { Jobs } from '../../adapters/jobs/port.ts'
import { readMovements } from './movement-commands.server.ts'
import { type ProofDeps, prove } from './proof-commands.server.ts'

type Nothing = Record<string, never>

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'read-movements': Nothing
    'prove-ledger': Nothing
  }
}

const EACH_TEN_MINUTES = '*/10 * * * *'
/** 3 am in Sydney in winter, after the comparison of the payments. Cron times are UTC. */
const NIGHTLY = '0 17 * * *'

/** Reads our balance's movements, and proves the ledger each night. Call it before `jobs.start`. */
export function registerLedgerJobs(
  jobs: Jobs,
  deps: ProofDeps,
  log: { error(fields: object, message: string): void },
): void {
  if (deps.payouts) {
    jobs.handle('read-movements', async () => {
      const read = await readMovements(deps)
      if (!read.ok) throw new Error(`The movements of our balance could not be read: ${read.message}`)
    })
    jobs.schedule('read-movements', EACH_TEN_MINUTES, {})
  }
  jobs.handle('prove-ledger', async () => {
    const { differenceCount, failure } = await prove(deps)
    if (differenceCount > 0)
      log.error({ differences: differenceCount }, 'the ledger’s proof found differences')
    if (failure) throw new Error(`The ledger could not be compared with the provider: ${failure}`)
  })
  jobs.schedule('prove-ledger', NIGHTLY, {})
}
