import { describe, expect, it } from 'vitest'
import type { RegisterEntry } from '../../adapters/business-register/port.ts'
import {
  factsOfEntry,
  gstAt,
  isSameName,
  nameOf,
  pauseAfterFailures,
  problemOf,
  type RegisterAnswer,
  standingOf,
  structureOf,
} from './register-rules.ts'

const entry = (over: Partial<RegisterEntry> = {}): RegisterEntry => ({
  status: 'active',
  statusSince: '2000-07-01',
  entityName: 'NIA FLOWERS PTY LTD',
  entityType: 'Australian Private Company',
  businessNames: [],
  gstSince: '2000-07-01',
  state: 'VIC',
  ...over,
})
const TODAY = '2026-11-20'

describe('the register', () => {
  it.each([
    ['an active ABN with GST', entry(), true, null],
    ['an active ABN without GST', entry({ gstSince: null }), true, 'gst'],
    ['an active ABN without GST that claims none', entry({ gstSince: null }), false, null],
    ['GST from today', entry({ gstSince: TODAY }), true, null],
    ['GST from tomorrow', entry({ gstSince: '2026-11-21' }), true, 'gst'],
    ['a cancelled ABN', entry({ status: 'cancelled', gstSince: null }), true, 'cancelled'],
    ['a cancelled ABN that claims no GST', entry({ status: 'cancelled' }), false, 'cancelled'],
    ['an ABN that nobody has', null, false, 'unknown'],
  ])('about %s', (_what, given, gstRegistered, problem) => {
    expect(problemOf({ gstRegistered }, factsOfEntry(given), TODAY)).toBe(problem)
  })

  it('raises no problem with a registration that it hasn’t answered about', () => {
    const registration = { businessName: 'Nia', gstRegistered: true }
    const none = { facts: null, today: TODAY }
    expect(problemOf(registration, null, TODAY)).toBeNull()
    expect(standingOf(registration, { ...none, isAsked: true }).state).toBe('waiting')
    expect(standingOf(registration, { ...none, isAsked: false }).state).toBe('unchecked')
  })

  it('may have another name, and GST that the vendor hasn’t ticked', () => {
    const of = (over: Partial<RegisterEntry>, gstRegistered = false) =>
      standingOf(
        { businessName: 'Nia Flowers', gstRegistered },
        { facts: factsOfEntry(entry(over)), isAsked: true, today: TODAY },
      )
    expect(of({})).toEqual({ state: 'active', problem: null, hasOtherName: false, hasMoreGst: true })
    expect(of({}, true).hasMoreGst).toBe(false)
    expect(of({ gstSince: null }).hasMoreGst).toBe(false)
    expect(of({ entityName: 'HOLDINGS 12 PTY LTD' }).hasOtherName).toBe(true)
    expect(of({ entityName: 'HOLDINGS 12 PTY LTD', businessNames: ['NIA FLOWERS'] }).hasOtherName).toBe(false)
    expect(of({ entityName: '' }).hasOtherName).toBe(false)
    expect(of({ status: 'cancelled', entityName: 'ELSE' })).toMatchObject({
      hasOtherName: false,
      hasMoreGst: false,
    })
  })
})

describe('names', () => {
  it.each([
    ['NIA & CO PTY. LTD.', 'Nia and Co'],
    ['HARBOUR LIGHT PROPRIETARY LIMITED', 'Harbour Light P/L'],
    ['O’HARA’S CATERING', 'OHaras Catering'],
    ['CAFÉ AU LAIT PTY LTD', 'Cafe au lait'],
    ['The Trustee for the Tall Poppies Trust', 'Tall Poppies Trust'],
    ['SMITH, JOHN PAUL', 'John Paul Smith'],
    ['THE LIMITED', 'The Limited'],
  ])('%s and %s are the same', (one, other) => {
    expect(isSameName(one, other)).toBe(true)
    expect(isSameName(other, one)).toBe(true)
  })

  it.each([
    ['NIA FLOWERS PTY LTD', 'Nia Flower'],
    ['LIGHT HARBOUR', 'Harbour Light'],
    ['SMITH, JOHN', 'John Smithson'],
    ['花屋', '花'],
  ])('%s and %s differ', (one, other) => {
    expect(isSameName(one, other)).toBe(false)
  })

  it('read as the business writes them, people with the given names first', () => {
    expect(nameOf(entry())).toBe('NIA FLOWERS PTY LTD')
    expect(nameOf(entry({ businessNames: ['Nia Flowers', 'Other'] }))).toBe('Nia Flowers')
    expect(nameOf(entry({ entityName: 'VALE, ROBIN JANE' }))).toBe('ROBIN JANE VALE')
    expect(nameOf(entry({ entityName: '' }))).toBe('')
  })
})

it.each([
  ['Individual/Sole Trader', 'Sole Trader'],
  ['Australian Private Company', 'Company'],
  ['Family Partnership', 'Partnership'],
  ['Discretionary Trading Trust', 'Trust'],
  ['Commonwealth Government Entity', null],
  ['', null],
])('an entity of the type ‘%s’ has the structure %s', (type, structure) => {
  expect(structureOf(type)).toBe(structure)
})

it('pauses after asks without an answer grow from a minute to six hours', () => {
  expect([1, 2, 3, 9, 10, 1_000].map((failures) => pauseAfterFailures(failures) / 60_000)).toEqual([
    1, 2, 4, 256, 360, 360,
  ])
})

describe('GST on the day of a supply', () => {
  /** Answers given on these days, each until the day before the next. Noon in Sydney. */
  const history = (...answers: [day: string, entry: RegisterEntry | null][]): RegisterAnswer[] =>
    answers.map(([day, given]) => {
      const at = new Date(`${day}T01:00:00Z`)
      return { ...factsOfEntry(given), firstAt: at, lastAt: at }
    })
  const without = entry({ gstSince: null })

  it('follows what the register had answered by then', () => {
    const answers = history(['2026-03-01', entry({ gstSince: '2020-07-01' })])
    expect(gstAt(answers, '2026-03-01')).toBe('registered')
    expect(gstAt(answers, '2027-01-01')).toBe('registered')
  })

  it('begins on its first day, also before we asked', () => {
    const answers = history(['2026-03-01', entry({ gstSince: '2025-07-01' })])
    expect(gstAt(answers, '2025-07-01')).toBe('registered')
    expect(gstAt(answers, '2025-06-30')).toBe('no_answer')
  })

  it('ends on the day on which the register first denies it', () => {
    const answers = history(['2026-03-01', entry()], ['2026-11-10', without])
    expect(gstAt(answers, '2026-11-09')).toBe('registered')
    expect(gstAt(answers, '2026-11-10')).toBe('not_registered')
    expect(gstAt(answers, '2026-11-11')).toBe('not_registered')
  })

  it('returns on the day that the register names, however late it says so', () => {
    const regained = entry({ gstSince: '2026-11-15' })
    const answers = history(['2026-03-01', entry()], ['2026-11-10', without], ['2026-11-20', regained])
    expect(gstAt(answers, '2026-11-09')).toBe('registered')
    expect(gstAt(answers, '2026-11-14')).toBe('not_registered')
    expect(gstAt(answers, '2026-11-15')).toBe('registered')
  })

  it('ends with the ABN, on the day that the register names', () => {
    const cancelled = entry({ status: 'cancelled', statusSince: '2026-11-05', gstSince: null })
    const answers = history(['2026-03-01', entry()], ['2026-11-10', cancelled])
    expect(gstAt(answers, '2026-11-04')).toBe('registered')
    expect(gstAt(answers, '2026-11-05')).toBe('not_registered')
  })

  it('isn’t there while the ABN was cancelled, also once it is active again', () => {
    const cancelled = entry({ status: 'cancelled', statusSince: '2026-11-05', gstSince: null })
    const again = entry({ statusSince: '2026-11-20' })
    const answers = history(['2026-03-01', entry()], ['2026-11-10', cancelled], ['2026-11-25', again])
    expect(gstAt(answers, '2026-11-19')).toBe('not_registered')
    expect(gstAt(answers, '2026-11-20')).toBe('registered')
  })

  it('isn’t there for an ABN that the register doesn’t know, or a day before GST begins', () => {
    expect(gstAt(history(['2026-03-01', null]), '2026-03-01')).toBe('not_registered')
    const answers = history(['2026-03-01', entry({ gstSince: '2026-04-01' })])
    expect(gstAt(answers, '2026-03-31')).toBe('not_registered')
    expect(gstAt(answers, '2026-04-01')).toBe('registered')
  })

  it('stays unanswered before the first answer, which may deny it only from then on', () => {
    expect(gstAt([], '2026-03-01')).toBe('no_answer')
    expect(gstAt(history(['2026-03-01', without]), '2026-02-28')).toBe('no_answer')
  })

  it('counts days in Sydney', () => {
    const answers: RegisterAnswer[] = [
      { ...without, firstAt: new Date('2026-03-01T13:30:00Z'), lastAt: new Date('2026-03-01T13:30:00Z') },
    ]
    expect(gstAt(answers, '2026-03-01')).toBe('no_answer')
    expect(gstAt(answers, '2026-03-02')).toBe('not_registered')
  })
})
