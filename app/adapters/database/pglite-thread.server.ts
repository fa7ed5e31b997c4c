import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { Message, Request, SentError } from './pglite-worker.server.ts'

/** Development and tests run the sources. The build puts the worker beside its bundle. */
const [WORKER_FILE, CREATE_FILE] = import.meta.url.endsWith('.ts')
  ? ['./pglite-worker.server.ts', './pglite-create.server.ts']
  : ['./pglite-worker.js', './pglite-create.js']

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
type Pending = { resolve(result: unknown): void; reject(error: Error): void }
type WithoutId<R> = R extends unknown ? Omit<R, 'id'> : never

/**
 * A PGlite on its own worker thread, with the parts of its interface that Kysely and the job queue use. While a
 * transaction is open, every query outside it waits.
 */
export class PgliteThread implements Handle {
  readonly ready = true
  readonly waitReady = Promise.resolve()
  closed = false
  #isClosing = false
  #isOpen = false
  readonly #worker: Worker
  readonly #pending = new Map<number, Pending>()
  readonly #listeners = new Map<number, (payload: string) => void>()
  #lastId = 0
  /** The requests of this turn, which are sent together. */
  #unsent: Request[] = []
  #roundTrips = 0

  private constructor() {
    this.#worker = new Worker(new URL(WORKER_FILE, import.meta.url), {
      name: 'database',
      // The process's own options, such as --eval, must not apply to the thread.
      execArgv: [],
    })
    this.#worker.on('message', (messages: Message[]) => {
      for (const message of messages) this.#hear(message)
    })
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('exit', () => {
      if (!this.closed) this.#end(new Error('its thread exited'))
    })
  }

  /**
   * Starts the thread and opens the database on it.
   * @param dataFolder the folder of its files, or null for a database in memory
   * @param dump the initial data directory, made by `dumpDataDir`
   */
  static async open(dataFolder: string | null, dump?: Blob): Promise<PgliteThread> {
    if (dataFolder && !dump && !existsSync(dataFolder)) await createDataFolder(dataFolder)
    const thread = new PgliteThread()
    try {
      await thread.#ask({ kind: 'open', dataFolder, dump })
      thread.#isOpen = true
      return thread
    } catch (error) {
      thread.closed = true
      await thread.#worker.terminate()
      throw error
    }
  }

  /** How often the thread has been asked. Statements that are sent in the same turn are one round trip. */
  get roundTrips(): number {
    return this.#roundTrips
  }

  async query<Row>(sql: string, parameters: unknown[] = []): Promise<QueryResult<Row>> {
    return this.#handle(null).query(sql, parameters)
  }

  async exec(sql: string): Promise<{ rows: object[] }[]> {
    return this.#handle(null).exec(sql)
  }

  /** Commits when the work resolves, rolls back when it throws. */
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

  /** Waits for pending requests, flushes all data to disk and ends the thread. */
  async close(): Promise<void> {
    if (this.closed || this.#isClosing) return
    // The thread may exit in the very moment in which its answer arrives, before this function goes on.
    this.#isClosing = true
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
      this.#pending.set(id, { resolve, reject })
      // After all that can run now has run: statements of one `Promise.all` then cost one message to the thread.
      if (this.#unsent.length === 0) process.nextTick(() => this.#flush())
      this.#unsent.push({ id, ...request })
    }
    return { id, answer: promise }
  }

  #flush(): void {
    const requests = this.#unsent
    this.#unsent = []
    this.#roundTrips++
    try {
      this.#worker.postMessage(requests)
    } catch {
      for (const request of requests) this.#sendAlone(request)
    }
  }

  /** For requests of which one can't be cloned, such as a function among its parameters. */
  #sendAlone(request: Request): void {
    try {
      this.#worker.postMessage([request])
    } catch (error) {
      this.#pending.get(request.id)?.reject(error as Error)
      this.#pending.delete(request.id)
    }
  }

  #hear(message: Message): void {
    if (message.kind === 'notification') {
      this.#listeners.get(message.id)?.(message.payload)
      return
    }
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (message.kind === 'result') pending?.resolve(message.result)
    else pending?.reject(toError(message.error))
  }

  /** Throws where nothing catches it: without its database the process must end, and report why. */
  #end(cause: Error): void {
    if (this.closed) return
    this.closed = true
    const error = new Error(`The embedded database has stopped: ${cause.message}`, { cause })
    for (const pending of this.#pending.values()) pending.reject(error)
    this.#pending.clear()
    // Files that can't be opened are the caller's to report.
    if (this.#isOpen && !this.#isClosing) throw error
  }
}

const runProcess = promisify(execFile)

/**
 * Creates a database's files in a process of their own, since this one would keep most of the memory that it takes. The folder gets its
 * name once it is complete, so a killed start leaves nothing that the next one would open.
 */
async function createDataFolder(folder: string): Promise<void> {
  const parent = dirname(folder)
  const unfinished = `${basename(folder)}.new-`
  for (const name of readdirSync(parent))
    if (name.startsWith(unfinished))
      rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 5 })
  const created = mkdtempSync(join(parent, unfinished))
  // A process of a few seconds doesn't earn back what optimising the engine's code costs: a second of a core.
  await runProcess(process.execPath, [
    '--liftoff-only',
    fileURLToPath(new URL(CREATE_FILE, import.meta.url)),
    created,
  ])
  renameSync(created, folder)
}

/** Restores an error with `code`, `detail`, `constraint` and so on, which identify conflicts. */
function toError({ message, fields }: SentError): Error {
  return Object.assign(new Error(message), fields)
}
