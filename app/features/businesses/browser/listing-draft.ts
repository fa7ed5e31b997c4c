import { toNumericString } from '../../../shared/money.ts'
import { formDraft } from '../../../ui/form-draft.ts'
import { DEFAULT_PLAN, DEFAULT_TERMS, type ListingTerms } from '../../terms/rules.ts'
import { SEVERAL_FACTS, typedFacts } from '../fact-schema.ts'
import type { OwnListing } from '../owner-queries.server.ts'
import { type BusinessImage, listingVersion, MAX_VERSION_LENGTH, offeredBookingTypes } from '../rules.ts'
import { LISTING_INPUTS, type ListingInput, SUBMIT_KEY, typedFields } from '../schema.ts'

/** The inputs with several values. */
export const LIST_FIELDS = ['bookingTypes', ...SEVERAL_FACTS] as const
type ListField = (typeof LIST_FIELDS)[number]
/** The inputs that are no field of the form, or are drafted apart. */
const OTHER_INPUTS = ['factsAsked', 'images', 'imageAlts', 'submitKey', 'seen', 'anyway'] as const
type DraftField = Exclude<ListingInput, ListField | (typeof OTHER_INPUTS)[number]>

/** The fields of the listing form whose value is a string. */
export const DRAFT_FIELDS = LISTING_INPUTS.filter(
  (name): name is DraftField =>
    !(LIST_FIELDS as readonly string[]).includes(name) && !(OTHER_INPUTS as readonly string[]).includes(name),
)

/** A partly filled-in listing form. Includes images once they are stored. */
export type ListingDraft = Record<DraftField, string> &
  Record<ListField, string[]> & {
    images: { image: BusinessImage; isNew: boolean }[]
    /** The version of the listing that the draft was made from. '' for a new listing. */
    seen: string
    /** The key and the name under which a new listing was sent, which a lost answer leaves open. '' before that. */
    submitKey: string
    sentName: string
  }

export const EMPTY_DRAFT: ListingDraft = {
  ...(Object.fromEntries(DRAFT_FIELDS.map((field) => [field, ''])) as Record<DraftField, string>),
  ...typedTerms(DEFAULT_TERMS),
  ...typedFacts({}),
  bookingTypes: [],
  images: [],
  seen: '',
  submitKey: '',
  sentName: '',
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
    seen: listingVersion(listing),
    submitKey: '',
    sentName: '',
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
 */
export const listingDraft = ({ userId, businessId }: { userId: string; businessId: string | null }) =>
  formDraft({ key: `listing-draft:${userId}:${businessId ?? 'new'}`, parse: parseListingDraft })

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
  // Drafts were kept with a `version` of another format once, and never fit a listing as it is now.
  const seen = stored.seen ?? stored.version
  if (typeof seen === 'string') draft.seen = seen.slice(0, MAX_VERSION_LENGTH)
  if (typeof stored.submitKey === 'string' && SUBMIT_KEY.test(stored.submitKey))
    draft.submitKey = stored.submitKey
  if (typeof stored.sentName === 'string') draft.sentName = stored.sentName
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
