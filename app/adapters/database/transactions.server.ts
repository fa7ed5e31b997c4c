import { Kysely, type Transaction, type TransactionBuilder } from 'kysely'
import { isRepeatable } from './failures.ts'

/**
 * Kysely, but a transaction is repeated once after a deadlock or a failed serialisation. Both roll back the whole transaction,
 * and PostgreSQL asks for exactly that. Every transaction of the product runs through here, so the work passed to `execute`
 * may run twice: it changes nothing but the database, and assigns outer variables rather than adding to them.
 */
export class RepeatingKysely<Tables> extends Kysely<Tables> {
  override transaction(): TransactionBuilder<Tables> {
    return repeating(super.transaction())
  }
}

function repeating<Tables>(builder: TransactionBuilder<Tables>): TransactionBuilder<Tables> {
  return new Proxy(builder, {
    get(target, name) {
      if (name === 'execute')
        return <Result>(work: (tx: Transaction<Tables>) => Promise<Result>) =>
          repeatOnce(() => target.execute(work))
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => repeating(Reflect.apply(value, target, args))
    },
  })
}

async function repeatOnce<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!isRepeatable(error)) throw error
    return run()
  }
}
