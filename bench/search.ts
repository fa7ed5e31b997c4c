import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import { openPglite } from '../app/adapters/database/pglite.server.ts'
import type { Database, DatabaseConnection } from '../app/adapters/database/port.ts'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { CATEGORIES } from '../app/features/businesses/rules.ts'
import { loadPlaces } from '../app/features/places/commands.server.ts'
import { listFound, listRelaxed } from '../app/features/search/queries.server.ts'
import { NO_SEARCH, type Search } from '../app/features/search/schema.ts'
import { listSuggestions } from '../app/features/search/suggestion-queries.server.ts'
import { findPostgres, startPostgres } from '../tests/postgres.ts'
import { createListingGenerator, fillListings, findGeneratorPlaces } from './generate-listings.ts'
import type { Row } from './run.ts'

const WARM_UPS = 3
const ROUNDS = 3
const POSTGRES_LISTINGS = 1_000_000
const PGLITE_LISTINGS = 100_000
/** The clock of the dated searches stands still, so that their day is always to come. */
const NOW = new Date('2026-11-20T01:00:00Z')
const CONTEXT = { nearKm: 25, now: NOW }

type Kind = { kind: string; aimMs: number; questions: ((db: Database) => Promise<unknown>)[] }

/** In this many of a hundred listings or more, or so: counted in what the generator makes. */
const COMMON = ['wedding', 'guests', 'party', 'sound', 'room', 'table', 'night', 'light', 'garden', 'dinner']
const MEDIUM = [
  'jacaranda',
  'saffron',
  'vintage',
  'orchard',
  'paddock',
  'velvet',
  'brass',
  'ribbon',
  'lantern',
  'harvest',
]

/**
 * Measures searches on a million listings in PostgreSQL and a hundred thousand in the embedded database, both made here
 * and thrown away. Each question is asked three times to warm up, since a search speaks to the database on several
 * connections at once, then three times more; all times of a kind make its percentiles.
 */
export async function run(): Promise<Row[]> {
  return [...(await onPostgres()), ...(await onPglite())]
}

function report(text: string) {
  process.stderr.write(`  ${text}\n`)
}

async function onPostgres(): Promise<Row[]> {
  const programs = findPostgres()
  if (!programs) return [{ what: 'search on PostgreSQL', result: 'left out: there is none on this machine' }]
  const server = await startPostgres(programs, [
    'shared_buffers=2GB',
    'maintenance_work_mem=512MB',
    'max_wal_size=8GB',
  ])
  try {
    const connection = openPostgres(server.url, (error) => {
      throw error
    })
    try {
      await fill(connection, POSTGRES_LISTINGS)
      return await measureSearch(connection.db, 'PostgreSQL', POSTGRES_LISTINGS)
    } finally {
      await connection.close()
    }
  } finally {
    server.stop()
  }
}

async function onPglite(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-bench-'))
  try {
    const connection = await openPglite(folder)
    try {
      await fill(connection, PGLITE_LISTINGS)
      return await measureSearch(connection.db, 'PGlite', PGLITE_LISTINGS)
    } finally {
      await connection.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(connection: DatabaseConnection, count: number) {
  await migrate(connection, 'database/migrations')
  await loadPlaces(connection.db, 'database/places.tsv')
  report(`making ${count} listings …`)
  await fillListings(connection.db, count, (done) => report(`${done} made`))
}

/** @param count how many listings the database has, made by `fillListings` */
export async function measureSearch(db: Database, database: string, count: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const { kind, aimMs, questions } of await listKinds(db, count)) {
    for (let round = 0; round < WARM_UPS; round++) for (const ask of questions) await ask(db)
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      for (const ask of questions) {
        const start = performance.now()
        await ask(db)
        times.push(performance.now() - start)
      }
    }
    times.sort((a, b) => a - b)
    const at = (share: number) =>
      (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1)
    const row = {
      what: `${database}, ${count.toLocaleString('en-AU')}: ${kind}`,
      result: `p50 ${at(0.5)}, p95 ${at(0.95)}, worst ${at(1)} ms`,
      aim: `p95 ${aimMs} ms`,
    }
    report(`${row.what}: ${row.result}`)
    rows.push(row)
  }
  return rows
}

async function listKinds(db: Database, count: number): Promise<Kind[]> {
  const listing = createListingGenerator(count, await findGeneratorPlaces(db))
  const search = (searchTerms: Partial<Search>) => (on: Database) =>
    listFound(on, { ...NO_SEARCH, ...searchTerms }, CONTEXT)
  const relaxed = (searchTerms: Partial<Search>) => (on: Database) =>
    listRelaxed(on, { ...NO_SEARCH, ...searchTerms }, CONTEXT)
  const samples = Array.from({ length: 20 }, (_, index) => listing(Math.floor(((index + 0.5) * count) / 20)))
  const names = samples.map(({ name }) => name)
  const surnames = names.filter((name) => !/^The /.test(name)).map((name) => name.split(/\s/)[0] ?? name)
  const filtered = (words: readonly string[]) =>
    words.flatMap((q, index) => {
      const category = CATEGORIES[index % CATEGORIES.length] ?? 'Venues'
      return [
        search({ q, category, minCents: 5_000, maxCents: 20_000 }),
        search({ q, category, budgetCents: 800_000, guests: 90, hours: 7 }),
      ]
    })
  const pairs = (words: readonly string[], others: readonly string[]) =>
    words.map((word, index) => `${word} ${others[(index + 3) % others.length]}`)
  const mistyped = (name: string) => name.slice(0, 3) + name.slice(4)
  const deep: Kind['questions'] = []
  for (const category of [...CATEGORIES, null]) {
    for (const share of [0.02, 0.5, 0.98]) {
      const after = await findCursor(db, category, share)
      deep.push(search({ category, after }))
    }
  }
  const towns = [
    'Geelong, VIC',
    'Sydney, NSW',
    'Byron Bay, NSW',
    'Perth, WA',
    'Alice Springs, NT',
    'Ballarat, VIC',
  ]
  const dated = { date: '2027-03-13', from: '16:00', until: '23:00', guests: 90, near: true } as const
  return [
    { kind: 'category, first page', aimMs: 5, questions: CATEGORIES.map((category) => search({ category })) },
    { kind: 'deep pages (2 %, half way, 98 %)', aimMs: 5, questions: deep },
    { kind: 'rare word', aimMs: 15, questions: surnames.map((q) => search({ q })) },
    { kind: 'rare word, category, price', aimMs: 15, questions: filtered(surnames) },
    { kind: 'medium word', aimMs: 15, questions: MEDIUM.map((q) => search({ q })) },
    { kind: 'medium word, category, price', aimMs: 15, questions: filtered(MEDIUM) },
    { kind: 'common word', aimMs: 15, questions: COMMON.map((q) => search({ q })) },
    { kind: 'common word, category, price', aimMs: 15, questions: filtered(COMMON) },
    { kind: 'two common words', aimMs: 15, questions: pairs(COMMON, COMMON).map((q) => search({ q })) },
    {
      kind: 'common and medium word, state',
      aimMs: 15,
      questions: pairs(COMMON, MEDIUM).map((q) => search({ q, place: 'VIC' })),
    },
    {
      kind: 'common word, lowest price first',
      aimMs: 50,
      questions: COMMON.map((q) => search({ q, sort: 'price' })),
    },
    {
      kind: 'medium word, lowest price first',
      aimMs: 50,
      questions: MEDIUM.map((q) => search({ q, sort: 'price' })),
    },
    {
      kind: 'price range alone',
      aimMs: 50,
      questions: [60, 90, 140, 300, 700].map((dollars) =>
        search({ category: 'Venues', minCents: dollars * 100, maxCents: dollars * 104 }),
      ),
    },
    { kind: 'whole name', aimMs: 15, questions: names.map((q) => search({ q })) },
    {
      kind: 'whole name with a typing error',
      aimMs: 50,
      questions: names.map((name) => search({ q: mistyped(name) })),
    },
    {
      kind: 'mistyped word',
      aimMs: 50,
      questions: ['photograhper', 'weding', 'gardn', 'cateirng', 'jacarnda', 'venu hire', 'fotographer'].map(
        (q) => search({ q }),
      ),
    },
    { kind: 'near a town', aimMs: 15, questions: towns.map((place) => search({ place, near: true })) },
    {
      kind: 'common word near a town',
      aimMs: 15,
      questions: towns.flatMap((place) => COMMON.slice(0, 4).map((q) => search({ q, place, near: true }))),
    },
    {
      kind: 'what, where and when, in full',
      aimMs: 15,
      questions: towns.flatMap((place) => [
        search({ ...dated, place, budgetCents: 800_000 }),
        search({ ...dated, place, category: 'Venues', budgetCents: 800_000 }),
        search({ ...dated, q: 'garden', place, budgetCents: 2_000_000 }),
      ]),
    },
    {
      kind: 'nothing found',
      aimMs: 50,
      questions: pairs(surnames, MEDIUM).map((q) => search({ q, category: 'Extras' })),
    },
    {
      kind: 'nothing found: what to offer instead',
      aimMs: 50,
      questions: [
        ...pairs(surnames, MEDIUM).map((q) => relaxed({ q, category: 'Extras' })),
        ...towns.map((place, index) =>
          relaxed({ ...dated, q: surnames[index] ?? '', place, category: 'Venues' }),
        ),
      ],
    },
    {
      kind: 'suggestions',
      aimMs: 3,
      questions: [
        'ph',
        'photog',
        'photograhper',
        'gard',
        'the wil',
        'geel',
        'dj',
        ...names.map((name) => name.slice(0, 4)),
        ...names.map((name) => name.slice(0, 9)),
      ].map((text) => (on: Database) => listSuggestions(on, text)),
    },
  ]
}

/** The cursor of the page that begins after this share of a list. */
async function findCursor(db: Database, category: Search['category'], share: number): Promise<string> {
  const bounds = db
    .selectFrom('search_listings')
    .select((eb) => [eb.fn.min('position').as('low'), eb.fn.max('position').as('high')])
  const { low, high } = await bounds.executeTakeFirstOrThrow()
  const at = BigInt(high) - BigInt(Math.floor(Number(BigInt(high) - BigInt(low)) * share))
  let row = db
    .selectFrom('search_listings')
    .select(['position', 'business_id'])
    .where('position', '<=', String(at) as never)
  if (category) row = row.where('category', '=', category)
  const found = await row.orderBy('position', 'desc').limit(1).executeTakeFirstOrThrow()
  return `${found.position}.${found.business_id}`
}
