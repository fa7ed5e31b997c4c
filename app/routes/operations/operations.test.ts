import { RouterContextProvider } from 'react-router'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingWorld, aBusiness, aUser } from '../../../tests/builders.ts'
import type { OperationAnswer } from '../../features/operators/components/operation-form.tsx'
import { refusalContext, servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import * as accounts from './accounts.tsx'
import * as bookings from './bookings.tsx'
import * as comparison from './comparison.tsx'
import * as disputes from './disputes.tsx'
import * as exports from './export.ts'
import * as layout from './layout.tsx'
import * as ledger from './ledger.tsx'
import * as listings from './listings.tsx'
import * as log from './log.tsx'
import * as overview from './overview.tsx'
import * as payment from './payment.tsx'
import * as payments from './payments.tsx'
import * as payouts from './payouts.tsx'
import * as people from './people.tsx'
import * as reviews from './reviews.tsx'
import * as search from './search.tsx'
import * as vendor from './vendor.tsx'

let world: Awaited<ReturnType<typeof aBookingWorld>>

beforeAll(async () => {
  world = await aBookingWorld()
  // The settings name an address, which counts for the account that has proved it.
  await aUser(world.db, { id: OPERATOR.uid, email: OPERATOR.email })
})
afterAll(() => world.close())

type Person = { uid: string; email: string; emailVerified: boolean }
type User = Person | null
const OPERATOR: Person = { uid: 'op', email: 'Operator@example.com', emailVerified: true }
/**
 * Everybody who is not an operator: a signed-out visitor, another user, and an operator's address that was never
 * verified.
 */
const others: [string, User][] = [
  ['nobody', null],
  ['someone else', { uid: 'c', email: 'customer@example.com', emailVerified: true }],
  ['an unverified address', { uid: 'x', email: 'operator@example.com', emailVerified: false }],
]

function contextOf(user: User, isPaying = true) {
  const context = new RouterContextProvider()
  context.set(servicesContext, {
    ...world.deps,
    payments: world.payments,
    jobs: { count: async () => [] },
    payouts: isPaying ? world.payments.payouts : null,
    accounts: { findSession: async () => (user ? { id: 's', user } : null) },
    config: {
      operatorEmails: new Set(['operator@example.com']),
      secret: world.deps.secret,
      brand: world.deps.brand,
      publicUrl: world.deps.publicUrl,
      refundGraceMs: 0,
      payoutDelayMs: 0,
      holdLimitMs: 85 * DAY_MS,
      operatorSecondPersonCents: 500_000,
      holdMs: 900_000,
      paymentExpiryMs: 900_000,
      undecided: world.deps.undecided,
      payouts: { provider: isPaying ? 'sandbox' : 'off' },
      commissionBasisPoints: 1_000,
      reserveBasisPoints: 1_000,
      platform: { abn: null, isGstRegistered: false },
    },
  } as unknown as Services)
  return context
}

const url = new URL('http://localhost:3000/operations')
/** Like the server, runs the layout's middleware first and throws its refusal. */
async function through(args: { context: RouterContextProvider }): Promise<never> {
  // Which screens a role may open is tested with the server (tests/requests/operator-roles.test.ts).
  const about = { ...args, pattern: '/operations' } as never
  for (const middleware of layout.middleware) await middleware(about, async () => new Response())
  const refuse = args.context.get(refusalContext)
  if (refuse) throw refuse()
  return args as never
}
const load = async (module: { loader: (args: never) => unknown }, user: User, params = {}) =>
  module.loader(await through({ request: new Request(url), url, context: contextOf(user), params } as never))
const send = async (
  module: { action: (args: never) => unknown },
  user: User,
  fields: Record<string, string>,
) => {
  const request = new Request(url, { method: 'POST', body: new URLSearchParams(fields) })
  const args = await through({ request, url, context: contextOf(user), params: {} } as never)
  return (await module.action(args)) as {
    data: OperationAnswer
    init: { status: number }
  }
}

const screens = {
  layout,
  overview,
  search,
  bookings,
  exports,
  payments,
  payment,
  disputes,
  comparison,
  ledger,
  reviews,
  accounts,
  listings,
  payouts,
  people,
  vendor,
  log,
}

const EVIDENCE = { product: 'A hall', serviceDate: '', terms: '', refusal: '', statement: 'It took place.' }

describe.each(others)('as %s', (_name, user) => {
  it.each(Object.keys(screens))('answers 404 for the screen %s', async (name) => {
    const module = screens[name as keyof typeof screens]
    await expect(load(module, user, { id: 'x' })).rejects.toMatchObject({ status: 404 })
  })

  it('answers 404 to every operation and changes nothing', async () => {
    const business = await aBusiness(world.db)
    const victim = await aUser(world.db)
    const operations: Record<string, string>[] = [
      { intent: 'ask', id: 'x' },
      { intent: 'retry-refund', id: 'x' },
      { intent: 'compare' },
      { intent: 'approve-review', id: 'x', seen: 'waiting' },
      { intent: 'reject-review', id: 'x', seen: 'waiting', reason: 'Because.' },
      { intent: 'refund', id: 'x', seen: '1', amount: '1', reason: 'Because.' },
      { intent: 'disable-account', id: victim.id, reason: 'Because.' },
      { intent: 'enable-account', id: victim.id },
      { intent: 'hide-listing', id: business.id, reason: 'Because.' },
      { intent: 'show-listing', id: business.id },
      { intent: 'hold-payouts', id: victim.id, reason: 'Because.' },
      { intent: 'release-payouts', id: 'x', reason: 'Because.' },
      { intent: 'order-payout', id: 'x', kind: 'write_off', seen: '1', amount: '1', reason: 'Because.' },
      { intent: 'confirm-order', id: 'x' },
      { intent: 'drop-order', id: 'x' },
      { intent: 'prove' },
      { intent: 'submit-evidence', id: 'x', seen: 'x', reason: 'Because.', ...EVIDENCE },
      { intent: 'accept-dispute', id: 'x', seen: 'x', reason: 'Because.' },
      { intent: 'confirm-answer', id: 'x' },
      { intent: 'drop-answer', id: 'x' },
      { intent: 'set-category-rate', category: 'Venues', rate: '5', reason: 'Because.' },
      { intent: 'set-vendor-rate', vendor: victim.email, rate: '5', reason: 'Because.' },
      { intent: 'name-operator', email: victim.email, role: 'admin' },
      { intent: 'change-role', id: victim.id, seen: 'support', role: 'admin' },
      { intent: 'remove-operator', id: victim.id, seen: 'support' },
    ]
    for (const module of [
      payment,
      disputes,
      comparison,
      ledger,
      reviews,
      accounts,
      listings,
      payouts,
      people,
      vendor,
    ])
      for (const fields of operations)
        await expect(send(module, user, fields)).rejects.toMatchObject({ status: 404 })
    const row = await world.db
      .selectFrom('businesses')
      .select('hidden_at')
      .where('id', '=', business.id)
      .executeTakeFirstOrThrow()
    expect(row.hidden_at).toBeNull()
    expect(await world.db.selectFrom('commission_rates').select('id').execute()).toEqual([])
    expect(await world.db.selectFrom('proofs').select('id').execute()).toEqual([])
    expect(await world.db.selectFrom('operator_log').select('id').execute()).toEqual([])
  })
})

describe('as an operator', () => {
  it('opens every screen', async () => {
    for (const [name, module] of Object.entries(screens)) {
      if (name === 'payment' || name === 'vendor' || name === 'exports') continue
      await expect(load(module, OPERATOR), name).resolves.toBeTruthy()
    }
    await expect(load(exports, OPERATOR, { list: 'none' })).rejects.toMatchObject({ status: 404 })
    await expect(load(payment, OPERATOR, { id: 'none' })).rejects.toMatchObject({ status: 404 })
    await expect(load(vendor, OPERATOR, { id: 'none' })).rejects.toMatchObject({ status: 404 })
    const { id } = await aUser(world.db)
    await expect(load(vendor, OPERATOR, { id })).resolves.toMatchObject({
      facts: { account: { id } },
      money: { userId: id },
    })
  })

  it('requires a reason, confirms the operation and logs it', async () => {
    const business = await aBusiness(world.db)
    const without = await send(listings, OPERATOR, { intent: 'hide-listing', id: business.id, reason: '  ' })
    expect([without.init.status, without.data.errors?.reason]).toEqual([
      422,
      expect.stringContaining('Give a reason'),
    ])
    const done = await send(listings, OPERATOR, {
      intent: 'hide-listing',
      id: business.id,
      reason: 'Not theirs.',
    })
    expect(done.data).toEqual({ ok: true, message: 'Listing hidden' })
    const missing = await send(accounts, OPERATOR, {
      intent: 'disable-account',
      id: 'none',
      reason: 'Because.',
    })
    expect([missing.init.status, missing.data.ok]).toEqual([409, false])
    expect((await send(accounts, OPERATOR, { intent: 'nonsense' })).init.status).toBe(422)
    const entries = await world.db
      .selectFrom('operator_log')
      .select(['action', 'reason', 'subject_id'])
      .execute()
    expect(entries).toEqual([{ action: 'hide-listing', reason: 'Not theirs.', subject_id: business.id }])
  })

  it.each(['', '-5', 'abc', '0', '100000000000000000000', '1.234'])(
    'refuses the amount %j of an order beside its field',
    async (amount) => {
      const order = { intent: 'order-payout', id: 'x', kind: 'write_off', seen: '1', reason: 'Because.' }
      const refused = await send(payouts, OPERATOR, { ...order, amount })
      expect([refused.init.status, refused.data.errors?.amount]).toEqual([422, expect.any(String)])
    },
  )

  it('holds payouts once, and tells the second operator so', async () => {
    const { id } = await aUser(world.db)
    const hold = { intent: 'hold-payouts', id, reason: 'Two complaints.' }
    expect((await send(vendor, OPERATOR, hold)).data).toEqual({ ok: true, message: 'Payouts held' })
    const again = await send(vendor, OPERATOR, hold)
    expect([again.init.status, again.data.message]).toEqual([409, 'This is already held.'])
  })
})

describe('the ledger', () => {
  const rates = () =>
    world.db
      .selectFrom('commission_rates')
      .select(['category', 'vendor_user_id', 'basis_points'])
      .orderBy('created_at')
      .execute()

  it('sets rates by category and by vendor, each with its reason', async () => {
    const business = await aBusiness(world.db)
    const vendor = { intent: 'set-vendor-rate', vendor: `${business.user_id}@EXAMPLE.com` }
    const category = {
      intent: 'set-category-rate',
      category: 'Catering',
      rate: '0',
      reason: 'To begin with.',
    }
    expect((await send(ledger, OPERATOR, { ...vendor, rate: '12.5 %', reason: 'Agreed.' })).data).toEqual({
      ok: true,
      message: 'Rate set',
    })
    expect((await send(ledger, OPERATOR, category)).data.ok).toBe(true)
    // At the same moment of the test's clock.
    expect((await send(ledger, OPERATOR, category)).init.status).toBe(409)
    expect(await rates()).toEqual([
      { category: null, vendor_user_id: business.user_id, basis_points: 1_250 },
      { category: 'Catering', vendor_user_id: null, basis_points: 0 },
    ])
    const logged = await world.db
      .selectFrom('operator_log')
      .select(['subject_label', 'reason'])
      .where('action', '=', 'set-rate')
      .orderBy('subject_label')
      .execute()
    expect(logged).toEqual(
      [
        { subject_label: `${business.user_id}@example.com`, reason: '12.5%: Agreed.' },
        { subject_label: 'Catering', reason: '0%: To begin with.' },
      ].toSorted((one, other) => (one.subject_label < other.subject_label ? -1 : 1)),
    )
    const { ledger: shown } = (await load(ledger, OPERATOR)) as Awaited<ReturnType<typeof ledger.loader>>
    expect(shown.rates.map(({ of, basisPoints }) => [of, basisPoints]).toSorted()).toEqual(
      [
        [`${business.user_id}@example.com`, 1_250],
        ['Catering', 0],
      ].toSorted(),
    )
  })

  it.each(['', 'ten', '-1', '100.01', '101', '1.234', '1e3', '10'.repeat(20)])(
    'refuses the rate %j beside its field',
    async (rate) => {
      const before = await rates()
      const fields = { intent: 'set-category-rate', category: 'Venues', rate, reason: 'Because.' }
      const { data, init } = await send(ledger, OPERATOR, fields)
      expect([init.status, Object.keys(data.errors ?? {})]).toEqual([422, ['rate']])
      expect(await rates()).toEqual(before)
    },
  )

  it('refuses an unknown vendor, a customer, and an unknown category', async () => {
    const customer = await aUser(world.db)
    for (const vendor of ['nobody@example.com', customer.email]) {
      const fields = { intent: 'set-vendor-rate', vendor, rate: '5', reason: 'Because.' }
      const { data, init } = await send(ledger, OPERATOR, fields)
      expect([init.status, data.errors?.vendor]).toEqual([422, 'No vendor has this email address.'])
    }
    const fields = { intent: 'set-category-rate', category: 'Castles', rate: '5', reason: 'Because.' }
    expect((await send(ledger, OPERATOR, fields)).init.status).toBe(422)
  })

  it('shows the result and the balance after ‘Prove now’', async () => {
    expect((await send(ledger, OPERATOR, { intent: 'prove' })).data).toEqual({
      ok: true,
      message: 'Every check agrees.',
    })
    const { ledger: shown } = (await load(ledger, OPERATOR)) as Awaited<ReturnType<typeof ledger.loader>>
    expect(shown.proof).toMatchObject({ differenceCount: 0, availableCents: 0 })
    expect(shown.withdrawable).toEqual({
      availableCents: 0,
      leftCents: 0,
      owedCents: 0,
      reserveCents: 0,
      freeCents: 0,
    })
  })

  it('answers 404 with PAYOUTS=off', async () => {
    const context = contextOf(OPERATOR, false)
    const args = await through({ request: new Request(url), url, context, params: {} } as never)
    await expect(ledger.loader(args)).rejects.toMatchObject({ status: 404 })
    const { hasLedger } = await layout.loader(args)
    expect(hasLedger).toBe(false)
    const body = new URLSearchParams({ intent: 'prove' })
    const request = new Request(url, { method: 'POST', body })
    const answer = await ledger.action({ ...(args as object), request } as never)
    expect(answer).toMatchObject({ data: { ok: false } })
  })
})

it('the overview is read again after an act of any status, since a refusal means that a colleague was faster', () => {
  expect(overview.shouldRevalidate()).toBe(true)
})
