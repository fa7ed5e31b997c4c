import type { SceneName } from '../../../content/illustrations/scenes.ts'
import type { Category } from '../../features/businesses/rules.ts'

/** The illustration of each category, on the home page and at the top of its own page. */
export const CATEGORY_SCENES = {
  Venues: 'venue-long-table',
  Photographers: 'photographer-headland-couple',
  Hairdresser: 'hair-braid-flowers',
  'Sounds & DJ': 'sound-booth-circles',
  Catering: 'catering-grazing-table',
  Videographers: 'video-drone-coast',
  'Event Planners': 'planner-run-sheet',
  Extras: 'extra-flower-arch',
} as const satisfies Record<Category, SceneName>
