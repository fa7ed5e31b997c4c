import type { Selectable } from 'kysely'
import { newId } from '../../../shared/ids.ts'
import { refuse } from '../../../shared/result.ts'
import { GOOD_BANK_ACCOUNT, SANDBOX_BSB } from '../../../shared/sandbox-banks.ts'
import type { Database, DatabaseTransaction, Tables } from '../../database/port.ts'
import type { AccountRequirement, AccountSnapshot, PayoutProvider } from '../payout-port.ts'
import type { SandboxWebhooks } from './webhooks.server.ts'

/** How long an onboarding link can be opened, and how long its form stays open afterwards. */
const LINK_LIFE_MS = 300_000
const SESSION_LIFE_MS = 3_600_000

/** The requirements of the hosted form's steps, in Stripe's words. */
const STEP_REQUIREMENTS = {
  person: [
    'identity.individual.given_name',
    'identity.individual.surname',
    'identity.individual.date_of_birth',
  ],
  bank: ['configuration.recipient.default_outbound_destination'],
  document: ['identity.individual.documents.primary_verification.front_back'],
  confirm: ['identity.attestations.terms_of_service.account'],
} as const

/** The requirement of an account in review. */
const REVIEW_REQUIREMENT = STEP_REQUIREMENTS.document[0]

/** The steps of the hosted form, in their order. */
export type SandboxAccountStep = keyof typeof STEP_REQUIREMENTS

type AccountRow = Selectable<Tables['sandbox_accounts']>
type Deps = { db: Database; now: () => Date; onboardingUrl: (token: string) => string }
type MoveDeps = { now: () => Date; webhooks: Pick<SandboxWebhooks, 'addAccountEvent'> }

/** Reads an account and locks its row until the transaction ends. */
export async function lockAccount(tx: DatabaseTransaction, id: string): Promise<AccountRow | undefined> {
  return tx.selectFrom('sandbox_accounts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Returns whether an account takes transfers. */
export function transfersOf(row: AccountRow): 'active' | 'pending' | 'restricted' {
  if (!row.submitted_at) return 'restricted'
  return row.standing === 'good' ? 'active' : row.standing === 'in_review' ? 'pending' : 'restricted'
}

/** Whether the account has ended for good: the provider refuses the vendor, or has closed it. */
function hasEnded({ standing }: AccountRow): boolean {
  return standing === 'rejected' || standing === 'closed'
}

/** Returns the steps of the hosted form that are left, in their order. */
export function missingSteps(row: AccountRow): SandboxAccountStep[] {
  if (hasEnded(row)) return []
  return [
    ...(row.given_name ? [] : (['person'] as const)),
    ...(row.bank_account && !row.is_bank_refused ? [] : (['bank'] as const)),
    ...(row.standing === 'restricted' ? (['document'] as const) : []),
    ...(row.submitted_at ? [] : (['confirm'] as const)),
  ]
}

function requirementsOf(row: AccountRow): AccountRequirement[] {
  if (row.standing === 'in_review') return [{ code: REVIEW_REQUIREMENT, awaiting: 'provider', dueAt: null }]
  return missingSteps(row).flatMap((step) =>
    STEP_REQUIREMENTS[step].map((code) => ({
      code,
      awaiting: 'vendor' as const,
      dueAt: step === 'document' ? row.restricted_at : null,
    })),
  )
}

/** Vendors' accounts as a provider creates and shows them, and the links to their hosted form. */
export function accountCalls({
  db,
  now,
  onboardingUrl,
}: Deps): Pick<
  PayoutProvider,
  'createAccount' | 'createOnboardingLink' | 'retrieveAccount' | 'prepareAccount'
> {
  const find = (reference: string) =>
    db.selectFrom('sandbox_accounts').selectAll().where('id', '=', reference).executeTakeFirst()
  return {
    async createAccount(input) {
      await db
        .insertInto('sandbox_accounts')
        .values({
          id: `sba_${newId(24)}`,
          account_id: input.accountId,
          idempotency_key: input.idempotencyKey,
          email: input.email,
          registered_name: input.registeredName,
          entity_type: input.entityType,
          abn: input.abn,
          created_at: now(),
        })
        .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
        .execute()
      const row = await db
        .selectFrom('sandbox_accounts')
        .select(['id', 'account_id'])
        .where('idempotency_key', '=', input.idempotencyKey)
        .executeTakeFirstOrThrow()
      if (row.account_id !== input.accountId)
        return { ok: false, reason: 'refused', message: 'This idempotency key was used with other values.' }
      return { ok: true, reference: row.id }
    },

    async createOnboardingLink(input) {
      const row = await find(input.account)
      if (!row) return { ok: false, reason: 'refused', message: 'No such account.' }
      const token = newId()
      await db
        .insertInto('sandbox_account_links')
        .values({
          token,
          kind: 'link',
          sandbox_account_id: row.id,
          return_url: input.returnUrl,
          refresh_url: input.refreshUrl,
          expires_at: new Date(now().getTime() + LINK_LIFE_MS),
          used_at: null,
        })
        .execute()
      return { ok: true, url: onboardingUrl(token) }
    },

    async retrieveAccount(reference) {
      const row = await find(reference)
      if (!row) return { ok: false, reason: 'unknown_account', message: 'No such account.' }
      return { ok: true, snapshot: snapshotOf(row) }
    },

    // The sandbox pays every account out daily.
    async prepareAccount(reference) {
      const row = await find(reference)
      return row ? { ok: true } : { ok: false, reason: 'refused', message: 'No such account.' }
    },
  }
}

function snapshotOf(row: AccountRow): AccountSnapshot {
  return {
    reference: row.id,
    accountId: row.account_id,
    transfers: transfersOf(row),
    isSubmitted: row.submitted_at !== null,
    requirements: requirementsOf(row),
    isClosed: row.standing === 'closed',
    isRejected: row.standing === 'rejected',
    bankLast4: row.bank_account?.slice(-4) ?? null,
  }
}

/** The hosted form of an account. Dates are ISO 8601 without a time. */
export type SandboxAccountForm = {
  registeredName: string
  missing: SandboxAccountStep[]
  givenName: string | null
  surname: string | null
  dateOfBirth: string | null
  bankLast4: string | null
  isBankRefused: boolean
  /** Refused for good, or closed. */
  hasEnded: boolean
  returnUrl: string
}

/**
 * Opens a token's hosted form. A link opens once and hands over to a session, which can be reloaded.
 * @returns 'session' with the token to go to, 'left' with the address for a link that is used or expired, or null for a
 *   token that never existed
 */
export async function openAccountForm(
  db: Database,
  now: Date,
  token: string,
): Promise<
  | { outcome: 'form'; form: SandboxAccountForm }
  | { outcome: 'session'; token: string }
  | { outcome: 'left'; url: string }
  | null
> {
  const link = await db
    .selectFrom('sandbox_account_links')
    .selectAll()
    .where('token', '=', token)
    .executeTakeFirst()
  if (!link) return null
  if (link.expires_at <= now) return { outcome: 'left', url: link.refresh_url }
  if (link.kind === 'session') {
    const row = await db
      .selectFrom('sandbox_accounts')
      .selectAll()
      .where('id', '=', link.sandbox_account_id)
      .executeTakeFirstOrThrow()
    return { outcome: 'form', form: formOf(row, link.return_url) }
  }
  const session = newId()
  const isOpened = await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('sandbox_account_links')
      .set({ used_at: now })
      .where('token', '=', token)
      .where('used_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await tx
      .insertInto('sandbox_account_links')
      .values({
        ...link,
        token: session,
        kind: 'session',
        expires_at: new Date(now.getTime() + SESSION_LIFE_MS),
        used_at: null,
      })
      .execute()
    return true
  })
  return isOpened ? { outcome: 'session', token: session } : { outcome: 'left', url: link.refresh_url }
}

function formOf(row: AccountRow, returnUrl: string): SandboxAccountForm {
  return {
    registeredName: row.registered_name,
    missing: missingSteps(row),
    givenName: row.given_name,
    surname: row.surname,
    dateOfBirth: row.date_of_birth,
    bankLast4: row.bank_account?.slice(-4) ?? null,
    isBankRefused: row.is_bank_refused,
    hasEnded: hasEnded(row),
    returnUrl,
  }
}

/** One step of the hosted form, checked. */
export type SandboxAccountInput =
  | { step: 'person'; givenName: string; surname: string; dateOfBirth: string }
  | { step: 'bank'; bsb: string; account: string }
  | { step: 'document' }
  | { step: 'confirm' }

/**
 * Stores a step of the hosted form.
 * @returns the events to deliver and the steps that are left; refuses with 'no_session', 'rejected', and 'incomplete' for a
 *   confirmation before the other steps
 */
export async function saveAccountStep(
  deps: MoveDeps,
  tx: DatabaseTransaction,
  token: string,
  input: SandboxAccountInput,
): Promise<
  | { ok: true; eventIds: string[]; missing: SandboxAccountStep[]; returnUrl: string }
  | { ok: false; reason: 'no_session' | 'rejected' | 'incomplete' }
> {
  const now = deps.now()
  const session = await tx
    .selectFrom('sandbox_account_links')
    .selectAll()
    .where('token', '=', token)
    .where('kind', '=', 'session')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  const before = session && (await lockAccount(tx, session.sandbox_account_id))
  if (!session || !before) return refuse('no_session')
  if (hasEnded(before)) return refuse('rejected')
  if (input.step === 'confirm' && missingSteps(before).some((step) => step !== 'confirm'))
    return refuse('incomplete')
  const row = await tx
    .updateTable('sandbox_accounts')
    .set(columnsOf(input, now))
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return {
    ok: true,
    eventIds: await addAccountEvents(deps, tx, before, row),
    missing: missingSteps(row),
    returnUrl: session.return_url,
  }
}

function columnsOf(input: SandboxAccountInput, now: Date) {
  switch (input.step) {
    case 'person':
      return { given_name: input.givenName, surname: input.surname, date_of_birth: input.dateOfBirth }
    case 'bank':
      return { bank_bsb: input.bsb, bank_account: input.account, is_bank_refused: false }
    case 'document':
      return { standing: 'good', restricted_at: null } as const
    case 'confirm':
      return { submitted_at: now }
  }
}

/**
 * How the provider moves an account by itself: all is there, it looks at the vendor once more, a document is missing, the
 * account is closed, or the vendor is refused for good.
 */
export type SandboxAccountMove = 'complete' | 'review' | 'restrict' | 'close' | 'reject'

const STANDINGS = {
  complete: 'good',
  review: 'in_review',
  restrict: 'restricted',
  close: 'closed',
  reject: 'rejected',
} as const satisfies Record<SandboxAccountMove, AccountRow['standing']>

/**
 * Moves an account as the provider would.
 * @returns the events to deliver; refuses with 'no_account' and 'rejected' (it has ended for good)
 */
export async function moveAccount(
  deps: MoveDeps,
  tx: DatabaseTransaction,
  reference: string,
  to: SandboxAccountMove,
): Promise<{ ok: true; eventIds: string[] } | { ok: false; reason: 'no_account' | 'rejected' }> {
  const now = deps.now()
  const before = await lockAccount(tx, reference)
  if (!before) return refuse('no_account')
  if (hasEnded(before)) return refuse('rejected')
  const hasBank = before.bank_account !== null && !before.is_bank_refused
  const row = await tx
    .updateTable('sandbox_accounts')
    .set({
      standing: STANDINGS[to],
      restricted_at: to === 'restrict' ? now : null,
      // A review begins once the vendor has sent the form.
      ...(to === 'complete' || to === 'review'
        ? {
            given_name: before.given_name ?? 'Test',
            surname: before.surname ?? 'Person',
            date_of_birth: before.date_of_birth ?? '1990-01-01',
            bank_bsb: SANDBOX_BSB,
            bank_account: hasBank ? before.bank_account : GOOD_BANK_ACCOUNT,
            is_bank_refused: false,
            submitted_at: before.submitted_at ?? now,
          }
        : {}),
    })
    .where('id', '=', reference)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ok: true, eventIds: await addAccountEvents(deps, tx, before, row) }
}

/** Announces what has changed, as a provider does: that requirements or the capability are others now, never what. */
export async function addAccountEvents(
  { webhooks }: MoveDeps,
  tx: DatabaseTransaction,
  before: AccountRow,
  after: AccountRow,
): Promise<string[]> {
  const eventIds: string[] = []
  if (after.standing === 'closed' && before.standing !== 'closed')
    eventIds.push(await webhooks.addAccountEvent(tx, 'accounts', 'v2.core.account.closed', after.id))
  if (JSON.stringify(requirementsOf(before)) !== JSON.stringify(requirementsOf(after)))
    eventIds.push(
      await webhooks.addAccountEvent(tx, 'accounts', 'v2.core.account[requirements].updated', after.id),
    )
  if (transfersOf(before) !== transfersOf(after))
    eventIds.push(
      await webhooks.addAccountEvent(
        tx,
        'accounts',
        'v2.core.account[configuration.recipient].capability_status_updated',
        after.id,
      ),
    )
  return eventIds
}
