import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { heldDays, workExample } from './example-rules.ts'
import { MAX_BALANCE_DAYS, MIN_BALANCE_DAYS, POLICY_NAMES } from './rules.ts'

const TIMES = { delayMs: 48 * HOUR_MS, holdLimitMs: 85 * DAY_MS }
const PER_PERSON = { unit: 'perPerson', cents: 14_500 } as const
const DEPOSIT = { kind: 'deposit', depositBasisPoints: 2_000, balanceDaysBefore: 30 } as const

describe('the worked example', () => {
  it('shows 60 guests at $145.00, a deposit of $1,740.00, and half of $8,700.00 back until 7 days before', () => {
    expect(workExample({ policy: 'moderate', plan: DEPOSIT }, PER_PERSON, TIMES)).toEqual({
      quantity: 60,
      unitPrice: PER_PERSON,
      priceCents: 870_000,
      depositCents: 174_000,
      balance: { cents: 696_000, daysBefore: 30 },
      isDefaultPlan: false,
      isDepositPaidEarly: true,
      steps: [
        { daysBefore: 30, backCents: 174_000, keptCents: 0 },
        { daysBefore: 7, backCents: 435_000, keptCents: 435_000 },
        { daysBefore: null, backCents: 0, keptCents: 870_000 },
      ],
    })
  })

  it('takes the whole price at once where vendors aren’t paid by us', () => {
    const example = workExample({ policy: 'flexible', plan: { kind: 'full' } }, PER_PERSON, null)
    expect(example).toMatchObject({ depositCents: 870_000, balance: null, isDefaultPlan: false })
    expect(example).toMatchObject({ isDepositPaidEarly: false })
    expect(example.steps).toEqual([
      { daysBefore: 7, backCents: 870_000, keptCents: 0 },
      { daysBefore: 1, backCents: 435_000, keptCents: 435_000 },
      { daysBefore: null, backCents: 0, keptCents: 870_000 },
    ])
  })

  it('takes the default plan where payment in full can’t be held for so long', () => {
    const example = workExample({ policy: 'moderate', plan: { kind: 'full' } }, PER_PERSON, TIMES)
    expect(example).toMatchObject({ isDefaultPlan: true, isDepositPaidEarly: true })
    expect(example).toMatchObject({ depositCents: 174_000, balance: { cents: 696_000, daysBefore: 30 } })
  })

  it('keeps no more than the deposit until the balance is paid, also between two borders of the policy', () => {
    const plan = { kind: 'deposit', depositBasisPoints: 2_000, balanceDaysBefore: 14 } as const
    expect(workExample({ policy: 'moderate', plan }, PER_PERSON, TIMES).steps).toEqual([
      { daysBefore: 30, backCents: 174_000, keptCents: 0 },
      { daysBefore: 14, backCents: 0, keptCents: 174_000 },
      { daysBefore: 7, backCents: 435_000, keptCents: 435_000 },
      { daysBefore: null, backCents: 0, keptCents: 870_000 },
    ])
    const long = workExample({ policy: 'long', plan: DEPOSIT }, PER_PERSON, TIMES)
    expect(long.steps.map(({ daysBefore }) => daysBefore)).toEqual([90, 30, 14, null])
  })

  it('joins stretches in which everything comes back', () => {
    const example = workExample({ policy: 'flexible', plan: DEPOSIT }, PER_PERSON, TIMES)
    expect(example.steps.map(({ daysBefore }) => daysBefore)).toEqual([7, 1, null])
  })

  it('takes 5 hours of a price per hour', () => {
    const example = workExample(
      { policy: 'moderate', plan: DEPOSIT },
      { unit: 'perHour', cents: 45_000 },
      TIMES,
    )
    expect(example).toMatchObject({ quantity: 5, priceCents: 225_000 })
  })

  it('shrinks to the guests or hours that one booking can hold', () => {
    const quantityAt = (unit: 'perPerson' | 'perHour', cents: number) =>
      workExample({ policy: 'moderate', plan: DEPOSIT }, { unit, cents }, TIMES).quantity
    expect(quantityAt('perPerson', 1_666_666)).toBe(60)
    expect(quantityAt('perPerson', 1_666_667)).toBe(59)
    expect(quantityAt('perPerson', 99_999_999)).toBe(1)
    expect([quantityAt('perHour', 10), quantityAt('perHour', 9)]).toEqual([5, 6])
  })

  it('shares out every cent that was paid, under every policy and plan', () => {
    const plan = fc.oneof(
      fc.constant({ kind: 'full' } as const),
      fc.record({
        kind: fc.constant('deposit' as const),
        depositBasisPoints: fc.integer({ min: 1_000, max: 3_000 }),
        balanceDaysBefore: fc.integer({ min: MIN_BALANCE_DAYS, max: MAX_BALANCE_DAYS }),
      }),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...POLICY_NAMES),
        plan,
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.constantFrom(null, TIMES),
        (policy, chosen, cents, times) => {
          const example = workExample({ policy, plan: chosen }, { unit: 'perPerson', cents }, times)
          const { priceCents, depositCents, balance, steps } = example
          expect(depositCents + (balance?.cents ?? 0)).toBe(priceCents)
          for (const { backCents, keptCents } of steps)
            expect([depositCents, priceCents]).toContain(backCents + keptCents)
          const kept = steps.map(({ keptCents }) => keptCents)
          expect(kept).toEqual(kept.toSorted((one, other) => one - other))
          expect(steps.at(-1)).toEqual({ daysBefore: null, backCents: 0, keptCents: priceCents })
        },
      ),
    )
  })
})

describe('the days for which a price can be held', () => {
  it('leave time for the payout after the event', () => {
    expect(heldDays(TIMES)).toBe(83)
    expect(heldDays({ delayMs: 720 * HOUR_MS, holdLimitMs: DAY_MS })).toBe(0)
  })
})
