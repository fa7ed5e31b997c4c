import { describe, expect, it } from 'vitest'
import { pageMeta, pageTitle, privateMeta, sharedImage } from './page-meta.ts'

const site = { brand: 'Jubilee', publicOrigin: 'https://jubilee.example' }
const page = {
  title: 'Saltbush House | Jubilee',
  description: 'A long verandah.',
  path: '/business/saltbush',
}

describe('pageTitle', () => {
  it('ends with the brand', () => {
    expect(pageTitle('Venues', site)).toBe('Venues | Jubilee')
    expect(pageTitle('Venues', undefined)).toBe('Venues')
  })
})

describe('privateMeta', () => {
  it('returns only a title with the brand', () => {
    expect(privateMeta('My Bookings', site)).toEqual([{ title: 'My Bookings | Jubilee' }])
  })
})

describe('sharedImage', () => {
  it('never enlarges the original', () => {
    expect(sharedImage({ url: '/files/a', width: 900, height: 1200 }, site)).toEqual({
      url: 'https://jubilee.example/files/a?w=1280&f=jpeg',
      width: 900,
      height: 1200,
    })
  })
})

describe('pageMeta', () => {
  it('returns a title, a description and the canonical URL', () => {
    const tags = pageMeta(site, page)
    expect(tags).toContainEqual({ title: 'Saltbush House | Jubilee' })
    expect(tags).toContainEqual({ name: 'description', content: 'A long verandah.' })
    expect(tags).toContainEqual({
      tagName: 'link',
      rel: 'canonical',
      href: 'https://jubilee.example/business/saltbush',
    })
    expect(tags).toContainEqual({ name: 'twitter:card', content: 'summary' })
  })

  it('returns an absolute image URL and separate texts for shared links', () => {
    const tags = pageMeta(site, {
      ...page,
      shareTitle: 'Saltbush House | Venues | Jubilee',
      shareDescription: 'Stored.',
      image: {
        url: '/illustrations/venue-woolshed/saltbush',
        width: 1600,
        height: 1067,
        alt: 'Saltbush House',
      },
    })
    const image = 'https://jubilee.example/illustrations/venue-woolshed/saltbush?w=1280&f=jpeg'
    expect(tags).toContainEqual({ property: 'og:image', content: image })
    expect(tags).toContainEqual({ property: 'og:image:width', content: '1280' })
    expect(tags).toContainEqual({ property: 'og:image:height', content: '854' })
    expect(tags).toContainEqual({ name: 'twitter:image', content: image })
    expect(tags).toContainEqual({ name: 'twitter:card', content: 'summary_large_image' })
    expect(tags).toContainEqual({ property: 'og:title', content: 'Saltbush House | Venues | Jubilee' })
    expect(tags).toContainEqual({ property: 'og:description', content: 'Stored.' })
    expect(tags).toContainEqual({ title: 'Saltbush House | Jubilee' })
  })

  it('returns no canonical URL for a page that search engines must not index', () => {
    const tags = pageMeta(site, { ...page, noIndex: true })
    expect(tags).toContainEqual({ name: 'robots', content: 'noindex' })
    expect(tags.some((tag) => 'tagName' in tag)).toBe(false)
  })
})
