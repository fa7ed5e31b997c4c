import { formDraft } from '../../../ui/form-draft.ts'
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

/**
 * The draft of the listing form.
 * @param owner.businessId null for a new listing
 * @param owner.version of the stored listing; one that was saved elsewhere since has another
 */
export const listingDraft = ({
  userId,
  businessId,
  version,
}: {
  userId: string
  businessId: string | null
  version: string
}) => formDraft({ key: `listing-draft:${userId}:${businessId ?? 'new'}`, version, parse: parseListingDraft })

/** Takes a draft out of any object that was stored or posted. */
export function parseListingDraft(kept: Record<string, unknown>): ListingDraft {
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
    ...parseListingDraft({ ...fields, bookingTypes: [bookingTypes].flat() }),
    images: saved.images.filter(({ image }) => kept.includes(image.url)),
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
