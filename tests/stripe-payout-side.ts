import type Stripe from 'stripe'

const DAY_S = 86_400
const PENDING_DAYS = 2
const DISPUTE_FEE = 2_500

type Answer = { status: number; body: object }
type Account = {
  id: string
  params: Stripe.V2.Core.AccountCreateParams
  isSubmitted: boolean
  standing: 'good' | 'restricted' | 'rejected'
  bank: 'good' | 'returning' | null
  isBankRefused: boolean
}
type Transfer = Record<string, unknown> & {
  id: string
  amount: number
  amount_reversed: number
  destination: string
  source_transaction: string | null
  transfer_group: string | null
  reversals: { object: 'list'; data: Reversal[]; has_more: boolean; url: string }
}
type Reversal = Record<string, unknown> & { id: string; amount: number; transfer: string }
type Payout = Record<string, unknown> & {
  id: string
  account: string
  amount: number
  status: string
  created: number
  arrival_date: number
}
type Movement = Record<string, unknown> & {
  /** Null for the platform's own. */
  account: string | null
  amount: number
  fee: number
  created: number
  available_on: number
  source: { id: string }
  payout: string | null
}
type Charge = { id: string; amount: number }

/** The side of the fake Stripe that pays vendors. */
export type StripePayoutSide = ReturnType<typeof createPayoutSide>

/**
 * Stripe's accounts of version 2, transfers, reversals, payouts and balances. The library's types check what the
 * description of 2023-08-16 doesn't have.
 */
export function createPayoutSide(deps: {
  id: (prefix: string) => string
  seconds: () => number
  error: (status: number, type: string, code: string | undefined, message: string) => Answer
  listOf: (data: object[], url: string, limit: number, after: unknown) => Answer
  findCharge: (id: string) => Charge | undefined
}) {
  const { id, seconds, error, listOf } = deps
  const accounts = new Map<string, Account>()
  const transfers: Transfer[] = []
  const payouts: Payout[] = []
  /** Newest first. */
  const movements: Movement[] = []
  const refuse = (message: string, code?: string) => error(400, 'invalid_request_error', code, message)

  function move(
    account: string | null,
    type: string,
    source: { id: string },
    amount: number,
    more: { fee?: number; availableOn?: number } = {},
  ) {
    const fee = more.fee ?? 0
    const availableOn = more.availableOn ?? seconds()
    movements.unshift({
      id: id('txn'),
      object: 'balance_transaction',
      account,
      amount,
      available_on: availableOn,
      created: seconds(),
      currency: 'aud',
      description: null,
      exchange_rate: null,
      fee,
      fee_details: [],
      net: amount - fee,
      payout: null,
      reporting_category: type,
      source,
      status: availableOn > seconds() ? 'pending' : 'available',
      type,
    })
  }
  const sumOf = (account: string | null, isAvailable: boolean) =>
    movements
      .filter((one) => one.account === account && one.available_on <= seconds() === isAvailable)
      .reduce((sum, { amount, fee }) => sum + amount - fee, 0)
  const availabilityOf = (charge: string) =>
    Math.max(seconds(), movements.find(({ source }) => source.id === charge)?.available_on ?? 0)

  function missingOf(account: Account): string[] {
    return [
      ...(account.isSubmitted ? [] : ['identity.attestations.terms_of_service.account']),
      ...(account.bank && !account.isBankRefused
        ? []
        : ['configuration.recipient.default_outbound_destination']),
      ...(account.standing === 'restricted'
        ? ['identity.individual.documents.primary_verification.front_back']
        : []),
    ]
  }

  function shownAccount(account: Account): Stripe.V2.Core.Account {
    const status =
      account.standing === 'rejected'
        ? 'rejected'
        : account.isSubmitted && account.standing === 'good'
          ? 'active'
          : 'restricted'
    const deadline = account.standing === 'restricted' ? 'past_due' : 'currently_due'
    return {
      id: account.id,
      object: 'v2.core.account',
      applied_configurations: ['recipient'],
      closed: false,
      configuration: {
        recipient: {
          applied: true,
          capabilities: { stripe_balance: { stripe_transfers: { status, status_details: [] } } },
        },
      },
      created: new Date(seconds() * 1000).toISOString(),
      livemode: false,
      metadata: account.params.metadata as Stripe.Metadata,
      requirements: {
        entries: missingOf(account).map((description) => ({
          awaiting_action_from: 'user',
          description,
          errors: [],
          impact: {},
          minimum_deadline: { status: deadline },
          requested_reasons: [],
        })),
        summary: {
          minimum_deadline: { status: deadline, time: new Date(seconds() * 1000).toISOString() },
        },
      },
    }
  }

  function createAccount(body: Stripe.V2.Core.AccountCreateParams): Answer {
    const account: Account = {
      id: id('acct'),
      params: body,
      isSubmitted: false,
      standing: 'good',
      bank: null,
      isBankRefused: false,
    }
    accounts.set(account.id, account)
    return { status: 200, body: shownAccount(account) }
  }

  function createLink(body: Stripe.V2.Core.AccountLinkCreateParams): Answer {
    if (!accounts.has(body.account))
      return error(404, 'invalid_request_error', 'not_found', 'No such account.')
    const link: Stripe.V2.Core.AccountLink = {
      object: 'v2.core.account_link',
      account: body.account,
      created: new Date(seconds() * 1000).toISOString(),
      expires_at: new Date((seconds() + 300) * 1000).toISOString(),
      livemode: false,
      url: `https://connect.stripe.test/setup/${id('link')}`,
      use_case: body.use_case,
    }
    return { status: 200, body: link }
  }

  function createTransfer(body: Record<string, unknown>): Answer {
    const account = accounts.get(String(body.destination))
    const amount = Number(body.amount)
    const source = body.source_transaction ? String(body.source_transaction) : null
    const charge = source ? deps.findCharge(source) : undefined
    if (!account) return refuse(`No such destination: '${body.destination}'`, 'resource_missing')
    if (!account.isSubmitted || account.standing !== 'good')
      return refuse('Your destination account needs to have the transfers capability enabled.')
    if (source && !charge) return refuse(`No such charge: '${source}'`, 'resource_missing')
    const transferred = transfers
      .filter(({ source_transaction }) => source_transaction === source)
      .reduce((sum, one) => sum + one.amount, 0)
    if (charge && transferred + amount > charge.amount)
      return refuse('Cannot use more than the amount of the charge for its transfers.')
    if (!charge && amount > sumOf(null, true))
      return refuse('You have insufficient available funds in your account.', 'balance_insufficient')
    const name = id('tr')
    const transfer: Transfer = {
      id: name,
      object: 'transfer',
      amount,
      amount_reversed: 0,
      created: seconds(),
      currency: 'aud',
      destination: account.id,
      livemode: false,
      metadata: body.metadata ?? {},
      reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${name}/reversals` },
      reversed: false,
      source_transaction: source,
      transfer_group: body.transfer_group ? String(body.transfer_group) : null,
    }
    transfers.unshift(transfer)
    const availableOn = charge ? availabilityOf(charge.id) : seconds()
    move(null, 'transfer', transfer, -amount, { availableOn })
    move(account.id, 'payment', paymentOf(transfer), amount, { availableOn })
    return { status: 200, body: transfer }
  }

  /** The charge that a transfer becomes on the receiving account. */
  function paymentOf(transfer: Transfer) {
    return {
      id: id('py'),
      object: 'charge',
      amount: transfer.amount,
      amount_captured: transfer.amount,
      amount_refunded: 0,
      billing_details: { address: null, email: null, name: null, phone: null },
      captured: true,
      created: seconds(),
      currency: 'aud',
      disputed: false,
      livemode: false,
      metadata: {},
      paid: true,
      refunded: false,
      source_transfer: transfer.id,
      status: 'succeeded',
    }
  }

  function createReversal(transfer: Transfer, body: Record<string, unknown>): Answer {
    const amount = Number(body.amount)
    if (transfer.amount_reversed + amount > transfer.amount)
      return refuse('Reversal amount is greater than unreversed amount on transfer')
    const { destination } = transfer
    if (amount > sumOf(destination, true) + sumOf(destination, false))
      return refuse('The account has insufficient funds to reverse this transfer.', 'balance_insufficient')
    const reversal: Reversal = {
      id: id('trr'),
      object: 'transfer_reversal',
      amount,
      created: seconds(),
      currency: 'aud',
      metadata: body.metadata ?? {},
      transfer: transfer.id,
    }
    transfer.amount_reversed += amount
    transfer.reversed = transfer.amount_reversed === transfer.amount
    transfer.reversals.data.unshift(reversal)
    move(null, 'transfer_refund', reversal, amount)
    move(destination, 'payment_refund', reversal, -amount)
    return { status: 200, body: reversal }
  }

  function payOut(account: Account) {
    const taken = movements.filter(
      (one) => one.account === account.id && !one.payout && one.available_on <= seconds(),
    )
    const amount = taken.reduce((sum, one) => sum + one.amount, 0)
    if (!account.bank || account.isBankRefused || amount <= 0) return
    const payout: Payout = {
      id: id('po'),
      object: 'payout',
      account: account.id,
      amount,
      arrival_date: seconds() + DAY_S,
      automatic: true,
      created: seconds(),
      currency: 'aud',
      destination: {
        id: id('ba'),
        object: 'bank_account',
        country: 'AU',
        currency: 'aud',
        last4: account.bank === 'good' ? '3456' : '1116',
        status: 'new',
      },
      failure_code: null,
      livemode: false,
      metadata: {},
      method: 'standard',
      reconciliation_status: 'completed',
      source_type: 'card',
      status: 'in_transit',
      type: 'bank_account',
    }
    payouts.unshift(payout)
    move(account.id, 'payout', payout, -amount)
    const [own] = movements
    for (const one of [...taken, ...(own ? [own] : [])]) one.payout = payout.id
  }

  function settle(payout: Payout) {
    const account = accounts.get(payout.account)
    if (payout.status !== 'in_transit' || payout.arrival_date > seconds() || !account) return
    payout.status = account.bank === 'returning' ? 'failed' : 'paid'
    if (payout.status === 'paid') return
    payout.failure_code = 'account_closed'
    account.isBankRefused = true
    move(account.id, 'payout_failure', payout, payout.amount)
  }

  const withoutAccount = ({ account: _, payout: __, ...rest }: Record<string, unknown>) => rest
  const isSince = (body: Record<string, unknown>) => (one: { created: number }) =>
    one.created >= Number((body.created as { gte?: string } | undefined)?.gte ?? 0)

  return {
    /** @param account from the header Stripe-Account @returns null for another side's path */
    answer(
      method: string,
      path: string,
      body: Record<string, unknown>,
      account: string | null,
    ): Answer | null {
      const [, accountId] = /^\/v2\/core\/accounts\/([^/]+)$/.exec(path) ?? []
      const [, transferId] = /^\/v1\/transfers\/([^/]+)\/reversals$/.exec(path) ?? []
      const list = (data: object[]) => listOf(data, path, Number(body.limit ?? 10), body.starting_after)
      if (method === 'POST' && path === '/v2/core/accounts') return createAccount(body)
      if (method === 'POST' && path === '/v2/core/account_links')
        return createLink(body as unknown as Stripe.V2.Core.AccountLinkCreateParams)
      if (method === 'GET' && accountId) {
        const found = accounts.get(accountId)
        return found
          ? { status: 200, body: shownAccount(found) }
          : error(404, 'invalid_request_error', 'not_found', 'No such account.')
      }
      if (method === 'POST' && path === '/v1/balance_settings')
        return { status: 200, body: { object: 'balance_settings', payments: body.payments } }
      if (path === '/v1/transfers' && method === 'POST') return createTransfer(body)
      if (path === '/v1/transfers' && method === 'GET')
        return list(
          transfers.filter(
            (one) =>
              (body.transfer_group ?? one.transfer_group) === one.transfer_group &&
              (body.destination ?? one.destination) === one.destination,
          ),
        )
      if (transferId) {
        const found = transfers.find((one) => one.id === transferId)
        if (!found) return error(404, 'invalid_request_error', 'resource_missing', 'No such transfer.')
        return method === 'POST' ? createReversal(found, body) : list(found.reversals.data)
      }
      if (path === '/v1/payouts')
        return list(
          payouts.filter((one) => one.account === account && isSince(body)(one)).map(withoutAccount),
        )
      if (path === '/v1/balance_transactions')
        return list(
          movements
            .filter((one) => one.account === account && isSince(body)(one))
            .filter((one) => (body.payout ?? one.payout) === one.payout)
            .map((one) => ({ ...withoutAccount(one), source: withoutAccount(one.source) })),
        )
      if (path === '/v1/balance') {
        const amountOf = (isAvailable: boolean) => [
          { amount: sumOf(account, isAvailable), currency: 'aud', source_types: {} },
        ]
        const sums = { available: amountOf(true), pending: amountOf(false) }
        return { status: 200, body: { object: 'balance', livemode: false, ...sums } }
      }
      return null
    },

    charged(charge: Charge) {
      const fee = Math.floor((charge.amount * 17 + 500) / 1_000) + 30
      move(null, 'charge', charge, charge.amount, { fee, availableOn: seconds() + PENDING_DAYS * DAY_S })
    },
    refunded: (refund: { id: string; amount: number }) => move(null, 'refund', refund, -refund.amount),
    refundFailed: (refund: { id: string; amount: number }) =>
      move(null, 'refund_failure', refund, refund.amount),
    disputed: (dispute: { id: string; amount: number }) =>
      move(null, 'adjustment', dispute, -dispute.amount, { fee: DISPUTE_FEE }),
    disputeWon: (dispute: { id: string; amount: number }) =>
      move(null, 'adjustment', dispute, dispute.amount),
    /** The vendor has filled in the form. */
    complete(account: string, bank: 'good' | 'returning') {
      const found = accounts.get(account)
      if (found) Object.assign(found, { isSubmitted: true, bank, isBankRefused: false, standing: 'good' })
    },
    setStanding(account: string, standing: 'restricted' | 'rejected') {
      const found = accounts.get(account)
      if (found) found.standing = standing
    },
    /** Pays out what is available, and lets those payouts arrive or come back whose day has come. */
    runPayouts() {
      payouts.forEach(settle)
      accounts.forEach(payOut)
    },
  }
}
