import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { ChannelListener, DatabaseConnection, Tables } from './port.ts'

/** A real PostgreSQL, with the pool's address for the job queue. */
export type PostgresConnection = DatabaseConnection & {
  kind: 'postgres'
  url: string
  /** The pool's connections at present, and how many wait for one. */
  pool(): { open: number; idle: number; waiting: number }
}

// One number for the whole product: whoever holds it migrates.
const MIGRATION_LOCK = 728_311

const RECONNECT_AFTER_MS = 1_000

/**
 * Opens a pool on a PostgreSQL.
 * @param url a postgres:// address
 * @param onError told of connections that break while idle; the pool replaces them
 */
export function openPostgres(url: string, onError: (error: Error) => void): PostgresConnection {
  const pool = new pg.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 5_000 })
  pool.on('error', onError)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const closers = new Set<() => Promise<void>>()
  return {
    kind: 'postgres',
    db,
    url,
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async executeScript(sql) {
      await pool.query(sql)
    },
    async listen(channel, listener) {
      const stop = await listenOnOwnConnection(url, channel, listener, onError)
      closers.add(stop)
      return async () => {
        closers.delete(stop)
        await stop()
      }
    },
    async withLock(work) {
      const client = await pool.connect()
      try {
        await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
        return await work()
      } finally {
        await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
        client.release()
      }
    },
    async close() {
      for (const stop of closers) await stop()
      await db.destroy()
    },
  }
}

/** LISTEN needs a session of its own; it comes back by itself when the connection breaks. */
async function listenOnOwnConnection(
  url: string,
  channel: string,
  listener: ChannelListener,
  onError: (error: Error) => void,
): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  async function connect() {
    const next = new pg.Client({ connectionString: url, keepAlive: true })
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
