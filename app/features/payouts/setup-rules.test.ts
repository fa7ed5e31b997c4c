import { describe, expect, it } from 'vitest'
import type { PayoutAccountState, StoredRequirement } from './rules.ts'
import { wantedTexts } from './setup-messages.ts'
import { beginningIn, setupState, stepsDone, wantedOf, withBeginning } from './setup-rules.ts'

const wants = (
  code: string,
  awaiting: StoredRequirement['awaiting'] = 'vendor',
  dueAt: string | null = null,
) => ({
  code,
  awaiting,
  dueAt,
})

describe('setupState', () => {
  const state = (
    account: PayoutAccountState | null,
    requirements: StoredRequirement[] = [],
    facts: { isRegistered?: boolean; agreement?: 'accepted' | 'changed' | 'missing' } = {},
  ) =>
    setupState({
      isRegistered: true,
      agreement: 'accepted',
      account: account && { state: account, requirements },
      ...facts,
    })

  it('names the first thing that is missing', () => {
    expect(state(null, [], { isRegistered: false, agreement: 'missing' })).toBe('not_registered')
    expect(state('active', [], { agreement: 'missing' })).toBe('not_agreed')
    expect(state(null)).toBe('not_started')
    expect(state('none')).toBe('not_started')
    expect(state('closed')).toBe('not_started')
    expect(state('started')).toBe('not_finished')
  })

  it('returns in_review only while nothing is wanted of the vendor', () => {
    expect(state('in_review', [wants('individual.phone', 'provider')])).toBe('in_review')
    expect(state('in_review', [wants('individual.phone')])).toBe('not_finished')
  })

  it('returns ready only while nothing is wanted of the vendor', () => {
    expect(state('active')).toBe('ready')
    expect(state('active', [wants('external_account')])).toBe('needs_more')
    expect(state('restricted')).toBe('paused')
  })

  it('names a rejection before anything else', () => {
    expect(state('rejected', [], { isRegistered: false, agreement: 'missing' })).toBe('rejected')
  })

  it('goes on under an earlier agreement, and asks for the new one last', () => {
    expect(state('active', [], { agreement: 'changed' })).toBe('agreement_changed')
    expect(state('active', [wants('x')], { agreement: 'changed' })).toBe('needs_more')
    expect(state(null, [], { agreement: 'changed' })).toBe('not_started')
  })
})

describe('what the provider wants', () => {
  it('falls due on its earliest day, and counts the vendor’s part alone', () => {
    const wanted = wantedOf([
      wants('a', 'vendor', '2027-03-02T00:00:00.000Z'),
      wants('b', 'provider', '2027-01-01T00:00:00.000Z'),
      wants('c', 'vendor', '2027-02-01T00:00:00.000Z'),
      wants('d'),
    ])
    expect(wanted).toEqual({ codes: ['a', 'c', 'd'], dueAt: new Date('2027-02-01T00:00:00.000Z') })
    expect(wantedOf([])).toEqual({ codes: [], dueAt: null })
  })

  it.each([
    ['individual.verification.document', 'A document that proves who you are'],
    ['identity.individual.documents.primary_verification.front_back', 'A document that proves who you are'],
    ['external_account', 'Your bank account'],
    ['configuration.recipient.default_outbound_destination', 'Your bank account'],
    ['individual.dob.day', 'Your date of birth'],
    ['something.new', 'Something in the provider’s form'],
  ])('%s is said in plain words', (code, text) => {
    expect(wantedTexts([code])).toEqual([text])
  })

  it('appears once, however many codes mean it', () => {
    expect(wantedTexts(['individual.dob.day', 'individual.dob.month', 'x.y', 'z'])).toEqual([
      'Your date of birth',
      'Something in the provider’s form',
    ])
  })
})

describe('the beginning of the chain', () => {
  it.each(['dashboard', 'listings', 'payouts'] as const)('survives the way to the provider: %s', (from) => {
    const path = withBeginning('/dashboard/payouts/return', from)
    expect(beginningIn(new URL(path, 'https://example.com').searchParams)).toBe(from)
    const withProblem = withBeginning('/dashboard/payouts/setup?problem=rejected', from)
    const { searchParams } = new URL(withProblem, 'https://example.com')
    expect([searchParams.get('problem'), beginningIn(searchParams)]).toEqual(['rejected', from])
  })

  it('falls back to the payouts screen for any other address', () => {
    expect(beginningIn(new URLSearchParams('from=https://evil.example'))).toBe('payouts')
    expect(beginningIn(new URLSearchParams())).toBe('payouts')
  })
})

it('stepsDone counts the steps of the chain, and none for a vendor who is paid or refused', () => {
  const states = ['not_registered', 'not_agreed', 'not_started', 'not_finished', 'in_review'] as const
  expect(states.map(stepsDone)).toEqual([0, 1, 2, 2, 3])
  const others = ['agreement_changed', 'needs_more', 'paused', 'ready', 'rejected'] as const
  expect(others.map(stepsDone)).toEqual([null, null, null, null, null])
})
