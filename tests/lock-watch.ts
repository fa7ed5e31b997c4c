import type { DatabaseTransaction } from '../app/adapters/database/port.ts'
import { LOCK_ORDER, type RankedLock, TRIGGERED_LOCKS } from '../app/shared/lock-order.ts'

const ORDER: readonly RankedLock[] = LOCK_ORDER

/** The parts of a statement that lock, the tables that it reads, and the brackets around them. */
const PARTS =
  /(?<bracket>[()])|\bfrom "?(?<read>[a-z_]+)"?|(?<forRows>\bfor (?:no key )?(?:update|share)\b)(?: of "?(?<of>[a-z_]+)"?)?|(?<!\b(?:do|for|key) )\bupdate (?:only )?"?(?<updated>[a-z_]+)"?|\bdelete from "?(?<deleted>[a-z_]+)"?|\binsert into "?(?<inserted>[a-z_]+)"?|\b(?<byName>pg_advisory_xact_lock|lock_ledger)\(/g
const SPACE = /\s+/g
/** An id, or the name of one thing among others. Shorter texts are states and names. */
const ID = /^[\w@.:-]{12,}$/

type Statement = { sql: string; parameters: readonly unknown[] }
type Result = { rows: readonly unknown[]; numAffectedRows?: bigint | undefined }
/** A lock of a transaction: its place in the order, and what its statements have named so far. */
type Held = { place: number; named: Set<string> }

/** A transaction has taken a lock against LOCK_ORDER. */
export class LockOutOfOrder extends Error {
  override name = 'LockOutOfOrder'
}

/**
 * Checks each statement of a transaction against LOCK_ORDER. It reads their text, so it sees what commands, their raw SQL and
 * the known triggers lock. It doesn't see the shared locks of foreign keys, nor statements outside a transaction.
 * @throws LockOutOfOrder in place of the statement's result
 */
export function watchLocks(tx: DatabaseTransaction): void {
  const executor = tx.getExecutor()
  const run = executor.executeQuery.bind(executor)
  const held = new Map<string, Held>()
  executor.executeQuery = async <Row>(query: Parameters<typeof run>[0]) => {
    const result = await run<Row>(query)
    const sql = query.sql.replace(SPACE, ' ').trim().toLowerCase()
    const statement = { sql, parameters: query.parameters }
    if (hasLocked(statement, result))
      for (const name of locksOf(statement)) take(held, name, statement, result)
    return result
  }
}

/** A statement that found no row has locked none, unless one of its parts has. */
const hasLocked = ({ sql }: Statement, { rows, numAffectedRows = 0n }: Result) =>
  rows.length > 0 || numAffectedRows > 0n || sql.startsWith('with ')

/** @returns tables whose rows a statement locks, and names of advisory locks, in the order of its text */
export function locksOf({ sql, parameters }: Statement): string[] {
  const names: string[] = []
  // The first table read within each open bracket, for a 'for update' behind it.
  const read: (string | undefined)[] = [undefined]
  for (const { index, groups: part = {} } of sql.matchAll(PARTS)) {
    const written = part.updated ?? part.deleted ?? part.inserted
    if (part.bracket === '(') read.push(undefined)
    else if (part.bracket) read.pop()
    else if (part.read) read[read.length - 1] ??= part.read
    else if (part.forRows) names.push(part.of ?? read.at(-1) ?? '')
    else if (part.byName === 'lock_ledger') names.push('ledger')
    else if (part.byName) names.push(String(parameters[0]).split(':')[0] ?? '')
    else if (written) {
      const rest = sql.slice(index)
      // No other transaction waits for a new row, unless it conflicts with an existing row.
      if (!part.inserted || rest.includes('on conflict')) names.push(written)
      if (!part.deleted) names.push(...triggeredBy(written, rest))
    }
  }
  return names
}

const triggeredBy = (written: string, rest: string) =>
  TRIGGERED_LOCKS.filter(
    ({ table, columns }) =>
      table === written &&
      (columns.length === 0 ||
        columns.some((column) => rest.includes(`"${column}" =`) || rest.includes(` ${column} =`))),
  ).map(({ lock }) => lock)

function take(held: Map<string, Held>, name: string, statement: Statement, result: Result): void {
  const guards = ORDER.filter(({ covers }) => covers?.includes(name))
  if (guards.some((guard) => held.has(guard.name))) return
  const place = placeOf(name)
  if (place === null) return
  const named = thingsNamedBy(statement, result)
  const before = held.get(name)
  const { several } = ORDER[place] ?? {}
  const isHeld = before && (several || named.length === 0 || named.some((one) => before.named.has(one)))
  const isNext = before && named.every((one) => [...before.named].every((former) => former < one))
  for (const one of named) before?.named.add(one)
  if (isHeld) return
  const later = [...held].find(([, one]) => one.place > place)?.[0]
  if (later) throw new LockOutOfOrder(`${name} is locked after ${later}: ${statement.sql}`)
  if (before && !isNext)
    throw new LockOutOfOrder(`Another of ${name} is locked later, not in the order of ids: ${statement.sql}`)
  if (!several && isUnsorted(statement, result) && guards.length === 0)
    throw new LockOutOfOrder(`Several of ${name} are locked in no order: ${statement.sql}`)
  held.set(name, { place, named: new Set([...(before?.named ?? []), ...named]) })
}

/** The place of a lock in the order. A covered table without its own place comes right after the lock that covers it. */
function placeOf(name: string): number | null {
  const own = ORDER.findIndex((lock) => lock.name === name)
  if (own >= 0) return own
  const guard = ORDER.findLastIndex(({ covers }) => covers?.includes(name))
  return guard < 0 ? null : guard + 0.5
}

function isUnsorted({ sql }: Statement, { rows, numAffectedRows = 0n }: Result): boolean {
  return (rows.length > 1 || numAffectedRows > 1n) && !sql.includes('order by') && !sql.startsWith('with ')
}

/** The ids and names in a statement and its rows, by which a later statement is known to lock the same again. */
function thingsNamedBy({ parameters }: Statement, { rows }: Result): string[] {
  const values = [...parameters, ...rows.flatMap((row) => Object.values(Object(row)))]
  return values.flatMap((value) => (typeof value === 'string' ? namesIn(value) : []))
}

/** Lists of vendors and of postings are passed as JSON. */
function namesIn(value: string): string[] {
  if (!value.startsWith('[') || !value.endsWith(']')) return ID.test(value) ? [value] : []
  const list: unknown[] = JSON.parse(value)
  return list.flatMap((one) => (typeof one === 'string' ? one : (Object(one).vendor ?? [])))
}
