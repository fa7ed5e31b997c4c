import { describe, expect, it } from 'vitest'
import { breadcrumbList, itemList, organization, website } from './structured-data.ts'

const site = { brand: 'Jubilee', publicOrigin: 'https://jubilee.example' }

describe('breadcrumbList', () => {
  it('numbers crumbs from one, and omits the current page’s URL', () => {
    const crumbs = [{ label: 'Venues', to: '/venues' }, { label: 'Saltbush House' }]
    expect(breadcrumbList(site, crumbs).itemListElement).toEqual([
      { '@type': 'ListItem', position: 1, name: 'Venues', item: 'https://jubilee.example/venues' },
      { '@type': 'ListItem', position: 2, name: 'Saltbush House' },
    ])
  })
})

describe('itemList', () => {
  it('returns each item’s name and page', () => {
    expect(itemList(site, 'Venues', [{ name: 'Saltbush House', path: '/business/saltbush' }])).toMatchObject({
      name: 'Venues',
      itemListElement: [{ position: 1, url: 'https://jubilee.example/business/saltbush' }],
    })
  })
})

describe('the site', () => {
  it('offers a search by words', () => {
    expect(website(site, '/venues-vendors')).toMatchObject({
      url: 'https://jubilee.example/',
      potentialAction: {
        target: { urlTemplate: 'https://jubilee.example/venues-vendors?q={search_term_string}' },
        'query-input': 'required name=search_term_string',
      },
    })
  })

  it('belongs to an organisation with only its own social pages', () => {
    const own = 'https://www.instagram.com/jubilee'
    expect(organization(site, ['https://www.facebook.com/', own])).toMatchObject({ sameAs: [own] })
    expect(organization(site, ['https://www.facebook.com/'])).not.toHaveProperty('sameAs')
  })
})
