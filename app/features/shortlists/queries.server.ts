import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { listAvailability } from '../availability/hours-queries.server.ts'
import { listBookable } from '../availability/slot-queries.server.ts'
import {
  type Asked,
  freeText,
  guestsText,
  priceAsked,
  totalAsked,
  totalAskedText,
} from '../businesses/asked-rules.ts'
import { PRICE_ON_REQUEST_TEXT, priceText } from '../businesses/messages.ts'
import { type BusinessCardView, findBusiness } from '../businesses/queries.server.ts'
import { isBookable } from '../businesses/rules.ts'
import { responseText } from '../enquiries/messages.ts'
import { findResponseTimes } from '../enquiries/response-queries.server.ts'
import { listBusinessCards } from '../reviews/card-queries.server.ts'
import { termsLine } from '../terms/policy-messages.ts'
import { lowestOf, type Role, type ShortlistVisitor } from './rules.ts'

export type FoundList = {
  id: string
  role: Role
  /** Whether it is the shared list that this browser has joined. */
  isJoined: boolean
  /** The key that the link's token derives from. null unless the list is shared. */
  shareKey: string | null
  usedAt: Date
}

/**
 * Finds the list that the visitor's hearts add to: the shared list that they have joined, else that of their account or
 * of this browser. A list that an account has taken over is no browser's any more.
 */
export async function findList(
  db: Database | DatabaseTransaction,
  { userId, ownId, joinedHash }: ShortlistVisitor,
): Promise<FoundList | null> {
  const joined = joinedHash === null ? null : await findSharedList(db, joinedHash)
  const row =
    joined ??
    (userId !== null
      ? await select(db).where('user_id', '=', userId).executeTakeFirst()
      : ownId === null
        ? null
        : await select(db).where('id', '=', ownId).where('user_id', 'is', null).executeTakeFirst())
  if (!row) return null
  const isOwn = userId !== null ? row.user_id === userId : row.user_id === null && row.id === ownId
  return {
    id: row.id,
    role: isOwn ? 'owner' : 'guest',
    isJoined: joined !== null,
    shareKey: row.share_key,
    usedAt: row.used_at,
  }
}

/** Finds a list by the hash of its link's token. */
export async function findSharedList(db: Database | DatabaseTransaction, hash: string) {
  return (await select(db).where('share_hash', '=', hash).executeTakeFirst()) ?? null
}

function select(db: Database | DatabaseTransaction) {
  return db.selectFrom('shortlists').select(['id', 'user_id', 'share_key', 'used_at'])
}

/** Lists the ids of the businesses on a list. */
export async function listSavedIds(db: Database, listId: string): Promise<string[]> {
  const rows = await entriesOf(db, listId).select('business_id').execute()
  return rows.map(({ business_id }) => business_id)
}

/**
 * A business on a list.
 * @property card null unless visitors can see the listing
 * @property totalText '$7,560 for 90 guests'; null without a price or its quantity
 * @property availability 'free on 13 March 2027' for what was asked; null if no day and no guests were given
 */
export type EntryView = {
  id: string
  name: string
  note: string
  standing: 'listed' | 'hidden' | 'deleted'
  card: BusinessCardView | null
  totalText: string | null
  availability: { isFree: boolean; text: string } | null
}

/** Lists the businesses of a list, the newest first, with totals and free days for what was asked. */
export async function listEntries(
  db: Database,
  listId: string,
  asked: Asked,
  now: Date,
): Promise<EntryView[]> {
  const rows = await entriesOf(db, listId)
    .innerJoin('businesses', 'businesses.id', 'shortlist_entries.business_id')
    .select([
      'businesses.id',
      'businesses.name',
      'businesses.max_guests',
      'note',
      'businesses.deleted_at',
      'businesses.hidden_at',
    ])
    .orderBy('added_at', 'desc')
    .orderBy('businesses.id')
    .execute()
  const ids = rows.map(({ id }) => id)
  const [cards, free] = await Promise.all([listBusinessCards(db, ids), listFree(db, ids, asked, now)])
  const cardOf = new Map(cards.map((card) => [card.id, card]))
  return rows.map(({ id, name, max_guests: maxGuests, note, deleted_at, hidden_at }) => {
    const card = cardOf.get(id) ?? null
    return {
      id,
      name,
      note,
      standing: deleted_at ? 'deleted' : hidden_at ? 'hidden' : 'listed',
      card,
      totalText: card && totalAskedText(asked, card, maxGuests),
      availability: card && isBookable(card) ? availabilityOf(asked, free.has(id)) : null,
    }
  })
}

/** A row of the comparison: a text for each business, and the position of the best one if there is one. */
type ComparedRow = { label: string; cells: (string | null)[]; best: number | null }

export type Comparison = {
  businesses: {
    id: string
    name: string
    picture: BusinessCardView['pictures'][number] | null
    isBookable: boolean
  }[]
  rows: ComparedRow[]
}

/** Compares businesses by what decides between them. Hidden ones are left out. @param ids at most `MAX_COMPARED` */
export async function compareBusinesses(
  db: Database,
  ids: readonly string[],
  asked: Asked,
  now: Date,
): Promise<Comparison> {
  const [cards, free, offers, views, responses] = await Promise.all([
    listBusinessCards(db, ids),
    listFree(db, ids, asked, now),
    ids.length > 0 ? listAvailability(db, ids) : new Map<string, never>(),
    Promise.all(ids.map((id) => findBusiness(db, id))),
    Promise.all(ids.map((businessId) => findResponseTimes(db, { businessId, now }))),
  ])
  const viewOf = new Map(views.flatMap((view) => (view && view !== 'gone' ? [[view.id, view]] : [])))
  const mostOf = (card: BusinessCardView) => offers.get(card.id)?.rules.maxGuests ?? null
  const totals: (Cents | null)[] = cards.map((card) => totalAsked(asked, card, mostOf(card))?.cents ?? null)
  const row = (
    label: string,
    cellOf: (card: BusinessCardView, index: number) => string | null,
    best: number | null = null,
  ): ComparedRow => ({ label, cells: cards.map(cellOf), best })
  const rows = [
    row('Price', (card) => (isBookable(card) ? priceText(card) : PRICE_ON_REQUEST_TEXT)),
    row('Total', (card) => totalAskedText(asked, card, mostOf(card)), lowestOf(totals)),
    row('That day', (card) => {
      const availability = isBookable(card) ? availabilityOf(asked, free.has(card.id)) : null
      return availability && capitalized(availability.text)
    }),
    row('Guests', (card) => {
      const most = mostOf(card)
      return most ? `Up to ${guestsText(most)}` : null
    }),
    row('Rating', ({ rating }) =>
      rating
        ? `${rating.average.toFixed(1)} of 5, ${rating.count === 1 ? '1 review' : `${rating.count} reviews`}`
        : null,
    ),
    row('Place', ({ location }) => location),
    row('Answers', (card) => {
      const response = responses[ids.indexOf(card.id)]
      return response ? (responseText(response)?.split('. ')[0] ?? null) : null
    }),
    row('Terms', (card) => {
      const view = viewOf.get(card.id)
      return view && isBookable(view) ? termsLine(view.terms) : null
    }),
  ]
  return {
    businesses: cards.map((card) => ({
      id: card.id,
      name: card.name,
      picture: card.pictures[0] ?? null,
      isBookable: isBookable(card),
    })),
    rows: rows.filter(({ cells }) => cells.some((cell) => cell !== null)),
  }
}

/** Exports an account's list. Notes that guests of the link wrote belong to the list. */
export async function exportShortlist(db: Database, userId: string): Promise<{ shortlist: object | null }> {
  const list = await db
    .selectFrom('shortlists')
    .select(['id', 'created_at', 'shared_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!list) return { shortlist: null }
  const entries = await entriesOf(db, list.id)
    .select(['business_id', 'note', 'added_at'])
    .orderBy('added_at')
    .orderBy('business_id')
    .execute()
  return {
    shortlist: {
      createdAt: list.created_at,
      sharedSince: list.shared_at,
      businesses: entries.map((entry) => ({
        businessId: entry.business_id,
        note: entry.note,
        addedAt: entry.added_at,
      })),
    },
  }
}

function entriesOf(db: Database, listId: string) {
  return db.selectFrom('shortlist_entries').where('shortlist_id', '=', listId).where('removed_at', 'is', null)
}

/** The businesses that can be booked as asked. All of them if neither a day nor guests were given. */
function listFree(db: Database, ids: readonly string[], asked: Asked, now: Date): Promise<Set<string>> {
  return listBookable(
    db,
    ids,
    {
      days: asked.date ? [asked.date] : null,
      time: asked.date && asked.time ? asked.time : null,
      guests: asked.guests,
      isSeated: false,
      hours: asked.hours,
      unitOf: (pricing) => priceAsked(asked, pricing).unit,
    },
    now,
  )
}

function availabilityOf(asked: Asked, isFree: boolean): EntryView['availability'] {
  if (asked.date) return { isFree, text: freeText(isFree, asked.date) }
  // Without a day, only the number of guests can be refused.
  return asked.guests && !isFree ? { isFree, text: `not for ${guestsText(asked.guests)}` } : null
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
