import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { migratedDump } from '../../../tests/database.ts'
import { findPostgres, startPostgres } from '../../../tests/postgres.ts'
import { openPglite } from './pglite.server.ts'
import type { DatabaseConnection } from './port.ts'
import { openPostgres } from './postgres.server.ts'

const programs = findPostgres()
/** Starting a database takes seconds of a core, of which all tests share a few. */
const START_MS = 120_000

/** A full disk, no memory, too many connections, a read-only server, a shutdown, a start, an I/O error. */
const UNAVAILABLE = ['53100', '53200', '53300', '53400', '25006', '57P01', '57P03', '57P05', '57014', '58030']
const FAULTS_OF_A_STATEMENT = ['23505', '40001', '42601', '22P02', 'P0001', '55P03']

type Opened = { connection: DatabaseConnection; close(): Promise<void> }

const subjects: { name: string; isThere: boolean; open(onUnavailable: () => void): Promise<Opened> }[] = [
  {
    name: 'the embedded database',
    isThere: true,
    async open(onUnavailable) {
      const dump = new Blob([readFileSync(await migratedDump())])
      const connection = await openPglite(null, { dump, onUnavailable })
      return { connection, close: () => connection.close() }
    },
  },
  {
    name: 'PostgreSQL',
    isThere: programs !== null,
    async open(onUnavailable) {
      const cluster = await startPostgres(programs ?? '')
      const connection = openPostgres(cluster.url, () => {}, { onUnavailable })
      const close = async () => {
        await connection.close()
        cluster.stop()
      }
      return { connection, close }
    },
  },
]

describe.each(subjects)('$name', ({ isThere, open }) => {
  it.skipIf(!isThere)(
    'tells an unavailable database from a faulty statement by the error’s code',
    async () => {
      let told = 0
      const { connection, close } = await open(() => {
        told += 1
      })
      const fail = (code: string) =>
        sql`do ${sql.raw(`$$ begin raise exception 'no' using errcode = '${code}'; end $$`)}`
      try {
        for (const [codes, isTold] of [
          [UNAVAILABLE, true],
          [FAULTS_OF_A_STATEMENT, false],
        ] as const)
          for (const code of codes) {
            told = 0
            await expect(fail(code).execute(connection.db)).rejects.toMatchObject({ code })
            expect([code, told > 0]).toEqual([code, isTold])
            told = 0
            const inTransaction = connection.db.transaction().execute((tx) => fail(code).execute(tx))
            await expect(inTransaction).rejects.toMatchObject({ code })
            expect([code, told > 0]).toEqual([code, isTold])
          }
      } finally {
        await close()
      }
    },
    START_MS,
  )

  it.skipIf(!isThere)(
    'is unavailable while it takes no writes',
    async () => {
      let told = 0
      const { connection, close } = await open(() => {
        told += 1
      })
      try {
        await connection.executeScript('create table notes (text text)')
        const write = connection.db.transaction().execute(async (tx) => {
          await sql`set transaction read only`.execute(tx)
          await sql`insert into notes values ('one')`.execute(tx)
        })
        await expect(write).rejects.toMatchObject({ code: '25006' })
        expect(told).toBeGreaterThan(0)
      } finally {
        await close()
      }
    },
    START_MS,
  )
})
