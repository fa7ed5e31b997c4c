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

/**
 * A text that has run: the types of its parameters, the columns of its rows, and its name if it is prepared.
 */
type Known = { types: number[]; columns: BackendMessage | undefined; name: string }

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

/**
 * Runs statements by messages of our own. PGlite itself parses and plans each text every time, in five messages to the
 * engine, and reads each value of an answer through two copies: a statement of 500 rows takes six times as long as here, where a
 * text that runs more than once is prepared, and answers are read by node-postgres's parser.
 */
export class PgliteStatements {
  readonly #pglite: PGlite
  readonly #onNotification: (channel: string, payload: string) => void
  readonly #parser = new Parser()
  /** From the one that ran longest ago to the latest. */
  readonly #prepared = new Map<string, Known>()
  readonly #unprepared = new Map<string, Known>()
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
    const { parsing, known } = await this.#find(sql)
    const values = parameters.map((value, at) => {
      if (value === null || value === undefined) return null
      const write = this.#pglite.serializers[known.types[at] ?? 0]
      return write ? write(value) : String(value)
    })
    const answers = await this.#send(
      ...parsing,
      serialize.bind({ statement: known.name, values }),
      serialize.execute({}),
      serialize.sync(),
    ).catch((error: Error) => {
      // The engine may not have got as far as preparing it.
      if (parsing.length > 0 && this.#prepared.delete(sql)) this.#unused.push(known.name)
      throw error
    })
    // Both libraries' messages are those of one protocol.
    const messages = (
      known.columns ? [known.columns, ...answers] : answers
    ) as PgliteMessages.BackendMessage[]
    const [results] = parse.parseResults(messages, this.#pglite.parsers)
    if (!results) throw new Error('The embedded database returned no result.')
    return results
  }

  /**
   * Finds what is known of a text, or asks the engine.
   * @returns parsing what to send before the text's values
   */
  async #find(sql: string): Promise<{ parsing: Uint8Array[]; known: Known }> {
    const prepared = this.#prepared.get(sql)
    if (prepared) {
      // Now it is the latest.
      this.#prepared.delete(sql)
      this.#prepared.set(sql, prepared)
      return { parsing: [], known: prepared }
    }
    const unprepared = this.#unprepared.get(sql)
    if (!unprepared) return { parsing: [], known: await this.#describe(sql) }
    if (NEEDS_OWN_PLAN.test(sql))
      return { parsing: [serialize.parse({ name: UNNAMED, text: sql })], known: unprepared }
    this.#unprepared.delete(sql)
    return this.#prepare(sql, unprepared)
  }

  /** Parses a text that runs for the first time. */
  async #describe(sql: string): Promise<Known> {
    const answers = await this.#send(
      serialize.parse({ name: UNNAMED, text: sql }),
      serialize.describe({ type: 'S', name: UNNAMED }),
      serialize.sync(),
    )
    const known = {
      name: UNNAMED,
      types: parse.parseDescribeStatementResults(answers as PgliteMessages.BackendMessage[]),
      columns: answers.find((answer) => answer.name === 'rowDescription'),
    }
    if (this.#unprepared.size >= MAX_UNPREPARED) this.#unprepared.clear()
    this.#unprepared.set(sql, known)
    return known
  }

  #prepare(sql: string, { types, columns }: Known): { parsing: Uint8Array[]; known: Known } {
    const name = `s${++this.#lastName}`
    const [oldest] = this.#prepared.size >= MAX_PREPARED ? this.#prepared : []
    if (oldest) {
      this.#prepared.delete(oldest[0])
      this.#unused.push(oldest[1].name)
    }
    const known = { name, types, columns }
    this.#prepared.set(sql, known)
    const unused = this.#unused.splice(0)
    return {
      parsing: [
        ...unused.map((one) => serialize.close({ type: 'S', name: one })),
        serialize.parse({ name, text: sql }),
      ],
      known,
    }
  }

  /** Sends messages at once. After an error the engine skips those before the sync, which is the last. */
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
    await this.#pglite.execProtocolRawStream(Buffer.concat(all), {
      syncToFs: false,
      // A copy, since the engine writes the next bytes to the same place.
      onRawData: (bytes) => this.#parser.parse(Buffer.from(bytes), hear),
    })
    if (error) throw error
    return answers
  }
}
