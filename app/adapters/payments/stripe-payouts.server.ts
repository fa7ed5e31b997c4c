import Stripe from 'stripe'
import type { Cents } from '../../shared/money.ts'
import type {
  AccountRequirement,
  AccountSnapshot,
  BalanceMovement,
  BankPayoutSnapshot,
  PayoutEvent,
  PayoutProvider,
  PayoutWebhook,
  ReversalSnapshot,
  TransferSnapshot,
} from './payout-port.ts'
import type { ProviderRefusal } from './port.ts'
import {
  askStripe,
  createStripeClient,
  listAll,
  listPage,
  NOT_FROM_STRIPE,
  readSigned,
  refusalOf,
  refusedWith,
  SIGNATURE_TOLERANCE_S,
  STRIPE_SIGNATURE_HEADER,
  type StripeClientOptions,
} from './stripe-client.server.ts'

/** The metadata keys with our own ids. Stripe forgets idempotency keys, but metadata stays. */
const OUR_ACCOUNT = 'jubilee_account'
const OUR_TRANSFER = 'jubilee_transfer'
const OUR_REVERSAL = 'jubilee_reversal'

const CURRENCY = 'aud'
/** Stripe's words for an account with less than a reversal takes. */
const BALANCE_CODES = ['balance_insufficient', 'insufficient_funds']

type StripePayoutOptions = StripeClientOptions & {
  connectWebhookSecret: string
  accountsWebhookSecret: string
}

/** Vendors' accounts at Stripe: accounts of version 2 that receive transfers, each paid out daily by Stripe itself. */
export function createStripePayouts(options: StripePayoutOptions): PayoutProvider {
  const stripe = createStripeClient(options)
  return {
    name: 'stripe',
    ...accountCalls(stripe, options.now),
    transfer: (input) => transfer(stripe, input),

    listTransfers: (group) =>
      askStripe(async () => {
        const transfers = await listAll((page) => stripe.transfers.list({ transfer_group: group, ...page }))
        return { ok: true, transfers: transfers.map(transferSnapshotOf) }
      }),

    reverse: (input) => reverse(stripe, input),

    listReversals: (transfer) =>
      askStripe(async () => {
        return { ok: true, reversals: (await reversalsOf(stripe, transfer)).map(reversalSnapshotOf) }
      }),

    ...bankPayoutCalls(stripe),
    ...balanceCalls(stripe),
    parseWebhook: (webhook, rawBody, headers) => parseWebhook(stripe, options, webhook, rawBody, headers),
  }
}

function accountCalls(
  stripe: Stripe,
  now: () => Date,
): Pick<PayoutProvider, 'createAccount' | 'createOnboardingLink' | 'retrieveAccount' | 'prepareAccount'> {
  return {
    createAccount: (input) =>
      askStripe(async () => {
        const account = await stripe.v2.core.accounts.create(
          {
            contact_email: input.email,
            display_name: input.registeredName,
            dashboard: 'express',
            identity: {
              country: 'au',
              entity_type: input.entityType,
              business_details: {
                registered_name: input.registeredName,
                ...(input.abn ? { id_numbers: [{ type: 'au_abn', value: input.abn }] } : {}),
              },
            },
            configuration: {
              recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
            },
            defaults: {
              currency: CURRENCY,
              responsibilities: { fees_collector: 'application', losses_collector: 'application' },
            },
            metadata: { [OUR_ACCOUNT]: input.accountId },
          },
          { idempotencyKey: input.idempotencyKey },
        )
        return isAccount(account) ? { ok: true, reference: account.id } : NOT_FROM_STRIPE
      }),

    createOnboardingLink: (input) =>
      askStripe(async () => {
        const link = await stripe.v2.core.accountLinks.create({
          account: input.account,
          use_case: {
            type: 'account_onboarding',
            account_onboarding: {
              refresh_url: input.refreshUrl,
              return_url: input.returnUrl,
              collection_options: { fields: 'eventually_due' },
            },
          },
        })
        return typeof link.url === 'string' && link.account === input.account
          ? { ok: true, url: link.url }
          : NOT_FROM_STRIPE
      }),

    async retrieveAccount(reference) {
      try {
        const account = await stripe.v2.core.accounts.retrieve(reference, {
          include: ['configuration.recipient', 'requirements'],
        })
        if (!isAccount(account) || account.id !== reference) return NOT_FROM_STRIPE
        const snapshot = accountSnapshotOf(account, now())
        const bankLast4 = snapshot.isSubmitted ? await findBankLast4(stripe, reference) : null
        return { ok: true, snapshot: { ...snapshot, bankLast4 } }
      } catch (error) {
        if (error instanceof Stripe.errors.StripeError && error.statusCode === 404)
          return { ok: false, reason: 'unknown_account', message: error.message }
        return refusalOf(error)
      }
    },

    prepareAccount: (reference) =>
      settleBalance(
        stripe,
        { debit_negative_balances: true, payouts: { schedule: { interval: 'daily' } } },
        { stripeAccount: reference },
      ),
  }
}

const isAccount = (account: Stripe.V2.Core.Account) => account.object === 'v2.core.account' && !!account.id

async function settleBalance(
  stripe: Stripe,
  payments: Stripe.BalanceSettingsUpdateParams.Payments,
  about: { stripeAccount?: string },
): Promise<{ ok: true } | ProviderRefusal> {
  return askStripe(async () => {
    const settings = await stripe.balanceSettings.update({ payments }, about)
    return settings.object === 'balance_settings' ? { ok: true } : NOT_FROM_STRIPE
  })
}

function accountSnapshotOf(account: Stripe.V2.Core.Account, now: Date): Omit<AccountSnapshot, 'bankLast4'> {
  const status = account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status
  const requirements = requirementsOf(account, now)
  return {
    reference: account.id,
    accountId: account.metadata?.[OUR_ACCOUNT] ?? null,
    transfers:
      status === 'active' || status === 'pending' || status === 'restricted'
        ? status
        : status === 'rejected'
          ? 'restricted'
          : 'none',
    // The vendor accepts Stripe's terms with the last button of the form.
    isSubmitted:
      status === 'active' ||
      (account.requirements !== undefined &&
        !requirements.some(
          ({ code, awaiting }) => awaiting === 'vendor' && code.includes('terms_of_service'),
        )),
    requirements,
    isClosed: account.closed === true,
    isRejected: status === 'rejected',
  }
}

/** Stripe gives one time for all entries of the nearest deadline. */
function requirementsOf({ requirements }: Stripe.V2.Core.Account, now: Date): AccountRequirement[] {
  const nearest = requirements?.summary?.minimum_deadline
  return (requirements?.entries ?? []).map((entry) => {
    const { status } = entry.minimum_deadline
    const time = nearest?.time && nearest.status === status ? new Date(nearest.time) : null
    return {
      code: entry.description,
      awaiting: entry.awaiting_action_from === 'user' ? 'vendor' : 'provider',
      dueAt: status === 'eventually_due' ? null : (time ?? (status === 'past_due' ? now : null)),
    }
  })
}

/** An account of version 2 doesn't show its bank account, but its payouts do. @returns null before the first payout */
async function findBankLast4(stripe: Stripe, account: string): Promise<string | null> {
  const page = await stripe.payouts.list(
    { limit: 1, expand: ['data.destination'] },
    { stripeAccount: account },
  )
  const destination = Array.isArray(page.data) ? page.data[0]?.destination : null
  return destination && typeof destination !== 'string' && 'last4' in destination ? destination.last4 : null
}

type TransferInput = Parameters<PayoutProvider['transfer']>[0]

async function transfer(
  stripe: Stripe,
  input: TransferInput,
): Promise<{ ok: true; transfer: TransferSnapshot } | ProviderRefusal> {
  return askStripe(async () => {
    // Stripe forgets a key after a day, and would then transfer twice. The metadata stays.
    const before = await findTransfer(stripe, input)
    if (before)
      return before.amount === input.amountCents
        ? { ok: true, transfer: transferSnapshotOf(before) }
        : refusedWith('This transfer was made with another amount.')
    const charge = input.charge ? await findCharge(stripe, input.charge) : null
    if (input.charge && !charge) return refusedWith('This payment has no charge.')
    const made = await stripe.transfers.create(
      {
        amount: input.amountCents,
        currency: CURRENCY,
        destination: input.account,
        ...(charge ? { source_transaction: charge } : {}),
        ...(input.group ? { transfer_group: input.group } : {}),
        metadata: { [OUR_TRANSFER]: input.transferId },
      },
      { idempotencyKey: `transfer-${input.transferId}` },
    )
    return made.object === 'transfer' ? { ok: true, transfer: transferSnapshotOf(made) } : NOT_FROM_STRIPE
  })
}

/** The transfer that was made for our id before, among those of its group, or else of its account. */
async function findTransfer(stripe: Stripe, input: TransferInput): Promise<Stripe.Transfer | undefined> {
  const among = input.group ? { transfer_group: input.group } : { destination: input.account }
  const transfers = await listAll((page) => stripe.transfers.list({ ...among, ...page }))
  return transfers.find(({ metadata }) => metadata?.[OUR_TRANSFER] === input.transferId)
}

/** The charge of a payment, which a transfer names as its source. */
async function findCharge(stripe: Stripe, payment: string): Promise<string | null> {
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(payment)
  return typeof charge === 'string' ? charge : (charge?.id ?? null)
}

type ReversalInput = Parameters<PayoutProvider['reverse']>[0]

async function reverse(stripe: Stripe, input: ReversalInput): ReturnType<PayoutProvider['reverse']> {
  try {
    const reversals = await reversalsOf(stripe, input.transfer)
    const before = reversals.find(({ metadata }) => metadata?.[OUR_REVERSAL] === input.reversalId)
    if (before)
      return before.amount === input.amountCents
        ? { ok: true, reversal: reversalSnapshotOf(before) }
        : refusedWith('This reversal was made with another amount.')
    const made = await stripe.transfers.createReversal(
      input.transfer,
      { amount: input.amountCents, metadata: { [OUR_REVERSAL]: input.reversalId } },
      { idempotencyKey: `reversal-${input.reversalId}` },
    )
    return made.object === 'transfer_reversal'
      ? { ok: true, reversal: reversalSnapshotOf(made) }
      : NOT_FROM_STRIPE
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && BALANCE_CODES.includes(error.code ?? ''))
      return { ok: false, reason: 'empty', message: error.message }
    return refusalOf(error)
  }
}

/** @throws StripeAPIError for an answer that is not Stripe's */
function reversalsOf(stripe: Stripe, transfer: string): Promise<Stripe.TransferReversal[]> {
  return listAll((page) => stripe.transfers.listReversals(transfer, page))
}

function transferSnapshotOf(transfer: Stripe.Transfer): TransferSnapshot {
  return {
    reference: transfer.id,
    transferId: transfer.metadata?.[OUR_TRANSFER] ?? null,
    amountCents: transfer.amount,
    reversedCents: transfer.amount_reversed,
  }
}

function reversalSnapshotOf(reversal: Stripe.TransferReversal): ReversalSnapshot {
  return {
    reference: reversal.id,
    reversalId: reversal.metadata?.[OUR_REVERSAL] ?? null,
    transferReference: typeof reversal.transfer === 'string' ? reversal.transfer : reversal.transfer.id,
    amountCents: reversal.amount,
  }
}

function bankPayoutCalls(stripe: Stripe): Pick<PayoutProvider, 'listBankPayouts' | 'listTransfersOfPayout'> {
  return {
    async listBankPayouts({ account, createdSince, after }) {
      const found = await listPage((page) => stripe.payouts.list(page, { stripeAccount: account }), {
        since: createdSince,
        after,
      })
      return found.ok ? { ok: true, payouts: found.items.map(payoutSnapshotOf), next: found.next } : found
    },

    listTransfersOfPayout: ({ account, payout }) =>
      askStripe(async () => {
        return { ok: true, transfers: await transfersOfPayout(stripe, account, payout, new Set()) }
      }),
  }
}

const PAYOUT_STATES: readonly string[] = ['pending', 'in_transit', 'paid', 'failed', 'canceled']

function payoutSnapshotOf(payout: Stripe.Payout): BankPayoutSnapshot {
  return {
    reference: payout.id,
    amountCents: payout.amount,
    // A state that is newer than this adapter is not final, so the payout is asked about again.
    state: PAYOUT_STATES.includes(payout.status) ? (payout.status as BankPayoutSnapshot['state']) : 'pending',
    failureReason: payout.failure_code,
    arrivesAt: new Date(payout.arrival_date * 1000),
    createdAt: new Date(payout.created * 1000),
  }
}

/**
 * The transfers in a payout. On the account, a transfer appears as a payment whose source names it. A payout that came
 * back appears in the payout that pays it again, so its transfers are in that payout too.
 */
async function transfersOfPayout(
  stripe: Stripe,
  account: string,
  payout: string,
  seen: Set<string>,
): Promise<string[]> {
  if (seen.has(payout)) return []
  seen.add(payout)
  const movements = await listAll((page) =>
    stripe.balanceTransactions.list({ payout, expand: ['data.source'], ...page }, { stripeAccount: account }),
  )
  const transfers: string[] = []
  for (const { type, source } of movements) {
    if (!source || typeof source === 'string') continue
    if (source.object === 'charge' && source.source_transfer) {
      const { source_transfer: transfer } = source
      transfers.push(typeof transfer === 'string' ? transfer : transfer.id)
    }
    if (source.object === 'payout' && type === 'payout_failure')
      transfers.push(...(await transfersOfPayout(stripe, account, source.id, seen)))
  }
  return transfers
}

function balanceCalls(
  stripe: Stripe,
): Pick<PayoutProvider, 'retrieveBalance' | 'listMovements' | 'preparePlatform'> {
  return {
    retrieveBalance: () =>
      askStripe(async () => {
        const balance = await stripe.balance.retrieve()
        if (balance.object !== 'balance') return NOT_FROM_STRIPE
        const sum = (amounts: { currency: string; amount: number }[]): Cents =>
          amounts.filter(({ currency }) => currency === CURRENCY).reduce((all, { amount }) => all + amount, 0)
        return { ok: true, availableCents: sum(balance.available), pendingCents: sum(balance.pending) }
      }),

    async listMovements({ since, after }) {
      const found = await listPage(
        (page) => stripe.balanceTransactions.list({ ...page, expand: ['data.source'] }),
        { since, after },
      )
      return found.ok ? { ok: true, movements: found.items.map(movementOf), next: found.next } : found
    },

    preparePlatform: () => settleBalance(stripe, { payouts: { schedule: { interval: 'manual' } } }, {}),
  }
}

const MOVEMENT_KINDS: Readonly<Record<string, BalanceMovement['kind']>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund_failed',
  transfer: 'transfer',
  transfer_refund: 'reversal',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
  payout: 'payout',
  payout_cancel: 'payout',
  payout_failure: 'payout',
}

function movementOf(transaction: Stripe.BalanceTransaction): BalanceMovement {
  const { source, amount, fee, created } = transaction
  const about = source && typeof source !== 'string' ? source : null
  const isOfDispute = transaction.type === 'adjustment' && about?.object === 'dispute'
  const kind = isOfDispute
    ? amount < 0
      ? 'dispute'
      : 'dispute_reversal'
    : (MOVEMENT_KINDS[transaction.type] ?? 'other')
  return {
    id: transaction.id,
    kind,
    reference: kind === 'fee' ? null : referenceOf(source),
    amountCents: amount,
    feeCents: fee,
    at: new Date(created * 1000),
    availableAt: new Date(transaction.available_on * 1000),
  }
}

/** Our rows know a charge by its payment. */
function referenceOf(source: Stripe.BalanceTransaction['source']): string | null {
  if (!source || typeof source === 'string') return source
  const payment = source.object === 'charge' ? source.payment_intent : null
  return (typeof payment === 'string' ? payment : payment?.id) ?? source.id
}

function parseWebhook(
  stripe: Stripe,
  options: StripePayoutOptions,
  webhook: PayoutWebhook,
  rawBody: string,
  headers: Headers,
): PayoutEvent | null {
  const signature = headers.get(STRIPE_SIGNATURE_HEADER) ?? ''
  const receivedAt = options.now().getTime()
  return readSigned(() => {
    if (webhook === 'connected') {
      const { connectWebhookSecret: secret } = options
      const event = stripe.webhooks.constructEvent(
        rawBody,
        signature,
        secret,
        SIGNATURE_TOLERANCE_S,
        undefined,
        receivedAt,
      )
      const { object } = event.data
      const payout = 'object' in object && object.object === 'payout' ? object.id : null
      return { id: event.id, type: event.type, account: event.account ?? null, payout, payload: event }
    }
    // An event of version 2 carries no state, only whom it is about.
    const { id, type, ...about } = stripe.parseEventNotification(
      rawBody,
      signature,
      options.accountsWebhookSecret,
      SIGNATURE_TOLERANCE_S,
      undefined,
      receivedAt,
    )
    const related =
      'related_object' in about ? (about.related_object as { id?: string; type?: string }) : null
    const account = related?.type === 'v2.core.account' ? (related.id ?? null) : null
    return { id, type, account, payout: null, payload: JSON.parse(rawBody) }
  })
}
