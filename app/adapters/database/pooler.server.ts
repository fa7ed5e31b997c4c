import { setTimeout as pause } from 'node:timers/promises'

/** A pooler between us and PostgreSQL hands each transaction to another server connection. */
export class PoolerRefused extends Error {
  constructor() {
    super(
      `DATABASE_URL leads to a pooler in transaction or statement mode, such as PgBouncer with pool_mode = transaction.
Jubilee keeps state in its connections: prepared statements, locks, notifications and time limits.
Use the address of PostgreSQL itself, or set the pooler to session mode (pool_mode = session).`,
    )
    this.name = 'PoolerRefused'
  }
}

/** A connection of our own, which runs one statement after the other. */
type Connection = { query(text: string): Promise<{ rows: { pid?: number }[] }> }

const ROUNDS = 3
/** A connection of its own answers at once while another one is in a transaction. A shared one may wait for its end. */
const ANSWER_MS = 1_000

/**
 * Looks whether two connections are one each, as the product assumes: the server process behind each stays the same, and
 * is another one than the other's. A pooler gives the server connection that was used last to whoever asks next.
 * @throws PoolerRefused
 */
export async function refusePooler(one: Connection, other: Connection): Promise<void> {
  const pidOf = async (connection: Connection) =>
    (await connection.query('select pg_backend_pid() as pid')).rows[0]?.pid
  const [first, second] = [await pidOf(one), await pidOf(other)]
  if (first === second) throw new PoolerRefused()
  for (let round = 0; round < ROUNDS; round++) {
    await other.query('begin')
    try {
      const present = await Promise.race([pidOf(one), pause(ANSWER_MS, null, { ref: false })])
      // No answer in time proves nothing: the server may be busy.
      if (present !== null && present !== first) throw new PoolerRefused()
    } finally {
      await other.query('rollback')
    }
    if ((await pidOf(one)) !== first || (await pidOf(other)) !== second) throw new PoolerRefused()
  }
}
