import { createElement, useId } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { RenderedOnce, RenderedPartsContext } from '../ui/rendered-once.tsx'
import { createDocumentParts, fillIn, insideOf } from './rendered-parts.ts'

type Part = { sameFor: string | null; inside: React.ReactNode; as?: 'article' | 'footer' }

const partOf = ({ sameFor, inside, as = 'article' }: Part) =>
  createElement(RenderedOnce, { as, sameFor, className: 'card' }, inside)

/** Renders a document of these parts. Returns its HTML, and how many parts came from an earlier one. */
function render(...documentParts: Part[]) {
  const parts = createDocumentParts()
  const content = documentParts.map((part, key) => createElement('li', { key }, partOf(part)))
  const rendered = parts.finish(
    renderToString(createElement(RenderedPartsContext, { value: parts }, createElement('ul', null, content))),
  )
  let html = ''
  fillIn(rendered.html, rendered.parts, (piece) => {
    html += piece.toString()
  })
  return { html, taken: rendered.parts.length }
}

const card = (inside: React.ReactNode) => `<li><article class="card">${inside}</article></li>`

describe('a part that documents share', () => {
  it('is rendered for the first document and taken over by the next', () => {
    const part = { sameFor: 'shared', inside: 'Café – “naïve” 🎉 & <b>' }
    const first = render(part)
    expect(first).toEqual({ html: `<ul>${card('Café – “naïve” 🎉 &amp; &lt;b&gt;')}</ul>`, taken: 0 })
    expect(render(part)).toEqual({ html: first.html, taken: 1 })
    // The key decides, not the content.
    expect(render({ ...part, inside: 'other' }).html).toBe(first.html)
  })

  it('is rendered again for anything else that it depends on', () => {
    render({ sameFor: 'price 1', inside: '$1.00' })
    expect(render({ sameFor: 'price 2', inside: '$2.00' })).toEqual({
      html: `<ul>${card('$2.00')}</ul>`,
      taken: 0,
    })
    expect(render({ sameFor: null, inside: 'never kept' }, { sameFor: null, inside: 'nor this' }).taken).toBe(
      0,
    )
  })

  it('keeps its place among others, new and kept, also twice in a document', () => {
    const [a, b] = ['a', 'b'].map((name) => ({ sameFor: `place ${name}`, inside: `card ${name}` })) as [
      Part,
      Part,
    ]
    const html = `<ul>${card('card b') + card('card a') + card('card b')}</ul>`
    render(b)
    expect(render(b, a, b)).toEqual({ html, taken: 2 })
    expect(render(b, a, b)).toEqual({ html, taken: 3 })
  })

  it('may hold another, and elements of its own kind', () => {
    const inner = { sameFor: 'inner', inside: 'in' }
    const outer = { sameFor: 'outer', inside: partOf(inner) }
    const html = `<ul>${card('<article class="card">in</article>')}</ul>`
    render(inner)
    expect([render(outer), render(outer)]).toEqual([
      { html, taken: 1 },
      { html, taken: 1 },
    ])
    const news = { sameFor: 'outer, both new', inside: partOf({ ...inner, sameFor: 'inner, both new' }) }
    expect([render(news), render(news)].map((one) => one.html)).toEqual([html, html])
  })

  it('can’t be forged by a text', () => {
    const inside = '<%0%> data-part="0" <article data-part="1">'
    const first = render({ sameFor: 'forged', inside }, { sameFor: 'other', inside: 'other' })
    expect(first.html).toContain('&lt;%0%&gt; data-part=&quot;0&quot;')
    expect(render({ sameFor: 'forged', inside }, { sameFor: 'other', inside: 'other' })).toEqual({
      html: first.html,
      taken: 2,
    })
  })

  it('isn’t kept with an id of its place in the document', () => {
    const WithId = () => createElement('p', { id: useId() })
    const part = { sameFor: 'with an id', inside: createElement(WithId) }
    expect([render(part).taken, render(part).taken]).toEqual([0, 0])
    const frame = { ...part, as: 'footer' as const }
    expect([render(frame).taken, render(frame).taken]).toEqual([0, 1])
  })

  it('makes room for a new one, the one used longest ago first', () => {
    const long = (name: string) => ({ sameFor: name, inside: name.padEnd(1_000_000, '.') })
    const names = Array.from({ length: 9 }, (_, at) => `long ${at}`)
    for (const name of names) {
      render(long(name))
      render(long('long 0'))
    }
    expect([
      render(long('long 0')).taken,
      render(long('long 8')).taken,
      render(long('long 1')).taken,
    ]).toEqual([1, 1, 0])
  })
})

describe('the inside of a marked element', () => {
  const MARK = ' data-part="0"'
  it.each([
    ['with a script of one document', `<footer${MARK}><script>one()</script></footer>`],
    ['that is missing', '<main>a</main>'],
    ['without an end', `<footer${MARK}>a<footer>b</footer>`],
  ])('is not taken from a document %s', (_, html) => {
    expect(insideOf(html, 'footer', MARK)).toBeNull()
  })
})
