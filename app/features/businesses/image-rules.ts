import { MAX_UPLOAD_BYTES } from '../files/rules.ts'
import { oversizedImageText, TOO_MANY_IMAGES_TEXT } from './listing-messages.ts'
import { type BusinessImage, MAX_IMAGES } from './rules.ts'

/** An image on the listing form, from the choice of a file to the stored image. */
export type ListedImage = {
  id: string
  fileName: string
  /** Chosen on this form. Images that the listing already had don't count towards the picker's limit (Decision 13). */
  isNew: boolean
  /** A blob URL of the file, or null for an image from the server. */
  preview: string | null
} & (
  | { state: 'sending' /** 0 to 1 */; progress: number }
  | { state: 'failed'; reason: string }
  | { state: 'stored'; image: BusinessImage }
)

/**
 * Decides which of the chosen files to upload (Specification, section 5): skips files over 2 MB and accepts at most
 * three new images.
 * @param newCount the number of new images already on the form
 * @returns the files to upload and the warnings to show
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

/** Moves an image to an index from 0, clamped to the ends. */
export function moveImage<I extends { id: string }>(images: readonly I[], id: string, to: number): I[] {
  const from = images.findIndex((image) => image.id === id)
  const moved = images[from]
  if (!moved) return [...images]
  const rest = images.filter((image) => image.id !== id)
  const at = Math.min(Math.max(0, to), rest.length)
  return [...rest.slice(0, at), moved, ...rest.slice(at)]
}

/** The images that a save includes, without failed and unfinished uploads. */
export function storedImages(images: readonly ListedImage[]): BusinessImage[] {
  return images.flatMap((image) => (image.state === 'stored' ? [image.image] : []))
}
