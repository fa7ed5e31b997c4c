import { describe, expect, it } from 'vitest'
import type { AccountSnapshot } from '../../adapters/payments/payout-port.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { agreeTerms, DEFAULT_PLAN } from '../terms/rules.ts'
import { requirementText } from './messages.ts'
import {
  accountStateOf,
  depositReleasedAt,
  earnableCents,
  entityTypeOf,
  HELD_REASONS,
  heldReasonOf,
  heldSince,
  heldToldAt,
  holdLimitOf,
  needsSecondOperator,
  netDebts,
  nextAccountState,
  type PayoutAccountState,
  splitReversal,
  type TransferFacts,
  transferDueAt,
} from './rules.ts'

const snapshot: AccountSnapshot = {
  reference: 'acct',
  accountId: 'a',
  transfers: 'none',
  isSubmitted: false,
  requirements: [],
  isClosed: false,
  isRejected: false,
  bankLast4: null,
}

describe('the state of an account', () => {
  it.each<[string, Partial<AccountSnapshot>, PayoutAccountState]>([
    ['begins as started before the form was sent, without anything being wanted', {}, 'started'],
    ['stays started while the provider restricts an empty account', { transfers: 'restricted' }, 'started'],
    ['moves to in review once the form was sent', { isSubmitted: true, transfers: 'pending' }, 'in_review'],
    ['becomes active only with active transfers', { isSubmitted: true, transfers: 'active' }, 'active'],
    [
      'becomes restricted when the provider wants more',
      { isSubmitted: true, transfers: 'restricted' },
      'restricted',
    ],
    ['becomes closed even with active transfers', { transfers: 'active', isClosed: true }, 'closed'],
    ['becomes rejected rather than closed', { isClosed: true, isRejected: true }, 'rejected'],
  ])('%s', (_, given, state) => {
    expect(accountStateOf({ ...snapshot, ...given })).toBe(state)
  })

  it.each<[PayoutAccountState, Exclude<PayoutAccountState, 'none'>, PayoutAccountState]>([
    ['none', 'started', 'started'],
    ['none', 'active', 'active'],
    ['started', 'in_review', 'in_review'],
    ['in_review', 'started', 'in_review'],
    ['in_review', 'active', 'active'],
    ['in_review', 'restricted', 'restricted'],
    ['active', 'restricted', 'restricted'],
    ['active', 'in_review', 'restricted'],
    ['active', 'started', 'restricted'],
    ['restricted', 'active', 'active'],
    ['restricted', 'in_review', 'restricted'],
    ['active', 'closed', 'closed'],
    ['closed', 'active', 'closed'],
    ['rejected', 'active', 'rejected'],
    ['rejected', 'closed', 'rejected'],
  ])('moves from %s, seen as %s, to %s', (before, seen, after) => {
    expect(nextAccountState(before, seen)).toBe(after)
  })

  it('begins as a person for sole traders and as a company for all others', () => {
    expect(entityTypeOf('Sole Trader')).toBe('individual')
    for (const structure of ['Partnership', 'Company', 'Trust'] as const)
      expect(entityTypeOf(structure)).toBe('company')
  })
})

const free: TransferFacts = {
  hasAgreement: true,
  account: 'active',
  isDeniedByRegister: false,
  isRefundInTheWay: false,
  isDisputed: false,
  isOwing: false,
  isHeldByOperator: false,
}
/** The facts that give each reason alone. */
const HOLDING: Record<(typeof HELD_REASONS)[number], Partial<TransferFacts>> = {
  no_agreement: { hasAgreement: false },
  no_account: { account: 'none' },
  restricted: { account: 'restricted' },
  register: { isDeniedByRegister: true },
  refund: { isRefundInTheWay: true },
  dispute: { isDisputed: true },
  debt: { isOwing: true },
  operator: { isHeldByOperator: true },
}

describe('a transfer', () => {
  it('may leave when nothing is in the way', () => {
    expect(heldReasonOf(free)).toBeNull()
  })

  it.each(HELD_REASONS)('names %s as what holds it before all reasons after it', (reason) => {
    const later = HELD_REASONS.slice(HELD_REASONS.indexOf(reason))
    const facts: TransferFacts = Object.assign({}, free, ...later.toReversed().map((one) => HOLDING[one]))
    expect(heldReasonOf(facts)).toBe(reason)
    expect(heldReasonOf({ ...free, ...HOLDING[reason] })).toBe(reason)
  })

  it.each<[PayoutAccountState, string | null]>([
    ['none', 'no_account'],
    ['started', 'no_account'],
    ['in_review', 'no_account'],
    ['active', null],
    ['restricted', 'restricted'],
    ['closed', 'no_account'],
    ['rejected', 'restricted'],
  ])('to an account that is %s is held for %s', (account, reason) => {
    expect(heldReasonOf({ ...free, account })).toBe(reason)
  })

  it('falls due 48 hours after the event’s end, also across the end of summer time', () => {
    // Clocks go back in Melbourne on 4 April 2027.
    const until = '2027-04-03T12:00:00.000Z'
    expect(transferDueAt({ until }, 2 * DAY_MS)).toEqual(new Date('2027-04-05T12:00:00.000Z'))
  })

  it('reports that it is held at once, after a day for what passes by itself, and never for a dispute', () => {
    const dueAt = new Date('2027-04-05T12:00:00.000Z')
    const dayLater = new Date('2027-04-06T12:00:00.000Z')
    expect(HELD_REASONS.map((reason) => heldToldAt(reason, dueAt))).toEqual([
      dueAt,
      dueAt,
      dueAt,
      dueAt,
      dayLater,
      null,
      dayLater,
      dueAt,
    ])
  })
})

describe('held money', () => {
  const facts = {
    status: 'approved',
    isEventOver: true,
    isRefundInTheWay: false,
    isDisputed: false,
    heldCents: 870_000,
    keptCents: 0,
    deposit: null,
  } as const
  const released = { cents: 174_000, isReleased: true }
  it.each([
    ['approved, over and undisputed is earned', {}, 870_000],
    ['of a pending booking is not', { status: 'pending' }, 0],
    ['of a declined booking is not', { status: 'declined' }, 0],
    ['that a cancellation has left is earned at once', { status: 'withdrawn', isEventOver: false }, 870_000],
    ['before the end of the event is not', { isEventOver: false }, 0],
    ['with a refund in the way is not', { isRefundInTheWay: true }, 0],
    [
      'of a cancelled booking with a refund in the way is not',
      { status: 'withdrawn', isRefundInTheWay: true },
      0,
    ],
    ['that is disputed is not', { isDisputed: true }, 0],
    ['that more was refunded of is not', { heldCents: -1 }, 0],
    ['of a released deposit is earned before the event', { isEventOver: false, deposit: released }, 174_000],
    ['of a balance waits for the event', { isEventOver: false, deposit: released, keptCents: 174_000 }, 0],
    [
      'of a deposit refunded in part is what is left',
      { isEventOver: false, deposit: released, heldCents: 1 },
      1,
    ],
    [
      'of a deposit that is not released waits',
      { isEventOver: false, deposit: { ...released, isReleased: false } },
      0,
    ],
    ['of a deposit waits for the approval', { isEventOver: false, deposit: released, status: 'pending' }, 0],
  ] as const)('%s', (_, given, cents) => {
    expect(earnableCents({ ...facts, ...given })).toBe(cents)
  })

  it('leaves after 48 hours if it is a deposit for an event too far ahead to hold it', () => {
    const paidAt = new Date('2026-11-20T01:00:00Z')
    const event = { date: '2027-10-03', time: '16:00', timeZone: 'Australia/Melbourne' } as const
    const terms = agreeTerms({
      listing: { policy: 'moderate', plan: DEFAULT_PLAN },
      priceCents: 870_000,
      event,
      releasedAt: paidAt,
      now: paidAt,
      holdLimitMs: null,
    })
    const times = { payoutDelayMs: 2 * DAY_MS, holdLimitMs: 85 * DAY_MS }
    const sale = { terms, event, paidAt }
    const held = (days: number) => new Date(paidAt.getTime() + days * DAY_MS)
    expect(depositReleasedAt({ ...sale, eventUntil: held(83) }, times)).toBe(null)
    expect(depositReleasedAt({ ...sale, eventUntil: new Date(held(83).getTime() + 1) }, times)).toEqual(
      held(2),
    )
    expect(depositReleasedAt({ ...sale, eventUntil: held(300), terms: null }, times)).toBe(null)
  })

  it('becomes a task 14 days before its limit', () => {
    const limit = holdLimitOf(new Date('2026-11-20T01:00:00Z'), 85 * DAY_MS)
    expect(limit).toEqual({
      warnAt: new Date('2027-01-30T01:00:00Z'),
      endsAt: new Date('2027-02-13T01:00:00Z'),
    })
  })
})

describe('debts', () => {
  const debts = [
    { bookingId: 'old', cents: 300 },
    { bookingId: 'new', cents: 500 },
  ]
  it.each([
    [1_000, [300, 500], 200],
    [800, [300, 500], 0],
    [799, [300, 499], 0],
    [300, [300], 0],
    [299, [299], 0],
  ])('come off %i cents, oldest first', (payable, paid, left) => {
    const netted = netDebts(payable, debts)
    expect(netted.paid.map(({ cents }) => cents)).toEqual(paid)
    expect(netted.leftCents).toBe(left)
    expect(netted.paid.at(0)?.bookingId).toBe('old')
  })

  it('leave a share alone when there are none', () => {
    expect(netDebts(500, [])).toEqual({ paid: [], leftCents: 500 })
  })
})

describe('missing money', () => {
  const transfers = [
    { id: 'newest', restCents: 200 },
    { id: 'empty', restCents: 0 },
    { id: 'oldest', restCents: 500 },
  ]
  it.each([
    [1, [['newest', 1]], 0],
    [200, [['newest', 200]], 0],
    [
      201,
      [
        ['newest', 200],
        ['oldest', 1],
      ],
      0,
    ],
    [
      700,
      [
        ['newest', 200],
        ['oldest', 500],
      ],
      0,
    ],
    [
      701,
      [
        ['newest', 200],
        ['oldest', 500],
      ],
      1,
    ],
  ])(
    'comes out of the newest transfer first, and leaves the rest as a debt: %i cents',
    (missing, split, owed) => {
      const { reversals, owedCents } = splitReversal(missing, transfers)
      expect(reversals.map(({ transferId, cents }) => [transferId, cents])).toEqual(split)
      expect(owedCents).toBe(owed)
    },
  )

  it('becomes a debt at once if it was never transferred', () => {
    expect(splitReversal(100, [])).toEqual({ reversals: [], owedCents: 100 })
  })
})

it('an order needs a second operator above the limit, not at it', () => {
  expect([needsSecondOperator(500_000, 500_000), needsSecondOperator(500_001, 500_000)]).toEqual([
    false,
    true,
  ])
})

it.each([
  ['external_account', 'Your bank account'],
  ['individual.verification.document', 'A document that proves who you are'],
  ['identity.individual.documents.primary_verification.front_back', 'A document that proves who you are'],
  ['identity.individual.date_of_birth', 'Your date of birth'],
  ['identity.individual.given_name', 'Your name'],
  ['configuration.recipient.default_outbound_destination', 'Your bank account'],
  ['identity.attestations.terms_of_service.account', 'Your acceptance of the provider’s terms'],
  ['something.new', 'Something in the provider’s form'],
])('the provider’s %s reads %s', (code, text) => {
  expect(requirementText(code)).toBe(text)
})

describe('money that is held', () => {
  const [first, second] = [new Date('2026-11-20T01:00:00Z'), new Date('2027-02-10T22:00:00Z')]
  const charges = [
    { paidAt: second, cents: 696_000 },
    { paidAt: first, cents: 174_000 },
  ]

  it('counts as held since the oldest charge that it comes from', () => {
    expect(heldSince(696_000, charges)).toEqual(second)
    expect(heldSince(696_001, charges)).toEqual(first)
    expect(heldSince(870_000, charges)).toEqual(first)
    expect(heldSince(0, charges)).toBeNull()
  })

  it('ignores a charge that went back', () => {
    expect(heldSince(100, [{ paidAt: second, cents: 0 }, ...charges.slice(1)])).toEqual(first)
  })
})
