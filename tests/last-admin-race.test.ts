import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database, DatabaseTransaction } from '../app/adapters/database/port.ts'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { createLiveUpdates } from '../app/adapters/live-updates/notify.server.ts'
import type { LiveUpdates } from '../app/adapters/live-updates/port.ts'
import { disableAccount } from '../app/features/operators/account-commands.server.ts'
import { leavesAnAdmin, removeOperator } from '../app/features/operators/people-commands.server.ts'
import { deactivateAccount, deleteAccount } from '../app/features/privacy/commands.server.ts'
import { aBookingWorld, aUser } from './builders.ts'
import { openEmbeddedDatabase, watchTransactions } from './database.ts'
import { findPostgres } from './postgres.ts'

/** Two admins leave at the same moment. On PGlite transactions take turns; on PostgreSQL each has a pool of its own. */

const ROUNDS = 8
const NO_ADMINS: ReadonlySet<string> = new Set()
const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write('No PostgreSQL server on this machine: its half of the admins’ race is skipped.\n')

type World = Awaited<ReturnType<typeof aBookingWorld>>
type Person = { id: string; email: string }
type Side = { db: Database; liveUpdates: LiveUpdates; named: ReadonlySet<string> }
type Leave = (side: Side, self: Person, other: Person) => Promise<{ ok: boolean }>

describe.each([
  { kind: 'PGlite', available: true },
  { kind: 'PostgreSQL', available: hasPostgres },
] as const)('of two admins who leave at the same moment, on $kind', ({ kind, available }) => {
  let world: World
  let other: Pick<Side, 'db' | 'liveUpdates'>
  let close = async () => {}

  beforeAll(async () => {
    if (!available) return
    world = await aBookingWorld(kind === 'PGlite' ? openEmbeddedDatabase : undefined)
    other = world.deps
    close = () => world.close()
    const { connection } = world
    if (connection.kind === 'pglite') return
    // A connection that closes while the server stops is not an error.
    const pool = watchTransactions(openPostgres(connection.url, () => {}))
    const liveUpdates = await createLiveUpdates(pool)
    other = { db: pool.db, liveUpdates }
    close = async () => {
      await liveUpdates.close()
      await pool.close()
      await world.close()
    }
  }, 60_000)
  afterAll(() => close())
  beforeEach(async () => {
    if (available) await world.db.updateTable('users').set({ operator_role: null }).execute()
  })

  const closing = ({ db, liveUpdates, named }: Side) => ({
    ...world.deps,
    db,
    liveUpdates,
    files: {} as never,
    payouts: null,
    leavesAnAdmin: (tx: DatabaseTransaction, userId: string) => leavesAnAdmin(tx, userId, named),
  })
  const operatorOf = ({ id, email }: Person) => ({ userId: id, email })

  const deletes: Leave = (side, self) => deleteAccount(closing(side), self.id)
  const deactivates: Leave = (side, self) => deactivateAccount(closing(side), self.id)
  const removesTheOther: Leave = (side, self, target) =>
    removeOperator(
      { ...world.deps, db: side.db, liveUpdates: side.liveUpdates, adminEmails: side.named },
      { operator: operatorOf(self), userId: target.id, expectedRole: 'admin' },
    )
  const disablesTheOther: Leave = (side, self, target) =>
    disableAccount(
      { ...world.deps, db: side.db, liveUpdates: side.liveUpdates },
      {
        operator: operatorOf(self),
        userId: target.id,
        reason: 'They left.',
        protectedEmails: NO_ADMINS,
        adminEmails: side.named,
      },
    )

  it.skipIf(!available).each<[how: string, one: Leave, two: Leave, isNamed?: true]>([
    ['both delete their accounts', deletes, deletes],
    ['one deletes, one deactivates', deletes, deactivates],
    ['both deactivate their accounts', deactivates, deactivates],
    ['one deactivates, one deletes, and the settings name both', deactivates, deletes, true],
    ['each disables the other, whom the settings name', disablesTheOther, disablesTheOther, true],
  ])('one stays: %s', async (_how, one, two, isNamed) => {
    for (let round = 0; round < ROUNDS; round++) {
      const role = isNamed ? null : 'admin'
      const [first, second] = [
        await aUser(world.db, { operator_role: role }),
        await aUser(world.db, { operator_role: role }),
      ]
      const named = isNamed ? new Set([first.email, second.email]) : NO_ADMINS
      const answers = await Promise.all([
        one({ ...world.deps, named }, first, second),
        two({ ...other, named }, second, first),
      ])
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
      expect(answers).toContainEqual({ ok: false, reason: 'last_admin' })
      await world.db.updateTable('users').set({ operator_role: null }).execute()
    }
  })

  it.skipIf(!available)('one stays who removes the other while that one deletes their account', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [first, second] = [
        await aUser(world.db, { operator_role: 'admin' }),
        await aUser(world.db, { operator_role: 'admin' }),
      ]
      await Promise.all([
        removesTheOther({ ...world.deps, named: NO_ADMINS }, first, second),
        deletes({ ...other, named: NO_ADMINS }, second, first),
      ])
      const left = await world.db
        .selectFrom('users')
        .select('id')
        .where('operator_role', '=', 'admin')
        .execute()
      expect(left).toEqual([{ id: first.id }])
      await world.db.updateTable('users').set({ operator_role: null }).execute()
    }
  })
})
