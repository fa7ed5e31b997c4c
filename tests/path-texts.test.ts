import { describe, expect, it } from 'vitest'
import { pathTexts } from './path-texts.ts'

const PATTERNS = ['/business/:id', '/cart', '/api/session', '/:category/in/:place', '/files/*', '/dashboard']
const found = (text: string) => pathTexts('a.tsx', text, PATTERNS).length > 0

describe('pathTexts', () => {
  it.each([
    "const a = '/cart'",
    "fetch('/api/session?x=1')",
    "const a = '/dashboard#top'",
    `const a = \`/business/\${id}\``,
    `const a = \`\${origin}/business/\${id}\``,
    'const a = `/cart`',
    "const a = '/business/:id'",
    "const a = '/files/' + key",
    "const a = '/:category/in/:place'",
    'const a = /^\\/business\\/[^/]+/',
    'const a = /^\\/(cart|dashboard)/',
    '<Link to="/cart" />',
    '<Link to="/" />',
    "const a = { path: '/' }",
    "redirect('/')",
    "const a = withNext('/cart', href('/dashboard'))",
  ])('reports a path as text: %s', (text) => expect(found(text)).toBe(true))

  it.each([
    "href('/cart')",
    "import { href as hrefOf } from 'react-router'; hrefOf('/cart')",
    "href('/business/:id', { id })",
    `href(\`/\${slug}\`)`,
    `const a = \`\${href('/cart')}?x=1\``,
    "const a = text.split('/')",
    "const a = '/api/auth'",
    "const a = '/legal/terms.pdf'",
    "const a = '/carts'",
    "const a = 'cart'",
    "import a from '/cart'",
    'const a = /^\\/(assets|health)/',
    `const a = \`\${slug}/in/\${place}\``,
    '// a comment says /cart',
  ])('accepts: %s', (text) => expect(found(text)).toBe(false))

  it('reports the line', () => {
    expect(pathTexts('a.ts', "const a = 1\nconst b = '/cart'\n", PATTERNS)).toEqual([2])
  })
})
