import { readdirSync, readFileSync } from 'node:fs'
import * as lucide from 'lucide-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { ICON_NAMES } from '../app/ui/icon-names.ts'
import { STAR_PATH } from '../app/ui/stars.tsx'

/** 'trash-2' is Trash2. */
function componentOf(name: string): lucide.LucideIcon {
  const exported = name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
  const component = (lucide as unknown as Record<string, lucide.LucideIcon | undefined>)[exported]
  if (!component) throw new Error(`Lucide has no icon ${name}.`)
  return component
}

function drawingOf(name: string): string {
  const svg = renderToStaticMarkup(createElement(componentOf(name)))
  return svg.replace(/^<svg[^>]*>|<\/svg>$/g, '')
}

const symbols = ICON_NAMES.map(
  (name) => `<symbol id="${name}" viewBox="0 0 24 24">${drawingOf(name)}</symbol>`,
)
const stars = [0, 24, 48, 72, 96].map(
  (left) => `<path fill="currentColor" transform="translate(${left})" d="${STAR_PATH}"/>`,
)
const sprite = [
  '<svg xmlns="http://www.w3.org/2000/svg">',
  '<!-- Lucide Icons and contributors, ISC: https://lucide.dev/license -->',
  ...symbols,
  `<symbol id="stars" viewBox="0 0 120 24">${stars.join('')}</symbol>`,
  '</svg>',
  '',
].join('\n')

const sources = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.tsx') && !path.endsWith('.test.tsx'))
  .map((path) => readFileSync(`app/${path}`, 'utf8'))

describe('the sprite of icons', () => {
  it('contains only icons that a page shows', () => {
    const unused = ICON_NAMES.filter(
      (name) => !sources.some((source) => source.includes(`"${name}"`) || source.includes(`'${name}'`)),
    )
    expect(unused).toEqual([])
  })

  it('draws each named icon as Lucide does', async () => {
    await expect(sprite).toMatchFileSnapshot('../app/ui/icons.svg')
  })
})
