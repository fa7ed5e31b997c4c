import { type messages, type PGlite, parse, protocol, type Results } from '@electric-sql/pglite'

/** A prepared statement of the connection, the types of its parameters, and the columns of its rows. */
type Prepared = { name: string; types: number[]; columns: messages.BackendMessage | undefined }

/** Each takes some ten kilobytes of the engine's memory. The statement that ran longest ago makes room. */
const MAX_PREPARED = 200
/** Texts that ran once. Many run no second time, since a list of values makes a text of its own. */
const MAX_SEEN = 2_000

const CAN_BE_PREPARED = /^\s*(?:\/\*.*?\*\/\s*)?(?:select|with|insert|update|delete)\b/i
/**
 * How many listings a search reads depends on its words, so it is planned for them. A plan for any words might read the
 * whole market.
 */
const NEEDS_OWN_PLAN = /\bsearch_/
/** Changes the columns that a prepared statement returns. */
const CHANGES_TABLES = /\b(?:create|alter|drop)\b/i

const { serialize } = protocol

/**
 * Prepares the statements that run more than once, so that PGlite parses them once and, as PostgreSQL sees fit, plans
 * them once. PGlite itself does both each time, in five messages to the engine, which is half of the time of a page's
 * statements.
 */
export class PgliteStatements {
  readonly #pglite: PGlite
  readonly #seen = new Set<string>()
  /** From the one that ran longest ago to the latest. */
  readonly #prepared = new Map<string, Prepared>()
  /** The names that the engine can forget, with the next statement that it prepares. */
  #unused: string[] = []
  #lastName = 0

  constructor(pglite: PGlite) {
    this.#pglite = pglite
  }

  /** Whether to run a text by `run`; else by PGlite itself. */
  accepts(sql: string): boolean {
    if (this.#prepared.has(sql) || this.#seen.has(sql)) return true
    if (!CAN_BE_PREPARED.test(sql) || NEEDS_OWN_PLAN.test(sql)) return false
    if (this.#seen.size >= MAX_SEEN) this.#seen.clear()
    this.#seen.add(sql)
    return false
  }

  /** Forgets all statements before a text that may change what they return. */
  willRun(sql: string): void {
    if (!CHANGES_TABLES.test(sql)) return
    for (const { name } of this.#prepared.values()) this.#unused.push(name)
    this.#prepared.clear()
  }

  /** @param isInTransaction of the caller, who then has the engine for itself */
  async run(sql: string, parameters: readonly unknown[], isInTransaction: boolean): Promise<Results> {
    const run = () => this.#pglite._runExclusiveQuery(() => this.#run(sql, parameters))
    const results = await (isInTransaction ? run() : this.#pglite._runExclusiveTransaction(run))
    if (!isInTransaction) await this.#pglite.syncToFs()
    return results
  }

  async #run(sql: string, parameters: readonly unknown[]): Promise<Results> {
    const { name, types, columns } = await this.#prepare(sql)
    const values = parameters.map((value, at) => {
      if (value === null || value === undefined) return null
      const write = this.#pglite.serializers[types[at] ?? 0]
      return write ? write(value) : String(value)
    })
    const answers = await this.#send(
      serialize.bind({ statement: name, values }),
      serialize.execute({}),
      serialize.sync(),
    )
    const [results] = parse.parseResults(columns ? [columns, ...answers] : answers, this.#pglite.parsers)
    if (!results) throw new Error('The embedded database returned no result.')
    return results
  }

  async #prepare(sql: string): Promise<Prepared> {
    const known = this.#prepared.get(sql)
    if (known) {
      // Now it is the latest.
      this.#prepared.delete(sql)
      this.#prepared.set(sql, known)
      return known
    }
    const name = `s${++this.#lastName}`
    const [oldest] = this.#prepared.size >= MAX_PREPARED ? this.#prepared : []
    if (oldest) {
      this.#prepared.delete(oldest[0])
      this.#unused.push(oldest[1].name)
    }
    const answers = await this.#send(
      ...this.#unused.splice(0).map((unused) => serialize.close({ type: 'S', name: unused })),
      serialize.parse({ name, text: sql }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    )
    const prepared = {
      name,
      types: parse.parseDescribeStatementResults(answers),
      columns: answers.find((answer) => answer.name === 'rowDescription'),
    }
    this.#prepared.set(sql, prepared)
    return prepared
  }

  /** Sends messages at once. After an error the engine skips those before the sync, which is the last. */
  #send(...all: Uint8Array[]): Promise<messages.BackendMessage[]> {
    return this.#pglite.execProtocolStream(Buffer.concat(all), { syncToFs: false })
  }
}
