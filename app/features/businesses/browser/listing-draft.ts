import { toNumericString } from '../../../shared/money.ts'
import { formDraft } from '../../../ui/form-draft.ts'
import { DEFAULT_PLAN, DEFAULT_TERMS, type ListingTerms } from '../../terms/rules.ts'
import { SEVERAL_FACTS, typedFacts } from '../fact-schema.ts'
import type { OwnListing } from '../owner-queries.server.ts'
import { type BusinessImage, offeredBookingTypes } from '../rules.ts'
import { LISTING_INPUTS, type ListingInput, typedFields } from '../schema.ts'

/** The inputs with several values. */
export const LIST_FIELDS = ['bookingTypes', ...SEVERAL_FACTS] as const
type ListField = (typeof LIST_FIELDS)[number]
type DraftField = Exclude<ListingInput, ListField | 'factsAsked' | 'images' | 'imageAlts' | 'submitKey'>

/** The fields of the listing form whose value is a string. */
export const DRAFT_FIELDS = LISTING_INPUTS.filter(
  (name): name is DraftField =>
    !(LIST_FIELDS as readonly string[]).includes(name) &&
    name !== 'factsAsked' &&
    name !== 'images' &&
    name !== 'imageAlts' &&
    name !== 'submitKey',
)

/** A partly filled-in listing form. Includes images once they are stored. */
export type ListingDraft = Record<DraftField, string> &
  Record<ListField, string[]> & {
    images: { image: BusinessImage; isNew: boolean }[]
  }

export const EMPTY_DRAFT: ListingDraft = {
  ...(Object.fromEntries(DRAFT_FIELDS.map((field) => [field, ''])) as Record<DraftField, string>),
  ...typedTerms(DEFAULT_TERMS),
  ...typedFacts({}),
  bookingTypes: [],
  images: [],
}

/** The initial draft of a stored listing. */
export function draftOf(listing: OwnListing): ListingDraft {
  return {
    ...typedFields(listing),
    price: listing.price,
    priceUnit: listing.priceUnit,
    secondPrice: listing.secondPrice ? toNumericString(listing.secondPrice.cents) : '',
    ...typedTerms(listing.terms),
    ...typedFacts(listing.facts),
    location: listing.location,
    bookingTypes: offeredBookingTypes(listing),
    images: listing.pictures.map((image) => ({ image, isNew: false })),
  }
}

/** The terms as the form posts them. A listing paid in full shows the default plan's deposit once one is chosen. */
function typedTerms({ policy, plan }: ListingTerms) {
  const { depositBasisPoints, balanceDaysBefore } = plan.kind === 'deposit' ? plan : DEFAULT_PLAN
  return {
    policy,
    plan: plan.kind,
    depositPercent: String(depositBasisPoints / 100),
    balanceDays: String(balanceDaysBefore),
  }
}

/** Longer than any field allows. This page wrote the draft, but anything could have changed it. */
const MAX_STORED_LENGTH = 10_000

/**
 * The storage for the draft of one listing form.
 * @param owner.businessId null for a new listing
 * @param owner.version the version of the stored listing, which changes with each save
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

/** Reads a draft from any stored or posted object, ignoring unknown fields and wrong types. */
export function parseListingDraft(stored: Record<string, unknown>): ListingDraft {
  const draft: ListingDraft = { ...EMPTY_DRAFT }
  for (const field of DRAFT_FIELDS) {
    const value = stored[field]
    if (typeof value === 'string') draft[field] = value.slice(0, MAX_STORED_LENGTH)
  }
  for (const field of LIST_FIELDS) {
    const values = stored[field]
    if (Array.isArray(values)) draft[field] = values.filter((value) => typeof value === 'string')
  }
  if (Array.isArray(stored.images)) draft.images = stored.images.filter(isStoredImage)
  return draft
}

/**
 * The draft of a form that was posted without JavaScript, so that a refusal loses nothing.
 * @param typed the posted values in the answer
 * @param saved the draft of the stored listing, whose images were in the form
 */
export function postedDraft(typed: unknown, saved: ListingDraft): ListingDraft {
  const { images, ...fields } = (typed ?? {}) as Record<string, unknown>
  const imageUrls = [images].flat()
  const lists = LIST_FIELDS.map((field) => [field, [fields[field]].flat()])
  return {
    ...parseListingDraft({ ...fields, ...Object.fromEntries(lists) }),
    images: saved.images.filter(({ image }) => imageUrls.includes(image.url)),
  }
}

function isStoredImage(value: unknown): value is ListingDraft['images'][number] {
  if (typeof value !== 'object' || value === null) return false
  const { image, isNew } = value as { image?: Partial<BusinessImage>; isNew?: unknown }
  return (
    typeof isNew === 'boolean' &&
    typeof image?.url === 'string' &&
    image.url.startsWith('/') &&
    typeof image.width === 'number' &&
    typeof image.height === 'number' &&
    typeof image.colour === 'string' &&
    ['string', 'undefined'].includes(typeof image.alt)
  )
}
