import type { SceneName } from '../illustrations/scenes.ts'

type AlbumScene = { scene: SceneName; caption: string }

/** The albums of the demo, by listing. Most vendors have none. */
const demoAlbums: Readonly<Record<string, readonly AlbumScene[]>> = {
  'harbour-light-pavilion': [
    { scene: 'venue-bay-pavilion', caption: 'Mina and Tom, October. The ferry waited for the kiss.' },
    { scene: 'extra-flower-arch', caption: 'The lawn at four o’clock' },
    { scene: 'venue-long-table', caption: 'Dinner for 110 on the verandah' },
    { scene: 'sound-dance-floor', caption: '' },
    { scene: 'catering-small-plates', caption: 'What the kitchen sends out first' },
    { scene: 'planner-seating-chart', caption: '150 seats, fifteen tables' },
    { scene: 'catering-cake', caption: 'Cake by the window' },
    { scene: 'extra-lanterns', caption: 'A sixtieth in March' },
    { scene: 'sound-duo', caption: 'There is room for a band of five' },
    { scene: 'venue-courtyard', caption: '' },
    { scene: 'planner-welcome-sign', caption: 'The way in from the jetty' },
  ],
  'okafor-and-daughters': [
    { scene: 'photographer-headland-couple', caption: 'Point Lonsdale, five minutes before the rain' },
    { scene: 'photographer-window-light', caption: 'The last quiet quarter of an hour' },
    { scene: 'venue-woolshed', caption: 'Daylesford, after the speeches' },
    { scene: 'extra-lectern', caption: 'Vows, April' },
    { scene: 'photographer-prints', caption: 'What comes in the box' },
    { scene: 'sound-dance-floor', caption: '' },
  ],
  'fitzroy-flower-room': [
    { scene: 'extra-flower-arch', caption: 'Dahlias and grasses, February' },
    { scene: 'hair-braid-flowers', caption: 'A crown that lasted the night' },
    { scene: 'catering-cake', caption: 'Fresh flowers, put on at the venue' },
    { scene: 'venue-long-table', caption: 'Bud vases for 90' },
  ],
}

/** The pictures of an album. The seed contains the listing's id, as that of its own pictures. */
export function albumOf(id: string): { scene: SceneName; seed: string; caption: string }[] {
  return (demoAlbums[id] ?? []).map(({ scene, caption }, index) => ({
    scene,
    caption,
    seed: `${id}-album-${index + 1}`,
  }))
}
