import type { DatabaseTransaction } from '../database/port.ts'

/** The kind and owner of a change: `bookings:{business id}`, `business:{id}`, … Never the data itself. */
export type Topic = `${string}:${string}`

/** A topic for pages that are open in a browser. Topics for cached pages are published by the tables' triggers. */
export type LiveTopic =
  `${'booking' | 'bookings' | 'calendar' | 'clock' | 'conversation' | 'desk' | 'inbox' | 'notifications' | 'operations' | 'payouts' | 'session' | 'shortlist'}:${string}`

export interface LiveUpdates {
  /** Announces changes once the transaction commits. */
  publish(tx: DatabaseTransaction, ...topics: LiveTopic[]): Promise<void>
  /**
   * Subscribes to changes made in any process.
   * @param onChange also called for every topic after a lost database connection is back
   * @returns stops listening
   */
  subscribe(topics: readonly LiveTopic[], onChange: (topic: LiveTopic) => void): () => void
  /**
   * Whether one of the topics may have changed in the last `withinMs`. Also true if this process can't know: it was
   * started or cut off from the database since, or the time is longer than it remembers.
   */
  mayHaveChanged(topics: Iterable<Topic>, withinMs: number): boolean
  /** The number of subscriptions in this process. */
  subscribers(): number
  /** Follows every topic's changes in any process, for as long as this process lives. */
  follow(follower: Follower): void
}

export type Follower = {
  onChange(topic: Topic): void
  /** Changes are missed from now on. */
  onLost(): void
  /** Changes arrive again. Those in between are lost. */
  onReconnect(): void
}
