import { Kysely, type LogEvent, PostgresDialect } from 'kysely'
import pg from 'pg'
import { addressesOfHosts } from './hosts.ts'
import type { ChannelListener, DatabaseConnection, Tables } from './port.ts'

/** A real PostgreSQL. */
export type PostgresConnection = DatabaseConnection & {
  kind: 'postgres'
  url: string
  /** The pool's connections at present, and how many wait for one. */
  pool(): { open: number; idle: number; waiting: number }
  /** A few connections beside the pool, for who must not wait behind requests (the job queue). Closes with the rest. */
  openSecondPool(max: number): {
    query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
    close(): Promise<void>
  }
}

export type PostgresOptions = {
  /** Told, in the context of who asked, that the database can't be reached or does not answer in time. */
  onUnavailable?: () => void
  /** Whether a statement may take as long as it takes (backups) or is ended, here and there. */
  areStatementsLimited?: boolean
  /** Told of each statement when it is over. */
  onStatement?: ((event: LogEvent) => void) | null
}

// One number for the whole product: whoever holds it migrates.
const MIGRATION_LOCK = 728_311

const RECONNECT_AFTER_MS = 1_000
const MAX_CONNECTIONS = 10
/** For opening a connection, and for waiting until one is free. */
const CONNECT_MS = 5_000
/**
 * Beyond this nobody joins the queue for a connection: waiting longer than `CONNECT_MS` would be for nothing. At some
 * hundred statements a second it is a second or two: a crowd of hundreds of browsers is served late, not sent away.
 */
const MAX_WAITING = 500
const STATEMENT_MS = 30_000
/** For a server that is gone without a word: it should have ended the statement itself by then. */
const ANSWER_MS = STATEMENT_MS + 5_000
const IDLE_IN_TRANSACTION_MS = 60_000
const KEEP_ALIVE_AFTER_MS = 5_000
/**
 * A search that takes 2 ms was given helpers that took 35 ms to start, on a market of a million; compiling costs as much.
 * `options` in the address goes before it.
 */
const SESSION_OPTIONS = '-c max_parallel_workers_per_gather=0 -c jit=off'

/** Nobody waits for a connection behind so many others. */
class DatabaseBusy extends Error {
  constructor() {
    super(`${MAX_WAITING} wait for a database connection already.`)
    this.name = 'DatabaseBusy'
  }
}

/**
 * What PostgreSQL says when not the statement is wrong but the server can't do it now: connection exceptions, too many
 * connections, shutting down or starting up, a statement that took too long, a standby (PostgreSQL, appendix A).
 */
const UNAVAILABLE = /^(08|53300|57P0[1-5]|57014|25006)/

/**
 * Opens a pool on a PostgreSQL.
 * @param url a postgres:// address; of several hosts the one that takes writes is used, also after a failover
 * @param onError told of connections that break while idle; the pool replaces them
 */
export function openPostgres(
  url: string,
  onError: (error: Error) => void,
  options: PostgresOptions = {},
): PostgresConnection {
  const { onUnavailable = () => {} } = options
  const Client = clientFor(url, options)
  const openPool = (max: number) => {
    const pool = new pg.Pool({ max, connectionTimeoutMillis: CONNECT_MS, Client })
    pool.on('error', onError)
    return pool
  }
  const pool = openPool(MAX_CONNECTIONS)

  /** Each host has its turn: the one that was left last may be the standby, or gone. */
  async function connectTo(to: pg.Pool): Promise<InstanceType<typeof Client> & pg.PoolClient> {
    for (let left = Client.hosts - 1; ; left--) {
      try {
        if (to.waitingCount >= MAX_WAITING) throw new DatabaseBusy()
        return (await to.connect()) as InstanceType<typeof Client> & pg.PoolClient
      } catch (error) {
        if (left > 0 && !(error instanceof DatabaseBusy)) continue
        onUnavailable()
        throw error
      }
    }
  }
  const connect = () => connectTo(pool)

  /** @returns what `work` gives, on a connection whose statements may take as long as they take */
  async function withoutLimits<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connect()
    const { answerMs } = client
    try {
      client.answerMs = null
      await client.query('set statement_timeout = 0')
      const result = await work(client)
      await client.query('reset statement_timeout')
      client.answerMs = answerMs
      client.release()
      return result
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } }),
    ...(options.onStatement ? { log: options.onStatement } : {}),
  })
  const closers = new Set<() => Promise<void>>()
  return {
    kind: 'postgres',
    db,
    url,
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    openSecondPool(max) {
      const second = openPool(max)
      const close = async () => {
        if (!second.ending) await second.end()
        closers.delete(close)
      }
      closers.add(close)
      return { query: async (text, values) => queryOn(await connectTo(second), text, values), close }
    },
    async executeScript(sql) {
      await withoutLimits((client) => client.query(sql))
    },
    async listen(channel, listener) {
      const stop = await listenOnOwnConnection(() => new Client(), channel, listener, onError)
      closers.add(stop)
      return async () => {
        closers.delete(stop)
        await stop()
      }
    },
    withLock: (work) =>
      withoutLimits(async (client) => {
        await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
        try {
          return await work()
        } finally {
          await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
        }
      }),
    async close() {
      for (const stop of closers) await stop()
      await db.destroy()
      // Kysely ends the pool only if a query went through Kysely.
      if (!pool.ending) await pool.end()
    },
  }
}

/** Runs one text on a connection of its own, and gives the connection back. */
async function queryOn(client: pg.PoolClient, text: string, values?: unknown[]): Promise<pg.QueryResult> {
  try {
    const answer = await client.query(text, values)
    client.release()
    return answer
  } catch (error) {
    // A transaction that the text began may still be open on it, aborted.
    client.release(true)
    throw error
  }
}

/**
 * The driver's client with what it does not do itself: it keeps to the host that takes writes (the driver knows no
 * address with several hosts), and gives up a connection on which no answer comes.
 */
function clientFor(url: string, { areStatementsLimited, onUnavailable = () => {} }: PostgresOptions) {
  const addresses = addressesOfHosts(url) ?? [url]
  let present = 0

  return class extends pg.Client {
    static readonly hosts = addresses.length
    readonly #host = present
    #isGivenUp = false
    answerMs: number | null = areStatementsLimited ? ANSWER_MS : null

    constructor() {
      super({
        connectionString: addresses[present],
        connectionTimeoutMillis: CONNECT_MS,
        options: SESSION_OPTIONS,
        // Ten probes, a second apart, after this: a host that is gone without a word is found out.
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
        ...(areStatementsLimited
          ? {
              statement_timeout: STATEMENT_MS,
              idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
            }
          : {}),
      })
      // One that breaks between two statements would end the process; the next statement says it.
      this.on('error', () => {})
    }

    async #connectToPrimary(): Promise<this> {
      try {
        await super.connect()
        if (addresses.length === 1) return this
        const { rows } = await super.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
        if (rows[0]?.standby) throw new Error('This host is a standby.')
        return this
      } catch (error) {
        // Whoever connects next tries the next one. Many may fail at once: one step for all of them.
        if (present === this.#host) present = (present + 1) % addresses.length
        void super.end().catch(() => {})
        throw error
      }
    }

    override connect(): Promise<this>
    override connect(callback: (error: Error, client?: this) => void): void
    override connect(callback?: (error: Error, client?: this) => void): Promise<this> | undefined {
      const connected = this.#connectToPrimary()
      if (!callback) return connected
      // The pool calls it like this, and takes null for 'it went well'.
      connected.then(() => callback(null as unknown as Error, this), callback)
      return undefined
    }

    // biome-ignore lint/suspicious/noExplicitAny: the driver's own has eight overloads.
    override query(...args: any[]): any {
      const [statement, values] = args
      if (typeof statement?.submit === 'function' || args.some((arg) => typeof arg === 'function')) {
        return Reflect.apply(super.query, this, args)
      }
      // Without a function the driver makes one only after its query is made, and then the rows of each answer live on
      // until the next full collection of garbage: 10 ms and more for every 50 MB of rows (scavenges of V8, Node 24).
      const answer = new Promise<unknown>((resolve, reject) => {
        super.query(statement, values, (error: Error, result: unknown) =>
          error ? reject(error) : resolve(result),
        )
      }).catch((failure: Error) => {
        const error = this.#isGivenUp
          ? new Error('The database did not answer in time.', { cause: failure })
          : failure
        // As the driver does: the stack of the socket says nothing, that of who asked does.
        Error.captureStackTrace(error)
        throw error
      })
      const timer =
        this.answerMs === null ? undefined : setTimeout(() => this.#giveUp(), this.answerMs).unref()
      answer
        .catch((error: unknown) => {
          if (!(error instanceof pg.DatabaseError) || UNAVAILABLE.test(error.code ?? '')) onUnavailable()
        })
        .finally(() => clearTimeout(timer))
      return answer
    }

    /**
     * Ends the connection, which the driver breaks off while a statement has no answer. Every statement that waits on it
     * fails, and the pool discards it.
     */
    #giveUp(): void {
      this.#isGivenUp = true
      void super.end()
    }
  }
}

/** LISTEN needs a session of its own; it comes back by itself when the connection breaks. */
async function listenOnOwnConnection(
  open: () => pg.Client,
  channel: string,
  listener: ChannelListener,
  onError: (error: Error) => void,
): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  async function connect() {
    const next = open()
    next.on('notification', (message) => listener.onMessage(message.payload ?? ''))
    next.on('error', (error) => {
      onError(error)
      retry()
    })
    next.on('end', retry)
    await next.connect()
    await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    client = next
  }

  function retry() {
    if (stopped || timer) return
    if (client) {
      client.removeAllListeners('end')
      client = undefined
      listener.onLost()
    }
    timer = setTimeout(() => {
      timer = undefined
      connect().then(listener.onReconnect, (error: Error) => {
        onError(error)
        retry()
      })
    }, RECONNECT_AFTER_MS)
  }

  await connect()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await client?.end()
  }
}
