import type { Database } from '../../adapters/database/port.ts'
import { type LocalDate, wallTimeAt } from '../../shared/dates.ts'
import { findAgreementStanding } from '../agreements/queries.server.ts'
import { findVendorZone } from '../businesses/owner-queries.server.ts'
import { isRegistered } from '../registrations/queries.server.ts'
import { findPayoutAccount } from './queries.server.ts'
import { type SetupState, setupState, wantedOf } from './setup-rules.ts'

/** How far a vendor is with being paid, as screens show it: nothing in it names the account to the provider. */
export type PayoutSetup = {
  state: SetupState
  /** The provider's codes of what it wants of the vendor. */
  wanted: string[]
  /** The day by which it wants any of it. */
  dueOn: LocalDate | null
  bankLast4: string | null
  /** The day by which a changed agreement is to be accepted, so that payouts go on. */
  acceptBy: LocalDate | null
}

/** Finds the state alone, with what it follows from. @param vendor.provider the payout provider in use */
export async function findSetupState(db: Database, vendor: { userId: string; provider: string; now: Date }) {
  const [account, agreement, registered] = await Promise.all([
    findPayoutAccount(db, vendor),
    findAgreementStanding(db, vendor),
    isRegistered(db, vendor.userId),
  ])
  const state = setupState({ isRegistered: registered, agreement: agreement.state, account })
  return { account, agreement, state }
}

/** @param vendor.provider the payout provider in use */
export async function findPayoutSetup(
  db: Database,
  vendor: { userId: string; provider: string; timeZone: string; now: Date },
): Promise<PayoutSetup> {
  const { account, agreement, state } = await findSetupState(db, vendor)
  const { codes, dueAt } = wantedOf(account?.requirements ?? [])
  return {
    state,
    wanted: codes,
    dueOn: dueAt && wallTimeAt(dueAt, vendor.timeZone).date,
    bankLast4: account?.bankLast4 ?? null,
    acceptBy: agreement.acceptBy && wallTimeAt(agreement.acceptBy, vendor.timeZone).date,
  }
}

/**
 * Finds whether the provider has paused a vendor's payouts, and the day by which it wanted what is missing.
 * @returns null for a vendor whose payouts aren't paused
 */
export async function findPausedPayouts(
  db: Database,
  vendor: { userId: string; provider: string; now: Date },
): Promise<{ dueOn: LocalDate | null; today: LocalDate } | null> {
  const account = await findPayoutAccount(db, vendor)
  if (account?.state !== 'restricted') return null
  const timeZone = await findVendorZone(db, vendor.userId)
  const { dueAt } = wantedOf(account.requirements)
  return {
    dueOn: dueAt && wallTimeAt(dueAt, timeZone).date,
    today: wallTimeAt(vendor.now, timeZone).date,
  }
}
