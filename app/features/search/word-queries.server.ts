import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import {
  ERA_BITS,
  eraOf,
  FEW_ERAS,
  HALF_FILLED,
  LISTINGS_IN_ERA,
  type NewestEra,
  nextStretch,
} from './era-rules.ts'
import { LISTING_TERMS } from './filter-queries.server.ts'
import type { Search } from './schema.ts'
import {
  editsOf,
  errorsForgiven,
  OCCASION_WORDS,
  searchWords,
  TRADE_WORDS,
  typingErrors,
  withoutEmptyWords,
} from './word-rules.ts'

/** A word that few listings or none have, and the words that were searched instead or as well. */
export type Correction = { typed: string; used: string[] }

/** The typed words as the database indexes them. */
export type Language = {
  words: { typed: string; stems: string[]; isKnown: boolean }[]
  /** Stems of the words that suit the occasion. */
  occasion: string[]
  newest: NewestEra
}

const eraBits = sql.lit(ERA_BITS)

/** @param needsEra whether to look up the newest era even for a search without words */
export async function understand(
  db: Database,
  search: Pick<Search, 'q' | 'occasion'>,
  needsEra: boolean,
): Promise<Language> {
  const words = searchWords(withoutEmptyWords(search.q) || search.q)
  const sameTrade = words.flatMap((word) => TRADE_WORDS.get(word) ?? [])
  const occasion = search.occasion ? OCCASION_WORDS[search.occasion] : []
  if (words.length + occasion.length === 0 && !needsEra)
    return { words: [], occasion: [], newest: { era: 0, filled: HALF_FILLED } }
  const { rows } = await sql<{
    stems: string[] | null
    is_known: boolean | null
    newest: string | null
    filled: number | null
  }>`
    select w.n, tsvector_to_array(to_tsvector('english', w.word)) as stems,
      exists (select from search_words k where k.word = w.word) as is_known, null as newest, null as filled
    from unnest(${[...words, ...sameTrade, ...occasion]}::text[]) with ordinality w (word, n)
    union all select null, null, null, newest.position::text, case when newest.position >> ${eraBits} >= ${FEW_ERAS} then (
      select count(*) from search_listings where position >= newest.position >> ${eraBits} << ${eraBits}
    )::int end
    from (select max(position) as position from search_listings) newest
    order by n nulls last`.execute(db)
  const last = rows.at(-1)
  const rowOf = (word: string) => rows[[...words, ...sameTrade].indexOf(word)]
  const occasionAt = words.length + sameTrade.length
  return {
    words: words.map((typed) => {
      const same = [typed, ...(TRADE_WORDS.get(typed) ?? [])].map(rowOf)
      return {
        typed,
        stems: [...new Set(same.flatMap((row) => row?.stems ?? []))],
        isKnown: same.some((row) => row?.is_known),
      }
    }),
    occasion: rows.slice(occasionAt, occasionAt + occasion.length).flatMap(({ stems }) => stems ?? []),
    newest: {
      era: eraOf(BigInt(last?.newest ?? 0)),
      // An era of listings from before its time has more than its number.
      filled: last?.filled ? Math.min(last.filled / LISTINGS_IN_ERA, 1) : HALF_FILLED,
    },
  }
}

/** The stems to search, one of each group, and the corrections that led to them. */
export type Interpretation = {
  groups: string[][]
  corrections: Correction[]
}

/** The words that may be typing errors. */
export type Doubt = 'unknown words' | 'rare words'

/**
 * Decides which stems to search. A word that no listing has is replaced by those one or two typing errors away. A rare
 * word also matches a far more common one.
 */
export async function interpret(
  db: Database,
  { words, newest }: Language,
  doubt: Doubt,
): Promise<Interpretation> {
  const wanted = words.filter(({ stems }) => stems.length > 0)
  const alikes = await Promise.all(
    wanted.map((word) => (word.isKnown && doubt === 'unknown words' ? [] : listAlike(db, word, newest.era))),
  )
  const corrections: Correction[] = []
  const groups: string[][] = []
  for (const [index, { typed, stems }] of wanted.entries()) {
    const alike = alikes[index] ?? []
    if (alike.length > 0) corrections.push({ typed, used: alike.map(({ word }) => word) })
    groups.push([...new Set([...stems, ...alike.flatMap((word) => word.stems)])])
  }
  return { groups, corrections }
}

/** A rare word is corrected only to a word that is this many times as common in the newest listings. */
const TIMES_MORE_COMMON = 20
const COUNTED_ALIKE = 200
const MAX_ALIKE = 3

/** Known words that the visitor may have meant, likeliest first. */
async function listAlike(
  db: Database,
  { typed, stems, isKnown }: Language['words'][number],
  era: number,
): Promise<{ word: string; stems: string[] }[]> {
  // A known word that is two errors away from a common one is a different word.
  const forgiven = Math.min(errorsForgiven(typed), isKnown ? 1 : 2)
  if (forgiven === 0) return []
  const eras = nextStretch(era, -1, null)?.markers ?? []
  const countOf = (terms: RawBuilder<unknown>, most: number) => sql<string | number>`(select count(*) from (
    select from search_listings where ${LISTING_TERMS} && ${eras}::text[] and ${LISTING_TERMS} @> ${terms}
    limit ${most}) counted)`
  // An unknown word isn't an error if listings have another form of it: 'venue' where all have 'venues'.
  const most = isKnown ? COUNTED_ALIKE / TIMES_MORE_COMMON : 1
  const counting = sql<{ count: string | number }>`select ${countOf(sql`${stems}::text[]`, most)} as count`
    .execute(db)
    .then((counted) => Number(counted.rows[0]?.count ?? 0))
  // Words one error away are looked up directly. Words two errors away, if long, are found by their trigrams. Each
  // direct lookup is separate, so that only the primary key can serve it. For `= any` of hundreds, the planner may
  // choose the trigram index, which takes a thousand times as long.
  const near =
    forgiven === 1
      ? sql`select known.word from unnest(${editsOf(typed)}::text[]) edit (word)
          cross join lateral (select word from search_words where search_words.word = edit.word limit 1) known`
      : sql`select word from search_words where word % ${typed} order by similarity(word, ${typed}) desc, word limit 20`
  const list = async () => {
    const { rows } = await sql<{ word: string; stems: string[]; count: string | number }>`
      select near.word, stem.stems, ${countOf(sql`stem.stems`, COUNTED_ALIKE)} as count
      from (${near}) near
      cross join lateral (select tsvector_to_array(to_tsvector('english', near.word)) as stems) stem
      where cardinality(stem.stems) > 0`.execute(db)
    return rows
  }
  // Most known words are common enough. An unknown one seldom is, so both are asked at the same time.
  const listing = isKnown ? null : list()
  const [own] = await Promise.all([counting, listing])
  // No other word can be counted as that much more common.
  if (own >= most) return []
  const rows = await (listing ?? list())
  const ranked = rows
    .filter(({ word }) => word !== typed)
    .map(({ word, stems, count }) => ({
      word,
      stems,
      count: Number(count),
      errors: typingErrors(typed, word),
    }))
    .filter(({ errors, count }) => errors <= forgiven && (!isKnown || count >= (own + 1) * TIMES_MORE_COMMON))
    .map((each) => ({ ...each, weight: (each.count + 1) / TIMES_MORE_COMMON ** each.errors }))
    .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
  const best = ranked[0]
  // Other words are about as likely only if their weight is at least a quarter of the best.
  return best ? ranked.filter(({ weight }) => weight * 4 >= best.weight).slice(0, MAX_ALIKE) : []
}
