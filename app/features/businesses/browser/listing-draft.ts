import { toNumericString } from '../../../shared/money.ts'
import { formDraft } from '../../../ui/form-draft.ts'
import type { OwnListing } from '../owner-queries.server.ts'
import { type BusinessImage, offeredBookingTypes } from '../rules.ts'
import { LISTING_INPUTS, type ListingInput, typedFields } from '../schema.ts'

type DraftField = Exclude<ListingInput, 'bookingTypes' | 'images' | 'submitKey'>

/** The fields of the listing form that are typed or chosen, as the form carries them. */
export const DRAFT_FIELDS = LISTING_INPUTS.filter(
  (name): name is DraftField => !['bookingTypes', 'images', 'submitKey'].includes(name),
)

/** What somebody has filled in, as far as they have come. Images are in it once they are stored. */
export type ListingDraft = Record<DraftField, string> & {
  bookingTypes: string[]
  images: { image: BusinessImage; isNew: boolean }[]
}

export const EMPTY_DRAFT: ListingDraft = {
  ...(Object.fromEntries(DRAFT_FIELDS.map((field) => [field, ''])) as Record<DraftField, string>),
  bookingTypes: [],
  images: [],
}

/** A stored listing as its form begins with it. */
export function draftOf(listing: OwnListing): ListingDraft {
  return {
    ...typedFields(listing),
    price: listing.price,
    priceUnit: listing.priceUnit,
    secondPrice: listing.secondPrice ? toNumericString(listing.secondPrice.cents) : '',
    location: listing.location,
    bookingTypes: offeredBookingTypes(listing),
    images: listing.pictures.map((image) => ({ image, isNew: false })),
  }
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
