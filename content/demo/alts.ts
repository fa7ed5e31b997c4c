import type { SCENES } from '../illustrations/scenes.ts'

type ListingScene = (typeof SCENES)[Exclude<keyof typeof SCENES, 'occasions' | 'site'>][number]

/** What each scene of a listing shows, for people who can't see it. True of the scene with any seed. */
export const SCENE_ALTS: Readonly<Record<ListingScene, string>> = {
  'venue-long-table': 'Guests at a long table outdoors, under string lights',
  'venue-bay-pavilion': 'A timber pavilion over the water at the end of a jetty',
  'venue-vineyard': 'Rows of vines, with a table for two on a barrel',
  'venue-woolshed': 'A woolshed with open doors and warm light inside',
  'venue-rooftop': 'Guests on a rooftop terrace above the city',
  'venue-marquee': 'Marquees lit from inside, at night',
  'venue-courtyard': 'A table by candlelight in a courtyard with arches',
  'venue-glasshouse': 'Round tables among plants in a glasshouse',
  'photographer-camera-ledge': 'A camera on a ledge in front of a wide view',
  'photographer-headland-couple': 'A couple on a headland above the sea',
  'photographer-prints': 'Wedding prints spread out on a table',
  'photographer-tripod-field': 'A photographer with a tripod, and a couple in the field',
  'photographer-window-light': 'A woman in a long dress by a tall window',
  'hair-braid-flowers': 'Long hair with a wreath of flowers, seen from behind',
  'hair-mirror-brushes': 'Brushes, a round mirror and flowers on a dressing table',
  'hair-salon-chair': 'A salon chair in front of a mirror',
  'hair-pins-ribbon': 'Combs, pins, ribbon and flowers laid out for a hairstyle',
  'sound-booth-circles': 'A DJ with raised hands between two speakers',
  'sound-dance-floor': 'A full dance floor under a mirror ball',
  'sound-lawn-speakers': 'Speakers on a lawn, and guests under string lights',
  'sound-turntable': 'A turntable with a record, and sleeves beside it',
  'sound-duo': 'A duo with guitar and microphone on an outdoor stage',
  'catering-small-plates': 'Small plates of many kinds, seen from above',
  'catering-grazing-table': 'A grazing table with fruit, bread and flowers',
  'catering-paella-fire': 'A cook at a large paella pan over a fire',
  'catering-cake': 'A tiered wedding cake with flowers, and two glasses',
  'catering-drinks-cart': 'A drinks cart with a striped awning on the grass',
  'video-camera-field': 'A film camera on a tripod in a field',
  'video-drone-coast': 'A drone above a beach with umbrellas',
  'video-garden-projector': 'An audience in a garden watching a wedding film',
  'video-clapper': 'A clapperboard, a film reel and flowers on a table',
  'planner-run-sheet': 'A run sheet with a pen, coffee and flowers',
  'planner-mood-board': 'A mood board with photos, fabrics and flowers',
  'planner-seating-chart': 'A seating chart with round tables and place cards',
  'planner-welcome-sign': 'A welcome sign beside the aisle of a garden ceremony',
  'extra-flower-arch': 'A flower arch with chairs on both sides',
  'extra-vintage-car': 'A vintage wedding car with flowers along its side',
  'extra-photo-booth': 'A photo booth with a red curtain and balloons',
  'extra-balloons': 'A couple under an arch of balloons',
  'extra-lanterns': 'Paper lanterns in a tree, and guests below',
  'extra-lectern': 'A celebrant with a couple under a flower arch',
}

/** What a picture of a demo listing shows. */
export const altOf = (scene: string): string | undefined =>
  (SCENE_ALTS as Readonly<Record<string, string>>)[scene]
