import type { Database, DatabaseTransaction } from '../app/adapters/database/port.ts'

/** A database on which something else happens before each transaction begins, after the checks that come before it. */
export function beforeTransaction(db: Database, act: () => Promise<unknown>): Database {
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction')
        return () => ({
          execute: async (work: (tx: DatabaseTransaction) => Promise<unknown>) => {
            await act()
            return target.transaction().execute(work)
          },
        })
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
