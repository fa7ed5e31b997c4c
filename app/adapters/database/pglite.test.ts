import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openPglite } from './pglite.server.ts'

it('PGlite finds a few rows by their terms in the index, rather than unpacking those of every row', async () => {
  const connection = await openPglite(null)
  const { db } = connection
  try {
    await connection.executeScript(`
      create table listed (id int, words tsvector, text text);
      insert into listed select n, to_tsvector('simple', 'all half' || n % 2 || ' tenth' || n % 10), repeat('x', 700)
        from generate_series(1, 5000) n;
      create index on listed using gin (tsvector_to_array(words));
      analyze listed`)
    const planOf = async (term: string, limit: number | null) => {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select count(*) from (
        select from listed where tsvector_to_array(words) @> array[${sql.lit(term)}] limit ${sql.lit(limit)}) found`.execute(
        db,
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    expect(await planOf('tenth3', null)).toContain('Bitmap Index Scan')
    expect(await planOf('half1', null)).toContain('Bitmap Index Scan')
    // A limit makes a walk from the beginning look cheap.
    expect(await planOf('tenth3', 100)).toContain('Bitmap Index Scan')
    // The row of a ctid is fetched, not joined with all.
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select listed.text from (
      select ctid as row from listed where tsvector_to_array(words) @> array['half1'] order by id + 0 limit 501) newest
      join listed on listed.ctid = newest.row`.execute(db)
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Tid Scan')
  } finally {
    await connection.close()
  }
})
