import { createContext, createElement, use, useId } from 'react'
import { preload } from 'react-dom'
import { renderToString } from 'react-dom/server'
import { beforeEach, describe, expect, it } from 'vitest'
import { RenderedOnce, RenderedPartsContext } from '../ui/rendered-once.tsx'
import { createRenderedParts, type KeptParts } from './rendered-parts.ts'

type Data = { text?: string; price?: number | undefined }

let parts: KeptParts
let renderings = 0
beforeEach(() => {
  parts = createRenderedParts()
  renderings = 0
})

function Card({ text, price }: Data) {
  renderings++
  return createElement('p', null, text, price)
}

/** Renders a document of a part. */
function render(inside: (data: Data) => React.ReactNode, data: Data, isKept = true): string {
  const part = createElement(RenderedOnce<'article', Data>, { as: 'article', inside, data, isKept })
  return renderToString(createElement(RenderedPartsContext, { value: parts }, part))
}
const htmlOf = (inside: string) => `<article>${inside}</article>`

describe('a part that documents share', () => {
  it('renders for the first document with its data, and not for the next', () => {
    const html = htmlOf('<p>Café – “naïve” 🎉 &amp; &lt;b&gt;</p>')
    expect(render(Card, { text: 'Café – “naïve” 🎉 & <b>' })).toBe(html)
    expect(render(Card, { text: 'Café – “naïve” 🎉 & <b>' })).toBe(html)
    expect(renderings).toBe(1)
  })

  it('renders again for any other data, and each time when it isn’t kept', () => {
    for (const text of ['one', 'two', 'one']) expect(render(Card, { text })).toBe(htmlOf(`<p>${text}</p>`))
    render(Card, { text: 'one', price: 1 })
    expect(renderings).toBe(3)
    render(Card, { text: 'one' }, false)
    expect(renderings).toBe(4)
  })

  it('never shows another component’s HTML, even of one with the same name', () => {
    const named = (tag: string) =>
      ({
        Card: ({ text }: Data) => createElement(tag, null, text),
      }).Card
    expect(render(named('b'), { text: 'one' })).toBe(htmlOf('<b>one</b>'))
    expect(render(named('i'), { text: 'one' })).toBe(htmlOf('<i>one</i>'))
  })

  it('shows nothing that its key doesn’t hold, whatever it is given', () => {
    const given = { text: 'one', price: undefined, secret: () => 'a visitor' }
    const Revealing = (data: Data) => createElement('p', null, (data as typeof given).secret?.() ?? 'nobody')
    expect(render(Revealing, given)).toBe(htmlOf('<p>nobody</p>'))
  })

  it('takes no data that its key can’t hold', () => {
    const Pressed = ({ press }: { press: () => void }) => createElement('p', { onClick: press })
    // @ts-expect-error a function is no JSON
    createElement(RenderedOnce<'article', Parameters<typeof Pressed>[0]>, null)
    const Slot = ({ slot }: { slot: React.ReactNode }) => createElement('p', null, slot)
    // @ts-expect-error an element is none either
    createElement(RenderedOnce<'article', Parameters<typeof Slot>[0]>, null)
  })

  it('gets no context’s value, not even from the document around it', () => {
    const Visitor = createContext('nobody')
    const Greeting = () => createElement('p', null, use(Visitor))
    const part = createElement(RenderedOnce<'article', Data>, { as: 'article', inside: Greeting, data: {} })
    const html = renderToString(
      createElement(
        RenderedPartsContext,
        { value: parts },
        createElement(Visitor, { value: 'a visitor' }, part, createElement(Greeting)),
      ),
    )
    expect(html).toBe(`${htmlOf('<p>nobody</p>')}<p>a visitor</p>`)
  })

  it('belongs to its document with an id, a tag of the head, or an error', () => {
    const WithId = () => createElement('p', { id: useId() })
    const WithPreload = () => {
      preload('/picture.avif', { as: 'image' })
      return createElement('p')
    }
    const WithTitle = () => createElement('title', null, 'A page')
    const Visitor = createContext<{ name: string } | null>(null)
    const Failing = () => {
      const visitor = use(Visitor)
      if (!visitor) throw new Error('no visitor')
      return createElement('p', null, visitor.name)
    }
    expect(render(WithId, {})).toMatch(/<p id="_R_\w*"><\/p>/)
    expect(render(WithPreload, {})).toMatch(/^<link [^>]*>.*<article><p><\/p><\/article>$/)
    expect(render(WithTitle, {})).toContain('<title>A page</title>')
    expect(() => render(Failing, {})).toThrow('no visitor')
    expect(parts.kept.size).toBe(0)
  })

  it('leaves the ids of its document as they are', () => {
    const WithId = () => createElement('p', { id: useId() })
    const documentOf = (isKept: boolean) =>
      renderToString(
        createElement(
          RenderedPartsContext,
          { value: parts },
          createElement(WithId),
          createElement(RenderedOnce<'article', Data>, { as: 'article', inside: Card, data: {}, isKept }),
          createElement(WithId),
        ),
      )
    const [alone, first, second] = [documentOf(false), documentOf(true), documentOf(true)]
    expect([first, second]).toEqual([alone, alone])
    expect(parts.kept.size).toBe(1)
  })

  it('makes room for a new one, the one used longest ago first', () => {
    const long = (at: number) => ({ text: `${at} `.padEnd(450_000, '.') })
    for (let at = 0; at < 9; at++) {
      render(Card, long(at))
      render(Card, long(0))
    }
    const texts = [...parts.kept.keys()].map((key) => /"(\d)/.exec(key)?.[1])
    expect(texts).toEqual(['6', '7', '8', '0'])
  })
})
