import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmbeddedDatabase, openTestDatabase, type TestConnection } from '../../tests/database.ts'
import { cutPage, isPast, microsOf, type PageKey, readPageKey, writePageKey } from './page-keys.server.ts'

describe('readPageKey', () => {
  it.each([
    ['micros', '1790000000000001', '-'],
    ['micros', '0', '-'],
    ['micros', '9999999999999999', '-'],
    ['millis', '99999999999999', '-'],
    ['iso', '2027-03-20T02:00:00.000Z', '_'],
    ['iso', '2027-03-20T02:00:00Z', '_'],
  ] as const)('reads what writePageKey wrote: %s, %s', (form, moment, separator) => {
    const text = writePageKey(moment, 'a_b-1', form)
    expect(text).toBe(`${moment}${separator}a_b-1`)
    expect(readPageKey(text, form)).toEqual({ moment, id: 'a_b-1', form })
  })

  it.each([
    [
      'micros',
      [null, undefined, '', 'x', '1-', '-1-x', `${'9'.repeat(17)}-x`, "1-x' or 1=1", `1-${'x'.repeat(101)}`],
    ],
    ['millis', [null, '', '1', `${'9'.repeat(15)}-x`]],
    [
      'iso',
      [
        null,
        '',
        '1790000000000001-abc',
        '2027-13-40T02:00:00.000Z_abc',
        '2027-02-30T02:00:00.000Z_abc',
        '2027-03-20T99:99:99Z_abc',
        '2027-03-20T........Z_abc',
        '2027-03-20_abc',
        "2027-03-20T02:00:00.000Z_a'b",
      ],
    ],
  ] as const)('returns null for any other text: %s', (form, texts) => {
    for (const text of texts) expect(readPageKey(text, form), String(text)).toBeNull()
  })
})

describe.each([
  ['the embedded database', openEmbeddedDatabase],
  ["this machine's database", openTestDatabase],
])('a list by key on %s', (_, open) => {
  let connection: TestConnection
  beforeAll(async () => {
    connection = await open()
    // Three rows of one moment, a microsecond after the first and before the last.
    await sql`create table paged (id text primary key, at timestamptz not null)`.execute(connection.db)
    await sql`insert into paged values ('a', '2027-01-01 00:00:00.000001Z'), ('b', '2027-01-01 00:00:00.000002Z'),
      ('c', '2027-01-01 00:00:00.000002Z'), ('d', '2027-01-01 00:00:00.000002Z'), ('e', '2027-01-01 00:00:00.000003Z')`.execute(
      connection.db,
    )
  })
  afterAll(async () => {
    await sql`drop table paged`.execute(connection.db)
    await connection.close()
  })

  it.each(['asc', 'desc'] as const)('has each row once, to the microsecond: %s', async (order) => {
    const pageFrom = async (key: PageKey | null) => {
      const past = key ? isPast(key, { moment: 'paged.at', id: 'paged.id' }, order) : sql`true`
      const { rows } = await sql<{ id: string; micros: string }>`
        select id, ${microsOf('paged.at')} as micros from paged where ${past}
        order by at ${sql.raw(order)}, id ${sql.raw(order)} limit 3`.execute(connection.db)
      return cutPage(rows, 2)
    }
    const ids: string[] = []
    let key: PageKey | null = null
    do {
      const { rows, last } = await pageFrom(key)
      ids.push(...rows.map(({ id }) => id))
      key = last && readPageKey(writePageKey(last.micros, last.id))
    } while (key)
    expect(ids).toEqual(order === 'asc' ? ['a', 'b', 'c', 'd', 'e'] : ['e', 'd', 'c', 'b', 'a'])
  })

  it.each([
    ['millis', String(Date.parse('2027-01-01T00:00:00Z')), 5],
    ['iso', '2027-01-01T00:00:00.001Z', 0],
    // The ends of what is read reach the database without an error.
    ['millis', '9'.repeat(14), 0],
    ['micros', '9'.repeat(16), 0],
    ['iso', '9999-12-31T23:59:59.999Z', 0],
  ] as const)('goes on after a moment written as %s: %s', async (form, moment, left) => {
    const key = readPageKey(writePageKey(moment, 'x', form), form)
    if (!key) throw new Error('no key')
    const { rows } =
      await sql`select id from paged where ${isPast(key, { moment: 'at', id: 'id' }, 'asc')}`.execute(
        connection.db,
      )
    expect(rows).toHaveLength(left)
  })
})

describe('cutPage', () => {
  it('names the last row only if another page follows', () => {
    expect(cutPage([1, 2, 3], 2)).toEqual({ rows: [1, 2], last: 2 })
    expect(cutPage([1, 2], 2)).toEqual({ rows: [1, 2], last: null })
    expect(cutPage([], 2)).toEqual({ rows: [], last: null })
  })
})
