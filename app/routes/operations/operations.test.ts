import { RouterContextProvider } from 'react-router'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingWorld, aBusiness, aUser } from '../../../tests/builders.ts'
import type { OperationAnswer } from '../../features/operators/components/operation-form.tsx'
import { refusalContext, servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import * as accounts from './accounts.tsx'
import * as comparison from './comparison.tsx'
import * as layout from './layout.tsx'
import * as listings from './listings.tsx'
import * as log from './log.tsx'
import * as payment from './payment.tsx'
import * as payments from './payments.tsx'
import * as reviews from './reviews.tsx'

let world: Awaited<ReturnType<typeof aBookingWorld>>

beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())

type User = { uid: string; email: string; emailVerified: boolean } | null
const OPERATOR: User = { uid: 'op', email: 'Operator@example.com', emailVerified: true }
/**
 * Everybody who is not an operator: a signed-out visitor, another user, and an operator's address that was never
 * verified.
 */
const others: [string, User][] = [
  ['nobody', null],
  ['someone else', { uid: 'c', email: 'customer@example.com', emailVerified: true }],
  ['an unverified address', { uid: 'x', email: 'operator@example.com', emailVerified: false }],
]

function contextOf(user: User) {
  const context = new RouterContextProvider()
  context.set(servicesContext, {
    ...world.deps,
    payments: world.payments,
    accounts: { findSession: async () => (user ? { id: 's', user } : null) },
    config: {
      operatorEmails: new Set(['operator@example.com']),
      secret: world.deps.secret,
      brand: world.deps.brand,
      publicUrl: world.deps.publicUrl,
      refundGraceMs: 0,
      holdMs: 900_000,
      paymentExpiryMs: 900_000,
      undecided: world.deps.undecided,
    },
  } as unknown as Services)
  return context
}

const url = new URL('http://localhost:3000/operations')
/** Like the server, runs the layout's middleware first and throws its refusal. */
async function through(args: { context: RouterContextProvider }): Promise<never> {
  for (const middleware of layout.middleware) await middleware(args as never, async () => new Response())
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

const screens = { layout, payments, payment, comparison, reviews, accounts, listings, log }

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
      { intent: 'approve-review', id: 'x' },
      { intent: 'reject-review', id: 'x', reason: 'Because.' },
      { intent: 'disable-account', id: victim.id, reason: 'Because.' },
      { intent: 'enable-account', id: victim.id },
      { intent: 'hide-listing', id: business.id, reason: 'Because.' },
      { intent: 'show-listing', id: business.id },
    ]
    for (const module of [payment, comparison, reviews, accounts, listings])
      for (const fields of operations)
        await expect(send(module, user, fields)).rejects.toMatchObject({ status: 404 })
    const row = await world.db
      .selectFrom('businesses')
      .select('hidden_at')
      .where('id', '=', business.id)
      .executeTakeFirstOrThrow()
    expect(row.hidden_at).toBeNull()
    expect(await world.db.selectFrom('operator_log').select('id').execute()).toEqual([])
  })
})

describe('as an operator', () => {
  it('opens every screen', async () => {
    for (const [name, module] of Object.entries(screens)) {
      if (name === 'payment') continue
      await expect(load(module, OPERATOR), name).resolves.toBeTruthy()
    }
    await expect(load(payment, OPERATOR, { id: 'none' })).rejects.toMatchObject({ status: 404 })
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
})
