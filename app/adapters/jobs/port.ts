import type { DatabaseTransaction } from '../database/port.ts'

/** The data of every job. Features add theirs by augmenting this interface in their jobs.server.ts. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features' augmentations.
export interface JobData {}

export type JobName = keyof JobData & string

/** 'failed' jobs have used up their retries. */
export type JobState = 'waiting' | 'running' | 'failed'

export interface Jobs {
  /**
   * Queues a job inside an open transaction. It exists if and only if the transaction commits.
   * @param options.startAfter the earliest time to run it
   */
  enqueue<Name extends JobName>(
    tx: DatabaseTransaction,
    name: Name,
    data: JobData[Name],
    options?: { startAfter?: Date },
  ): Promise<void>
  /**
   * Sets a job's handler, which runs at least once per job. If it throws, the job is retried after growing pauses. Call
   * this before `start`.
   */
  handle<Name extends JobName>(name: Name, work: (data: JobData[Name]) => Promise<void>): void
  /**
   * Runs a handled job repeatedly, in one process at a time. Call this before `start`.
   * @param cron five fields, in UTC, with a resolution of one minute
   */
  schedule<Name extends JobName>(name: Name, cron: string, data: JobData[Name]): void
  /**
   * Lets scheduled jobs wait in this process; queued ones run.
   * @param until whether those that waited run then. Dropped ones come again at their next time
   */
  holdSchedules(until: Promise<boolean>): void
  /** Queues every scheduled job that isn't waiting already, to run at once, if the transaction commits. */
  runSchedules(tx: DatabaseTransaction): Promise<void>
  /** Counts jobs by name and state, without completed ones, and without scheduled ones whose next run has made up for a failure. */
  count(): Promise<{ name: string; state: JobState; count: number }[]>
  start(): Promise<void>
  /**
   * Stops taking jobs and lets running ones finish. Jobs that are still running at the limit are retried, here or in
   * another process. Jobs can still be enqueued.
   * @param limitMs at least a second
   */
  stop(limitMs: number): Promise<void>
}
