import { Kysely, type Transaction, type TransactionBuilder } from 'kysely'
import { keepsWrites } from '../../shared/result.ts'
import { isRepeatable } from './failures.ts'

/**
 * Kysely, with two rules for each transaction of the product, since all run through here.
 *
 * A transaction that returns a refusal (`{ ok: false }`) is rolled back, whatever it has written before; `keepWrites`
 * (shared/result.ts) says where that is not meant.
 *
 * After a deadlock or a failed serialisation it is repeated once. Both roll back the whole transaction, and PostgreSQL asks for
 * exactly that. So the work passed to `execute` may run twice: it changes nothing but the database, and assigns outer variables
 * rather than adding to them.
 */
export class RepeatingKysely<Tables> extends Kysely<Tables> {
  override transaction(): TransactionBuilder<Tables> {
    return repeating(super.transaction())
  }
}

/** Rolls a transaction back with its result. */
class RolledBack<Result> extends Error {
  readonly result: Result

  constructor(result: Result) {
    super('The transaction was rolled back, since it refuses.')
    this.result = result
  }
}

function repeating<Tables>(builder: TransactionBuilder<Tables>): TransactionBuilder<Tables> {
  return new Proxy(builder, {
    get(target, name) {
      if (name === 'execute')
        return <Result>(work: (tx: Transaction<Tables>) => Promise<Result>) =>
          repeatOnce(() => rollBackRefusals((run) => target.execute(run), work))
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => repeating(Reflect.apply(value, target, args))
    },
  })
}

async function rollBackRefusals<Tables, Result>(
  execute: (work: (tx: Transaction<Tables>) => Promise<Result>) => Promise<Result>,
  work: (tx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  try {
    return await execute(async (tx) => {
      const result = await work(tx)
      if (isRefusal(result) && !keepsWrites(result)) throw new RolledBack(result)
      return result
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.result
    throw error
  }
}

function isRefusal(result: unknown): result is { ok: false } {
  return typeof result === 'object' && result !== null && 'ok' in result && result.ok === false
}

async function repeatOnce<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!isRepeatable(error)) throw error
    return run()
  }
}
