import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBookingWorld, aUser } from '../../../tests/builders.ts'
import { leavesAsIs } from '../../../tests/leaves-as-is.ts'
import { disableAccount } from './account-commands.server.ts'
import { APPROVAL_ACTS } from './act-rules.ts'
import { expireApprovals } from './approval-commands.server.ts'
import { listOpenApprovals } from './approval-queries.server.ts'
import { refuseAsSecond } from './naming-queries.server.ts'
import { changeRole, nameOperator, removeOperator, settleNaming } from './people-commands.server.ts'
import type { Role } from './role-rules.ts'
import { isRaise } from './role-rules.ts'
import { NEW_OPERATOR_MS, ORDER_LIFE_MS, secondPersonRefusal } from './rules.ts'

/** A role that moves money needs two admins, where there are two. */

const ROUNDS = 12
let world: Awaited<ReturnType<typeof aBookingWorld>>
beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.db.updateTable('users').set({ operator_role: null }).execute()
  await world.db.deleteFrom('approvals').execute()
  await world.db.deleteFrom('operator_namings').execute()
})

type Person = { id: string; email: string }
const deps = () => ({ ...world.deps, adminEmails: new Set<string>() })
const actor = ({ id, email }: Person) => ({ userId: id, email })
const anAdmin = () => aUser(world.db, { operator_role: 'admin' })
const name = (by: Person, whom: Person, role: Role) =>
  nameOperator(deps(), { operator: actor(by), email: whom.email, role })
const settle = (by: Person, namingId: string, isConfirmed = true) =>
  settleNaming(deps(), { operator: actor(by), namingId, isConfirmed })
const roleOf = async ({ id }: Person) =>
  (await world.db.selectFrom('users').select('operator_role').where('id', '=', id).executeTakeFirstOrThrow())
    .operator_role
const reasonsOf = async ({ id }: Person) =>
  (
    await world.db
      .selectFrom('operator_log')
      .select(['action', 'reason'])
      .where('subject_id', '=', id)
      .orderBy('created_at')
      .execute()
  ).map(({ action, reason }) => `${action}: ${reason}`)
const second = (confirmer: Person, asker: Person) =>
  refuseAsSecond(world.db, { operatorId: confirmer.id, askerId: asker.id, now: world.clock.now() })

/** A role that waits for a second admin. */
async function aWaitingNaming(role: Role = 'finance') {
  const [one, two, whom] = [await anAdmin(), await anAdmin(), await aUser(world.db)]
  expect(await name(one, whom, role)).toEqual({ ok: true, waits: true, isAlone: false })
  const [waiting] = await listOpenApprovals(world.db, APPROVAL_ACTS.naming)
  if (!waiting) throw new Error('No role waits.')
  return { one, two, whom, id: waiting.id }
}

/** Another person's role, proposed more than three days ago. */
async function olderNaming() {
  const waiting = await world.db.selectFrom('approvals').selectAll().executeTakeFirstOrThrow()
  const { id: userId } = await aUser(world.db)
  const now = world.clock.now()
  await world.db
    .insertInto('approvals')
    .values({
      ...waiting,
      id: 'older',
      subject_id: userId,
      amount_cents: null,
      payload: JSON.stringify(waiting.payload),
      asked_at: new Date(now.getTime() - ORDER_LIFE_MS),
      expires_at: now,
    })
    .execute()
}

describe('a change of role', () => {
  it.each<[Role | null, Role | null, boolean]>([
    [null, 'support', false],
    [null, 'finance', true],
    [null, 'admin', true],
    ['support', 'finance', true],
    ['finance', 'admin', true],
    ['admin', 'finance', false],
    ['finance', 'support', false],
    ['finance', 'finance', false],
    ['admin', 'admin', false],
    ['admin', null, false],
  ])('from %s to %s gives power over money: %s', (former, role, expected) => {
    expect(isRaise(former, role)).toBe(expected)
  })
})

describe('a role that moves money', () => {
  it.each<Role>(['finance', 'admin'])('waits for a second admin: %s', async (role) => {
    const { one, two, whom, id } = await aWaitingNaming(role)
    expect(await roleOf(whom)).toBeNull()
    expect(await settle(one, id)).toEqual({ ok: false, reason: 'own_order' })
    expect(await settle(two, id)).toEqual({ ok: true })
    expect(await roleOf(whom)).toBe(role)
    expect(await settle(two, id)).toEqual({ ok: false, reason: 'settled' })
    expect(await reasonsOf(whom)).toEqual([
      `ask-second-operator: role ${role}`,
      `name-operator: ${role}, proposed by ${one.email}`,
    ])
  })

  it('leaves an expired naming to the job when it is refused because it waits already', async () => {
    const { two, whom } = await aWaitingNaming()
    await olderNaming()
    const refused = await leavesAsIs(world.db, 'nameOperator', () => name(two, whom, 'admin'))
    expect(refused).toEqual({ ok: false, reason: 'waiting' })
  })

  it('waits, too, for somebody who has a smaller role', async () => {
    const [one, two] = [await anAdmin(), await anAdmin()]
    const whom = await aUser(world.db, { operator_role: 'support' })
    const input = { operator: actor(one), userId: whom.id, expectedRole: 'support', role: 'admin' } as const
    expect(await changeRole(deps(), input)).toMatchObject({ ok: true, waits: true })
    expect(await roleOf(whom)).toBe('support')
    await olderNaming()
    expect(await leavesAsIs(world.db, 'changeRole', () => changeRole(deps(), input))).toEqual({
      ok: false,
      reason: 'waiting',
    })
    await world.db.deleteFrom('approvals').where('id', '=', 'older').execute()
    const [waiting] = await listOpenApprovals(world.db, APPROVAL_ACTS.naming)
    expect(waiting).toMatchObject({
      payload: { formerRole: 'support', role: 'admin' },
      askedBy: one.id,
    })
    expect(await settle(two, waiting?.id ?? '')).toEqual({ ok: true })
    expect(await roleOf(whom)).toBe('admin')
  })

  it('needs no second admin where there is only one, and the log says so', async () => {
    const [only, whom] = [await anAdmin(), await aUser(world.db)]
    expect(await name(only, whom, 'finance')).toEqual({ ok: true, waits: false, isAlone: true })
    expect(await roleOf(whom)).toBe('finance')
    expect(await reasonsOf(whom)).toEqual([
      'name-operator: finance, by one admin alone, as there is no other',
    ])
  })

  it('isn’t given by an admin who has just removed, lowered or disabled the other', async () => {
    const ways: ((one: Person, two: Person) => Promise<unknown>)[] = [
      (one, two) => removeOperator(deps(), { operator: actor(one), userId: two.id, expectedRole: 'admin' }),
      (one, two) =>
        changeRole(deps(), { operator: actor(one), userId: two.id, expectedRole: 'admin', role: 'support' }),
    ]
    for (const leave of ways) {
      await world.db.updateTable('users').set({ operator_role: null }).execute()
      const [one, two, whom] = [await anAdmin(), await anAdmin(), await aUser(world.db)]
      expect(await leave(one, two)).toMatchObject({ ok: true })
      expect(await name(one, whom, 'finance')).toEqual({ ok: false, reason: 'admin_left' })
      expect(await name(one, two, 'finance')).toMatchObject({ ok: false })
      world.clock.forward(NEW_OPERATOR_MS)
      expect(await name(one, whom, 'finance')).toMatchObject({ ok: true, isAlone: true })
    }
  })

  it('isn’t given by an admin who has just disabled the other, whom the settings name', async () => {
    const [one, two, whom] = [await anAdmin(), await aUser(world.db), await aUser(world.db)]
    const adminEmails = new Set([two.email])
    const input = { operator: actor(one), email: whom.email, role: 'finance' } as const
    const disabled = await disableAccount(world.deps, {
      operator: actor(one),
      userId: two.id,
      reason: 'They left.',
      protectedEmails: new Set(),
      adminEmails,
    })
    expect(disabled.ok).toBe(true)
    expect(await nameOperator({ ...deps(), adminEmails }, input)).toEqual({ ok: false, reason: 'admin_left' })
    world.clock.forward(NEW_OPERATOR_MS)
    expect(await nameOperator({ ...deps(), adminEmails }, input)).toMatchObject({ ok: true, isAlone: true })
  })

  it('can be withdrawn by either admin, and asked for again', async () => {
    const { one, two, whom, id } = await aWaitingNaming()
    expect(await settle(one, id, false)).toEqual({ ok: true })
    expect(await settle(two, id)).toEqual({ ok: false, reason: 'settled' })
    expect(await roleOf(whom)).toBeNull()
    expect(await name(two, whom, 'finance')).toMatchObject({ ok: true, waits: true })
  })

  it('isn’t given after three days, after its person changed, or for an admin who is none any more', async () => {
    const late = await aWaitingNaming()
    world.clock.forward(ORDER_LIFE_MS)
    expect(await settle(late.two, late.id)).toEqual({ ok: false, reason: 'expired' })
    await expireApprovals(world.deps, world.clock.now())
    expect(await listOpenApprovals(world.db, APPROVAL_ACTS.naming)).toEqual([])
    await world.db.updateTable('users').set({ operator_role: null }).execute()

    const unproved = await aWaitingNaming()
    await world.db
      .updateTable('users')
      .set({ email_verified: false })
      .where('id', '=', unproved.whom.id)
      .execute()
    expect(await settle(unproved.two, unproved.id)).toEqual({ ok: false, reason: 'changed' })
    await world.db
      .updateTable('users')
      .set({ email_verified: true })
      .where('id', '=', unproved.whom.id)
      .execute()
    await removeOperator(deps(), {
      operator: actor(unproved.two),
      userId: unproved.one.id,
      expectedRole: 'admin',
    })
    expect(await settle(unproved.two, unproved.id)).toEqual({ ok: false, reason: 'asker_gone' })
    expect(await roleOf(unproved.whom)).toBeNull()
  })

  it('isn’t needed for support, which takes effect at once', async () => {
    const [one, , whom] = [await anAdmin(), await anAdmin(), await aUser(world.db)]
    expect(await name(one, whom, 'support')).toEqual({ ok: true, waits: false, isAlone: false })
    expect(await roleOf(whom)).toBe('support')
  })
})

describe('a second person', () => {
  const now = new Date('2027-03-14T00:00:00Z')
  const ago = (ms: number) => new Date(now.getTime() - ms)
  it.each([
    ['asked for it', { userId: 'asker', raised: null }, 'own_order'],
    ['has had the role for ever', { userId: 'other', raised: null }, null],
    ['got the role just under three days ago', { at: ago(NEW_OPERATOR_MS - 1), by: 'else' }, 'named_lately'],
    ['got the role three days ago', { at: ago(NEW_OPERATOR_MS), by: 'else' }, null],
    [
      'got the role from the asker, long ago',
      { at: ago(90 * NEW_OPERATOR_MS), by: 'asker' },
      'named_by_asker',
    ],
  ])('who %s', (_what, given, expected) => {
    const confirmer = 'userId' in given ? given : { userId: 'other', raised: given }
    expect(secondPersonRefusal(confirmer, 'asker', now)).toBe(expected)
  })

  it('can’t be someone whom the only admin has just named, nor later for that admin’s own orders', async () => {
    const [only, alias, other] = [await anAdmin(), await aUser(world.db), await aUser(world.db)]
    await name(only, alias, 'finance')
    expect(await second(alias, only)).toBe('named_lately')
    expect(await second(alias, other)).toBe('named_lately')
    world.clock.forward(NEW_OPERATOR_MS)
    expect(await second(alias, only)).toBe('named_by_asker')
    expect(await second(alias, other)).toBeNull()
    expect(await second(only, alias)).toBeNull()
  })

  it('stays bound by who named them when their role is raised again or lowered', async () => {
    const [only, alias] = [await anAdmin(), await aUser(world.db)]
    await name(only, alias, 'admin')
    world.clock.forward(NEW_OPERATOR_MS)
    await changeRole(deps(), {
      operator: actor(alias),
      userId: alias.id,
      expectedRole: 'admin',
      role: 'finance',
    })
    expect(await second(alias, only)).toBe('named_by_asker')
  })
})

describe('two admins at the same moment', () => {
  it('confirm a role once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await world.db.updateTable('users').set({ operator_role: null }).execute()
      const { two, whom, id } = await aWaitingNaming()
      const third = await anAdmin()
      const answers = await Promise.all([settle(two, id), settle(third, id)])
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
      expect(await roleOf(whom)).toBe('finance')
    }
  })

  it('give no role while one removes the other and names a third', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await world.db.updateTable('users').set({ operator_role: null }).execute()
      await world.db.deleteFrom('approvals').execute()
      await world.db.deleteFrom('operator_namings').execute()
      const [one, two, whom] = [await anAdmin(), await anAdmin(), await aUser(world.db)]
      await Promise.all([
        removeOperator(deps(), { operator: actor(one), userId: two.id, expectedRole: 'admin' }),
        name(one, whom, 'admin'),
        name(two, whom, 'finance'),
      ])
      expect(await roleOf(whom)).toBeNull()
    }
  })

  it('name two others, each of whom waits for the other admin', async () => {
    const [one, two] = [await anAdmin(), await anAdmin()]
    const [first, other] = [await aUser(world.db), await aUser(world.db)]
    await Promise.all([name(one, first, 'finance'), name(two, other, 'finance')])
    const waiting = await listOpenApprovals(world.db, APPROVAL_ACTS.naming)
    expect(waiting.map(({ askedBy }) => askedBy).toSorted()).toEqual([one.id, two.id].toSorted())
    const answers = await Promise.all(
      waiting.map(({ id, askedBy }) => settle(askedBy === one.id ? two : one, id)),
    )
    expect(answers).toEqual([{ ok: true }, { ok: true }])
  })
})
