import { describe, expect, it } from 'vitest'
import { CATEGORIES } from './rules.ts'
import {
  categoriesOfService,
  SERVICE_IDS,
  serviceNamed,
  servicesLike,
  servicesOfCategory,
  servicesShown,
} from './service-match-rules.ts'
import { SERVICES } from './service-rules.ts'

const listing = {
  name: 'Wren & Co',
  category: 'Extras' as const,
  servicesOffered: ['Set-up'],
  description: '',
}

describe('the services', () => {
  it('number at least 45, with some in every category', () => {
    expect(SERVICE_IDS.length).toBeGreaterThanOrEqual(45)
    for (const category of CATEGORIES) expect(servicesOfCategory(category), category).not.toEqual([])
  })

  it.each(SERVICE_IDS)('%s is named by its own name, and by no other’s', (id) => {
    expect(serviceNamed(SERVICES[id].one)).toBe(id)
    expect(serviceNamed(SERVICES[id].many)).toBe(id)
  })

  it.each([
    ['florists', 'florist'],
    ['flowers', 'florist'],
    ['wedding cakes', null],
    ['cake', 'cake'],
    ['live band', 'band'],
    ['mobile bar hire', 'bar'],
    ['hair and makeup', 'make-up'],
    ['MUA', 'make-up'],
    ['photobooth', 'photo-booth'],
    ['tables and chairs', 'hire'],
    ['spit roast', 'barbecue'],
    ['bar', null],
    ['hall', null],
    ['', null],
  ])('%j names %j', (text, id) => expect(serviceNamed(text)).toBe(id))

  it('begin with a typed text', () => {
    expect(servicesLike('flor')).toEqual(['florist'])
    expect(servicesLike('flowers')).toEqual(['florist'])
    expect(servicesLike('booth')).toEqual(['photo-booth'])
    expect(servicesLike('f')).toEqual([])
    expect(servicesLike('zebra')).toEqual([])
  })

  it('belong to their category first', () => {
    expect(categoriesOfService('florist')).toEqual(['Extras', 'Event Planners'])
    expect(categoriesOfService('cake')).toEqual(['Catering'])
  })
})

describe('the services that a listing’s texts show', () => {
  it.each([
    [{ name: 'Ida’s Flowers' }, ['florist']],
    [{ servicesOffered: ['Bouquets', 'Marquees'] }, ['florist', 'marquee']],
    [{ servicesOffered: ['Bouquets'], description: 'The marquee comes from others.' }, ['florist']],
    [{ description: 'A marquee for forty.' }, ['marquee']],
    [{ description: 'Nothing that we know.' }, []],
    // Its own category only: a photographer of flowers is no florist.
    [{ category: 'Photographers' as const, name: 'Ida’s Flowers' }, []],
    // Whole words: no band in a headband, no cake in a cakewalk.
    [{ category: 'Sounds & DJ' as const, name: 'Headbanders' }, []],
    [{ servicesOffered: ['Shade tent'] }, []],
  ])('of %j are %j', (texts, services) => {
    expect(servicesShown({ ...listing, ...texts })).toEqual(services)
  })
})
