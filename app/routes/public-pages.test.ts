import { describe, expect, it } from 'vitest'
import { publicPageKey } from './public-pages.ts'

const keyOf = (target: string) => publicPageKey(target, new Set(['venues', 'routes/site/home']))

describe('the cache key of a public page', () => {
  it.each([
    ['/', '/'],
    ['/venues', '/venues'],
    ['/business/walled-garden-abc123', '/business/walled-garden-abc123'],
    ['/vendorsprofile?id=demo-vendor', '/vendorsprofile?id=demo-vendor'],
    ['/_.data', '/_.data'],
    ['/_.data?_routes=routes%2Fsite%2Fhome', '/_.data?_routes=routes%2Fsite%2Fhome'],
    ['/venues.data?sort=price&_routes=venues', '/venues.data?_routes=venues&sort=price'],
    ['/vendors?page=2', '/vendors?page=2'],
    ['/api/suggestions?q=gar', '/api/suggestions?q=gar'],
    ['/venues?place=Geelong&near=1&occasion=wedding', '/venues?near=1&occasion=wedding&place=Geelong'],
  ])('%s is %s', (target, key) => expect(keyOf(target)).toBe(key))

  it.each([
    [
      '/business/walled-garden-abc123?date=2027-03-13&guests=90&hours=7&time=16:00',
      '/business/walled-garden-abc123',
    ],
    [
      '/business/walled-garden-abc123.data?guests=90&_routes=venues',
      '/business/walled-garden-abc123.data?_routes=venues',
    ],
  ])('ignores what a search passes on to a business: %s', (target, key) => expect(keyOf(target)).toBe(key))

  it.each([
    ['tracking parameters', '/venues?utm_source=letter&fbclid=x&gclid=y', '/venues'],
    ['empty fields of a form', '/venues?q=&place=&page=', '/venues'],
    [
      'the order',
      '/venues-vendors?place=Geelong&category=Catering',
      '/venues-vendors?category=Catering&place=Geelong',
    ],
    ['the encoding', '/venues?place=Port%20Fairy', '/venues?place=Port+Fairy'],
  ])('does not depend on %s', (_, target, key) => expect(keyOf(target)).toBe(key))

  it.each([
    ['unknown parameters', '/venues?colour=red'],
    ['typed words', '/venues?q=garden'],
    ['a date, for which bookings change the results', '/venues?date=2027-03-14'],
    ['deep pages', '/venues?after=1.walled-garden'],
    ['an unknown order', '/venues?sort=name'],
    ['the same parameter twice', '/vendors?page=2&page=3'],
    ['page numbers that are not numeric', '/vendors?page=two'],
    ['page numbers beyond any list', '/vendors?page=99999'],
    ['an unknown category', '/venues-vendors?category=Cars'],
    ['a parameter of another page', '/events?page=2'],
    ['malformed encoding', '/venues?%'],
    ['names of Object.prototype', '/venues?constructor=1'],
    ['unknown routes', '/venues.data?_routes=nothing'],
    ['several routes at once', '/venues.data?_routes=venues%2Croutes%2Fsite%2Fhome'],
    ['routes of a document', '/venues?_routes=venues'],
    ['private pages', '/my-profile'],
    ['checkout screens', '/book/walled-garden-abc123'],
    ['calls', '/api/session'],
    ['suggestions for long words, which few visitors share', '/api/suggestions?q=harbour+light'],
    ['unknown paths', '/nothing'],
    ['malformed business ids', '/business/..%2F..%2Fsecret'],
    ['data of no page', '/.data.data'],
    ['another host', '//example.com/venues'],
    ['an absolute URL', 'http://example.com/venues'],
    ['nothing', ''],
  ])('does not exist for %s', (_, target) => expect(keyOf(target)).toBeNull())
})
