import { normalForm } from '../../shared/normal-form.ts'

/** A part of an article. Steps are numbered, points are not. */
export type HelpSection = {
  heading?: string
  paragraphs?: readonly string[]
  steps?: readonly string[]
  points?: readonly string[]
}

/** A screen of the product that an article leads to. */
export type HelpPlace =
  | 'search'
  | 'shortlist'
  | 'messages'
  | 'my-bookings'
  | 'signup'
  | 'payment'
  | 'settings'
  | 'listings'
  | 'registration'
  | 'availability'
  | 'calendar'
  | 'bookings'
  | 'inbox'
  | 'payouts'

export type HelpArticle = {
  slug: string
  audience: 'customers' | 'vendors'
  title: string
  summary: string
  sections: readonly HelpSection[]
  /** Where to do what the article is about. */
  links?: readonly { label: string; to: HelpPlace }[]
  /** The slugs of articles to read next. */
  related: readonly string[]
  /** Only where vendors are paid by us. */
  needsPayouts?: boolean
}

export const MAX_HELP_QUERY = 100

/** Words that say nothing about the subject. */
const STOP_WORDS = new Set(
  'a an and are at be by can do does for from get have how i if in is it me my not of on or our that the their to was we what when where who why will with you your'.split(
    ' ',
  ),
)

const wordsOf = (text: string) =>
  normalForm(text.toLowerCase(), 'NFKD')
    .replaceAll(/[’']/g, '')
    .match(/[a-z0-9]+/g) ?? []

/** 'refunds' and 'refund', 'cancelling' and 'cancel', 'cancelled' and 'cancel' have the same stem. */
const stemOf = (word: string) =>
  word.length < 5 ? word : word.replace(/(?:ations?|ings?|ed|ies|es|s|y|e)$/, '').replace(/(.)\1$/, '$1')

/** The part of an article's address that leads to a section: 'what-you-pay'. */
export const partOf = (heading: string) => wordsOf(heading).join('-')

const textOf = ({ sections }: HelpArticle) =>
  sections
    .flatMap(({ heading = '', paragraphs = [], steps = [], points = [] }) => [
      heading,
      ...paragraphs,
      ...steps,
      ...points,
    ])
    .join(' ')

/**
 * Finds articles by words, best first. A word counts most in the title, then in the summary, then in the text.
 * @param query as typed
 * @returns articles that have every word that says something; if none has, those with any of them
 */
export function searchArticles(articles: readonly HelpArticle[], query: string): HelpArticle[] {
  const words = wordsOf(query.slice(0, MAX_HELP_QUERY)).filter((word) => !STOP_WORDS.has(word))
  const stems = [...new Set(words.map(stemOf))]
  if (stems.length === 0) return []
  const scored = articles.map((article) => {
    const parts = [article.title, article.summary, textOf(article)].map(
      (text) => new Set(wordsOf(text).map(stemOf)),
    )
    const scores = stems.map((stem) =>
      [5, 3, 1].reduce((sum, weight, at) => sum + (parts[at]?.has(stem) ? weight : 0), 0),
    )
    return {
      article,
      found: scores.filter((score) => score > 0).length,
      score: scores.reduce((a, b) => a + b, 0),
    }
  })
  const most = Math.max(...scored.map(({ found }) => found))
  if (most === 0) return []
  return scored
    .filter(({ found }) => found === most)
    .sort((one, other) => other.score - one.score)
    .map(({ article }) => article)
}
