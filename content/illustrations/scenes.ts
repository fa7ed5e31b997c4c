/** Every scene name by its group. The names are stored with listings, so never rename them. */
export const SCENES = {
  venues: [
    'venue-long-table',
    'venue-bay-pavilion',
    'venue-vineyard',
    'venue-woolshed',
    'venue-rooftop',
    'venue-marquee',
    'venue-courtyard',
    'venue-glasshouse',
  ],
  photographers: [
    'photographer-camera-ledge',
    'photographer-headland-couple',
    'photographer-prints',
    'photographer-tripod-field',
    'photographer-window-light',
  ],
  hairdressers: ['hair-braid-flowers', 'hair-mirror-brushes', 'hair-salon-chair', 'hair-pins-ribbon'],
  soundsDj: [
    'sound-booth-circles',
    'sound-dance-floor',
    'sound-lawn-speakers',
    'sound-turntable',
    'sound-duo',
  ],
  catering: [
    'catering-small-plates',
    'catering-grazing-table',
    'catering-paella-fire',
    'catering-cake',
    'catering-drinks-cart',
  ],
  videographers: ['video-camera-field', 'video-drone-coast', 'video-garden-projector', 'video-clapper'],
  eventPlanners: ['planner-run-sheet', 'planner-mood-board', 'planner-seating-chart', 'planner-welcome-sign'],
  extras: [
    'extra-flower-arch',
    'extra-vintage-car',
    'extra-photo-booth',
    'extra-balloons',
    'extra-lanterns',
    'extra-lectern',
  ],
  occasions: [
    'occasion-wedding',
    'occasion-birthday',
    'occasion-corporate',
    'occasion-engagement',
    'occasion-christening',
    'occasion-anniversary',
    'occasion-end-of-year',
    'occasion-memorial',
  ],
  site: [
    'hero-1',
    'hero-2',
    'hero-3',
    'hero-4',
    'empty-cart',
    'empty-bookings',
    'empty-listings',
    'not-found',
    'placeholder',
  ],
} as const

export type SceneGroup = keyof typeof SCENES

export type SceneName = (typeof SCENES)[SceneGroup][number]

const ALL: ReadonlySet<string> = new Set(Object.values(SCENES).flat())

/** Whether text from outside (an address, a stored row) is a scene name. */
export function isSceneName(text: string): text is SceneName {
  return ALL.has(text)
}
