import type { DatabaseTransaction } from '../database/port.ts'

/** Every job and what it carries. Features add theirs by augmenting this interface in their jobs.server.ts. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features' augmentations.
export interface JobData {}

export type JobName = keyof JobData & string

/** 'failed' ones were tried as often as they may be. */
export type JobState = 'waiting' | 'running' | 'failed'

export interface Jobs {
  /**
   * Puts a job into the queue as part of an open transaction: it exists exactly when the transaction commits.
   * @param startAfter not before this moment
   */
  enqueue<Name extends JobName>(
    tx: DatabaseTransaction,
    name: Name,
    data: JobData[Name],
    options?: { startAfter?: Date },
  ): Promise<void>
  /**
   * Says what a job does. Runs at least once for each job; a throw means 'try again later', with growing pauses.
   * Call it before `start`.
   */
  handle<Name extends JobName>(name: Name, work: (data: JobData[Name]) => Promise<void>): void
  /**
   * Runs a handled job again and again, in one process at a time. Call it before `start`.
   * @param cron five fields, in UTC; a minute is the finest step
   */
  schedule<Name extends JobName>(name: Name, cron: string, data: JobData[Name]): void
  /** How many jobs there are, by name and state; those that are done are left out. */
  count(): Promise<{ name: string; state: JobState; count: number }[]>
  start(): Promise<void>
  /**
   * Takes no more, finishes what runs and hands back what is not done by then: it is tried again, here or in another
   * process. Jobs can still be enqueued.
   * @param limitMs a second or more
   */
  stop(limitMs: number): Promise<void>
}
