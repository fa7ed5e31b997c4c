import { describe, expect, it } from 'vitest'
import { type FirstStepFacts, firstStepsOf, nextStepsOf } from './first-step-rules.ts'

const NEW: FirstStepFacts = {
  hasListing: false,
  hasHours: false,
  isPaid: false,
  isRegistered: false,
  isBooked: false,
}
const ALL: FirstStepFacts = {
  hasListing: true,
  hasHours: true,
  isPaid: true,
  isRegistered: true,
  isBooked: true,
}

describe('firstStepsOf', () => {
  it('lists the steps in the order of consequence', () => {
    const steps = firstStepsOf(NEW)
    expect(steps.map(({ key }) => key)).toEqual(['list', 'hours', 'payouts', 'abn', 'share', 'booking'])
    expect(steps.some(({ isDone }) => isDone)).toBe(false)
    expect(firstStepsOf(ALL).every(({ isDone }) => isDone)).toBe(true)
  })

  it('leaves out payouts where vendors aren’t paid by us', () => {
    const keys = firstStepsOf({ ...NEW, isPaid: null }).map(({ key }) => key)
    expect(keys).toEqual(['list', 'hours', 'abn', 'share', 'booking'])
  })

  it('ticks each step by its own fact', () => {
    const doneBy = (fact: Partial<FirstStepFacts>) =>
      firstStepsOf({ ...NEW, ...fact }).flatMap(({ key, isDone }) => (isDone ? [key] : []))
    expect(doneBy({ hasListing: true })).toEqual(['list'])
    expect(doneBy({ hasHours: true })).toEqual(['hours'])
    expect(doneBy({ isPaid: true })).toEqual(['payouts'])
    expect(doneBy({ isRegistered: true })).toEqual(['abn'])
    expect(doneBy({ isBooked: true })).toEqual(['share', 'booking'])
  })
})

it('nextStepsOf offers the first two open steps, never the link that stands beside them', () => {
  const listed = { ...NEW, hasListing: true }
  expect(nextStepsOf(listed)).toEqual(['hours', 'payouts'])
  expect(nextStepsOf({ ...listed, hasHours: true })).toEqual(['payouts', 'abn'])
  expect(nextStepsOf({ ...listed, isPaid: null })).toEqual(['hours', 'abn'])
  expect(nextStepsOf({ ...ALL, isBooked: false })).toEqual([])
})
