import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { openPglite } from '../../app/adapters/database/pglite.server.ts'
import type { Database } from '../../app/adapters/database/port.ts'
import { openPostgres } from '../../app/adapters/database/postgres.server.ts'
import { createOutbox, type OutboxMail } from '../../app/adapters/mail/outbox.server.ts'
import type { FaultPointName } from '../../app/adapters/payments/fault-points.ts'
import { createServerDatabase } from '../database.ts'
import { findPostgres } from '../postgres.ts'
import { PROCESS_KEY_HEADER, startServerProcess } from '../server-process.ts'
import { type Answer, HistoryClient, jsonOf } from './history-client.ts'

/** The addresses of the first admins. */
export const OPERATORS = ['ada@example.com', 'grace@example.com'] as const
/** The settings of the product: vendors are paid, operators get in by password, and each browser has an address of its own. */
const SETTINGS = {
  PAYOUTS: 'sandbox',
  TRUSTED_PROXY: '1',
  OPERATOR_EMAILS: OPERATORS.join(','),
  OPERATOR_SETUP_UNTIL: '2099-01-01T00:00:00Z',
  LOG_LEVEL: 'error',
}
const POLL_MS = 40
/** How long jobs may run after one move of the clock, in real time. */
const JOBS_LIMIT_MS = 30_000
const EMBEDDED_JOBS_MS = 3_000

type Process = Awaited<ReturnType<typeof startServerProcess>>

/** The running product: one process or two on one database, and those that follow them. */
export class Product {
  /** Counts the processes that have ended, so that a request knows whether it may be without an answer. */
  deaths = 0
  /** Whether a process is being ended. */
  isEnding = false
  /** When it is for people, by its own clock. */
  now = new Date()
  readonly folder = mkdtempSync(join(tmpdir(), 'jubilee-front-door-'))
  readonly databaseUrl: string | null
  /** Lines that the product has logged at error level. */
  readonly logged: string[] = []
  /** How many processes serve, if none has died. An embedded database belongs to one. */
  readonly #count: number
  readonly #processes = new Set<Process>()
  #requests = 0
  #lastOrigin = ''
  #db: ReturnType<typeof openPostgres> | null = null

  private constructor(databaseUrl: string | null, count: number) {
    this.databaseUrl = databaseUrl
    this.#count = databaseUrl ? count : 1
  }

  static async create(count = 1): Promise<Product> {
    return new Product(findPostgres() ? await createServerDatabase() : null, count)
  }

  /** The address of a process that serves, another one at each request, as behind a proxy. */
  get origin(): string {
    const serving = [...this.#processes]
    this.#lastOrigin = serving[this.#requests++ % serving.length]?.origin ?? this.#lastOrigin
    return this.#lastOrigin
  }

  /**
   * Starts the processes that are missing.
   * @param crashAt where one of them kills itself
   */
  async start(crashAt?: FaultPointName): Promise<void> {
    const missing = this.#count - this.#processes.size
    this.isEnding = false
    await Promise.all(
      Array.from({ length: missing }, (_, index) => this.#startOne(index === 0 ? crashAt : undefined)),
    )
  }

  async #startOne(crashAt: FaultPointName | undefined): Promise<void> {
    const started = await startServerProcess(this, { ...SETTINGS, ...(crashAt ? { CRASH_AT: crashAt } : {}) })
    this.#processes.add(started)
    started.child.stderr?.on('data', (chunk: Buffer) => this.#note(chunk))
    started.child.stdout?.on('data', (chunk: Buffer) => this.#note(chunk))
    void started.ended.then(() => {
      this.#processes.delete(started)
      this.deaths++
    })
  }

  #note(chunk: Buffer): void {
    for (const line of chunk.toString().split('\n')) if (line.startsWith('{"level":5')) this.logged.push(line)
  }

  /** Whether a process is missing. */
  get isDown(): boolean {
    return this.#processes.size < this.#count
  }

  /** Kills a process as a power cut would (kill -9). */
  kill = () => this.#end('SIGKILL')

  /** Ends a process as a deployment does: it finishes its requests first. */
  stop = () => this.#end('SIGTERM')

  async #end(signal: NodeJS.Signals): Promise<void> {
    const [one] = this.#processes
    this.isEnding = true
    one?.child.kill(signal)
    await one?.ended
  }

  /** Whether a process is gone, or about to be: a process that kills itself is noticed a moment after its last request. */
  async hasEnded(): Promise<boolean> {
    for (let tries = 0; tries < 10 && !this.isDown && !this.isEnding; tries++) await pause(POLL_MS)
    return this.isDown || this.isEnding
  }

  /** Performs an operation of the sandbox: what a bank, a provider or time does. */
  sandbox(operation: string, body: object): Promise<Answer> {
    return new HistoryClient(this, null).postJson(`/api/sandbox/${operation}`, body, {
      headers: PROCESS_KEY_HEADER,
    })
  }

  /** Posts a form of the provider's own pages, which exist only for this machine; opens the page without fields. */
  atProvider(path: string, fields?: Record<string, string>): Promise<Answer> {
    const browser = new HistoryClient(this, null)
    return fields ? browser.post(path, fields) : browser.get(path)
  }

  /** The test provider's console, which lists the accounts of vendors. */
  console(): Promise<Answer> {
    return new HistoryClient(this, null).send('/sandbox', { headers: PROCESS_KEY_HEADER })
  }

  /** Moves the clock, which runs each scheduled job once, and waits for them. */
  async move(step: { days?: number; hours?: number; minutes?: number }): Promise<Answer> {
    const answer = await this.sandbox('clock', step)
    const { now } = jsonOf<{ now: string }>(answer)
    if (now) this.now = new Date(now)
    return answer
  }

  /**
   * Looks at the database. An embedded one belongs to the process, which therefore ends first: `start` again afterwards.
   */
  async look<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    if (this.databaseUrl) {
      this.#db ??= openPostgres(this.databaseUrl, () => {})
      return work(this.#db.db)
    }
    await this.stop()
    const connection = await openPglite(this.folder)
    try {
      return await work(connection.db)
    } finally {
      await connection.close()
    }
  }

  /**
   * Waits until no job runs or is ready to run, and no webhook is on its way. An embedded database can't be asked, so it gets the
   * time that jobs need to be noticed.
   */
  async waitForJobs(): Promise<void> {
    if (!this.databaseUrl) return pause(EMBEDDED_JOBS_MS)
    for (
      const until = Date.now() + JOBS_LIMIT_MS;
      Date.now() < until && this.#processes.size > 0;
      await pause(POLL_MS)
    ) {
      const { rows } = await this.look((db) =>
        sql<{ count: number }>`
          select count(*)::int as count from jobs.job
          where state in ('created', 'retry', 'active') and start_after <= now() and name not like '\\_\\_pgboss%'`.execute(
          db,
        ),
      )
      if (rows[0]?.count === 0) return
    }
  }

  /**
   * Lets jobs of a killed process, and those that failed, run at once. In real time that takes one and up to sixty minutes.
   */
  async hurryJobs(): Promise<void> {
    if (!this.databaseUrl) return
    await this.look((db) =>
      sql`update jobs.job set state = 'retry', start_after = now()
        where state = 'active' or (state in ('created', 'retry') and start_after > now())`.execute(db),
    )
  }

  mails(): Promise<OutboxMail[]> {
    return createOutbox(join(this.folder, 'outbox'), () => new Date()).list(10_000)
  }

  async close(): Promise<void> {
    while (this.#processes.size > 0) await this.kill()
    await this.#db?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
