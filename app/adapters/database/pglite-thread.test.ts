import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdEngine, migratedDump } from '../../../tests/database.ts'
import { PgliteThread } from './pglite-thread.server.ts'

/** A database made from nothing takes seconds of a whole core. */
const openFilled = async () => PgliteThread.open(null, new Blob([readFileSync(await migratedDump())]))

let database: PgliteThread

beforeAll(async () => {
  await holdEngine()
  database = await openFilled()
  await database.exec("create table names (name text primary key, note text check (note <> ''))")
})
afterAll(() => database.close())

describe('a database on its own thread', () => {
  it('doesn’t block the calling thread', async () => {
    let turns = 0
    let done = false
    const slow = database.query('select sum(n) as n from generate_series(1, 2000000) as n').finally(() => {
      done = true
    })
    while (!done) {
      turns++
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await slow).rows).toEqual([{ n: 2000001000000 }])
    // On one thread the first turn of the event loop would come after the result.
    expect(turns).toBeGreaterThan(2)
  })

  it('accepts and returns every kind of value', async () => {
    const at = new Date('2027-03-14T05:06:07.089Z')
    const { rows } = await database.query(
      `select $1::timestamptz as at, $2::jsonb as doc, $3::bytea as bytes, $4::int8 as big, $5::text[] as texts,
        $6::bool as yes, $7::text as nothing, 12.50::numeric as price, '2027-03-14'::date as day, 7::int8 as small`,
      [at, { a: [1, { b: null }] }, new Uint8Array([0, 255]), 2n ** 62n, ['x', 'y "z"'], true, null],
    )
    expect(rows).toEqual([
      {
        at,
        doc: { a: [1, { b: null }] },
        bytes: new Uint8Array([0, 255]),
        big: 2n ** 62n,
        texts: ['x', 'y "z"'],
        yes: true,
        nothing: null,
        price: '12.50',
        day: new Date('2027-03-14T00:00:00.000Z'),
        small: 7,
      },
    ])
  })

  it('can be vacuumed, which only our own job does', async () => {
    await database.exec("insert into names values ('gone'); delete from names where name = 'gone'")
    await database.exec('vacuum analyze')
    const { rows } = await database.query(
      "select last_vacuum is not null as cleared from pg_stat_user_tables where relname = 'names'",
    )
    expect(rows).toEqual([{ cleared: true }])
  })

  it('returns the number of changed rows', async () => {
    await database.query("insert into names values ('counted-1'), ('counted-2')")
    const { affectedRows } = await database.query("delete from names where name like 'counted%'")
    expect(affectedRows).toBe(2)
  })

  it('returns errors with PostgreSQL’s fields', async () => {
    await database.query("insert into names values ('Ada')")
    await expect(database.query("insert into names values ('Ada')")).rejects.toMatchObject({
      message: 'duplicate key value violates unique constraint "names_pkey"',
      code: '23505',
      constraint: 'names_pkey',
      table: 'names',
      detail: 'Key (name)=(Ada) already exists.',
    })
    await expect(database.query("insert into names values ('Bo', '')")).rejects.toMatchObject({
      code: '23514',
      constraint: 'names_note_check',
    })
    await expect(database.exec('select 1; selec 2')).rejects.toMatchObject({ code: '42601' })
    await expect(database.query('select $1::text', [() => 1])).rejects.toThrow(/could not be cloned/)
    expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('runs a statement again and again, with other values and inside a transaction', async () => {
    await database.exec('create table counted (n int primary key, note text)')
    const insert = 'insert into counted (n, note) values ($1, $2)'
    for (const n of [1, 2, 3]) {
      expect(await database.query(insert, [n, n === 2 ? null : `note ${n}`])).toMatchObject({
        affectedRows: 1,
      })
    }
    const select = 'select n, note, $2::jsonb as doc from counted where n >= $1 order by n'
    for (const from of [1, 2, 3, 4]) {
      const { rows } = await database.query(select, [from, { from }])
      const all = [1, 2, 3].map((n) => ({ n, note: n === 2 ? null : `note ${n}`, doc: { from } }))
      expect(rows).toEqual(all.slice(from - 1))
    }
    const undone = database.transaction(async (tx) => {
      await tx.query(insert, [4, 'in a transaction'])
      expect((await tx.query(select, [4, null])).rows).toEqual([
        { n: 4, note: 'in a transaction', doc: null },
      ])
      await tx.query(insert, [4, 'again'])
    })
    await expect(undone).rejects.toMatchObject({ code: '23505', constraint: 'counted_pkey' })
    // An error leaves nothing behind, in a transaction or outside.
    await expect(database.query(insert, [3, ''])).rejects.toMatchObject({ code: '23505' })
    await expect(database.query(insert, ['three', ''])).rejects.toMatchObject({ code: '22P02' })
    expect((await database.query(select, [3, null])).rows).toEqual([{ n: 3, note: 'note 3', doc: null }])
  })

  it('returns the columns that a table has now', async () => {
    await database.exec('create table changing (a int); insert into changing values (1)')
    const read = async () => (await database.query('select * from changing')).rows
    for (let times = 0; times < 3; times++) expect(await read()).toEqual([{ a: 1 }])
    await database.exec('alter table changing add b text')
    for (let times = 0; times < 3; times++) expect(await read()).toEqual([{ a: 1, b: null }])
    await database.query('alter table changing drop a')
    for (let times = 0; times < 3; times++) expect(await read()).toEqual([{ b: null }])
  })

  it('returns the columns of now if a function has changed the table', async () => {
    await database.exec(`
      create table growing (a int); insert into growing values (1);
      create table search_growing (a int); insert into search_growing values (1);
      create function grow() returns void language plpgsql as $$ begin
        alter table growing add b text; alter table search_growing add b text; end $$`)
    const read = async () => [
      ...(await database.query('select * from growing')).rows,
      ...(await database.query('select * from search_growing')).rows,
    ]
    expect(await read()).toEqual([{ a: 1 }, { a: 1 }])
    await database.query('select grow()')
    for (let times = 0; times < 3; times++)
      expect(await read()).toEqual([
        { a: 1, b: null },
        { a: 1, b: null },
      ])
  })

  it('runs a statement again once its table is back', async () => {
    await database.exec(`
      create function come() returns void language plpgsql as $$ begin
        create table coming (a int); insert into coming values (1); end $$;
      create function go() returns void language plpgsql as $$ begin drop table coming; end $$`)
    const read = () => database.query('select * from coming')
    await database.query('select come()')
    expect((await read()).rows).toEqual([{ a: 1 }])
    await database.query('select go()')
    await expect(read()).rejects.toMatchObject({ code: '42P01' })
    await database.query('select come()')
    for (let times = 0; times < 3; times++) expect((await read()).rows).toEqual([{ a: 1 }])
  })

  it('returns answers that come in many pieces', async () => {
    const text = 'ä€🎉'.repeat(30_000)
    for (let times = 0; times < 3; times++) {
      const { rows } = await database.query<{ n: number; text: string | null }>(
        'select n, case when n = 2000 then $1::text end as text from generate_series(1, 4000) n',
        [text],
      )
      expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 4_000 }, (_, index) => index + 1))
      expect(rows.findIndex((row) => row.text === text)).toBe(1_999)
    }
  })

  it('prepares what runs twice, up to a limit, but no search', async () => {
    for (let times = 0; times < 3; times++) {
      for (let n = 0; n < 220; n++) await database.query(`select ${n} as many`)
      await database.query("select 'search_listings' as of_a_search")
    }
    const { rows } = await database.query<{ text: string }>(
      'select statement as text from pg_prepared_statements',
    )
    expect(rows.length).toBeLessThanOrEqual(200)
    expect(rows.filter(({ text }) => text.includes(' as many')).length).toBeGreaterThan(150)
    expect(rows.filter(({ text }) => text.includes('of_a_search'))).toEqual([])
  })

  it('makes outside queries wait for an open transaction', async () => {
    const order: string[] = []
    let outside: Promise<unknown> = Promise.resolve()
    await database.transaction(async (tx) => {
      await tx.query("insert into names values ('inside')")
      outside = database.query("select from names where name = 'inside'").then(({ rows }) => {
        order.push(`outside sees ${rows.length}`)
      })
      await tx.exec("insert into names values ('inside too')")
      order.push('committed')
    })
    await outside
    expect(order).toEqual(['committed', 'outside sees 1'])
  })

  it('rolls back a transaction that throws, contains an error or asks for it', async () => {
    const failure = new Error('on purpose')
    const failing = database.transaction(async (tx) => {
      await tx.query("insert into names values ('thrown')")
      throw failure
    })
    await expect(failing).rejects.toBe(failure)
    const swallowed = database.transaction(async (tx) => {
      await tx.query("insert into names values ('swallowed')")
      await tx.query("insert into names values ('swallowed')").catch(() => {})
    })
    await expect(swallowed).rejects.toMatchObject({ code: '25P02' })
    const asked = database.transaction(async (tx) => {
      await tx.query("insert into names values ('asked')")
      await tx.rollback()
    })
    await expect(asked).resolves.toBeUndefined()
    const { rows } = await database.query("select from names where name in ('thrown', 'swallowed', 'asked')")
    expect(rows).toEqual([])
  })

  it('delivers notifications after the commit and before the transaction resolves', async () => {
    const heard: string[] = []
    const stop = await database.listen('changes', (payload) => heard.push(payload))
    await database.transaction(async (tx) => {
      await tx.query("select pg_notify('changes', 'first')")
      await tx.query('select 1')
      expect(heard).toEqual([])
    })
    expect(heard).toEqual(['first'])
    await database.query("select pg_notify('changes', 'alone'), pg_notify('others', 'unheard')")
    expect(heard).toEqual(['first', 'alone'])
    await stop()
    await database.query("select pg_notify('changes', 'second')")
    expect(heard).toEqual(['first', 'alone'])
  })

  it('finishes pending queries when it closes, and refuses later ones', async () => {
    const other = await openFilled()
    const asked = [1, 2, 3].map((n) =>
      other.query('select count(*) as count from generate_series(1, 100000 * $1::int)', [n]),
    )
    await other.close()
    expect((await Promise.all(asked)).flatMap(({ rows }) => rows)).toEqual(
      [100_000, 200_000, 300_000].map((count) => ({ count })),
    )
    await expect(other.query('select 1')).rejects.toThrow('The database is closed.')
    await other.close()
  })

  it('reports why it could not open', async () => {
    await expect(PgliteThread.open('/dev/null/nowhere')).rejects.toThrow(/ENOTDIR|not a directory/i)
  })

  it('can be created again after its first start was killed halfway', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'jubilee-created-'))
    const folder = join(parent, 'database')
    const script = `
      import { PgliteThread } from ${JSON.stringify(new URL('./pglite-thread.server.ts', import.meta.url).href)}
      await PgliteThread.open(${JSON.stringify(folder)})
    `
    const killed = spawn(process.execPath, ['--input-type=module', '--eval', script])
    const ended = once(killed, 'exit')
    // The files are written last, all at once.
    const isHalfway = () => globSync(join(parent, '*/base')).length > 0
    await expect.poll(isHalfway, { timeout: 20_000, interval: 1 }).toBe(true)
    killed.kill('SIGKILL')
    await ended
    expect(readdirSync(parent)).toEqual([expect.stringMatching(/^database\.new-/)])

    const created = await PgliteThread.open(folder)
    expect((await created.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await created.close()
    expect(readdirSync(parent)).toEqual(['database'])
    rmSync(parent, { recursive: true, force: true })
  }, 60_000)

  it('ends the process when the engine breaks', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jubilee-broken-'))
    // Without its WAL PostgreSQL panics, because it can't guarantee durability.
    const script = `
      import { readFileSync, rmSync } from 'node:fs'
      import { PgliteThread } from ${JSON.stringify(new URL('./pglite-thread.server.ts', import.meta.url).href)}
      const database = await PgliteThread.open(
        ${JSON.stringify(join(folder, 'database'))},
        new Blob([readFileSync(${JSON.stringify(await migratedDump())})]),
      )
      await database.exec('create table numbers (n int)')
      rmSync(${JSON.stringify(join(folder, 'database/pg_wal'))}, { recursive: true })
      for (let n = 0; ; n++) {
        await database.query('select pg_switch_wal()').catch(() => {})
        await database.query('insert into numbers values (1)').catch(() => {})
      }
    `
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      timeout: 25_000,
    })
    rmSync(folder, { recursive: true, force: true })
    expect(stderr).toContain('The embedded database has stopped: could not create file')
    expect(status).toBe(1)
  })
})
