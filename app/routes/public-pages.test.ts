import { describe, expect, it } from 'vitest'
import { publicPageKey } from './public-pages.ts'

const keyOf = (target: string) => publicPageKey(target, new Set(['venues', 'routes/site/home']))

describe('the name under which a public page is kept', () => {
  it.each([
    ['/', '/'],
    ['/venues', '/venues'],
    ['/business/walled-garden-abc123', '/business/walled-garden-abc123'],
    ['/vendorsprofile?id=demo-vendor', '/vendorsprofile?id=demo-vendor'],
    ['/_.data', '/_.data'],
    ['/_.data?_routes=routes%2Fsite%2Fhome', '/_.data?_routes=routes%2Fsite%2Fhome'],
    ['/venues.data?sort=price&_routes=venues', '/venues.data?_routes=venues&sort=price'],
    ['/vendors?page=2', '/vendors?page=2'],
    ['/venues?place=Geelong&near=1&occasion=wedding', '/venues?near=1&occasion=wedding&place=Geelong'],
  ])('%s is %s', (target, key) => expect(keyOf(target)).toBe(key))

  it.each([
    ['what only tracks', '/venues?utm_source=letter&fbclid=x&gclid=y', '/venues'],
    ['empty fields of a form', '/venues?q=&place=&page=', '/venues'],
    [
      'the order',
      '/venues-vendors?place=Geelong&category=Catering',
      '/venues-vendors?category=Catering&place=Geelong',
    ],
    ['the way of writing', '/venues?place=Port%20Fairy', '/venues?place=Port+Fairy'],
  ])('does not depend on %s', (_, target, key) => expect(keyOf(target)).toBe(key))

  it.each([
    ['unknown parameters', '/venues?colour=red'],
    ['words that somebody typed', '/venues?q=garden'],
    ['a day, on which bookings change what is shown', '/venues?date=2027-03-14'],
    ['deep pages', '/venues?after=1.walled-garden'],
    ['an order that is none', '/venues?sort=name'],
    ['the same parameter twice', '/vendors?page=2&page=3'],
    ['pages that are no number', '/vendors?page=two'],
    ['pages beyond all lists', '/vendors?page=99999'],
    ['no category of ours', '/venues-vendors?category=Cars'],
    ['a parameter of another page', '/events?page=2'],
    ['what cannot be read', '/venues?%'],
    ['names that every object has', '/venues?constructor=1'],
    ['routes that are not there', '/venues.data?_routes=nothing'],
    ['several routes at once', '/venues.data?_routes=venues%2Croutes%2Fsite%2Fhome'],
    ['routes of a document', '/venues?_routes=venues'],
    ['pages for the signed in', '/my-profile'],
    ['the screens of a booking', '/book/walled-garden-abc123'],
    ['calls', '/api/session'],
    ['paths that nobody has', '/nothing'],
    ['ids that no business has', '/business/..%2F..%2Fsecret'],
    ['data of nothing', '/.data.data'],
    ['another host', '//example.com/venues'],
    ['a whole address', 'http://example.com/venues'],
    ['nothing', ''],
  ])('there is none for %s', (_, target) => expect(keyOf(target)).toBeNull())
})
