// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts are source code.
import { describe, expect, it } from 'vitest'
import { tableViolations } from './table-rules.ts'

const ORDER = ['places', 'venues', 'reviews']

const declares = (path: string, table: string) => ({
  path,
  text: `declare module '../port.ts' { interface Tables { ${table}: object } }`,
})

const OWNERS = [
  declares('app/adapters/accounts/tables.server.ts', 'users'),
  declares('app/adapters/limits/tables.server.ts', 'limits'),
  declares('app/features/places/tables.server.ts', 'places'),
  declares('app/features/venues/tables.server.ts', 'venues'),
  declares('app/features/reviews/tables.server.ts', 'reviews'),
]

const check = (path: string, text: string) => tableViolations([...OWNERS, { path, text }], ORDER)

const QUERIES = 'app/features/venues/queries.server.ts'
const NAMED = [`${QUERIES}:1 names the table reviews, which belongs to app/features/reviews.`]

describe('the check of tables and their owners', () => {
  it.each([
    ['its own table', "db.selectFrom('venues')"],
    ['an earlier one', "db.selectFrom('venues').innerJoin('places as p', 'p.id', 'venues.place_id')"],
    ['the people', "db.selectFrom('users')"],
    ['an earlier one in raw SQL', 'sql`select * from places`'],
    ['the same word in a longer one', 'sql`select old_reviews, reviewsAt from venues`'],
    ['the same word as a value', 'log.info({}, `two reviews of ${name}`)'],
  ])('allows a feature to name %s', (_, text) => {
    expect(check(QUERIES, text)).toEqual([])
  })

  it.each([
    ['selectFrom', "db.selectFrom('reviews')"],
    ['a list of tables', "db.selectFrom(['venues', 'reviews'])"],
    ['an alias', "db.selectFrom('venues').leftJoin('reviews as r', 'r.venue_id', 'venues.id')"],
    ['a column', "db.selectFrom('venues').select('reviews.rating')"],
    ['a lateral join', "q.innerJoinLateral((eb) => eb.selectFrom('reviews').as('r'), (j) => j.onTrue())"],
    ['a subquery', "q.where((eb) => eb.exists(eb.selectFrom('reviews')))"],
    ['insertInto', "db.insertInto('reviews')"],
    ['updateTable', "db.updateTable('reviews')"],
    ['deleteFrom', "db.deleteFrom('reviews')"],
    ['using', "db.deleteFrom('venues').using('reviews')"],
    ['raw SQL', 'sql`select count(*) from reviews`'],
    ['raw SQL with a type', 'sql<Row>`select * from venues join reviews on true`'],
    ['raw SQL with values', 'sql`select ${id} from venues, reviews where id = ${id}`'],
    ['raw SQL inside raw SQL', 'sql`select 1 ${wanted ? sql`from reviews` : sql``}`'],
    ['sql.raw', "sql.raw('venues cross join reviews')"],
    ['sql.table', "sql`select from ${sql.table('reviews')}`"],
    ['a constant', "const TABLE = 'reviews'"],
    ['a list to go through', "for (const table of ['venues', 'reviews'] as const) clear(table)"],
    ['a statement as plain text', "const SQL = 'delete from reviews'"],
    ['the type of a row', "type Row = Selectable<Tables['reviews']>"],
  ])("reports a later feature's table in %s", (_, text) => {
    expect(check(QUERIES, text)).toEqual(NAMED)
  })

  it('finds queries outside server files too', () => {
    expect(check('app/features/venues/rules.ts', "db.selectFrom('reviews')")).toHaveLength(1)
    expect(check('app/features/venues/rules.ts', "const TAB = 'reviews'")).toEqual([])
  })

  it.each([
    'app/routes/site/home.tsx',
    'app/services.server.ts',
    'server/health.ts',
    'app/adapters/mail/smtp.server.ts',
  ])('allows %s to name no table', (path) => {
    expect(check(path, "db.selectFrom('places')")).toEqual([
      `${path}:1 names the table places, which belongs to app/features/places.`,
    ])
    expect(check(path, 'sql`select from users`')).toHaveLength(1)
  })

  it("allows an adapter's tables in that adapter only", () => {
    expect(check('app/adapters/limits/database.server.ts', "db.selectFrom('limits')")).toEqual([])
    expect(check(QUERIES, "db.selectFrom('limits')")).toHaveLength(1)
  })

  it('reports the line', () => {
    expect(check(QUERIES, "\n\nconst a = db\n  .selectFrom('reviews')")).toEqual([
      NAMED[0]?.replace(':1 ', ':4 '),
    ])
  })
})
