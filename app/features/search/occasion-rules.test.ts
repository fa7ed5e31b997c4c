import { describe, expect, it } from 'vitest'
import { CATEGORIES, OCCASIONS } from '../businesses/rules.ts'
import { SERVICE_IDS, SERVICE_ROWS } from '../businesses/service-match-rules.ts'
import { monthsToPlan, occasionRows, type Planned } from './occasion-rules.ts'

const NOTHING: Planned = { date: null, months: null, guests: null, budgetCents: null }
const all = { categories: new Set(CATEGORIES), offered: new Set(SERVICE_IDS) }
const parametersOf = (to: string) => Object.fromEntries(new URL(to, 'https://jubilee.example').searchParams)

describe('the rows of an occasion', () => {
  it('carry what is planned, the services as well', () => {
    const planned: Planned = {
      date: null,
      months: { first: '2027-11', last: '2027-11' },
      guests: 110,
      budgetCents: 3_000_000,
    }
    const rows = occasionRows('wedding', { planned, ...all })
    expect(rows[0]).toMatchObject({ category: 'Venues', budgetCents: 660_000 })
    expect(parametersOf(rows[0]?.to ?? '')).toEqual({
      occasion: 'wedding',
      months: '2027-11',
      guests: '110',
      budget: '6600',
    })
    for (const { services } of rows)
      for (const { id, to } of services)
        expect(parametersOf(to)).toMatchObject({ service: id, months: '2027-11', guests: '110' })
  })

  it('have every service of the occasion once, and none that nobody offers', () => {
    for (const occasion of OCCASIONS) {
      const ofIt = SERVICE_IDS.filter((id) => SERVICE_ROWS[id].occasions.includes(occasion))
      const found = occasionRows(occasion, { planned: NOTHING, ...all })
        .flatMap(({ services }) => services)
        .map(({ id }) => id)
      expect(found.toSorted()).toEqual(ofIt.toSorted())
    }
    const few = occasionRows('wedding', { planned: NOTHING, ...all, offered: new Set(['florist' as const]) })
    expect(few.flatMap(({ services }) => services).map(({ id }) => id)).toEqual(['florist'])
    expect(occasionRows('wedding', { planned: NOTHING, ...all, categories: new Set() })).toEqual([])
  })

  it('have no budget where the first split has no share for them', () => {
    const rows = occasionRows('corporate', { planned: { ...NOTHING, budgetCents: 1_000_000 }, ...all })
    const planners = rows.find(({ category }) => category === 'Event Planners')
    expect(planners).toMatchObject({ budgetCents: null })
    expect(parametersOf(planners?.to ?? '')).toEqual({ occasion: 'corporate' })
  })
})

describe('the months to plan in', () => {
  it('begin with this one and cover a year and a half', () => {
    const months = monthsToPlan('2026-11-28')
    expect([months[0], months.at(-1), months.length]).toEqual(['2026-11', '2028-04', 18])
  })
})
