import { href } from 'react-router'
import type { AccountSnapshot } from '../../adapters/payments/payout-port.ts'
import { eachOf } from '../../shared/each-of.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import { MINUTE_MS } from '../../shared/time-units.ts'
import type { PayoutDeps } from './deps.server.ts'
import { queueVendor, tellAccountNeeds, tellAccountReady } from './notice-commands.server.ts'
import {
  findPayoutAccount,
  type PayoutAccount,
  type PayoutAccountRow,
  selectAccount,
} from './queries.server.ts'
import { accountStateOf, entityTypeOf, nextAccountState, type StoredRequirement } from './rules.ts'
import { type Beginning, withBeginning } from './setup-rules.ts'

/** An address of the provider's form, or why there is none. */
export type Onboarding =
  | { ok: true; url: string }
  | { ok: false; reason: 'not_registered' | 'rejected' | 'provider_unavailable' | 'provider_refused' }

/**
 * Opens a vendor's account at the provider and returns a fresh address of the provider's form. Repeats, and two presses at
 * the same moment, give the same account. A closed account is replaced by a new one.
 * @param input.from where the vendor began, so that the form leads back there; the payouts screen by default
 * @returns refuses with 'not_registered' (the provider needs the business's name and kind), 'rejected' (the provider
 *   refuses this vendor for good), 'provider_unavailable' (try again) and 'provider_refused'
 */
export async function openPayoutAccount(
  deps: PayoutDeps,
  input: { userId: string; email: string; from?: Beginning },
): Promise<Onboarding> {
  const { db, payouts, now } = deps
  const registration = await db
    .selectFrom('business_registrations')
    .select(['business_name', 'business_structure', 'abn'])
    .where('user_id', '=', input.userId)
    .executeTakeFirst()
  if (!registration) return refuse('not_registered')
  const vendor = { userId: input.userId, provider: payouts.name }
  await db
    .insertInto('payout_accounts')
    .values({
      id: newId(),
      vendor_user_id: input.userId,
      provider: payouts.name,
      provider_account: null,
      bank_last4: null,
      active_since: null,
      checked_at: null,
      created_at: now(),
    })
    .onConflict((conflict) => conflict.columns(['vendor_user_id', 'provider']).doNothing())
    .execute()
  await replaceClosedAccount(deps, vendor)
  const account = await selectAccount(db, vendor)
  if (!account) throw new Error('an account vanished between its insert and its reading')
  if (account.state === 'rejected') return refuse('rejected')
  if (account.provider_account) return onboardingLink(deps, account.provider_account, input.from)

  const created = await payouts.createAccount({
    accountId: account.id,
    email: input.email,
    registeredName: registration.business_name,
    entityType: entityTypeOf(registration.business_structure),
    abn: registration.abn || null,
    idempotencyKey: `account-${account.id}-${account.attempt}`,
  })
  if (!created.ok) return refuseProvider(created)
  // Two presses at once got the same account, and the first one has stored it.
  await db
    .updateTable('payout_accounts')
    .set({ provider_account: created.reference, state: 'started' })
    .where('id', '=', account.id)
    .where('attempt', '=', account.attempt)
    .where('provider_account', 'is', null)
    .execute()
  const prepared = await payouts.prepareAccount(created.reference)
  if (!prepared.ok) return refuseProvider(prepared)
  return onboardingLink(deps, created.reference, input.from)
}

/** Makes room for a new account in place of a closed one, whose transfers may still be on their way to the bank. */
async function replaceClosedAccount(
  { db, now }: PayoutDeps,
  vendor: { userId: string; provider: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const closed = await tx
      .selectFrom('payout_accounts')
      .selectAll()
      .where('vendor_user_id', '=', vendor.userId)
      .where('provider', '=', vendor.provider)
      .where('state', '=', 'closed')
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!closed) return
    if (closed.provider_account)
      await tx
        .insertInto('former_payout_accounts')
        .values({
          id: newId(),
          payout_account_id: closed.id,
          provider: closed.provider,
          provider_account: closed.provider_account,
          bank_last4: closed.bank_last4,
          payouts_asked_at: closed.payouts_asked_at,
          payouts_listed_at: closed.payouts_listed_at,
          replaced_at: now(),
        })
        .execute()
    await tx
      .updateTable('payout_accounts')
      .set({
        state: 'none',
        requirements: '[]',
        bank_last4: null,
        provider_account: null,
        attempt: closed.attempt + 1,
        active_since: null,
        checked_at: null,
        payouts_asked_at: null,
        payouts_listed_at: null,
      })
      .where('id', '=', closed.id)
      .execute()
  })
}

/**
 * Returns a fresh address of the provider's form for an account that exists. Each is for once, so none is stored or mailed.
 * @returns refuses with 'no_account' and with the reasons of `openPayoutAccount`
 */
export async function continueOnboarding(
  deps: PayoutDeps,
  input: { userId: string; from?: Beginning },
): Promise<Onboarding | { ok: false; reason: 'no_account' }> {
  const account = await selectAccount(deps.db, { userId: input.userId, provider: deps.payouts.name })
  if (!account?.provider_account || account.state === 'closed') return refuse('no_account')
  if (account.state === 'rejected') return refuse('rejected')
  return onboardingLink(deps, account.provider_account, input.from)
}

async function onboardingLink(
  { payouts, publicUrl }: PayoutDeps,
  account: string,
  from: Beginning = 'payouts',
): Promise<Onboarding> {
  const addressOf = (path: string) => new URL(withBeginning(path, from), publicUrl).href
  const link = await payouts.createOnboardingLink({
    account,
    returnUrl: addressOf(href('/dashboard/payouts/return')),
    refreshUrl: addressOf(href('/dashboard/payouts/:resource', { resource: 'refresh' })),
  })
  return link.ok ? link : refuseProvider(link)
}

function refuseProvider({ reason }: { reason: 'refused' | 'unreachable' }) {
  return refuse(reason === 'refused' ? 'provider_refused' : 'provider_unavailable')
}

/**
 * Asks the provider about a vendor's account and stores the answer, as when the vendor returns from the provider's form.
 * @returns the account; refuses with 'no_account' and 'provider_unavailable'
 */
export async function refreshPayoutAccount(
  deps: PayoutDeps,
  input: { userId: string },
): Promise<
  { ok: true; account: PayoutAccount } | { ok: false; reason: 'no_account' | 'provider_unavailable' }
> {
  const vendor = { userId: input.userId, provider: deps.payouts.name }
  const row = await selectAccount(deps.db, vendor)
  if (!row?.provider_account) return refuse('no_account')
  if (!(await askAboutAccount(deps, row))) return refuse('provider_unavailable')
  const account = await findPayoutAccount(deps.db, vendor)
  return account ? { ok: true, account } : refuse('no_account')
}

/** @returns false when the provider did not answer */
export async function askAboutAccount(
  deps: PayoutDeps,
  account: Pick<PayoutAccountRow, 'id' | 'attempt' | 'provider_account'>,
): Promise<boolean> {
  if (!account.provider_account) return true
  const askedAt = deps.now()
  const found = await deps.payouts.retrieveAccount(account.provider_account)
  if (!found.ok) return false
  await applyAccountSnapshot(deps, { ...account, askedAt }, found.snapshot)
  return true
}

/**
 * Stores what the provider says of an account: the only writer of its state. Answers that others have overtaken, and those
 * about an account that was replaced, change nothing.
 * @param asked.askedAt when the provider was asked
 * @param snapshot the provider's answer, never an event's payload
 */
export async function applyAccountSnapshot(
  deps: PayoutDeps,
  asked: { id: string; attempt: number; askedAt: Date },
  snapshot: AccountSnapshot,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('payout_accounts')
      .selectAll()
      .where('id', '=', asked.id)
      // Not `for update`: a transfer that refers to the account would wait, and its transaction holds the ledger.
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!row || row.attempt !== asked.attempt || row.provider_account !== snapshot.reference) return
    if (row.checked_at && row.checked_at > asked.askedAt) return
    const state = nextAccountState(row.state, accountStateOf(snapshot))
    const requirements = snapshot.requirements.map(
      ({ code, awaiting, dueAt }): StoredRequirement => ({
        code,
        awaiting,
        dueAt: dueAt?.toISOString() ?? null,
      }),
    )
    const activeSince = state === 'active' ? (row.active_since ?? deps.now()) : row.active_since
    await tx
      .updateTable('payout_accounts')
      .set({
        state,
        requirements: JSON.stringify(requirements),
        bank_last4: snapshot.bankLast4,
        active_since: activeSince,
        checked_at: asked.askedAt,
      })
      .where('id', '=', row.id)
      .execute()
    const vendorUserId = row.vendor_user_id
    if (state !== row.state) {
      // Transfers that waited for an account may leave now, and those that were ready may be held.
      await queueVendor(tx, vendorUserId)
      if (state === 'active') await tellAccountReady(deps, tx, { ...row, vendorUserId })
    }
    await tellAccountNeeds(deps, tx, { id: row.id, vendorUserId, state, requirements })
    await deps.liveUpdates.publish(tx, `notifications:${vendorUserId}`)
  })
}

const ACCOUNTS_PER_RUN = 50
const OPEN_ASKED_EVERY_MS = 10 * MINUTE_MS
const ACTIVE_ASKED_EVERY_MS = 60 * MINUTE_MS

/** Asks about accounts whose webhooks may be lost: hourly about active ones, each ten minutes about the others. */
export async function sweepPayoutAccounts(deps: PayoutDeps): Promise<void> {
  const { db, payouts } = deps
  const now = deps.now().getTime()
  const rows = await db
    .selectFrom('payout_accounts')
    .select(['id', 'attempt', 'provider_account'])
    .where('provider', '=', payouts.name)
    .where('provider_account', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('checked_at', 'is', null),
        eb.and([
          eb('state', 'in', ['started', 'in_review', 'restricted']),
          eb('checked_at', '<=', new Date(now - OPEN_ASKED_EVERY_MS)),
        ]),
        eb.and([eb('state', '=', 'active'), eb('checked_at', '<=', new Date(now - ACTIVE_ASKED_EVERY_MS))]),
      ]),
    )
    .orderBy('checked_at', (order) => order.asc().nullsFirst())
    .limit(ACCOUNTS_PER_RUN)
    .execute()
  await eachOf(rows, async (row) => {
    // Before the answer, so that an account that the provider can't answer for doesn't keep its place before the others.
    await db.updateTable('payout_accounts').set({ checked_at: deps.now() }).where('id', '=', row.id).execute()
    await askAboutAccount(deps, row)
  })
}
