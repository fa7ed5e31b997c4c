import { describe, expect, it } from 'vitest'
import { LOCK_ORDER, type RankedLock } from '../app/shared/lock-order.ts'
import { unrankedLocks } from './unranked-locks.ts'

describe('the check of locks', () => {
  it.each([
    ["tx.selectFrom('bookings').select('id').forUpdate().execute()"],
    ["tx.selectFrom('bookings as b').forNoKeyUpdate()"],
    ["selectBookings(tx).forUpdate('bookings')"],
    ["tx.selectFrom('quotes').forShare()"],
    ['sql`select id from bookings for update of bookings`'],
    ["lockByName(tx, 'calendar', id)"],
    ["const text = 'waits for updates'"],
  ])('passes %s', (source) => {
    expect(unrankedLocks('app/a.server.ts', source)).toEqual([])
  })

  it.each([
    ["tx.selectFrom('newsletter').select('id').forUpdate()", 'newsletter'],
    ["selectNewsletter(tx).forUpdate('newsletter')", 'newsletter'],
    ["tx.selectFrom('newsletter').forKeyShare()", 'newsletter'],
    ['selectBookings(tx).forUpdate()', 'pass its name'],
    ["db.where('id', 'in', tx.selectFrom('bookings')).forUpdate()", 'pass its name'],
    ['sql`select id from bookings for update`', 'without `of`'],
    ['sql`select id from newsletter where true for no key update of newsletter`', 'newsletter'],
    ["sql`select pg_advisory_xact_lock(hashtextextended('a', 0))`", 'lockByName'],
    ['sql`select lock_ledger(array[1])`', 'lockByName'],
  ])('reports %s', (source, problem) => {
    expect(unrankedLocks('app/a.server.ts', `\n${source}`)).toEqual([expect.stringContaining(problem)])
    expect(unrankedLocks('app/a.server.ts', `\n${source}`)[0]).toMatch(/^app\/a\.server\.ts:2 /)
  })
})

describe('the order of locks', () => {
  it('gives each lock one place, or puts it under others', () => {
    const order: readonly RankedLock[] = LOCK_ORDER
    const names = order.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const covered of order.flatMap(({ covers = [] }) => covers)) expect(names).not.toContain(covered)
  })
})
