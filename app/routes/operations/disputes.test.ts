import { RouterContextProvider } from 'react-router'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  booked,
  business,
  CARDS,
  deps,
  event,
  receive,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { aUser } from '../../../tests/builders.ts'
import type { PaymentProvider } from '../../adapters/payments/port.ts'
import type { OperationAnswer } from '../../features/operators/components/operation-form.tsx'
import { EVIDENCE_FIELD_LENGTHS } from '../../features/operators/dispute-messages.ts'
import { refusalContext, servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import { newId } from '../../shared/ids.ts'
import * as receipt from '../api/receipt.ts'
import * as disputes from './disputes.tsx'
import * as layout from './layout.tsx'

setBookingStage()

type Person = { uid: string; email: string; emailVerified: boolean }
type User = Person | null
const OPERATOR: Person = { uid: 'op', email: 'operator@example.com', emailVerified: true }
const SECOND: Person = { uid: 'op-2', email: 'second@example.com', emailVerified: true }
const url = new URL('http://localhost:3000/operations/disputes')

let limit = 500_000
let calls: Partial<PaymentProvider> = {}
let dispute: { id: string; paymentId: string; bookingId: string; providerDispute: string; customer: string }
// The settings name addresses, which count for the accounts that have proved them.
beforeAll(async () => {
  for (const { uid: id, email } of [OPERATOR, SECOND]) await aUser(world.db, { id, email })
})
beforeEach(async () => {
  limit = 500_000
  calls = {}
  const customer = await aUser(world.db)
  const { paymentId, bookingId, reference } = await booked({ customerUserId: customer.id }, CARDS.disputed)
  await receive(deps, event(reference, newId(), 'charge.dispute.created'))
  const row = await world.db
    .selectFrom('disputes')
    .select(['id', 'provider_dispute'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow()
  dispute = { id: row.id, paymentId, bookingId, providerDispute: row.provider_dispute, customer: customer.id }
})

function contextOf(user: User) {
  const context = new RouterContextProvider()
  context.set(servicesContext, {
    ...world.deps,
    payments: { ...world.payments, ...calls },
    payouts: null,
    accounts: { findSession: async () => (user ? { id: 's', user } : null) },
    config: {
      operatorEmails: new Set(['operator@example.com', 'second@example.com']),
      ...{ secret: deps.secret, brand: deps.brand, publicUrl: deps.publicUrl, undecided: deps.undecided },
      ...{ refundGraceMs: 0, holdMs: 900_000, paymentExpiryMs: 900_000, operatorSecondPersonCents: limit },
      payouts: { provider: 'off' },
    },
  } as unknown as Services)
  return context
}
/** Like the server, runs the layout's middleware first and throws its refusal. */
async function through(args: { context: RouterContextProvider }): Promise<never> {
  // Which screens a role may open is tested with the server (tests/requests/operator-roles.test.ts).
  const about = { ...args, pattern: '/operations/disputes/:id?' } as never
  for (const middleware of layout.middleware) await middleware(about, async () => new Response())
  const refuse = args.context.get(refusalContext)
  if (refuse) throw refuse()
  return args as never
}
const load = async (user: User, params: { id?: string } = { id: dispute.id }) =>
  disputes.loader(
    await through({ request: new Request(url), url, context: contextOf(user), params } as never),
  )
const send = async (user: User, fields: Record<string, string>) => {
  const request = new Request(url, { method: 'POST', body: new URLSearchParams(fields) })
  const args = await through({ request, url, context: contextOf(user), params: { id: dispute.id } } as never)
  return (await disputes.action(args)) as unknown as { data: OperationAnswer; init: { status: number } }
}
async function shown(user: User = OPERATOR) {
  const { dispute: facts } = await load(user)
  if (!facts) throw new Error('no dispute')
  return facts
}
const EVIDENCE = {
  product: 'A hall for ten',
  serviceDate: 'Saturday',
  terms: 'Accepted.',
  refusal: '',
  statement: 'It took place.',
  reason: 'They came.',
}
const evidence = async (changed: Record<string, string> = {}) => ({
  ...{ intent: 'submit-evidence', id: dispute.id, seen: (await shown()).version },
  ...EVIDENCE,
  ...changed,
})
const acceptance = async () => ({
  ...{ intent: 'accept-dispute', id: dispute.id, seen: (await shown()).version },
  reason: 'They are right.',
})
const answerRows = () =>
  world.db.selectFrom('dispute_answers').selectAll().where('dispute_id', '=', dispute.id).execute()
const submissions = async () => {
  const found = await world.payments.retrieveDispute(dispute.providerDispute)
  return found.ok ? found.submissionCount : null
}

describe('as nobody, a customer or a vendor', () => {
  const others: [string, () => User][] = [
    ['nobody', () => null],
    ['the customer', () => ({ uid: dispute.customer, email: 'kim@example.com', emailVerified: true })],
    ['the vendor', () => ({ uid: business.user_id, email: 'vendor@example.com', emailVerified: true })],
    ['an unverified address', () => ({ uid: 'x', email: 'operator@example.com', emailVerified: false })],
  ]
  it.each(others)('%s gets 404 for the list and for the page', async (_name, user) => {
    await expect(load(user(), {})).rejects.toMatchObject({ status: 404 })
    await expect(load(user())).rejects.toMatchObject({ status: 404 })
  })

  it.each(others)('%s gets 404 for every action, and nothing changes', async (_name, user) => {
    limit = 0
    await send(OPERATOR, await evidence())
    const [answer] = await answerRows()
    const { version: seen } = await shown()
    for (const fields of [
      { ...(await evidence()), seen },
      { ...(await acceptance()), seen },
      { intent: 'confirm-answer', id: answer?.id ?? '' },
      { intent: 'drop-answer', id: answer?.id ?? '' },
    ])
      await expect(send(user(), fields)).rejects.toMatchObject({ status: 404 })
    expect(await answerRows()).toEqual([answer])
    expect(await submissions()).toBe(0)
  })
})

describe('as an operator', () => {
  it('opens the list, the page of a dispute, and 404 for another', async () => {
    const { disputes: listed } = await load(OPERATOR, {})
    expect(listed?.map(({ id }) => id)).toContain(dispute.id)
    expect(await shown()).toMatchObject({ id: dispute.id, canSubmit: true, canAccept: true })
    await expect(load(OPERATOR, { id: 'none' })).rejects.toMatchObject({ status: 404 })
  })

  it('opens the receipt, which strangers don’t', async () => {
    const open = (user: User) => {
      const context = contextOf(user)
      const params = { linkToken: dispute.bookingId }
      return receipt.loader({ request: new Request(url), url, context, params } as never)
    }
    const opened = await open(OPERATOR)
    expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect((await open({ uid: 'x', email: 'x@example.com', emailVerified: true })).status).toBe(404)
    expect((await open(null)).status).toBe(404)
  })

  it('submits evidence once, however often it is pressed', async () => {
    const fields = await evidence()
    const first = await send(OPERATOR, fields)
    expect([first.init.status, first.data]).toEqual([200, { ok: true, message: 'Evidence submitted' }])
    const again = await send(SECOND, fields)
    expect([again.init.status, again.data.message]).toEqual([
      409,
      'operator@example.com has submitted evidence since you opened this page.',
    ])
    expect(await submissions()).toBe(1)
    expect(await shown()).toMatchObject({ status: 'under_review', canSubmit: false, canAccept: false })
  })

  it('accepts a dispute, after which the page has no forms', async () => {
    const fields = await acceptance()
    expect((await send(OPERATOR, fields)).data).toEqual({ ok: true, message: 'Dispute accepted' })
    expect(await shown()).toMatchObject({ status: 'lost', canSubmit: false, canAccept: false })
    const again = await send(SECOND, fields)
    expect([again.init.status, again.data.message]).toEqual([
      409,
      'operator@example.com has accepted this dispute since you opened this page.',
    ])
  })

  it('asks a second operator above the limit, who is another person', async () => {
    limit = 45_499
    expect((await send(OPERATOR, await evidence())).data.message).toBe(
      'A second operator has to confirm this.',
    )
    const [{ id } = { id: '' }] = await answerRows()
    const own = await send(OPERATOR, { intent: 'confirm-answer', id })
    expect([own.init.status, own.data.message]).toEqual([409, 'Another operator has to confirm your order.'])
    expect((await send(SECOND, { intent: 'confirm-answer', id })).data.ok).toBe(true)
    expect((await send(SECOND, { intent: 'drop-answer', id })).init.status).toBe(409)
    expect(await submissions()).toBe(1)
  })

  it.each([
    ['product', ''],
    ['product', 'x'.repeat(EVIDENCE_FIELD_LENGTHS.product + 1)],
    ['serviceDate', 'x'.repeat(EVIDENCE_FIELD_LENGTHS.serviceDate + 1)],
    ['terms', 'x'.repeat(EVIDENCE_FIELD_LENGTHS.terms + 1)],
    ['refusal', 'x'.repeat(EVIDENCE_FIELD_LENGTHS.refusal + 1)],
    ['statement', ' \r\n '],
    ['statement', 'NUL\0'],
    ['statement', 'x'.repeat(EVIDENCE_FIELD_LENGTHS.statement + 1)],
    ['reason', ''],
    ['reason', 'x'.repeat(501)],
  ])('refuses odd input in %s beside the field', async (name, text) => {
    const { init, data } = await send(OPERATOR, await evidence({ [name]: text }))
    expect([init.status, Object.keys(data.errors ?? {})]).toEqual([422, [name]])
    expect(await answerRows()).toEqual([])
  })

  it('takes the longest text with its line ends, as browsers send them', async () => {
    const lines = 'x\n'.repeat(EVIDENCE_FIELD_LENGTHS.statement / 2 - 1).concat('xx')
    const sent = await send(OPERATOR, await evidence({ statement: lines.replaceAll('\n', '\r\n') }))
    expect(sent.data.ok).toBe(true)
    expect((await answerRows())[0]?.texts?.statement).toBe(lines)
  })

  it.each<Record<string, string>>([{ seen: '' }, { seen: 'x'.repeat(201) }, { id: '' }, { id: 'none' }])(
    'refuses a forged form: %j',
    async (changed) => {
      const { init, data } = await send(OPERATOR, await evidence(changed))
      expect([[409, 422].includes(init.status), data.ok]).toEqual([true, false])
      expect(await answerRows()).toEqual([])
    },
  )

  it('loses nothing while the provider is away, and says so', async () => {
    calls = { retrieveDispute: async () => ({ ok: false, reason: 'unreachable', message: 'No answer.' }) }
    const { init, data } = await send(OPERATOR, await evidence())
    expect([init.status, data.message]).toEqual([200, expect.stringContaining('The provider didn’t answer')])
    expect((await shown()).answers).toMatchObject([
      { state: 'claimed', texts: { statement: EVIDENCE.statement }, lastError: 'No answer.' },
    ])
  })

  it('reads the provider’s words about a refusal, and finds the texts in the form', async () => {
    calls = { answerDispute: async () => ({ ok: false, reason: 'refused', message: 'Too late.' }) }
    const { init, data } = await send(OPERATOR, await evidence())
    expect([init.status, data.message]).toEqual([409, 'The provider refused it: Too late.'])
    expect(await shown()).toMatchObject({ canSubmit: true, texts: { product: 'A hall for ten' } })
  })
})
