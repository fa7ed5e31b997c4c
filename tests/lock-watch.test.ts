import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseTransaction } from '../app/adapters/database/port.ts'
import { lockCalendar } from '../app/features/availability/slot-commands.server.ts'
import { lockLedger } from '../app/features/ledger/commands.server.ts'
import { newId } from '../app/shared/ids.ts'
import { aUser } from './builders.ts'
import { openTestDatabase, type TestConnection } from './database.ts'
import { LockOutOfOrder, locksOf } from './lock-watch.ts'

let connection: TestConnection
let ids: string[]

beforeAll(async () => {
  connection = await openTestDatabase()
  const people = [await aUser(connection.db), await aUser(connection.db)]
  ids = people.map(({ id }) => id).sort()
}, 60_000)
afterAll(() => connection.close())

const runs = (work: (tx: DatabaseTransaction) => Promise<unknown>) =>
  connection.db.transaction().execute(async (tx) => {
    await work(tx)
  })
const lockUser = (tx: DatabaseTransaction, id = ids[0] ?? '') =>
  tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()

describe('a transaction in a test', () => {
  it('may lock in the order, and what it holds again', async () => {
    const businessId = newId()
    await runs(async (tx) => {
      await lockUser(tx)
      await lockCalendar(tx, businessId)
      await lockLedger(tx, ['vendor'])
      await lockUser(tx)
      await tx
        .updateTable('users')
        .set({ name: 'Robin' })
        .where('id', '=', ids[0] ?? '')
        .execute()
      await lockCalendar(tx, businessId)
    })
  })

  it('throws at a row, at a name and at an update that come too late', async () => {
    const late = [
      (tx: DatabaseTransaction) => lockUser(tx),
      (tx: DatabaseTransaction) => lockCalendar(tx, newId()),
      (tx: DatabaseTransaction) => tx.updateTable('users').set({ name: 'Robin' }).execute(),
      (tx: DatabaseTransaction) =>
        tx
          .deleteFrom('users')
          .where('id', '=', ids[0] ?? '')
          .execute(),
      (tx: DatabaseTransaction) => sql`update users set name = 'Robin'`.execute(tx),
    ]
    for (const lock of late)
      await expect(
        runs(async (tx) => {
          await lockLedger(tx, ['vendor'])
          await lock(tx)
        }),
      ).rejects.toThrow(/(users|calendar) is locked after ledger/)
  })

  it('may write rows that do not exist, since nobody waits for them', async () => {
    await runs(async (tx) => {
      await lockLedger(tx, ['vendor'])
      await lockUser(tx, newId())
    })
  })

  it('throws at another row of the same kind, and at several in no order', async () => {
    const calendars = (first: string, second: string) =>
      runs(async (tx) => {
        await lockCalendar(tx, first)
        await lockCalendar(tx, second)
      })
    await expect(calendars('business-2', 'business-1')).rejects.toThrow('Another of calendar')
    await calendars('business-1', 'business-2')
    const vendors = runs(async (tx) => {
      await lockLedger(tx, ['vendor-2'])
      await lockLedger(tx, ['vendor-1'])
    })
    await expect(vendors).rejects.toThrow('Another of ledger')
    const all = (tx: DatabaseTransaction) => tx.selectFrom('users').select('id').where('id', 'in', ids)
    await expect(runs((tx) => all(tx).forUpdate().execute())).rejects.toThrow('in no order')
    await runs((tx) => all(tx).orderBy('id').forUpdate().execute())
  })

  it('rolls back at such a lock, and doesn’t run again', async () => {
    let count = 0
    const rejected = runs(async (tx) => {
      count += 1
      await tx
        .updateTable('users')
        .set({ name: 'Nobody' })
        .where('id', '=', ids[1] ?? '')
        .execute()
      await lockLedger(tx, ['vendor'])
      await lockCalendar(tx, newId())
    })
    await expect(rejected).rejects.toBeInstanceOf(LockOutOfOrder)
    expect(count).toBe(1)
    const rows = await connection.db.selectFrom('users').select('id').where('name', '=', 'Nobody').execute()
    expect(rows).toEqual([])
  })
})

describe('the locks of a statement', () => {
  it.each([
    ['select "id" from "bookings" where "id" = $1 for update', ['bookings']],
    ['select id from bookings join payments on true where id = $1 for update of payments', ['payments']],
    ['select "id" from "slots" where "id" in (select "id" from "bookings") for no key update', ['slots']],
    ['delete from "a" where "id" in (select "id" from "b" for update skip locked)', ['a', 'b']],
    ['insert into "slots" ("id") values ($1)', []],
    ['insert into "slots" ("id") values ($1) on conflict ("id") do update set "note" = $2', ['slots']],
    ['update "bookings" set "payment_status" = $1 where "id" = $2', ['bookings']],
    ['update "bookings" set "status" = $1 where "id" = $2', ['bookings', 'payout_queue', 'tax_queue']],
    [
      'with made as (insert into ledger_postings (id) select 1) select lock_ledger(array[$1])',
      ['payout_queue', 'ledger'],
    ],
    ['select pg_advisory_xact_lock(hashtextextended($1, 0))', ['calendar']],
  ])('of %s', (text, locks) => {
    expect(locksOf({ sql: text, parameters: ['calendar:one'] })).toEqual(locks)
  })
})
