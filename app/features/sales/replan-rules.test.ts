import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, wallTimeAt, wallTimeToUtc } from '../../shared/dates.ts'
import type { InstalmentState } from './plan-rules.ts'
import { MIN_CHARGE_CENTS, replan } from './replan-rules.ts'

const timeZone = 'Australia/Melbourne'
const DAY = '2027-03-13'
const NOW = new Date('2026-11-20T01:00:00Z')
const dueOn = (date: string) => wallTimeToUtc(date, '09:00', timeZone)
const DUE_AT = dueOn('2027-02-11')
const paid = { cents: 174_000, dueAt: NOW, state: 'paid' as const }
const balance = (state: InstalmentState = 'scheduled') => ({ cents: 696_000, dueAt: DUE_AT, state })
const PRICE = 870_000

function planned(change: { price?: number; day?: string; now?: Date; state?: InstalmentState | 'none' }) {
  const { price = PRICE, day = DAY, now = NOW, state = 'scheduled' } = change
  return replan({
    instalments: state === 'none' ? [] : [paid, balance(state)],
    priceCents: PRICE,
    newPriceCents: price,
    day: DAY,
    newDay: day,
    timeZone,
    now,
  })
}

describe('a changed price', () => {
  it.each([
    ['rises', 1_015_000, 841_000, 0],
    ['falls', 725_000, 551_000, 0],
    ['falls to the deposit and a balance of the least that a card takes', 174_050, 50, 0],
    ['falls below that', 174_049, 50, 1],
  ])('%s with its balance, which takes the difference', (_, price, cents, refundCents) => {
    expect(planned({ price })).toEqual({
      ok: true,
      dueCents: 0,
      refundCents,
      balance: { cents, dueAt: DUE_AT },
    })
  })

  it.each([
    ['down to what is paid', 174_000, 0],
    ['below what is paid', 100_000, 74_000],
  ])('drops the balance and gives back the rest %s', (_, price, refundCents) => {
    expect(planned({ price })).toEqual({ ok: true, dueCents: 0, refundCents, balance: null })
  })

  it.each(['none', 'paid'] as const)('is paid or given back at once where nothing is due (%s)', (state) => {
    expect(planned({ price: PRICE + 14_500, state })).toMatchObject({
      dueCents: 14_500,
      refundCents: 0,
      balance: null,
    })
    expect(planned({ price: PRICE - 14_500, state })).toMatchObject({
      dueCents: 0,
      refundCents: 14_500,
      balance: null,
    })
    expect(planned({ price: PRICE + 50, state })).toMatchObject({ ok: true, dueCents: 50 })
    expect(planned({ price: PRICE + 49, state })).toEqual({ ok: false, reason: 'too_small' })
  })

  it.each(['charging', 'failed', 'needs_customer', 'overdue'] as const)(
    'waits while the balance is %s',
    (state) => {
      expect(planned({ price: PRICE + 14_500, state })).toEqual({ ok: false, reason: 'balance_unpaid' })
    },
  )
})

describe('a balance whose event moves', () => {
  it.each([
    ['later', '2027-05-15', '2027-04-15'],
    ['earlier', '2027-02-13', '2027-01-14'],
  ])('moves %s with it, at its time of day, also where clocks change in between', (_, day, due) => {
    const plan = planned({ day })
    expect(plan).toMatchObject({ ok: true, dueCents: 0, refundCents: 0, balance: { cents: 696_000 } })
    if (!plan.ok || !plan.balance) throw new Error('no balance')
    expect(wallTimeAt(plan.balance.dueAt, timeZone)).toEqual({ date: due, time: '09:00' })
  })

  it.each([
    // The event moves from 13 March to a day 30 days after the balance's new one.
    ['a week ahead is charged then', '2026-12-27', 0],
    ['less than a week ahead is paid at once', '2026-12-26', 696_000],
    ['in the past is paid at once', '2026-11-30', 696_000],
  ])('%s', (_, day, dueCents) => {
    const plan = planned({ day })
    expect(plan).toMatchObject({ ok: true, dueCents })
    if (plan.ok) expect(plan.balance === null).toBe(dueCents > 0)
  })

  it('keeps its day where only the number of guests changes, however near that is', () => {
    const now = new Date(DUE_AT.getTime() - 60_000)
    expect(planned({ price: PRICE + 14_500, now, state: 'reminded' })).toMatchObject({
      dueCents: 0,
      balance: { cents: 710_500, dueAt: DUE_AT },
    })
  })
})

it('the paid, due and remaining amounts less the refund add up to the new price', () => {
  fc.assert(
    fc.property(
      fc.record({
        paidCents: fc.integer({ min: 50, max: 500_000 }),
        balanceCents: fc.option(fc.integer({ min: 50, max: 900_000 }), { nil: null }),
        newPriceCents: fc.integer({ min: 50, max: 2_000_000 }),
        days: fc.integer({ min: -110, max: 400 }),
      }),
      ({ paidCents, balanceCents, newPriceCents, days }) => {
        const plan = replan({
          instalments: [
            { cents: paidCents, dueAt: NOW, state: 'paid' },
            ...(balanceCents === null
              ? []
              : [{ cents: balanceCents, dueAt: DUE_AT, state: 'scheduled' as const }]),
          ],
          priceCents: paidCents + (balanceCents ?? 0),
          newPriceCents,
          day: DAY,
          newDay: addDays(DAY, days),
          timeZone,
          now: NOW,
        })
        if (!plan.ok) return
        const { dueCents, refundCents, balance: rest } = plan
        expect(paidCents + dueCents + (rest?.cents ?? 0) - refundCents).toBe(newPriceCents)
        expect(refundCents).toBeLessThanOrEqual(paidCents)
        for (const charge of [dueCents, rest?.cents ?? 0])
          if (charge !== 0) expect(charge).toBeGreaterThanOrEqual(MIN_CHARGE_CENTS)
        if (rest) expect(rest.dueAt.getTime()).toBeGreaterThan(NOW.getTime())
      },
    ),
  )
})
