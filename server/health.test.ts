import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkWrites } from '../app/adapters/database/write-check.server.ts'
import { openTestDatabase, type TestConnection } from '../tests/database.ts'
import { createHealth } from './health.ts'

let connection: TestConnection
let health: ReturnType<typeof createHealth>

beforeEach(async () => {
  connection = await openTestDatabase()
  const log = { error() {}, warn() {} }
  const services = {
    db: connection.db,
    checkWrites: () => checkWrites(connection.db),
    replica: null,
    files: { async check() {} },
    stopping: new AbortController(),
    migrations: [],
    log,
  }
  health = createHealth(services as unknown as Parameters<typeof createHealth>[0])
  await connection.executeScript(`
    create function refuse_write() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
})
afterEach(() => connection.close())

const fillDisk = () =>
  connection.executeScript(
    'create trigger disk_is_full before insert or update on write_checks for each row execute function refuse_write()',
  )
const freeDisk = () => connection.executeScript('drop trigger disk_is_full on write_checks')
const writtenAt = async () =>
  (await sql<{ at: string }>`select written_at::text as at from write_checks`.execute(connection.db)).rows[0]
    ?.at

it('a database that answers reads but takes no writes is not ready, until it takes them again', async () => {
  await fillDisk()
  expect(await health()).toMatchObject({ ready: false, parts: { database: 'down', migrations: 'ok' } })
  await freeDisk()
  await expect.poll(async () => (await health()).ready, { timeout: 10_000 }).toBe(true)
})

it('readiness writes rarely, however often it is asked', async () => {
  expect((await health()).ready).toBe(true)
  const first = await writtenAt()
  // Each is another check, since results are kept for a second.
  for (let time = 0; time < 2; time++) {
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect((await health()).ready).toBe(true)
  }
  expect(await writtenAt()).toBe(first)
})
