import { DAY_MS } from '../../shared/time-units.ts'
import type { BusinessImage } from './rules.ts'

/** The pictures of an album, beside the three of the listing's form. */
export const MAX_ALBUM_PICTURES = 30
export const MAX_CAPTION_LENGTH = 200
/** How long a removed picture can be put back. Its file is kept for at least as long: see `STRAY_AFTER_MS`. */
export const REMOVED_FOR_MS = DAY_MS
/** The changes of albums per account: each picture added, moved, described or removed. */
export const ALBUM_LIMIT = { max: 300, windowMs: 600_000 }

/** A picture of an album. `caption` is shown below it, `alt` is for those who can't see it. Both may be ''. */
export type AlbumPicture = BusinessImage & { caption: string; alt: string }

/**
 * One change of an album. Each says what happens to one picture, not what the album is, so that two tabs lose nothing of each other.
 * Done twice, it is as done once: a step whose answer was lost is sent again.
 * @property after the picture before it: null for the first place, undefined for the last
 */
export type AlbumStep =
  | { kind: 'add'; url: string; caption: string; alt: string; after?: string | null | undefined }
  | { kind: 'move'; url: string; after: string | null }
  | { kind: 'describe'; url: string; caption?: string | undefined; alt?: string | undefined }
  | { kind: 'remove'; url: string }

/**
 * The album after a step. One that names a picture that is gone changes nothing.
 * @param picture the added one; null for every other step
 */
export function applyStep(
  album: readonly AlbumPicture[],
  step: AlbumStep,
  picture: AlbumPicture | null,
): AlbumPicture[] {
  const present = album.find(({ url }) => url === step.url)
  switch (step.kind) {
    case 'add': {
      if (present || !picture) return [...album]
      return placeAfter(album, { ...picture, caption: step.caption, alt: step.alt }, step.after)
    }
    case 'move': {
      const isPlace = step.after === null || album.some(({ url }) => url === step.after)
      if (!present || !isPlace || step.after === step.url) return [...album]
      const others = album.filter(({ url }) => url !== step.url)
      return placeAfter(others, present, step.after)
    }
    case 'describe': {
      const { caption, alt } = step
      return album.map((each) =>
        each.url === step.url
          ? { ...each, ...(caption !== undefined && { caption }), ...(alt !== undefined && { alt }) }
          : each,
      )
    }
    case 'remove':
      return album.filter(({ url }) => url !== step.url)
  }
}

/** Puts a picture behind another one, or last if that is gone. */
function placeAfter(
  album: readonly AlbumPicture[],
  picture: AlbumPicture,
  after: string | null | undefined,
): AlbumPicture[] {
  const before = after === null ? 0 : album.findIndex(({ url }) => url === after) + 1
  const at = after !== null && before === 0 ? album.length : before
  return [...album.slice(0, at), picture, ...album.slice(at)]
}

/** The picture before an index, for a step that puts another one there. null for the first place. */
export function neighbourBefore(album: readonly AlbumPicture[], index: number): string | null {
  return album[index - 1]?.url ?? null
}

/** The picture that 'Undo' puts back: the last removed one that isn't in the album. One that was refused is still to be put back. */
export function latestRemoved<Removed extends { picture: AlbumPicture }>(
  removed: readonly Removed[],
  album: readonly AlbumPicture[],
): Removed | undefined {
  return removed.findLast(({ picture }) => !album.some(({ url }) => url === picture.url))
}
