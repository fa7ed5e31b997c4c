import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PGliteDialect,
  PostgresAdapter,
  type QueryResult,
} from 'kysely'
import { isUnavailable } from './failures.ts'
import type { PgliteThread } from './pglite-thread.server.ts'

/**
 * Kysely's dialect for PGlite, but with a connection for each query. Kysely's own has one for all, so that statements of
 * one `Promise.all` wait for one another here, and each costs a message to the thread and back. The thread lets a
 * transaction run alone.
 */
export class PgliteThreadDialect extends PGliteDialect {
  readonly #thread: PgliteThread

  readonly #onUnavailable: () => void

  /** @param onUnavailable called in the caller's async context when the database can't serve */
  constructor(thread: PgliteThread, onUnavailable: () => void = () => {}) {
    super({ pglite: thread })
    this.#thread = thread
    this.#onUnavailable = onUnavailable
  }

  // As PostgreSQL's: several connections, and transactional DDL.
  override createAdapter(): PostgresAdapter {
    return new PostgresAdapter()
  }

  override createDriver(): ReturnType<PGliteDialect['createDriver']> {
    return new ThreadDriver(this.#thread, this.#onUnavailable) as unknown as ReturnType<
      PGliteDialect['createDriver']
    >
  }
}

class ThreadDriver implements Driver {
  readonly #thread: PgliteThread

  readonly #onUnavailable: () => void

  constructor(thread: PgliteThread, onUnavailable: () => void) {
    this.#thread = thread
    this.#onUnavailable = onUnavailable
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<ThreadConnection> {
    return new ThreadConnection(this.#thread, this.#onUnavailable)
  }

  async releaseConnection(): Promise<void> {}

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as ThreadConnection).begin()
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as ThreadConnection).end(true)
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as ThreadConnection).end(false)
  }

  destroy(): Promise<void> {
    return this.#thread.close()
  }
}

type Transaction = Parameters<Parameters<PgliteThread['transaction']>[0]>[0]

/** The caller's rollback, which ends the thread's transaction by an error. */
const ROLLED_BACK = new Error('rolled back')

class ThreadConnection implements DatabaseConnection {
  readonly #thread: PgliteThread
  #open: { tx: Transaction; decide: (commit: boolean) => void; done: Promise<void> } | null = null

  readonly #onUnavailable: () => void

  constructor(thread: PgliteThread, onUnavailable: () => void) {
    this.#thread = thread
    this.#onUnavailable = onUnavailable
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affectedRows } = await this.#noting(
      (this.#open?.tx ?? this.#thread).query<Row>(sql, [...parameters]),
    )
    return { rows, ...(affectedRows === undefined ? {} : { numAffectedRows: BigInt(affectedRows) }) }
  }

  /** Passes an answer on, and tells of a failure that concerns every statement. */
  async #noting<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer
    } catch (error) {
      if (isUnavailable(error)) this.#onUnavailable()
      throw error
    }
  }

  // biome-ignore lint/correctness/useYield: as Kysely's own, for an embedded database
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('The embedded database has no streams.')
  }

  async begin(): Promise<void> {
    const begun = Promise.withResolvers<Transaction>()
    const decided = Promise.withResolvers<boolean>()
    const done = this.#thread.transaction(async (tx) => {
      begun.resolve(tx)
      if (!(await decided.promise)) throw ROLLED_BACK
    })
    done.catch(begun.reject)
    this.#open = { tx: await begun.promise, decide: decided.resolve, done }
  }

  async end(commit: boolean): Promise<void> {
    const open = this.#open
    this.#open = null
    open?.decide(commit)
    try {
      await this.#noting(open?.done ?? Promise.resolve())
    } catch (error) {
      if (error === ROLLED_BACK) return
      // A statement failed and its error was caught: the transaction can only be rolled back.
      if (error instanceof Error && 'code' in error && error.code === '25P02')
        throw new AbortedTransactionError({ cause: error })
      if (commit) throw error
    }
  }
}
