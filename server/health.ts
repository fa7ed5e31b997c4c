import { sql } from 'kysely'
import type { ReplicaState } from '../app/adapters/database/replica.server.ts'
import type { Services } from '../app/services.server.ts'

export type Part = 'database' | 'migrations' | 'files'
/** @property replica doesn't count for `ready`, because the primary answers in its place; only with one */
export type Health = {
  ready: boolean
  stopping: boolean
  parts: Record<Part, 'ok' | 'down'>
  replica?: ReplicaState
}

const LIMIT_MS = 3_000
/** Results are reused for this long, so that load balancers and strangers cause no load. */
const FRESH_MS = 1_000
/** A write that worked is tried again after this. A write that failed is tried at each check, to notice when it works again. */
const WRITE_EVERY_MS = 15_000

/**
 * Checks whether this process can serve: its database answers, can be written to and has this version's migrations, files can
 * be read and written, and the process isn't stopping. Mail and payments don't count: while they are unavailable, their work waits
 * in the queue, and pages tell the visitor.
 */
export function createHealth({
  db,
  checkWrites,
  replica,
  files,
  stopping,
  migrations,
  log,
}: Services): () => Promise<Health> {
  let wroteAt = Number.NEGATIVE_INFINITY
  const checks: Record<Part, () => Promise<boolean>> = {
    async database() {
      await sql`select 1`.execute(db)
      const now = performance.now()
      if (now - wroteAt < WRITE_EVERY_MS) return true
      await checkWrites()
      wroteAt = now
      return true
    },
    async migrations() {
      const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db)
      const applied = new Set(rows.map(({ name }) => name))
      return migrations.every((name) => applied.has(name))
    },
    async files() {
      await files.check()
      return true
    },
  }
  const downSince = new Map<Part, number>()

  async function check(part: Part): Promise<'ok' | 'down'> {
    const works = await withinLimit(checks[part]()).catch((error: unknown) => {
      // Log once per outage, because load balancers check every second.
      if (!downSince.has(part)) log.error({ err: error, part }, 'not ready')
      return false
    })
    const since = downSince.get(part)
    if (works && since !== undefined) {
      downSince.delete(part)
      log.warn({ part, downMs: Math.round(performance.now() - since) }, 'ready again')
    }
    if (!works && since === undefined) downSince.set(part, performance.now())
    return works ? 'ok' : 'down'
  }

  async function checkAll(): Promise<Health['parts']> {
    const [database, migrated, stored] = await Promise.all([
      check('database'),
      check('migrations'),
      check('files'),
    ])
    return { database, migrations: migrated, files: stored }
  }

  let last: { at: number; parts: Promise<Health['parts']> } | null = null
  return async () => {
    const at = performance.now()
    if (!last || at - last.at > FRESH_MS) last = { at, parts: checkAll() }
    const parts = await last.parts
    const isStopping = stopping.signal.aborted
    return {
      ready: !isStopping && Object.values(parts).every((part) => part === 'ok'),
      stopping: isStopping,
      parts,
      ...(replica ? { replica: replica.status().state } : {}),
    }
  }
}

async function withinLimit<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${LIMIT_MS} ms`)), LIMIT_MS)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
