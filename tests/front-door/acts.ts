import type { Answer } from './history-client.ts'
import type { Hands, Person, World } from './world.ts'

/** Something that people do. It looks at what the product offers, chooses, and says what came of it. */
export type Act = {
  name: string
  /** The people of whom one does it; empty if nobody does (a bank, time). */
  by: readonly Person['kind'][]
  /** How often it happens beside the others. */
  weight: number
  /** Whether this person could find something to do. Without it, anybody could. */
  finds?(person: Person, world: World): boolean
  /** @returns a word or two for the log */
  perform(hands: Hands): Promise<string>
}

/** The outcome of a request for the log. */
export function outcomeOf(answer: Answer | null): string {
  if (!answer) return 'not offered'
  return answer.status === 0 ? 'no answer' : String(answer.status)
}

/** Whether the product has acknowledged a form: by its page, or by leading on. */
export const isDone = (answer: Answer | null): boolean => answer?.status === 200 || answer?.status === 302

export const CUSTOMERS = ['customer', 'guest'] as const

/** Those who have a booking of their own, or a vendor once anybody has. */
export const withBooking = ({ kind, links }: Person, world: World): boolean =>
  kind === 'vendor' ? world.people.some((one) => one.links.length > 0) : links.length > 0

/** The same of a conversation. */
export const withTalk = ({ kind, talks }: Person, world: World): boolean =>
  kind === 'vendor' ? world.people.some((one) => one.talks.length > 0) : talks.length > 0

export const withPayment = (_: Person, world: World): boolean => world.references.size > 0
