import type { DatabaseTransaction } from '../database/port.ts'

/** What has changed, and whose it is: `bookings:{business id}`, `business:{id}`, … Never the data itself. */
export type Topic = `${string}:${string}`

/** What a page that is open in a browser hears of. What cached pages hear of, the tables tell by themselves. */
export type LiveTopic = `${'booking' | 'bookings' | 'calendar' | 'notifications' | 'session'}:${string}`

export interface LiveUpdates {
  /** Says that something changed, once the transaction commits. */
  publish(tx: DatabaseTransaction, topic: LiveTopic): Promise<void>
  /**
   * Hears of changes in any process.
   * @param onChange also called for every topic after the database connection was lost and is back
   * @returns stops listening
   */
  subscribe(topics: readonly LiveTopic[], onChange: (topic: LiveTopic) => void): () => void
  /** How many subscriptions there are in this process. */
  subscribers(): number
  /** Hears of every change of any topic in any process, for as long as this process lives. */
  follow(follower: Follower): void
}

export type Follower = {
  onChange(topic: Topic): void
  /** From now on changes are missed. */
  onLost(): void
  /** Changes are heard again; those in between are not told. */
  onReconnect(): void
}
