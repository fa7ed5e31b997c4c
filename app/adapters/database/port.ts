import type { Kysely, Transaction } from 'kysely'

/**
 * Every table of the product. Each feature adds its own in its `tables.server.ts` by augmenting this
 * interface, so that no feature has to import another one's tables for a join to be typed.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features' augmentations.
export interface Tables {}

export type Database = Kysely<Tables>
/** An open transaction. On PGlite the outer handle waits for it: pass this one down, never both. */
export type DatabaseTransaction = Transaction<Tables>

export type ChannelListener = {
  onMessage(payload: string): void
  /** The connection broke: from now on messages are missed. */
  onLost(): void
  /** It is back; what was said in between is gone. */
  onReconnect(): void
}

/** What the database is, and the few things that Kysely does not cover. */
export type DatabaseConnection = {
  kind: 'pglite' | 'postgres'
  db: Database
  /** Runs several statements at once (migrations). */
  executeScript(sql: string): Promise<void>
  /**
   * Hears every pg_notify on a channel, after its transaction committed.
   * @returns stops listening
   */
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>
  /** Runs work while no other process of this database does the same (migrations). */
  withLock<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}
