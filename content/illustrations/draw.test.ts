import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { dominantColour, drawScene } from './draw.ts'
import { isSceneName, SCENES, type SceneGroup, type SceneName } from './scenes.ts'

const all: SceneName[] = Object.values(SCENES).flat()
const categories = Object.keys(SCENES).filter((group) => group !== 'site') as SceneGroup[]

const SHAPES = [
  { name: '4:3', width: 400, height: 300 },
  { name: '3:2', width: 600, height: 400 },
  { name: '1:1', width: 300, height: 300 },
  { name: '16:9', width: 640, height: 360 },
  { name: '21:9', width: 840, height: 360 },
  { name: '3:4', width: 300, height: 400 },
] as const

/** A picture's pixels at thumbnail size, for comparing pictures as people see them. */
async function thumbnail(scene: SceneName, seed: string): Promise<Buffer> {
  return sharp(Buffer.from(drawScene({ scene, seed, width: 96, height: 72 })))
    .flatten()
    .raw()
    .toBuffer()
}

function difference(a: Buffer, b: Buffer): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] ?? 0) - (b[i] ?? 0))
  return sum / a.length
}

describe('the set of pictures', () => {
  it('has at least four for each category and no name twice', () => {
    for (const group of categories) expect(SCENES[group].length).toBeGreaterThanOrEqual(4)
    expect(new Set(all).size).toBe(all.length)
  })

  it('recognises exactly its own names', () => {
    expect(isSceneName('venue-long-table')).toBe(true)
    expect(isSceneName('toString')).toBe(false)
  })
})

describe('drawScene', () => {
  it.each(all)('%s is well-formed, self-contained SVG in every proportion', async (scene) => {
    for (const { width, height } of SHAPES) {
      const svg = drawScene({ scene, seed: 'every shape', width, height })
      expect(svg).not.toMatch(/NaN|undefined|Infinity|null/)
      // Nothing fetched, scripted or typeset: the only URL is the namespace.
      expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
        /https?:|data:|href|<script|<text|<image|<foreignObject|<style|\son\w+=/i,
      )
      const ids = [...svg.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1])
      expect(new Set(ids).size).toBe(ids.length)
      for (const [, id] of svg.matchAll(/url\(#([^)]+)\)/g)) expect(ids).toContain(id)
      // The rasteriser's XML parser is strict: unbalanced markup throws here.
      const picture = await sharp(Buffer.from(svg)).resize(24).raw().toBuffer({ resolveWithObject: true })
      expect(picture.info.width).toBe(24)
    }
  })

  it('returns the same SVG for the same input', () => {
    for (const scene of all) {
      const input = { scene, seed: 'business-7', width: 400, height: 300 }
      expect(drawScene(input)).toBe(drawScene(input))
    }
  })

  it('draws a visibly different picture for each seed', async () => {
    for (const scene of all) {
      if (scene.startsWith('hero-')) continue
      const [a, b, c] = await Promise.all(['ada', 'ben', 'cleo'].map((seed) => thumbnail(scene, seed)))
      if (!a || !b || !c) throw new Error('three seeds, three thumbnails')
      // Mean difference of a channel, of 255.
      expect(Math.max(difference(a, b), difference(b, c), difference(a, c))).toBeGreaterThan(6)
    }
  })

  it('mirrors pictures by seed, but never a hero, whose text is on the left', () => {
    const turned = /<\/defs><g transform="translate\([\d.]+ 0\) scale\(-1 1\)">/
    const seeds = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const mirrored = (scene: SceneName) =>
      seeds.filter((seed) => turned.test(drawScene({ scene, seed, width: 1600, height: 900 }))).length
    expect(mirrored('hero-1')).toBe(0)
    expect(mirrored('venue-vineyard')).toBeGreaterThan(0)
    expect(mirrored('venue-vineyard')).toBeLessThan(seeds.length)
  })
})

describe('dominantColour', () => {
  it('is close to the picture’s mean colour', async () => {
    for (const scene of all) {
      const hex = dominantColour({ scene, seed: 'ada' })
      expect(hex).toMatch(/^#[0-9a-f]{6}$/)
      const pixels = await thumbnail(scene, 'ada')
      const wanted = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
      const distance = wanted.map((value, channel) => {
        let sum = 0
        for (let i = channel; i < pixels.length; i += 3) sum += pixels[i] ?? 0
        return Math.abs(value - sum / (pixels.length / 3))
      })
      expect(Math.max(...distance), `${scene} ${hex}`).toBeLessThan(150)
    }
  })
})
