import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { openTestDatabase } from '../../../tests/database.ts'
import { keepWrites, refuse } from '../../shared/result.ts'
import type { DatabaseTransaction } from './port.ts'

/** An error as PostgreSQL reports it. */
const fails = (code: string) =>
  sql`do ${sql.raw(`$$ begin raise exception 'no' using errcode = '${code}'; end $$`)}`

describe('a transaction', () => {
  it.each(['40P01', '40001'])(
    'runs once more after %s, and keeps only what its last run wrote',
    async (code) => {
      const { db, close } = await openTestDatabase()
      try {
        await sql`create table runs (number int)`.execute(db)
        let runs = 0
        const result = await db.transaction().execute(async (tx) => {
          runs += 1
          await sql`insert into runs values (${runs})`.execute(tx)
          if (runs === 1) await fails(code).execute(tx)
          return runs
        })
        expect(result).toBe(2)
        expect((await sql`select number from runs`.execute(db)).rows).toEqual([{ number: 2 }])

        const always = vi.fn(async (tx: DatabaseTransaction) => {
          await fails(code).execute(tx)
        })
        await expect(
          db.transaction().setIsolationLevel('serializable').execute(always),
        ).rejects.toMatchObject({
          code,
        })
        expect(always).toHaveBeenCalledTimes(2)
      } finally {
        await close()
      }
    },
  )

  it('rolls back when it refuses, unless the refusal keeps what was written', async () => {
    const { db, close } = await openTestDatabase()
    try {
      await sql`create table runs (number int)`.execute(db)
      const refuses = (result: { ok: false; reason: string }, number: number) =>
        db.transaction().execute(async (tx) => {
          await sql`insert into runs values (${number})`.execute(tx)
          return result
        })
      const refusal = refuse('not_found')
      expect(await refuses(refusal, 1)).toBe(refusal)
      expect(await refuses(keepWrites(refuse('expired')), 2)).toEqual({ ok: false, reason: 'expired' })
      expect((await sql`select number from runs`.execute(db)).rows).toEqual([{ number: 2 }])
    } finally {
      await close()
    }
  })

  it('doesn’t run again after any other error', async () => {
    const { db, close } = await openTestDatabase()
    try {
      for (const error of [{ code: '23505' }, { code: '57014' }, {}]) {
        const work = vi.fn(async () => {
          throw Object.assign(new Error('no'), error)
        })
        await expect(db.transaction().execute(work)).rejects.toThrow('no')
        expect(work).toHaveBeenCalledTimes(1)
      }
    } finally {
      await close()
    }
  })

  it('survives a real deadlock: both of two that lock in opposite order commit', async () => {
    const connection = await openTestDatabase()
    const { db } = connection
    try {
      // One connection waits for the other only on PostgreSQL; the embedded database runs one transaction at a time.
      if (connection.kind !== 'postgres') return
      await sql`create table accounts_locked (id text primary key, times int not null default 0)`.execute(db)
      await sql`insert into accounts_locked (id) values ('one'), ('other')`.execute(db)
      const firstLocks = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
      const lock = (nth: 0 | 1, ids: readonly [string, string]) =>
        db.transaction().execute(async (tx) => {
          await sql`update accounts_locked set times = times + 1 where id = ${ids[0]}`.execute(tx)
          firstLocks[nth].resolve()
          await firstLocks[nth === 0 ? 1 : 0].promise
          await sql`update accounts_locked set times = times + 1 where id = ${ids[1]}`.execute(tx)
        })
      await Promise.all([lock(0, ['one', 'other']), lock(1, ['other', 'one'])])
      expect((await sql`select times from accounts_locked`.execute(db)).rows).toEqual([
        { times: 2 },
        { times: 2 },
      ])
    } finally {
      await connection.close()
    }
  })
})
