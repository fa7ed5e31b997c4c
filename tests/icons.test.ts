import { readdirSync, readFileSync } from 'node:fs'
import { icons as lucide } from '@iconify-json/lucide'
import { describe, expect, it } from 'vitest'
import { ICON_NAMES } from '../app/ui/icon-names.ts'
import { STAR_PATH } from '../app/ui/stars.tsx'

/** The attributes that each shape of the set repeats. The styles in app/ui set them on the whole icon. */
const LINE_STYLE =
  / (?:fill="none"|stroke="currentColor"|stroke-linecap="round"|stroke-linejoin="round"|stroke-width="2")/g

function drawingOf(name: string): string {
  const icon = lucide.icons[name] ?? lucide.icons[lucide.aliases?.[name]?.parent ?? '']
  if (!icon) throw new Error(`Lucide has no icon ${name}.`)
  return icon.body.replace(LINE_STYLE, '').replace(/^<g>|<\/g>$/g, '')
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
  .filter((path) => /(?<!\.test|icon-names)\.tsx?$/.test(path))
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
