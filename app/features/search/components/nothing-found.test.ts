import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { NothingFound } from './nothing-found.tsx'

const picture = { src: '/a.webp', width: 4, height: 3 } as never
const shown = (pages: { previous: string | null; next: string | null }) =>
  renderToStaticMarkup(
    createElement(
      MemoryRouter,
      null,
      createElement(NothingFound, { ways: [], everything: '/venues', image: picture, pages }),
    ),
  )

it('leads on from an empty page of a list, and says nothing of the whole list', () => {
  const page = shown({ previous: null, next: '/venues?after=1' })
  expect(page).toContain('Nothing on this page')
  expect(page).toContain('href="/venues?after=1"')
  expect(page).not.toContain('Nothing matches')
  expect(shown({ previous: '/venues?before=1', next: null })).toContain('href="/venues?before=1"')
})

it('says that nothing matches when there are no other pages', () => {
  const page = shown({ previous: null, next: null })
  expect(page).toContain('Nothing matches all of that')
  expect(page).not.toContain('aria-label="Pages"')
})
