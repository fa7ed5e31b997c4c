// A module of its own, so that only deferred parts load these texts.
import type { BusinessImage } from './rules.ts'

export const FULL_SCREEN_TEXT = 'View the pictures full screen'

/** The vendor's words for a picture, or else 'Harbour Light Pavilion, picture 2 of 3'. */
export function pictureAlt(name: string, pictures: readonly BusinessImage[], index: number): string {
  return (
    pictures[index]?.alt ??
    (pictures.length > 1 ? `${name}, picture ${index + 1} of ${pictures.length}` : name)
  )
}
