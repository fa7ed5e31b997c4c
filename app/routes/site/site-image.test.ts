import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { isSceneName } from '../../../content/illustrations/scenes.ts'
import { aspectOf, isSiteImage, siteImage } from './site-image.server.ts'

describe('the site’s own pictures', () => {
  it('match those of siteImage exactly', () => {
    expect(siteImage('hero-1', 'front', '16x9')).toMatchObject({
      url: '/illustrations/hero-1/front/16x9',
      width: 1600,
      height: 900,
    })
    expect(isSiteImage('hero-1', 'front')).toBe(true)
    expect(isSiteImage('hero-1', 'category')).toBe(false)
    expect(isSiteImage('hero-1', 'constructor')).toBe(false)
    expect(aspectOf('16x9')).toBe(16 / 9)
    expect(aspectOf('constructor')).toBeNull()
  })

  it('include every picture that a screen names itself', async () => {
    const named: string[] = []
    for await (const path of glob('app/{routes,shell,features,ui}/**/*.{ts,tsx}')) {
      if (path.endsWith('.test.ts')) continue
      const code = readFileSync(path, 'utf8')
      for (const [, address, scene = '', seed = '', shape] of code.matchAll(
        /["'`](\/illustrations\/)?([a-z0-9-]+)\/([a-z0-9-]+)(\/\d+x\d+)?["'`]/g,
      )) {
        if (!isSceneName(scene)) continue
        named.push(`${scene}/${seed}`)
        expect(isSiteImage(scene, seed), `${path}: ${scene}/${seed} is not in SITE_SCENES`).toBe(true)
        // Without its shape, the address would be a business's picture.
        if (address) expect(shape, `${path}: ${scene}/${seed}`).toBeDefined()
      }
      for (const [, scene = '', seed = '', ratio] of code.matchAll(
        /'\/illustrations\/:scene\/:seed\/:ratio\?', \{\s*scene: '([a-z0-9-]+)',\s*seed: '([a-z0-9-]+)',(\s*ratio: '\d+x\d+')?/g,
      )) {
        named.push(`${scene}/${seed}`)
        const isKnown = isSceneName(scene) && isSiteImage(scene, seed)
        expect(isKnown, `${path}: ${scene}/${seed} is not in SITE_SCENES`).toBe(true)
        expect(ratio, `${path}: ${scene}/${seed}`).toBeDefined()
      }
    }
    expect(named).toContain('empty-cart/cart')
    expect(named).toContain('hero-2/log-in')
  })
})
