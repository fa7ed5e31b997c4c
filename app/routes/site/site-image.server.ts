import { href } from 'react-router'
import { dominantColour } from '../../../content/illustrations/draw.ts'
import { SCENES, type SceneName } from '../../../content/illustrations/scenes.ts'
import type { PictureImage } from '../../ui/picture.tsx'
import { CATEGORY_SCENES } from './category-scenes.ts'

/** The shapes of the site's own pictures. The composition follows the shape, so nothing is cropped. */
const SHAPES = {
  '3x2': 3 / 2,
  '4x3': 4 / 3,
  '1x1': 1,
  '16x9': 16 / 9,
  '21x9': 21 / 9,
  '3x4': 3 / 4,
} as const

/**
 * All of the site's own pictures, by seed, including those whose addresses screens write themselves. No others are
 * drawn, because each is stored after its first request.
 */
const SITE_SCENES = {
  advice: ['planner-run-sheet'],
  business: ['not-found'],
  cart: ['empty-cart'],
  category: Object.values(CATEGORY_SCENES),
  confirmed: ['hero-1'],
  dashboard: ['empty-bookings'],
  forgotten: ['hero-4'],
  front: ['hero-1', 'hero-2', 'hero-3', 'hero-4'],
  'list-your-business': ['hero-4'],
  'log-in': ['hero-2'],
  'my-bookings': ['empty-bookings'],
  'my-listings': ['empty-listings'],
  occasions: SCENES.occasions,
  page: ['not-found'],
  place: ['not-found'],
  search: ['empty-listings'],
  shortlist: ['empty-cart'],
  'see-you': ['hero-1'],
  'sign-up': ['hero-3'],
  vendor: ['not-found'],
  vendors: ['empty-listings', 'catering-drinks-cart'],
  'welcome-back': ['hero-1'],
} as const satisfies Record<string, readonly SceneName[]>

type Seed = keyof typeof SITE_SCENES

/** The largest width in which pictures are served, in pixels. */
const WIDTH = 1600

/**
 * Returns one of the site's own pictures, with its placeholder colour.
 * @param seed its use; another seed gives another picture of the same scene
 */
export function siteImage<S extends Seed>(
  scene: (typeof SITE_SCENES)[S][number],
  seed: S,
  shape: keyof typeof SHAPES = '3x2',
): PictureImage {
  return {
    url: href('/illustrations/:scene/:seed/:ratio?', { scene, seed, ratio: shape }),
    width: WIDTH,
    height: Math.round(WIDTH / SHAPES[shape]),
    colour: dominantColour({ scene, seed }),
  }
}

/** Whether this address can come from siteImage. */
export function isSiteImage(scene: SceneName, seed: string): boolean {
  return Object.entries<readonly SceneName[]>(SITE_SCENES).some(
    ([known, scenes]) => known === seed && scenes.includes(scene),
  )
}

/**
 * Returns a shape's ratio of width to height.
 * @param shape from an address, so it may be any text
 * @returns null for a shape that is not drawn
 */
export function aspectOf(shape: string): number | null {
  return Object.hasOwn(SHAPES, shape) ? SHAPES[shape as keyof typeof SHAPES] : null
}
