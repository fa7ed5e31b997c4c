import type { BusinessImage } from '../rules.ts'

/** The fields of the listing form that are typed or chosen, as the form carries them. */
export const DRAFT_FIELDS = [
  'name',
  'category',
  'description',
  'price',
  'priceUnit',
  'secondPrice',
  'location',
  'servicesOffered',
] as const
type DraftField = (typeof DRAFT_FIELDS)[number]

/** What somebody has filled in, as far as they have come. Images are in it once they are stored. */
export type ListingDraft = Record<DraftField, string> & {
  bookingTypes: string[]
  images: { image: BusinessImage; isNew: boolean }[]
}

export const EMPTY_DRAFT: ListingDraft = {
  name: '',
  category: '',
  description: '',
  price: '',
  priceUnit: '',
  secondPrice: '',
  location: '',
  servicesOffered: '',
  bookingTypes: [],
  images: [],
}

/** Longer than any field takes; what is kept comes from this page, but anything may write there. */
const MAX_KEPT_LENGTH = 10_000

/** Whose form of which listing this is; a listing that was saved elsewhere since has another version. */
export type DraftOwner = { userId: string; businessId: string | null; version: string }

const storageKey = ({ userId, businessId }: DraftOwner) => `listing-draft:${userId}:${businessId ?? 'new'}`

/** Reads what was filled in on this form in this tab; null when nothing was, or the listing has changed since. */
export function readDraft(owner: DraftOwner): ListingDraft | null {
  try {
    return parseDraft(JSON.parse(sessionStorage.getItem(storageKey(owner)) ?? 'null'), owner.version)
  } catch {
    return null
  }
}

/** Takes a draft out of anything that was stored. */
export function parseDraft(found: unknown, version: string): ListingDraft | null {
  if (typeof found !== 'object' || found === null) return null
  const kept = found as Record<string, unknown>
  if (kept.version !== version) return null
  const draft: ListingDraft = { ...EMPTY_DRAFT }
  for (const field of DRAFT_FIELDS) {
    const value = kept[field]
    if (typeof value === 'string') draft[field] = value.slice(0, MAX_KEPT_LENGTH)
  }
  if (Array.isArray(kept.bookingTypes)) {
    draft.bookingTypes = kept.bookingTypes.filter((type) => typeof type === 'string')
  }
  if (Array.isArray(kept.images)) draft.images = kept.images.filter(isKeptImage)
  return draft
}

/**
 * The form as it was posted without JavaScript, so that a refusal loses nothing.
 * @param typed what the answer says of the fields
 * @param saved the listing as it is stored, whose images were in the form
 */
export function postedDraft(typed: unknown, saved: ListingDraft): ListingDraft {
  const { bookingTypes, images, ...fields } = (typed ?? {}) as Record<string, unknown>
  const kept = [images].flat()
  return {
    ...(parseDraft({ ...fields, bookingTypes: [bookingTypes].flat(), version: '' }, '') ?? EMPTY_DRAFT),
    images: saved.images.filter(({ image }) => kept.includes(image.url)),
  }
}

/** Keeps what is filled in. A browser that refuses keeps nothing, and the form works all the same. */
export function keepDraft(owner: DraftOwner, draft: ListingDraft): void {
  try {
    sessionStorage.setItem(storageKey(owner), JSON.stringify({ ...draft, version: owner.version }))
  } catch {
    // Private windows and full disks: the form itself still holds it.
  }
}

/** Forgets it: the listing is saved, or the person said so. */
export function forgetDraft(owner: DraftOwner): void {
  try {
    sessionStorage.removeItem(storageKey(owner))
  } catch {
    // Nothing was kept either.
  }
}

function isKeptImage(found: unknown): found is ListingDraft['images'][number] {
  if (typeof found !== 'object' || found === null) return false
  const { image, isNew } = found as { image?: Partial<BusinessImage>; isNew?: unknown }
  return (
    typeof isNew === 'boolean' &&
    typeof image?.url === 'string' &&
    image.url.startsWith('/') &&
    typeof image.width === 'number' &&
    typeof image.height === 'number' &&
    typeof image.colour === 'string'
  )
}
