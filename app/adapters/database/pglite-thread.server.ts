import { Worker } from 'node:worker_threads'
import type { Message, Request, SentError } from './pglite-worker.server.ts'

/** Sources run as they are in development and in tests; the build puts the worker beside its one bundle. */
const WORKER_FILE = import.meta.url.endsWith('.ts') ? './pglite-worker.server.ts' : './pglite-worker.js'

type Handle = {
  query<Row>(sql: string, parameters?: unknown[]): Promise<QueryResult<Row>>
  exec(sql: string): Promise<{ rows: object[] }[]>
}
type TransactionHandle = Handle & { rollback(): Promise<void> }
type QueryResult<Row> = {
  rows: Row[]
  affectedRows?: number
  fields: { name: string; dataTypeID: number }[]
}
type Asked = { resolve(result: unknown): void; reject(error: Error): void }
type WithoutId<R> = R extends unknown ? Omit<R, 'id'> : never

/**
 * A PGlite on a thread of its own, with what Kysely and the job queue use of one. Transactions are its own: while one
 * is open, whatever does not belong to it waits.
 */
export class PgliteThread implements Handle {
  readonly ready = true
  readonly waitReady = Promise.resolve()
  closed = false
  readonly #worker: Worker
  readonly #asked = new Map<number, Asked>()
  readonly #listeners = new Map<number, (payload: string) => void>()
  #lastId = 0

  private constructor() {
    this.#worker = new Worker(new URL(WORKER_FILE, import.meta.url), {
      name: 'database',
      // What the process was started with, such as --eval, is not for the thread.
      execArgv: [],
    })
    this.#worker.on('message', (message: Message) => this.#hear(message))
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('exit', () => {
      if (!this.closed) this.#end(new Error('its thread ended'))
    })
  }

  /**
   * Starts the thread and opens the database on it.
   * @param dataFolder where it keeps its files, or null for one in memory
   * @param dump a data directory made by `dumpDataDir`, to start from
   */
  static async open(dataFolder: string | null, dump?: Blob): Promise<PgliteThread> {
    const thread = new PgliteThread()
    try {
      await thread.#ask({ kind: 'open', dataFolder, dump })
      return thread
    } catch (error) {
      thread.closed = true
      await thread.#worker.terminate()
      throw error
    }
  }

  async query<Row>(sql: string, parameters: unknown[] = []): Promise<QueryResult<Row>> {
    return this.#handle(null).query(sql, parameters)
  }

  async exec(sql: string): Promise<{ rows: object[] }[]> {
    return this.#handle(null).exec(sql)
  }

  /** Commits when the work is done, rolls back when it throws. */
  async transaction<Result>(work: (tx: TransactionHandle) => Promise<Result>): Promise<Result> {
    const { id, answer } = this.#send({ kind: 'begin' })
    await answer
    let open = true
    const end = async (commit: boolean) => {
      if (!open) return
      open = false
      await this.#ask({ kind: 'end', transaction: id, commit })
    }
    try {
      const result = await work({ ...this.#handle(id), rollback: () => end(false) })
      await end(true)
      return result
    } catch (error) {
      await end(false)
      throw error
    }
  }

  /** @returns stops listening */
  async listen(channel: string, onMessage: (payload: string) => void): Promise<() => Promise<void>> {
    const { id, answer } = this.#send({ kind: 'listen', channel })
    this.#listeners.set(id, onMessage)
    await answer
    return async () => {
      this.#listeners.delete(id)
      await this.#ask({ kind: 'unlisten', listener: id })
    }
  }

  /** The whole data directory as an uncompressed tar. */
  async dumpDataDir(): Promise<Uint8Array> {
    return (await this.#ask({ kind: 'dump' })) as Uint8Array
  }

  /** Waits for what was asked before, writes everything down and ends the thread. */
  async close(): Promise<void> {
    if (this.closed) return
    await this.#ask({ kind: 'close' })
    this.closed = true
    await this.#worker.terminate()
  }

  #handle(transaction: number | null): Handle {
    return {
      query: async <Row>(sql: string, parameters: unknown[] = []) =>
        (await this.#ask({ kind: 'query', sql, parameters, transaction })) as QueryResult<Row>,
      exec: async (sql) => (await this.#ask({ kind: 'exec', sql, transaction })) as { rows: object[] }[],
    }
  }

  #ask(request: WithoutId<Request>): Promise<unknown> {
    return this.#send(request).answer
  }

  #send(request: WithoutId<Request>): { id: number; answer: Promise<unknown> } {
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    if (this.closed) reject(new Error('The database is closed.'))
    else {
      // Throws for what can't be sent, such as a function among the parameters.
      this.#worker.postMessage({ id, ...request })
      this.#asked.set(id, { resolve, reject })
    }
    return { id, answer: promise }
  }

  #hear(message: Message): void {
    if (message.kind === 'notification') {
      this.#listeners.get(message.id)?.(message.payload)
      return
    }
    const asked = this.#asked.get(message.id)
    this.#asked.delete(message.id)
    if (message.kind === 'result') asked?.resolve(message.result)
    else asked?.reject(toError(message.error))
  }

  /** Thrown where nothing catches it: without its database the process has to end, and to say why. */
  #end(cause: Error): void {
    if (this.closed) return
    this.closed = true
    const error = new Error(`The embedded database has stopped: ${cause.message}`, { cause })
    for (const asked of this.#asked.values()) asked.reject(error)
    this.#asked.clear()
    throw error
  }
}

/** With `code`, `detail`, `constraint` and the like, by which conflicts are told apart. */
function toError({ message, fields }: SentError): Error {
  return Object.assign(new Error(message), fields)
}
