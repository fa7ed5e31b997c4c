import {
  type PGlite,
  type messages as PgliteMessages,
  parse,
  protocol,
  type Results,
} from '@electric-sql/pglite'
import {
  type BackendMessage,
  DatabaseError,
  type NotificationResponseMessage,
} from 'pg-protocol/dist/messages'
import { Parser } from 'pg-protocol/dist/parser'

type Types = readonly number[]
/** A prepared statement of the connection, the types of its parameters, and the columns of its rows. */
type Prepared = { name: string; types: Types; columns: BackendMessage | undefined }

/** Each takes some ten kilobytes of the engine's memory. The statement that ran longest ago makes room. */
const MAX_PREPARED = 200
/** Texts that aren't prepared. Many run no second time, since a list of values makes a text of its own. */
const MAX_UNPREPARED = 2_000
/** The engine's name for the statement that it parsed last. */
const UNNAMED = ''

const CAN_BE_SENT_AT_ONCE = /^\s*(?:\/\*.*?\*\/\s*)?(?:select|with|insert|update|delete)\b/i
/**
 * How many listings a search reads depends on its words, so it is planned for them. A plan for any words might read the
 * whole market.
 */
const NEEDS_OWN_PLAN = /\bsearch_/
/** Changes the columns that a statement returns. */
const CHANGES_TABLES = /\b(?:create|alter|drop)\b/i

const { serialize } = protocol
/** Asks for the columns of the statement that has its values. */
const DESCRIBE_COLUMNS = serialize.describe({ type: 'P' })

/**
 * Runs statements by messages of our own. PGlite itself parses and plans each text every time, in five messages to the
 * engine, and reads each value of an answer through two copies: a statement of 500 rows takes six times as long as here, where a
 * text that runs more than once is prepared, and answers are read by node-postgres's parser.
 */
export class PgliteStatements {
  readonly #pglite: PGlite
  readonly #onNotification: (channel: string, payload: string) => void
  readonly #parser = new Parser()
  /** In the order of their last run, the latest last. */
  readonly #prepared = new Map<string, Prepared>()
  /** The types of their parameters. */
  readonly #unprepared = new Map<string, Types>()
  /** The names that the engine can forget, with the next statement that it prepares. */
  #unused: string[] = []
  #lastName = 0

  /** @param onNotification called for each that a statement run here brings, before its result */
  constructor(pglite: PGlite, onNotification: (channel: string, payload: string) => void) {
    this.#pglite = pglite
    this.#onNotification = onNotification
  }

  /** Whether to run a text by `run`; else by PGlite itself. */
  accepts(sql: string): boolean {
    return CAN_BE_SENT_AT_ONCE.test(sql)
  }

  /** Forgets all statements before a text that may change what they return. */
  willRun(sql: string): void {
    if (!CHANGES_TABLES.test(sql)) return
    for (const { name } of this.#prepared.values()) this.#unused.push(name)
    this.#prepared.clear()
    this.#unprepared.clear()
  }

  /** @param isInTransaction of the caller, who then has the engine for itself */
  async run(sql: string, parameters: readonly unknown[], isInTransaction: boolean): Promise<Results> {
    const run = () => this.#pglite._runExclusiveQuery(() => this.#run(sql, parameters))
    const results = await (isInTransaction ? run() : this.#pglite._runExclusiveTransaction(run))
    if (!isInTransaction) await this.#pglite.syncToFs()
    return results
  }

  async #run(sql: string, parameters: readonly unknown[]): Promise<Results> {
    const prepared = this.#prepared.get(sql)
    if (prepared) {
      // Now it is the latest.
      this.#prepared.delete(sql)
      this.#prepared.set(sql, prepared)
      const { name, types, columns } = prepared
      const answers = await this.#send(this.#bind(name, types, parameters), serialize.execute({}))
      return this.#read(columns ? [columns, ...answers] : answers)
    }
    const known = this.#unprepared.get(sql)
    if (known && !NEEDS_OWN_PLAN.test(sql)) return this.#prepare(sql, known, parameters)
    const parsing = known ? [serialize.parse({ name: UNNAMED, text: sql })] : []
    const types = known ?? (await this.#describe(sql))
    return this.#read(
      await this.#send(
        ...parsing,
        this.#bind(UNNAMED, types, parameters),
        DESCRIBE_COLUMNS,
        serialize.execute({}),
      ),
    )
  }

  /** Parses a text that runs for the first time, as the unnamed statement. */
  async #describe(sql: string): Promise<Types> {
    const answers = await this.#send(
      serialize.parse({ name: UNNAMED, text: sql }),
      serialize.describe({ type: 'S', name: UNNAMED }),
    )
    const types = parse.parseDescribeStatementResults(answers as PgliteMessages.BackendMessage[])
    if (this.#unprepared.size >= MAX_UNPREPARED) this.#unprepared.clear()
    this.#unprepared.set(sql, types)
    return types
  }

  /** Prepares a text and runs it. */
  async #prepare(sql: string, types: Types, parameters: readonly unknown[]): Promise<Results> {
    const name = `s${++this.#lastName}`
    const [oldest] = this.#prepared.size >= MAX_PREPARED ? this.#prepared : []
    if (oldest) {
      this.#prepared.delete(oldest[0])
      this.#unused.push(oldest[1].name)
    }
    const answers = await this.#send(
      ...this.#unused.splice(0).map((unused) => serialize.close({ type: 'S', name: unused })),
      serialize.parse({ name, text: sql }),
      this.#bind(name, types, parameters),
      DESCRIBE_COLUMNS,
      serialize.execute({}),
    ).catch((error: Error) => {
      // The engine may have prepared it before the error.
      this.#unused.push(name)
      throw error
    })
    this.#unprepared.delete(sql)
    this.#prepared.set(sql, {
      name,
      types,
      columns: answers.find((answer) => answer.name === 'rowDescription'),
    })
    return this.#read(answers)
  }

  #bind(statement: string, types: Types, parameters: readonly unknown[]): Uint8Array {
    const values = parameters.map((value, at) => {
      if (value === null || value === undefined) return null
      const write = this.#pglite.serializers[types[at] ?? 0]
      return write ? write(value) : String(value)
    })
    return serialize.bind({ statement, values })
  }

  #read(answers: readonly BackendMessage[]): Results {
    // Both libraries' messages are those of one protocol.
    const [results] = parse.parseResults(answers as PgliteMessages.BackendMessage[], this.#pglite.parsers)
    if (!results) throw new Error('The embedded database returned no result.')
    return results
  }

  /** Sends messages at once, and a sync. After an error the engine skips those before the sync. */
  async #send(...all: Uint8Array[]): Promise<BackendMessage[]> {
    const answers: BackendMessage[] = []
    let error: DatabaseError | null = null
    const hear = (message: BackendMessage) => {
      if (message instanceof DatabaseError) error ??= message
      else if (message.name === 'notification') {
        const { channel, payload } = message as NotificationResponseMessage
        this.#onNotification(channel, payload)
      } else answers.push(message)
    }
    await this.#pglite.execProtocolRawStream(Buffer.concat([...all, serialize.sync()]), {
      syncToFs: false,
      // A copy, since the engine writes the next bytes to the same place.
      onRawData: (bytes) => this.#parser.parse(Buffer.from(bytes), hear),
    })
    if (error) throw error
    return answers
  }
}
