import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { DataSettings } from '../app/adapters/backup/port.ts'
import type { Database } from '../app/adapters/database/port.ts'
import { readConfig, readDataSettings } from '../app/config.server.ts'
import { backup, createServices, openDatabase, openFileStore } from '../app/services.server.ts'
import { DAY_MS } from '../app/shared/time-units.ts'
import { closeDemoAccounts, demoAccounts, fillDemoData } from '../content/demo/fill.ts'
import { aBookingForm, aBusiness } from './builders.ts'
import { cheapPasswords } from './cheap-passwords.ts'
import { createServerDatabase, type DatabaseContent, holdEngine } from './database.ts'
import { bookAndPay } from './e2e/paid-booking.ts'
import { freePort } from './free-port.ts'
import { findPostgres } from './postgres.ts'
import { prepareDatabase } from './server-process.ts'

const { backUp, restore, moveToPostgres } = backup

vi.setConfig({ testTimeout: 120_000 })

const programs = findPostgres()
if (!programs)
  process.stdout.write('No PostgreSQL server on this machine: its half of the backup tests is skipped.\n')

const folder = mkdtempSync(join(tmpdir(), 'jubilee-backup-'))
const databaseFolder = join(folder, 'database')
const migrations = join(databaseFolder, 'migrations')

/** Values that a copy can easily break, in tables that a later version might have. */
const ODD_TABLES = `
create table odd_values (
  id bigint generated always as identity primary key,
  parent bigint references odd_values (id),
  doubled bigint generated always as (id * 2) stored,
  document jsonb,
  plain json,
  bytes bytea,
  during tstzrange,
  at timestamptz,
  day date,
  pause interval,
  price numeric,
  real8 double precision,
  words text[],
  grid int[],
  mail citext,
  code char(4),
  kind "char",
  found tsvector generated always as (to_tsvector('simple', coalesce(mail::text, ''))) stored,
  "Quoted ""name""" text,
  number serial
);
create table odd_chicken (id int primary key, egg int);
create table odd_egg (id int primary key, chicken int references odd_chicken (id));
alter table odd_chicken add foreign key (egg) references odd_egg (id) deferrable initially deferred;
insert into odd_chicken values (99, null);
create table odd_counts (rows int not null);
insert into odd_counts values (0);
create function count_odd() returns trigger language plpgsql as
  'begin update odd_counts set rows = rows + 1; return null; end';
create trigger odd_counted after insert on odd_values for each statement execute function count_odd();
`
const ODD_ROWS = String.raw`
insert into odd_values (parent, document, plain, bytes, during, at, day, pause, price, real8, words, grid, mail, code, kind, "Quoted ""name""")
values
  (null, 'null', '{"b": 1,  "a": 2}', '\x00ff10', '[2027-03-13 05:00:00.123456+00,)', 'infinity', '0001-01-01 BC', '1 mon -2 days 03:04:05.6', 'NaN', 'Infinity', array['a', null, 'null', '', '{"x"}', E'line\nend\u2028here\\'], '{{1,2},{3,null}}', 'MiXed@Example.com', 'ab', 'x', E'quote " and \' and tab\t'),
  (1, '{"big": 12345678901234567890.10, "deep": [null, {"é": "💐"}]}', null, '', 'empty', '2027-03-13 05:06:07.891011+10:30', '9999-12-31', '-00:00:01', 12345678901234567890.0987654321, 5e-324, '{}', null, null, null, null, ''),
  (2, null, 'null', null, null, null, null, null, null, 0.1, null, '[5:6]={7,8}', '', '', null, null);
insert into odd_chicken values (1, null);
insert into odd_egg values (2, 1);
update odd_chicken set egg = 2;
`
const LATE_MAIL = {
  messageId: 'late',
  to: 'late@example.com',
  subject: 'Later',
  text: 'Now.',
  html: '<p>Now.</p>',
}
const DEMO_TABLES = ['businesses', 'users', 'account_credentials', 'reviews', 'places', 'uploads', 'bookings']

let bucket: S3rver
let bucketSettings: Record<string, string>

beforeAll(async () => {
  await holdEngine()
  for (const name of ['places.tsv', 'common-passwords.bin'])
    cpSync(join('database', name), join(databaseFolder, name))
  cpSync('database/migrations', migrations, { recursive: true })
  writeFileSync(join(migrations, '9999_odd.sql'), ODD_TABLES)
  const port = await freePort()
  bucket = new S3rver({
    address: '127.0.0.1',
    port,
    directory: join(folder, 'bucket'),
    silent: true,
    configureBuckets: [{ name: 'jubilee' }],
  })
  await bucket.run()
  bucketSettings = {
    S3_BUCKET: 'jubilee',
    S3_REGION: 'ap-southeast-2',
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  }
})
afterAll(async () => {
  await bucket.close()
  rmSync(folder, { recursive: true, force: true })
})

let places = 0
let filled: DataSettings | null = null

/** Settings of an unused place: a new data folder and, for PostgreSQL, its own database on the server. */
async function aPlaceFor(
  kind: 'embedded' | 'postgres',
  content: DatabaseContent = 'nothing',
): Promise<DataSettings> {
  const env: Record<string, string> = { DATA_DIR: join(folder, `place_${++places}`) }
  if (kind === 'postgres') env.DATABASE_URL = await createServerDatabase(content)
  return readDataSettings(env)
}

/** An embedded place with everything in it, copied from a place that is filled once. */
async function aFilledPlace(): Promise<DataSettings> {
  if (!filled) {
    const place = await aPlaceFor('embedded')
    await fillPlace(place)
    filled = place
  }
  const settings = await aPlaceFor('embedded')
  cpSync(filled.dataFolder, settings.dataFolder, { recursive: true })
  return settings
}

/** Fills a place with the demo, a paid booking, a queued mail, uploads and odd values. */
async function fillPlace(settings: DataSettings): Promise<void> {
  const config = {
    ...readConfig({ DATA_DIR: settings.dataFolder, LOG_LEVEL: 'silent' }),
    ...settings,
  }
  if (!settings.databaseUrl) await prepareDatabase(settings.dataFolder)
  const services = await createServices(config, { databaseFolder, passwords: cheapPasswords })
  const { db, files } = services
  try {
    await services.startJobs()
    await fillDemoData(services)
    const business = await aBusiness(db)
    await bookAndPay(services, {
      businessId: business.id,
      amountCents: 45_500,
      // Near enough to be paid at once.
      booking: aBookingForm({
        date: new Date(Date.now() + 45 * DAY_MS).toISOString().slice(0, 10),
      }),
    })
    for (const name of ['one', 'two']) {
      const key = `businessImages/${name}_1700000000000_0`
      await files.put(key, { bytes: new TextEncoder().encode(`picture ${name}`), contentType: 'image/webp' })
      await files.put(`variants/${key}/640.webp`, {
        bytes: new Uint8Array(70_000).map((_, index) => index % 251),
        contentType: 'image/webp',
      })
      await db
        .insertInto('uploads')
        .values({ key, user_id: business.user_id, width: 6, height: 4, colour: '#abcdef', attached_to: null })
        .execute()
    }
    await db
      .transaction()
      .execute((tx) =>
        services.jobs.enqueue(tx, 'send-mail', LATE_MAIL, { startAfter: new Date(Date.now() + 3_600_000) }),
      )
    for (const statement of ODD_ROWS.split(/;\n/).filter((text) => text.trim()))
      await sql.raw(statement).execute(db)
  } finally {
    await services.close()
  }
}

async function inDatabase<Result>(settings: DataSettings, look: (db: Database) => Promise<Result>) {
  const connection = await openDatabase(settings, () => {})
  try {
    return await look(connection.db)
  } finally {
    await connection.close()
  }
}

/** All contents that have to be the same after a copy, read without the code under test. */
async function contentsOf(settings: DataSettings) {
  const database = await inDatabase(settings, async (db) => {
    const names = await sql<{ name: string }>`
      select tablename::text as name from pg_tables
      where schemaname = 'public' and tablename <> 'schema_migrations' order by tablename collate "C"`.execute(
      db,
    )
    await sql`set timezone = 'UTC'`.execute(db)
    const tables: Record<string, string[]> = {}
    for (const { name } of names.rows) {
      const { rows } = await sql<{ row: string }>`
        select t::text as row from ${sql.table(name)} t order by t::text collate "C"`.execute(db)
      tables[name] = rows.map(({ row }) => row)
    }
    const rules = await sql`
      select conrelid::regclass::text as table, conname::text as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
      union all select tgrelid::regclass::text, tgname::text, tgenabled::text from pg_trigger where not tgisinternal
      order by 1, 2, 3`.execute(db)
    const sequences = await sql`
      select sequencename::text as name, last_value::text as last from pg_sequences
      where schemaname = 'public' order by 1`.execute(db)
    const migrated = await sql`select name, hash from schema_migrations order by name`.execute(db)
    const jobs = await sql`
      select id::text as id, name, data, start_after::text as start_after from jobs.job
      where state < 'completed' and name not like '\\_\\_pgboss%' order by id::text collate "C"`.execute(db)
    return {
      tables,
      rules: rules.rows,
      sequences: sequences.rows,
      migrated: migrated.rows,
      jobs: jobs.rows,
    }
  })
  const store = await openFileStore(settings.fileStore)
  const files: Record<string, string> = {}
  for await (const key of store.list()) {
    const file = await store.read(key)
    files[key] = `${file?.contentType} ${Buffer.from(file?.bytes ?? []).toString('base64')}`
  }
  return { ...database, files }
}

/** Starts the product there and expects it to send the queued mail. */
async function expectToServe(settings: DataSettings): Promise<void> {
  const config = { ...readConfig({ DATA_DIR: settings.dataFolder, LOG_LEVEL: 'silent' }), ...settings }
  const services = await createServices(config, { databaseFolder })
  try {
    await services.startJobs()
    await expect
      .poll(async () => (await services.outbox?.list(20))?.map(({ to }) => to), { timeout: 60_000 })
      .toContain(LATE_MAIL.to)
  } finally {
    await services.close()
  }
}

/** PostgreSQL drops redundant parentheses from the definition of a check that it restores. */
const withoutParentheses = ({ rules, ...contents }: Awaited<ReturnType<typeof contentsOf>>) => ({
  ...contents,
  rules: rules.map((rule) => JSON.stringify(rule).replaceAll(/[()]/g, '')),
})

function expectEverything({ tables, files, jobs }: Awaited<ReturnType<typeof contentsOf>>): void {
  for (const table of DEMO_TABLES) expect(tables[table]?.length, table).toBeGreaterThan(0)
  expect(tables.odd_values).toHaveLength(3)
  expect(Object.keys(files)).toHaveLength(4)
  expect(jobs.length).toBeGreaterThan(0)
}

/** Expects identities to continue, and keys and triggers to work. Makes the queued mail due. */
async function expectToGoOn(settings: DataSettings): Promise<void> {
  await inDatabase(settings, async (db) => {
    await sql`insert into odd_values (parent) values (3)`.execute(db)
    const { rows } = await sql`select max(id)::int as id, max(number) as number from odd_values`.execute(db)
    expect(rows).toEqual([{ id: 4, number: 4 }])
    expect((await sql`select rows from odd_counts`.execute(db)).rows).toEqual([{ rows: 2 }])
    await expect(sql`insert into odd_values (parent) values (99)`.execute(db)).rejects.toThrow(/foreign key/)
    await sql`update jobs.job set start_after = now()`.execute(db)
  })
}

const kinds = [
  { kind: 'embedded' as const, name: 'the embedded database' },
  { kind: 'postgres' as const, name: 'PostgreSQL' },
].filter(({ kind }) => kind === 'embedded' || programs)

describe('a backup of the embedded database', () => {
  let settings: DataSettings
  const backup = join(folder, 'backup')
  const restored: Partial<Record<'embedded' | 'postgres', DataSettings>> = {}

  beforeAll(async () => {
    settings = await aFilledPlace()
    await backUp(settings, backup)
  }, 120_000)

  it.each(kinds)('restores every row, job and file on $name', async ({ kind: to }) => {
    const target = await aPlaceFor(to)
    const report = await restore(target, backup, migrations)
    // A backup holds personal data, so only its owner may read it.
    expect((statSync(backup).mode & 0o077).toString(8)).toBe('0')
    const [before, after] = [await contentsOf(settings), await contentsOf(target)]
    expect(after).toEqual(before)
    expectEverything(before)
    expect(report.sums).toContainEqual({ what: 'payments paid', count: 1, cents: '45500' })
    for (const what of ['ledger postings of provider_balance', 'ledger balances of provider_balance'])
      expect(report.sums).toContainEqual({ what, count: 1, cents: '45500' })
    expect(report.files?.count).toBe(4)
    await expectToGoOn(target)
    await expectToServe(target)
    restored[to] = target
  })

  it.each(kinds)(
    'is refused on $name where there is data already, and changes nothing there',
    async ({ kind }) => {
      const used = restored[kind] ?? settings
      const none = join(folder, `none-${kind}`)
      const before = await contentsOf(used)
      await expect(restore(used, backup, migrations)).rejects.toThrow(/already has files/)
      const noFiles = { ...used, fileStore: { kind: 'disk' as const, folder: none } }
      await expect(restore(noFiles, backup, migrations)).rejects.toThrow(/already has (tables|a database)/)
      expect(existsSync(join(none, 'businessImages'))).toBe(false)
      expect(await contentsOf(used)).toEqual(before)
      await expect(backUp(settings, backup)).rejects.toThrow(/already exists/)
    },
  )

  it.each(kinds)(
    'is refused on $name before any write when it is damaged or from a newer version',
    async ({ kind }) => {
      const damages: [RegExp, (copy: string) => void][] = [
        [/no manifest/, (copy) => rmSync(join(copy, 'manifest.json'))],
        [
          /damaged.*payments/,
          (copy) => cpSync(join(copy, 'jobs.ndjson.gz'), join(copy, 'tables/payments.ndjson.gz')),
        ],
        [/damaged.*users/, (copy) => rmSync(join(copy, 'tables/users.ndjson.gz'))],
        [
          /damaged.*one_1700000000000_0/,
          (copy) => appendFileSync(join(copy, 'files/businessImages/one_1700000000000_0'), 'x'),
        ],
        [/another version.*9999_odd\.sql/, () => {}],
      ]
      for (const [index, [message, damage]] of damages.entries()) {
        const copy = join(folder, `damaged-${kind}-${index}`)
        cpSync(backup, copy, { recursive: true })
        damage(copy)
        const target = await aPlaceFor(kind)
        const known = index === damages.length - 1 ? 'database/migrations' : migrations
        await expect(restore(target, copy, known)).rejects.toThrow(message)
        expect(existsSync(target.dataFolder) ? readdirSync(target.dataFolder) : []).not.toContain('database')
      }
    },
  )
})

describe.skipIf(!programs)('a backup of PostgreSQL', () => {
  let settings: DataSettings

  beforeAll(async () => {
    settings = await aPlaceFor('postgres', 'demo')
    await fillPlace(settings)
  }, 120_000)

  it('needs pg_dump, and the command says so', () => {
    const never = join(folder, 'never-here')
    const { status, stderr } = spawnSync(process.execPath, ['server/data.ts', 'backup', never], {
      env: {
        PATH: process.env.PATH ?? '',
        DATA_DIR: settings.dataFolder,
        DATABASE_URL: settings.databaseUrl ?? '',
      },
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/nothing was backed up\. Use pg_dump.*docs\/operate\.md/)
    expect(status).toBe(1)
    expect(readdirSync(folder).filter((name) => name.startsWith('never-here'))).toEqual([])
  })

  it('restores every row, job and file by the commands of docs/operate.md', async () => {
    const target = await aPlaceFor('postgres')
    const [, commands = ''] = /```sh\n(pg_dump .*?)```/s.exec(readFileSync('docs/operate.md', 'utf8')) ?? []
    expect(commands).toContain('pg_restore')
    const { status, stderr } = spawnSync('sh', ['-e', '-c', commands], {
      cwd: mkdtempSync(join(folder, 'dump-')),
      env: {
        PATH: `${programs}:${process.env.PATH}`,
        DATABASE_URL: settings.databaseUrl ?? '',
        DATA_DIR: settings.dataFolder,
        NEW_DATABASE_URL: target.databaseUrl ?? '',
        NEW_DATA_DIR: target.dataFolder,
      },
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    const [before, after] = [await contentsOf(settings), await contentsOf(target)]
    expect(withoutParentheses(after)).toEqual(withoutParentheses(before))
    expectEverything(before)
    await expectToGoOn(target)
    await expectToServe(target)
  })
})

it('a backup is refused while another process uses the embedded database', async () => {
  const settings = await aPlaceFor('embedded')
  await expect(backUp(settings, join(folder, 'never'))).rejects.toThrow(/There is no database in/)
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: settings.dataFolder }
  mkdirSync(join(settings.dataFolder, 'database'), { recursive: true })
  // This test's own process plays the part of a running server.
  const start = readFileSync(`/proc/${process.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]
  writeFileSync(join(settings.dataFolder, 'lock'), `${process.pid} ${start}\n`)
  const { status, stderr } = spawnSync(
    process.execPath,
    ['server/data.ts', 'backup', join(folder, 'never')],
    {
      env,
      encoding: 'utf8',
    },
  )
  expect(stderr).toMatch(/in use by another Jubilee .*stop the other one/)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(status).toBe(1)
  expect(readdirSync(folder).filter((name) => name.startsWith('never'))).toEqual([])
})

it('closing the demo accounts ends their sessions and refuses their known passwords', async () => {
  const settings = await aFilledPlace()
  const config = readConfig({ DATA_DIR: settings.dataFolder, LOG_LEVEL: 'silent' })
  const services = await createServices(config, { databaseFolder, passwords: cheapPasswords })
  const signIn = (email: string) =>
    services.accounts.signIn(
      new Request('http://localhost:3000', { headers: { 'x-client-address': '127.0.0.1' } }),
      { email, password: 'celebrate' },
    )
  try {
    expect(await signIn(demoAccounts[0].email)).toMatchObject({ ok: true })
    await closeDemoAccounts(services)
    for (const { email } of demoAccounts) expect(await signIn(email)).toMatchObject({ ok: false })
    expect(await services.db.selectFrom('sessions').select('id').execute()).toEqual([])
  } finally {
    await services.close()
  }
})

describe.skipIf(!programs)('the move to PostgreSQL', () => {
  it('copies everything, and only into an empty database', async () => {
    const source = await aFilledPlace()
    const before = await contentsOf(source)
    const target = { ...source, databaseUrl: await createServerDatabase('nothing') }
    const report = await moveToPostgres(target, migrations)
    expect(await contentsOf(target)).toEqual(before)
    expect(report.sums).toContainEqual({ what: 'bookings paid', count: 1, cents: '45500' })
    expect(report.filesCopied).toBe(0)
    expect(readdirSync(source.dataFolder).filter((name) => name.startsWith('moving'))).toEqual([])

    await expect(moveToPostgres(target, migrations)).rejects.toThrow(/already has tables/)
    await expect(moveToPostgres(source, migrations)).rejects.toThrow(/Set DATABASE_URL/)
  })

  it('copies the files to a bucket if one is set', async () => {
    const source = await aFilledPlace()
    const inBucket = readDataSettings({ DATA_DIR: source.dataFolder, ...bucketSettings })
    const target = { ...inBucket, databaseUrl: await createServerDatabase('nothing') }
    expect((await moveToPostgres(target, migrations)).filesCopied).toBe(4)
    const [before, after] = [await contentsOf(source), await contentsOf(target)]
    expect(after.files).toEqual(before.files)

    // A backup of the embedded database includes the bucket's files, and restores them to the disk.
    const backup = join(folder, 'backup-of-bucket')
    await backUp(inBucket, backup)
    const restored = await aPlaceFor('embedded')
    await restore(restored, backup, migrations)
    expect(await contentsOf(restored)).toEqual(before)
  })
})
