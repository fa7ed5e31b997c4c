/**
 * Runs the embedded PostgreSQL on its own worker thread, because a query blocks its thread, and the main one has to
 * answer requests. The main thread's side is pglite-thread.server.ts. The build puts this file beside its bundle.
 */
import { parentPort } from 'node:worker_threads'
import { PGlite, type Results, type Transaction } from '@electric-sql/pglite'
import { codeOf } from './failures.ts'
import { extensions } from './pglite-extensions.server.ts'
import { PgliteStatements } from './pglite-statements.server.ts'

/** A request of the main thread. The id of a `begin` request identifies its transaction. */
export type Request = { id: number } & (
  | { kind: 'open'; dataFolder: string | null; dump: Blob | undefined }
  | { kind: 'query'; sql: string; parameters: unknown[]; transaction: number | null }
  | { kind: 'exec'; sql: string; transaction: number | null }
  | { kind: 'begin' }
  | { kind: 'end'; transaction: number; commit: boolean }
  | { kind: 'listen'; channel: string }
  | { kind: 'unlisten'; listener: number }
  | { kind: 'dump' }
  | { kind: 'close' }
)

/** A response, or a notification for the `listen` request with that id. */
export type Message =
  | { id: number; kind: 'result'; result: unknown }
  | { id: number; kind: 'error'; error: SentError }
  | { id: number; kind: 'notification'; payload: string }

/** An error with PostgreSQL's fields, which structured cloning would drop. */
export type SentError = { message: string; fields: Record<string, unknown> }

const ERROR_FIELDS = [
  'name',
  'code',
  'severity',
  'detail',
  'hint',
  'position',
  'where',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
] as const

type OpenTransaction = { tx: Transaction; decide: (commit: boolean) => void; done: Promise<void> }

if (!parentPort) throw new Error('This file runs as a worker thread.')
const port = parentPort
const transactions = new Map<number, OpenTransaction>()
const listeners = new Map<
  number,
  { channel: string; hear: (payload: string) => void; stop: () => Promise<void> }
>()
let opened: PGlite | null = null
let statements: PgliteStatements | null = null

port.on('message', (requests: Request[]) => {
  for (const request of requests) void answer(request)
})

async function answer(request: Request): Promise<void> {
  let message: Message
  try {
    message = { id: request.id, kind: 'result', result: await perform(request) }
  } catch (error) {
    if (isBroken(error)) throw toFatal(error)
    message = { id: request.id, kind: 'error', error: toSent(error) }
  }
  send(message)
  if (request.kind !== 'close') return
  flush()
  port.close()
}

/**
 * PostgreSQL touches all of its buffers as it starts, so the default of 128 MB is held by the smallest demo. What they don't hold
 * comes from the operating system's cache.
 */
const SHARED_BUFFERS = '16MB'
/** Longer than this, no answer waits for those of the statements after it. */
const MAX_HELD_MS = 10
let unsent: Message[] = []
let heldSince = 0

/** Sends a message together with those of this turn. Statements run without a turn in between until one has to wait. */
function send(message: Message): void {
  if (unsent.length === 0) {
    heldSince = performance.now()
    setImmediate(flush)
  }
  unsent.push(message)
  if (performance.now() - heldSince > MAX_HELD_MS) flush()
}

function flush(): void {
  if (unsent.length === 0) return
  const messages = unsent
  unsent = []
  port.postMessage(messages)
}

async function perform(request: Request): Promise<unknown> {
  if (request.kind === 'open') {
    const { dataFolder, dump } = request
    opened = await PGlite.create({
      ...(dataFolder ? { dataDir: dataFolder } : {}),
      ...(dump ? { loadDataDir: dump } : {}),
      extensions,
      startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
    })
    statements = new PgliteStatements(opened, (channel, payload) => {
      for (const listener of listeners.values()) if (listener.channel === channel) listener.hear(payload)
    })
    return null
  }
  const pglite = present(opened)
  switch (request.kind) {
    case 'query': {
      const { rows, affectedRows } = await query(request)
      return { rows, affectedRows, fields: [] }
    }
    case 'exec':
      present(statements).willRun(request.sql)
      return (await handleOf(request).exec(request.sql)).map(({ rows }) => ({ rows }))
    case 'begin':
      return begin(pglite, request.id)
    case 'end': {
      const { decide, done } = present(transactions.get(request.transaction))
      transactions.delete(request.transaction)
      decide(request.commit)
      return done
    }
    case 'listen': {
      const { id, channel } = request
      const hear = (payload: string) => send({ id, kind: 'notification', payload })
      listeners.set(id, { channel, hear, stop: await pglite.listen(channel, hear) })
      return null
    }
    case 'unlisten': {
      const listener = listeners.get(request.listener)
      listeners.delete(request.listener)
      return listener?.stop()
    }
    case 'dump':
      return new Uint8Array(await (await pglite.dumpDataDir('none')).arrayBuffer())
    case 'close':
      return pglite.close()
  }
}

function query(request: Extract<Request, { kind: 'query' }>): Promise<Results> {
  const { sql, parameters, transaction } = request
  const prepared = present(statements)
  const handle = handleOf(request)
  if (prepared.accepts(sql)) return prepared.run(sql, parameters, transaction !== null)
  prepared.willRun(sql)
  return handle.query(sql, parameters)
}

/** Resolves once the transaction is open. Every other query then waits until `decide`. */
async function begin(pglite: PGlite, id: number): Promise<void> {
  const begun = Promise.withResolvers<void>()
  const decided = Promise.withResolvers<boolean>()
  const done = pglite.transaction(async (tx) => {
    transactions.set(id, { tx, decide: decided.resolve, done })
    begun.resolve()
    if (!(await decided.promise)) await tx.rollback()
  })
  done.catch(begun.reject)
  await begun.promise
}

function handleOf({ transaction }: { transaction: number | null }): PGlite | Transaction {
  return transaction === null ? present(opened) : present(transactions.get(transaction)).tx
}

function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('Requests to the database arrived out of order.')
  return value
}

/**
 * Whether the engine itself crashed, as opposed to an error in a statement. It can't answer after that, so the thread
 * ends, and the process with it. Committed data is in the WAL, which the next start replays.
 */
function isBroken(error: unknown): boolean {
  if (error instanceof WebAssembly.RuntimeError) return true
  return error instanceof Error && 'severity' in error && ['FATAL', 'PANIC'].includes(String(error.severity))
}

/** Names a full disk in words, since the process ends with this error. The engine can't go on without its log. */
function toFatal(error: unknown): unknown {
  return codeOf(error).startsWith('53')
    ? new Error('The disk is full. Free some space and start again. What was saved is still there.', {
        cause: error,
      })
    : error
}

function toSent(error: unknown): SentError {
  if (!(error instanceof Error)) return { message: String(error), fields: {} }
  const all = error as Error & Record<string, unknown>
  const fields = ERROR_FIELDS.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]]))
  return { message: error.message, fields: Object.fromEntries(fields) }
}
