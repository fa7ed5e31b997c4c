import { type LogEvent, sql } from 'kysely'
import pg from 'pg'
import type { Database } from './port.ts'
import { openPostgres, type PostgresConnection, type PostgresLimits } from './postgres.server.ts'

/**
 * Why a replica is used or not: it's within the limit, late, doesn't answer, or isn't a standby of our database
 * ('foreign').
 */
export type ReplicaState = 'ok' | 'late' | 'down' | 'foreign'

export type ReplicaStatus = {
  state: ReplicaState
  /** How old the replica's data may be; null before it's known. */
  lagMs: number | null
  /** Reads that the replica answered, that it failed to answer, and that weren't sent to it. The primary has both. */
  reads: { answered: number; failed: number; skipped: number }
}

/** A standby that answers reads which may be some seconds old. */
export type ReadReplica = {
  /**
   * Runs reads on the replica, or on the primary if the replica isn't fit or fails.
   * @param work reads only, since it may run twice
   */
  read<T>(work: (db: Database) => Promise<T>): Promise<T>
  status(): ReplicaStatus
  /** Compares the replica with the primary. A timer does so every two seconds. */
  check(): Promise<void>
  close(): Promise<void>
}

/** A search takes 5 to 50 ms. What takes longer than this is better asked on the primary. */
const LIMITS: PostgresLimits = { connections: 10, connectMs: 1_000, statementMs: 1_000, answerMs: 1_500 }
const CHECK_EVERY_MS = 2_000
/** How long a replica that has just failed to answer is left alone, even if it answers checks. */
const REST_MS = 10_000
/** Positions of the primary that the replica hasn't replayed yet. Beyond this number, every second one is dropped. */
const MAX_WAITING_POSITIONS = 500

/** The error codes of one statement, after which the replica is asked the next as before. */
const ONLY_THIS_READ = /^(?!08|53|57)/

type Position = { identity: string; isStandby: boolean; bytes: string | null }

type ReplicaOptions = {
  url: string
  primary: Database
  maxLagMs: number
  log: { warn(fields: object, message: string): void }
  onStatement?: ((event: LogEvent) => void) | null
  elapsedMs?: () => number
}

/**
 * Opens a replica. It isn't used before the first check, and never as long as it isn't a standby of the primary: a
 * promoted copy would show data of its own.
 *
 * The lag is measured by positions in the write-ahead log, without the machines' clocks: a replica that has replayed the
 * position that the primary had at a moment is current as of that moment. An idle primary's position doesn't move, so its
 * replica is never late. A standby's own timestamps would call one current that has lost its connection to the primary.
 *
 * @param options.maxLagMs the oldest data that reads may see
 * @param options.elapsedMs a clock that never jumps
 */
export function openReplica(options: ReplicaOptions): ReadReplica {
  const { primary, maxLagMs, log, onStatement = null, elapsedMs = () => performance.now() } = options
  // Each lost idle connection is an error here. The next check finds out.
  const connection: PostgresConnection = openPostgres(options.url, () => {}, {
    areStatementsLimited: true,
    limits: LIMITS,
    onStatement,
  })
  // Checks don't wait behind searches.
  const checking = connection.openSecondPool(1)
  const reads = { answered: 0, failed: 0, skipped: 0 }
  const position = createReplayedPositions()
  let answers: 'ok' | 'down' | 'foreign' = 'down'
  let restUntil = 0
  const noteState = createStateLog(log)

  const lagMs = () => {
    const at = position.currentAsOf()
    return at === null ? null : elapsedMs() - at
  }
  const findState = (): ReplicaState => {
    if (answers !== 'ok') return answers
    if (elapsedMs() < restUntil) return 'down'
    const lag = lagMs()
    return lag !== null && lag <= maxLagMs ? 'ok' : 'late'
  }

  function logState(error?: unknown): void {
    if (!isClosed) noteState(findState(), lagMs(), error)
  }

  function markFailed(error: unknown): void {
    if (error instanceof pg.DatabaseError && ONLY_THIS_READ.test(error.code ?? '')) return
    restUntil = elapsedMs() + REST_MS
    logState(error)
  }

  async function check(): Promise<void> {
    const at = elapsedMs()
    // While the primary doesn't answer, the replica's data are as old as that outage.
    const ours = await positionSql.execute(primary).then(
      ({ rows }) => rows[0],
      () => null,
    )
    if (!ours) return logState()
    try {
      const { rows } = await checking.query(POSITION_TEXT)
      const theirs = rows[0] as Position | undefined
      answers = isStandbyOf(theirs, ours) ? 'ok' : 'foreign'
      if (answers === 'ok') position.note(at, BigInt(ours.bytes ?? 0), BigInt(theirs?.bytes ?? 0))
      logState()
    } catch (error) {
      answers = 'down'
      logState(error)
    }
  }

  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  async function checkAgain(): Promise<void> {
    await check()
    if (!isClosed) timer = setTimeout(() => void checkAgain(), CHECK_EVERY_MS).unref()
  }
  void checkAgain()

  return {
    async read(work) {
      if (findState() !== 'ok') {
        reads.skipped++
        return work(primary)
      }
      try {
        const result = await work(connection.db)
        reads.answered++
        return result
      } catch (error) {
        // Not a failure of the replica, such as a redirect.
        if (!(error instanceof Error)) throw error
        reads.failed++
        markFailed(error)
        return work(primary)
      }
    },
    status: () => ({ state: findState(), lagMs: lagMs(), reads: { ...reads } }),
    check,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await connection.close()
    },
  }
}

/** Logs each change of a replica's state once. `lagMs` is null before it's known. */
function createStateLog(log: ReplicaOptions['log']) {
  let logged: ReplicaState | null = null
  return (state: ReplicaState, lagMs: number | null, error?: unknown): void => {
    if (state === logged) return
    logged = state
    log.warn(
      {
        replica: state,
        ...(lagMs === null ? {} : { lagMs: Math.round(lagMs) }),
        ...(error ? { err: error } : {}),
      },
      state === 'ok' ? 'searches read the replica' : 'searches read the primary, not the replica',
    )
  }
}

/** Finds the moment as of which a replica is current, by the positions of the primary that it has replayed. */
function createReplayedPositions() {
  let waiting: { bytes: bigint; at: number }[] = []
  let currentAsOf: number | null = null

  /** @param at a moment at which the primary had written no more than `written` bytes of its log */
  function note(at: number, written: bigint, replayed: bigint): void {
    const last = waiting.at(-1)
    // After a failover without a synchronous standby, the new primary's log is shorter.
    if (last && written < last.bytes) waiting = []
    waiting.push({ bytes: written, at })
    if (waiting.length > MAX_WAITING_POSITIONS) waiting = waiting.filter((_, index) => index % 2 === 0)
    const behind = waiting.findIndex(({ bytes }) => bytes > replayed)
    const done = waiting.splice(0, behind < 0 ? waiting.length : behind)
    currentAsOf = done.at(-1)?.at ?? currentAsOf
  }

  /** The moment on the clock of `note`; null before the replica has replayed a noted position. */
  return { note, currentAsOf: () => currentAsOf }
}

const POSITION_TEXT = `
  select system_identifier || '/' || current_database() as identity, pg_is_in_recovery() as "isStandby",
    (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0')::text as bytes
  from pg_control_system()`
const positionSql = sql<Position>`${sql.raw(POSITION_TEXT)}`

/** Replicas without a physical standby's position, such as those of logical replication, can't be compared. */
function isStandbyOf(replica: Position | undefined, primary: Position | undefined): boolean {
  return Boolean(replica?.isStandby && replica.bytes !== null && replica.identity === primary?.identity)
}
