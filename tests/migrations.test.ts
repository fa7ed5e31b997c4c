import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import type { PgliteConnection } from '../app/adapters/database/pglite.server.ts'
import type { Database } from '../app/adapters/database/port.ts'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { aBusiness } from './builders.ts'
import { createServerDatabase, openEmbeddedDatabase } from './database.ts'
import { findPostgres } from './postgres.ts'
import { startServerProcess } from './server-process.ts'

/**
 * While a new version starts, the old one still serves on the new tables. So a migration only adds: anything that the
 * old version uses is dropped one release later (docs/operate.md, 'Migrations').
 */

const FOLDER = 'database/migrations'

/** Migrations before the first release, when there was no old version. This list never grows. */
const BEFORE_THE_FIRST_RELEASE = [
  '0001_foundation.sql',
  '0002_uploads.sql',
  '0003_accounts.sql',
  '0004_receipts.sql',
  '0005_operators.sql',
  '0007_event_reminders.sql',
  '0010_availability.sql',
  '0011_search.sql',
  '0012_listed_places.sql',
  '0013_page_changes.sql',
]

/**
 * The tables and columns that a migration drops. The version before names none of them in a request: a decision says so
 * (docs/operate.md, 'Migrations').
 */
const DROPPED: Readonly<Record<string, readonly string[]>> = {
  '0083_copies_of_sales.sql': [
    'cancellation_orders',
    'refund_orders',
    'payments.customer_user_id',
    'payments.draft',
    'payments.follows',
    'payments.link_hash',
    'payments.owner_user_id',
    'payments.sold',
    'payments.terms_version',
  ],
}

type Catalogue = {
  columns: Map<string, { table: string; type: string; required: boolean; filled: boolean }>
  /** `checks` are the columns of a CHECK; null for any other rule. */
  rules: Map<string, { table: string; text: string; checks: string[] | null }>
}

async function readCatalogue(db: Database): Promise<Catalogue> {
  const columns = await sql<{
    table: string
    name: string
    type: string
    required: boolean
    filled: boolean
  }>`
    select c.relname as "table", c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as required, (a.atthasdef or a.attidentity <> '') as filled
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`.execute(
    db,
  )
  const rules = await sql<{ table: string; name: string; text: string; checks: string[] | null }>`
    select c.relname as "table", c.relname || ': ' || x.text as name, x.text, x.checks from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join (
      select conrelid as id, pg_get_constraintdef(oid) as text, case when contype = 'c' then array(
        select r.relname || '.' || a.attname from pg_attribute a join pg_class r on r.oid = a.attrelid
        where a.attrelid = conrelid and a.attnum = any(conkey)) end as checks
      from pg_constraint where contype in ('c', 'u', 'p', 'f', 'x')
      union all
      select i.indrelid, pg_get_indexdef(i.indexrelid), null from pg_index i
      where i.indisunique and not exists (select from pg_constraint where conindid = i.indexrelid)
    ) x on x.id = c.oid
    where n.nspname = 'public'`.execute(db)
  return {
    columns: new Map(columns.rows.map(({ name, ...column }) => [name, column])),
    rules: new Map(rules.rows.map(({ name, ...rule }) => [name, rule])),
  }
}

/** The changes that would break a version written for the tables `before`. */
function findBreaks(before: Catalogue, after: Catalogue): string[] {
  const known = new Set([...before.columns.values()].map(({ table }) => table))
  const breaks: string[] = []
  for (const [name, column] of before.columns) {
    const now = after.columns.get(name)
    if (!now) breaks.push(`${name} is gone`)
    else if (now.type !== column.type) breaks.push(`${name} was ${column.type} and is ${now.type}`)
    else if (now.required && !column.required) breaks.push(`${name} may not be null any more`)
    else if (now.required && column.filled && !now.filled) breaks.push(`${name} has no default any more`)
  }
  for (const [name, { table, required, filled }] of after.columns)
    if (known.has(table) && !before.columns.has(name) && required && !filled)
      breaks.push(`${name} is needed and has no default`)
  for (const [name, { table, checks }] of after.rules) {
    // The old version never writes a column that it doesn't know.
    const isOfNewColumns = checks?.every((column) => !before.columns.has(column)) ?? false
    if (
      known.has(table) &&
      !before.rules.has(name) &&
      !isOfNewColumns &&
      !permitsMore(name, [...before.rules.keys()])
    )
      breaks.push(`new rule: ${name}`)
  }
  return breaks
}

/**
 * Whether a rule permits all that an earlier one does: it lists a column's values, including all those of the other, or it excludes
 * rows that also differ or agree in something more.
 */
function permitsMore(rule: string, before: readonly string[]): boolean {
  const after = readValues(rule)
  const excluding = readExclusion(rule)
  return before.some((one) => {
    const values = readValues(one)
    const exclusion = readExclusion(one)
    if (exclusion && excluding)
      return (
        exclusion.where === excluding.where && exclusion.parts.every((part) => excluding.parts.includes(part))
      )
    return (
      values && after?.column === values.column && values.list.every((value) => after.list.includes(value))
    )
  })
}

/** Reads an exclusion constraint: by what two rows conflict that have its condition. */
function readExclusion(rule: string): { where: string; parts: string[] } | null {
  const [, table, parts, where] = /^(\w+): EXCLUDE USING gist \((.*)\) WHERE \((.*)\)$/.exec(rule) ?? []
  return parts ? { where: `${table} ${where}`, parts: parts.split(/(?<= WITH \S+), /) } : null
}

function readValues(rule: string): { column: string; list: string[] } | null {
  const [, column, list] = /^(.*) = ANY \(ARRAY\[([^\]]*)\]\)\)\)$/.exec(rule) ?? []
  return column && list ? { column, list: list.split(', ') } : null
}

it('every migration since the first release keeps the previous version working', async () => {
  const names = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  const connection = await openEmbeddedDatabase('nothing')
  try {
    const applied = new Set(BEFORE_THE_FIRST_RELEASE)
    expect(await migrate(connection, FOLDER, applied)).toEqual(BEFORE_THE_FIRST_RELEASE)
    for (const name of names.filter((one) => !applied.has(one))) {
      const before = await readCatalogue(connection.db)
      await migrate(connection, FOLDER, applied.add(name))
      const after = await readCatalogue(connection.db)
      const dropped = (DROPPED[name] ?? []).flatMap((one) => {
        const gone = [...before.columns].filter(([column, { table }]) => column === one || table === one)
        return gone.length > 0
          ? gone.map(([column]) => `${column} is gone`)
          : [`${one} is dropped by another`]
      })
      expect(findBreaks(before, after).toSorted(), name).toEqual(dropped.toSorted())
    }
  } finally {
    await connection.close()
  }
}, 120_000)

let changed: PgliteConnection
beforeAll(async () => {
  changed = await openEmbeddedDatabase()
})
afterAll(() => changed.close())

it.each([
  ['alter table users drop column phone', ['users.phone is gone']],
  ['alter table users rename column phone to telephone', ['users.phone is gone']],
  [
    'alter table users alter column phone type varchar(20)',
    ['users.phone was text and is character varying(20)'],
  ],
  ['alter table users add column shoe_size int not null', ['users.shoe_size is needed and has no default']],
  ['alter table users alter column image set not null', ['users.image may not be null any more']],
  ["alter table users add column mood text check (mood in ('glad', 'sad'))", []],
  [
    "alter table users add column mood text, add constraint polite check (mood is null or name <> '')",
    [expect.stringMatching(/new rule: users: CHECK/)],
  ],
  [
    'alter table users add constraint short check (length(name) < 9)',
    [expect.stringMatching(/new rule: users: CHECK/)],
  ],
  [
    `alter table account_links drop constraint account_links_kind_check, add constraint account_links_kind_check
      check (kind in ('reset-password', 'verify-email', 'change-email', 'undo-email-change', 'new-device', 'something-new'))`,
    [],
  ],
  [
    `alter table account_links drop constraint account_links_kind_check, add constraint account_links_kind_check
      check (kind in ('reset-password', 'verify-email', 'something-new'))`,
    [expect.stringMatching(/new rule: account_links: CHECK/)],
  ],
  [
    `alter table slots drop constraint slots_booked_once, add constraint slots_booked_once
      exclude using gist (business_id with =, (coalesce(moves_payment_id, payment_id)) with <>, during with &&,
        kind with =) where (is_exclusive)`,
    [],
  ],
  [
    `alter table slots drop constraint slots_booked_once, add constraint slots_booked_once
      exclude using gist (business_id with =, during with &&) where (is_exclusive)`,
    [expect.stringMatching(/new rule: slots: EXCLUDE/)],
  ],
  ['create unique index on users (name)', [expect.stringMatching(/new rule: users: CREATE UNIQUE INDEX/)]],
  ['alter table users add column shoe_size int; create index on users (shoe_size)', []],
  ["alter table users add column theme text not null default 'light'", []],
  ['create table shoes (id int primary key, user_id text not null references users)', []],
])('a migration is refused only if it breaks the previous version: %s', async (script, breaks) => {
  const { db, executeScript } = changed
  const before = await readCatalogue(db)
  await executeScript(`begin; ${script}`)
  try {
    expect(findBreaks(before, await readCatalogue(db))).toEqual(breaks)
  } finally {
    await executeScript('rollback')
  }
})

const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write(
    'No PostgreSQL server on this machine: migrating under a running server is not tested.\n',
  )

it.skipIf(!hasPostgres)(
  'a migration runs under load while the previous version serves, which loses no request',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jubilee-migrations-'))
    const next = mkdtempSync(join(tmpdir(), 'jubilee-next-'))
    const databaseUrl = await createServerDatabase()
    const connection = openPostgres(databaseUrl, () => {})
    let server: Awaited<ReturnType<typeof startServerProcess>> | null = null
    try {
      const business = await aBusiness(connection.db)
      server = await startServerProcess({ folder, databaseUrl })
      const { origin } = server
      for (const name of readdirSync(FOLDER))
        writeFileSync(join(next, name), readFileSync(join(FOLDER, name)))
      writeFileSync(
        join(next, '9999_added.sql'),
        `alter table users add column theme text not null default 'light';
       alter table businesses add column motto text;
       create index on businesses (motto);
       create table mottos (id text primary key, business_id text not null references businesses);`,
      )
      const statuses: number[] = []
      let isOver = false
      const people = [0, 1, 2, 3].map(async (person) => {
        for (let nth = 0; !isOver; nth++) {
          const looked = await fetch(`${origin}/business/${business.id}?nth=${person}-${nth}`)
          statuses.push(looked.status)
          await looked.text()
          const signedUp = await fetch(`${origin}/newsletter`, {
            method: 'POST',
            headers: { origin },
            body: new URLSearchParams({ email: `person-${person}-${nth}@example.com` }),
            redirect: 'manual',
          })
          await signedUp.text()
          if (signedUp.status >= 500) statuses.push(signedUp.status)
        }
      })
      await expect.poll(() => statuses.length, { timeout: 20_000 }).toBeGreaterThan(20)
      expect(await migrate(connection, next)).toEqual(['9999_added.sql'])
      const until = statuses.length + 20
      await expect.poll(() => statuses.length, { timeout: 20_000 }).toBeGreaterThan(until)
      isOver = true
      await Promise.all(people)
      expect(new Set(statuses)).toEqual(new Set([200]))
      const joined = await fetch(`${origin}/signup`, {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams({
          displayName: 'Ines',
          email: 'ines@example.com',
          password: 'long enough',
        }),
        redirect: 'manual',
      })
      expect(joined.status).toBe(302)
      expect((await fetch(`${origin}/health/ready`)).status).toBe(200)
      // The old version also starts on the new tables, in case of a rollback.
      server.child.kill('SIGTERM')
      await server.ended
      server = await startServerProcess({ folder, databaseUrl })
      expect((await fetch(`${server.origin}/business/${business.id}`)).status).toBe(200)
    } finally {
      server?.child.kill('SIGKILL')
      await server?.ended
      await connection.close()
      rmSync(folder, { recursive: true, force: true })
      rmSync(next, { recursive: true, force: true })
    }
  },
  180_000,
)
