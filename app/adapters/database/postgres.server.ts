import { createHash } from 'node:crypto'
import { type LogEvent, PostgresDialect } from 'kysely'
import pg from 'pg'
import { PREPARED_MARK } from '../../shared/prepared.server.ts'
import { isUnavailable } from './failures.ts'
import { addressesOfHosts } from './hosts.ts'
import { refusePooler } from './pooler.server.ts'
import type { ChannelListener, DatabaseConnection, Tables } from './port.ts'
import { RepeatingKysely } from './transactions.server.ts'

/** A real PostgreSQL. */
export type PostgresConnection = DatabaseConnection & {
  kind: 'postgres'
  url: string
  /** The pool's current connections, and how many callers wait for one. */
  pool(): { open: number; idle: number; waiting: number }
  /**
   * Checks that its connections are connections of PostgreSQL, each with a state of its own.
   * @throws PoolerRefused
   */
  refusePooler(): Promise<void>
  /** Opens a few extra connections for work that must not wait behind requests (the job queue). */
  openSecondPool(max: number): {
    query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
    close(): Promise<void>
  }
}

export type PostgresOptions = {
  /** Called in the caller's async context when the database can't be reached or does not answer in time. */
  onUnavailable?: () => void
  /** Whether statements have a time limit, on both sides. Backups run without. */
  areStatementsLimited?: boolean
  /** Called after each statement. */
  onStatement?: ((event: LogEvent) => void) | null
  limits?: PostgresLimits
}

/** How many connections a pool opens, and how long it waits. */
export type PostgresLimits = {
  connections: number
  /** For opening a connection, and for waiting until one is free. */
  connectMs: number
  statementMs: number
  /** Detects a server that vanished silently. A live one would have ended the statement itself by then. */
  answerMs: number
}

// The key of the advisory lock that a process holds while it migrates.
const MIGRATION_LOCK = 728_311

const RECONNECT_AFTER_MS = 1_000
const LIMITS: PostgresLimits = { connections: 10, connectMs: 5_000, statementMs: 30_000, answerMs: 35_000 }
/**
 * The longest queue for a connection. Beyond it, callers would exceed `connectMs` and wait in vain. At some hundred
 * statements a second this is a wait of a second or two, so a crowd of hundreds of browsers is served late rather than
 * refused.
 */
const MAX_WAITING = 500
const IDLE_IN_TRANSACTION_MS = 60_000
const KEEP_ALIVE_AFTER_MS = 5_000
/**
 * Disables parallel workers and JIT. With a million listings, a search of 2 ms got workers that took 35 ms to start.
 * Compilation costs as much. And a page out of order costs little more than the next one, as in memory and on solid-state disks: with the
 * usual 4, a market of 5,000 was read from end to end for a search near a town (130 ms). `options` in the address takes precedence.
 */
const SESSION_OPTIONS = '-c max_parallel_workers_per_gather=0 -c jit=off -c random_page_cost=1.1'

/** The queue for a connection is full. */
class DatabaseBusy extends Error {
  constructor() {
    super(`Queue full: ${MAX_WAITING} queries are already waiting for a database connection.`)
    this.name = 'DatabaseBusy'
  }
}

/**
 * Opens a connection pool to PostgreSQL.
 * @param url a postgres:// address; of several hosts, the writable one is used, even after a failover
 * @param onError called when an idle connection breaks; the pool replaces it
 */
export function openPostgres(
  url: string,
  onError: (error: Error) => void,
  options: PostgresOptions = {},
): PostgresConnection {
  const { onUnavailable = () => {}, limits = LIMITS } = options
  const Client = clientFor(url, options)
  const openPool = (max: number) => {
    const pool = new pg.Pool({ max, connectionTimeoutMillis: limits.connectMs, Client })
    pool.on('error', onError)
    return pool
  }
  const pool = openPool(limits.connections)

  /** Tries every host once, because the current one may have become the standby or be down. */
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

  /** Runs `work` on a connection without statement timeouts. */
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

  const db = new RepeatingKysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } }),
    ...(options.onStatement ? { log: options.onStatement } : {}),
  })
  const closers = new Set<() => Promise<void>>()
  return {
    kind: 'postgres',
    db,
    url,
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    refusePooler: () => refusePoolerBehind(connect),
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

async function refusePoolerBehind(connect: () => Promise<pg.PoolClient>): Promise<void> {
  const [one, other] = await Promise.all([connect(), connect()])
  try {
    await refusePooler(one, other)
  } finally {
    one.release()
    other.release()
  }
}

/** Runs one query text on a connection and releases it. */
async function queryOn(client: pg.PoolClient, text: string, values?: unknown[]): Promise<pg.QueryResult> {
  try {
    const answer = await client.query(text, values)
    client.release()
    return answer
  } catch (error) {
    // The text may have left an aborted transaction open, so the pool discards the connection.
    client.release(true)
    throw error
  }
}

/** The names of prepared statements on every connection, and null for texts that can't be prepared. */
const preparedNames = new Map<string, string | null>()
/** Some statements differ with the number of their values. A connection keeps each for as long as it lives. */
const MAX_PREPARED = 500
const READS_ALL_COLUMNS = /(?:\bselect|\breturning|\.)\s*\*/i

/**
 * Names a statement of a transaction, or one with `PREPARED_MARK`, which every connection then prepares. Those that read all columns have none: the
 * previous version would fail while a migration adds a column ('cached plan must not change result type').
 */
function nameOfPrepared(text: string): string | null {
  const known = preparedNames.get(text)
  if (known !== undefined) return known
  if (preparedNames.size >= MAX_PREPARED) return null
  // By its text, since a name by number would mean another statement in another process behind a shared connection.
  const name = READS_ALL_COLUMNS.test(text)
    ? null
    : `s${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
  preparedNames.set(text, name)
  return name
}

/**
 * Extends the driver's client, which doesn't support addresses with several hosts: it connects to the host that accepts
 * writes.
 */
function clientOfHosts(url: string, { areStatementsLimited, limits = LIMITS }: PostgresOptions) {
  const addresses = addressesOfHosts(url) ?? [url]
  let present = 0

  return class extends pg.Client {
    static readonly hosts = addresses.length
    readonly #host = present

    constructor() {
      super({
        connectionString: addresses[present],
        connectionTimeoutMillis: limits.connectMs,
        options: SESSION_OPTIONS,
        // After this delay come ten probes, a second apart, which detect a host that vanished silently.
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
        ...(areStatementsLimited
          ? {
              statement_timeout: limits.statementMs,
              idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
            }
          : {}),
      })
      // Without a listener, a connection that breaks while idle would end the process. The next statement fails anyway.
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
        // The next attempt uses the next host. Many clients may fail at once, but only the first moves on.
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
      // The pool passes a callback and expects null on success.
      connected.then(() => callback(null as unknown as Error, this), callback)
      return undefined
    }
  }
}

/**
 * Extends that client. It prepares statements, tells of an unavailable database, and gives up a connection on which no
 * answer arrives.
 */
function clientFor(url: string, options: PostgresOptions) {
  const { areStatementsLimited, onUnavailable = () => {}, limits = LIMITS } = options

  return class extends clientOfHosts(url, options) {
    #isGivenUp = false
    #isInTransaction = false
    answerMs: number | null = areStatementsLimited ? limits.answerMs : null

    // biome-ignore lint/suspicious/noExplicitAny: the driver's method has eight overloads.
    override query(...args: any[]): any {
      if (typeof args[0]?.submit === 'function' || args.some((arg) => typeof arg === 'function')) {
        return Reflect.apply(super.query, this, args)
      }
      const [text, values] = args
      const name = typeof text === 'string' ? this.#nameOf(text) : null
      // Always pass a callback. Without one the driver creates it only after the query object. Each result's rows then
      // survive until the next full garbage collection: 10 ms and more for every 50 MB of rows (V8 scavenges, Node 24).
      return new Promise<unknown>((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined
        const finish = (error: Error, result: unknown) => {
          clearTimeout(timer)
          if (error) reject(error)
          else resolve(result)
        }
        if (name) {
          // The driver copies an object with a name property by property, which takes as long as the rest of sending it.
          super.query(Object.assign(new pg.Query(text, values), { name, callback: finish }))
        } else super.query(text, values, finish)
        if (this.answerMs !== null) timer = setTimeout(() => this.#giveUp(), this.answerMs).unref()
      }).catch((failure: Error) => {
        const error = this.#isGivenUp
          ? new Error('The database did not answer in time.', { cause: failure })
          : failure
        // As the driver does, because the caller's stack is useful and the socket's is not.
        Error.captureStackTrace(error)
        if (!(error instanceof pg.DatabaseError) || isUnavailable(error)) onUnavailable()
        throw error
      })
    }

    /** The name under which this connection prepares a statement, so that it is parsed and planned once; null for others. */
    #nameOf(text: string): string | null {
      if (text === 'begin') this.#isInTransaction = true
      else if (text === 'commit' || text === 'rollback') this.#isInTransaction = false
      else if (this.#isInTransaction || text.includes(PREPARED_MARK)) return nameOfPrepared(text)
      return null
    }

    /**
     * Ends the connection, which the driver cuts off at once while a statement is unanswered. Every pending statement
     * fails, and the pool discards the connection.
     */
    #giveUp(): void {
      this.#isGivenUp = true
      void super.end()
    }
  }
}

/** LISTEN on its own connection, because it needs a session. Reconnects by itself. */
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
