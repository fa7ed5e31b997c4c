import { describe, expect, it } from 'vitest'
import { createDocumentParts, insideOf } from './rendered-parts.ts'

const OPENING = '<footer class="site-footer"'
const page = (inside: string) => `<main>a</main>${OPENING} data-x="1">${inside}</footer></body></html>`

describe('a part that documents share', () => {
  it('renders for the first document, and the next one reuses it', () => {
    const first = createDocumentParts()
    expect(first.find('footer', OPENING, 'one year')).toBeUndefined()
    first.keep(page('<p>© 2026</p>'))
    expect(createDocumentParts().find('footer', OPENING, 'one year')).toBe('<p>© 2026</p>')
  })

  it('renders again when one of its inputs differs', () => {
    const first = createDocumentParts()
    first.find('footer', OPENING, 'brand A')
    first.keep(page('A'))
    expect(createDocumentParts().find('footer', OPENING, 'brand B')).toBeUndefined()
    expect(createDocumentParts().find('footer', '<footer class="slim"', 'brand A')).toBeUndefined()
  })

  it.each([
    ['with a script of one document', page('<script>one()</script>')],
    ['with an element of its own kind inside', page('<footer>b</footer>')],
    ['that is twice in a document', page('a') + page('b')],
    ['that is missing', '<main>a</main>'],
    ['without an end', `${OPENING}>a`],
  ])('is not kept from a document %s', (_, html) => {
    expect(insideOf(html, 'footer', OPENING)).toBeNull()
  })
})
