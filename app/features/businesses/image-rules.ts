import { MAX_UPLOAD_BYTES } from '../files/rules.ts'
import { oversizedImageText, TOO_MANY_IMAGES_TEXT } from './listing-messages.ts'
import { type BusinessImage, MAX_IMAGES } from './rules.ts'

/** An image on the listing form, from being chosen to being stored. */
export type ListedImage = {
  id: string
  fileName: string
  /** Chosen on this form; those that the listing had before don't count towards the picker's limit (Decision 13). */
  isNew: boolean
  /** A blob address of the file itself; null for an image that came from the server. */
  preview: string | null
} & (
  | { state: 'sending' /** 0 to 1 */; progress: number }
  | { state: 'failed'; reason: string }
  | { state: 'stored'; image: BusinessImage }
)

/**
 * Which of the chosen files are taken (Specification, section 5): one over 2 MB is skipped, and at most three are new at
 * once.
 * @param newCount how many new ones the form has already
 * @returns the files to send, and a warning for each that is not
 */
export function admitFiles<F extends { name: string; size: number }>(
  files: readonly F[],
  newCount: number,
): { taken: F[]; warnings: string[] } {
  const fitting = files.filter((file) => file.size <= MAX_UPLOAD_BYTES.listing)
  const taken = fitting.slice(0, Math.max(0, MAX_IMAGES - newCount))
  return {
    taken,
    warnings: [
      ...files
        .filter((file) => file.size > MAX_UPLOAD_BYTES.listing)
        .map((file) => oversizedImageText(file.name)),
      ...(taken.length < fitting.length ? [TOO_MANY_IMAGES_TEXT] : []),
    ],
  }
}

/** Moves one to a new place, from 0; places past the ends are the ends. */
export function moveImage<I extends { id: string }>(images: readonly I[], id: string, to: number): I[] {
  const from = images.findIndex((image) => image.id === id)
  const moved = images[from]
  if (!moved) return [...images]
  const rest = images.filter((image) => image.id !== id)
  const at = Math.min(Math.max(0, to), rest.length)
  return [...rest.slice(0, at), moved, ...rest.slice(at)]
}

/** Those that a save takes along: what failed or is still on its way stays out. */
export function storedImages(images: readonly ListedImage[]): BusinessImage[] {
  return images.flatMap((image) => (image.state === 'stored' ? [image.image] : []))
}
