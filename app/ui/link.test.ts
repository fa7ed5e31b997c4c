import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { type LinkProps, MemoryRouter, Link as RouterLink } from 'react-router'
import { describe, expect, it } from 'vitest'
import { Link } from './link.tsx'

const htmlOf = (component: typeof RouterLink, props: LinkProps) =>
  renderToString(
    createElement(
      MemoryRouter,
      { initialEntries: ['/venues/in/geelong?q=a'] },
      createElement(component, props),
    ),
  )

describe("a document's link", () => {
  it.each<[string, LinkProps]>([
    ['a path', { to: '/venues' }],
    ['the home page', { to: '/' }],
    ['a query and a fragment', { to: '/business/a-b_1?date=2026-11-24&q=%20a+b#reviews' }],
    ['a query with a path in it', { to: '/login?next=/my//profile/../x' }],
    ['an empty query', { to: '/venues?' }],
    ['an empty fragment', { to: '/venues#' }],
    ['a trailing slash', { to: '/venues/' }],
    ['double slashes', { to: '/venues//in' }],
    ['another host', { to: '//evil.example/a' }],
    ['a whole address', { to: 'https://example.com/a' }],
    ['dots', { to: '/venues/../login' }],
    ['a relative path', { to: '../melbourne' }],
    ['an encoded path', { to: '/occasions/caf%C3%A9 b' }],
    ['a query alone', { to: '?sort=price' }],
    ['a location', { to: { pathname: '/venues', search: '?a=1' } }],
    [
      'every property',
      {
        to: '/venues',
        className: 'link',
        replace: true,
        state: { from: 'x' },
        viewTransition: true,
        preventScrollReset: true,
        reloadDocument: true,
        relative: 'path',
        discover: 'none',
        target: '_blank',
        'aria-hidden': true,
        tabIndex: -1,
        children: 'Venues & "more"',
        onClick: () => {},
      },
    ],
  ])("with %s is the same element as the router's", (_, props) => {
    expect(htmlOf(Link as typeof RouterLink, props)).toBe(htmlOf(RouterLink, props))
  })

  it("doesn't go through the router for a plain path", () => {
    expect(renderToString(createElement(Link, { to: '/venues' }))).toContain('href="/venues"')
    expect(() => renderToString(createElement(RouterLink, { to: '/venues' }))).toThrow()
  })
})
