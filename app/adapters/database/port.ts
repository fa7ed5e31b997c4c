import type { Kysely, Transaction } from 'kysely'

/**
 * Every table of the product. Each feature adds its own in its `tables.server.ts` by augmenting this interface, so that
 * joins are typed without importing another feature's tables.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features' augmentations.
export interface Tables {}

export type Database = Kysely<Tables>
/** An open transaction. On PGlite the outer handle waits for it to end, so pass this one down, never both. */
export type DatabaseTransaction = Transaction<Tables>

export type ChannelListener = {
  onMessage(payload: string): void
  /** The connection broke. Messages are missed from now on. */
  onLost(): void
  /** The connection is back. Messages sent in between are lost. */
  onReconnect(): void
}

/** The kind of database, its Kysely handle, and the few features that Kysely lacks. */
export type DatabaseConnection = {
  kind: 'pglite' | 'postgres'
  db: Database
  /** Runs several statements in one script (migrations). */
  executeScript(sql: string): Promise<void>
  /**
   * Receives every pg_notify on a channel, after its transaction has committed.
   * @returns stops listening
   */
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>
  /** Runs work under a lock that all processes on this database share (migrations). */
  withLock<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}
