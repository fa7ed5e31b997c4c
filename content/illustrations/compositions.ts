import { cateringScenes } from './scenes/catering.ts'
import { extraScenes } from './scenes/extras.ts'
import { hairdresserScenes } from './scenes/hairdressers.ts'
import { occasionScenes } from './scenes/occasions.ts'
import { photographerScenes } from './scenes/photographers.ts'
import { plannerScenes } from './scenes/planners.ts'
import { siteScenes } from './scenes/site.ts'
import { soundScenes } from './scenes/sounds.ts'
import { outdoorVenues } from './scenes/venues-outdoors.ts'
import { roomVenues } from './scenes/venues-rooms.ts'
import { videographerScenes } from './scenes/videographers.ts'
import type { SceneName } from './scenes.ts'
import type { Composition } from './stage.ts'

/** The composition of each picture, by scene name. */
export const COMPOSITIONS: Record<SceneName, Composition> = {
  ...outdoorVenues,
  ...roomVenues,
  ...photographerScenes,
  ...hairdresserScenes,
  ...soundScenes,
  ...cateringScenes,
  ...videographerScenes,
  ...plannerScenes,
  ...extraScenes,
  ...occasionScenes,
  ...siteScenes,
}
