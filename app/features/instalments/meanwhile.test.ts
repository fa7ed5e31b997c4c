import { beforeEach, describe, expect, it } from 'vitest'
import { aBookingWorld } from '../../../tests/builders.ts'
import {
  ASKING_CARD,
  approves,
  BALANCE_CENTS,
  balanceOf,
  booksWithDeposit,
  chargesOf,
  confirms,
  DEPOSIT_CENTS,
  DUE_AT,
  GOOD_CARD,
  instalmentDeps,
  movesTo,
  runInstalmentJobs,
} from '../../../tests/instalment-stage.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { reportPayment } from '../payments/settlement-commands.server.ts'
import { CLAIM_LASTS_MS } from '../sales/plan-rules.ts'
import {
  detachIdleCards,
  keepCardOfSetup,
  receiveCardEvent,
  startCardSetup,
  storeSavedCards,
} from './card-commands.server.ts'
import { chargeDueInstalments, openInstalmentPayment } from './charge-commands.server.ts'
import type { InstalmentDeps } from './deps.server.ts'
import { findSavedCard } from './queries.server.ts'
import { processUnpaidInstalments } from './reminder-commands.server.ts'

/** Races between a job's question, to the database or to the provider, and its write. */

let world: Awaited<ReturnType<typeof aBookingWorld>>
let deps: InstalmentDeps
type Booked = Awaited<ReturnType<typeof booksWithDeposit>>

beforeEach(async () => {
  world = await aBookingWorld()
  deps = instalmentDeps(world)
  return () => world.close()
})

/** The services of a run, with an event just before its first transaction. */
function onceAfter(event: () => Promise<unknown>): InstalmentDeps {
  let hasRun = false
  const db = new Proxy(deps.db, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value
      return () => ({
        async execute(work: Parameters<ReturnType<typeof target.transaction>['execute']>[0]) {
          if (!hasRun) {
            hasRun = true
            await event()
          }
          return target.transaction().execute(work)
        },
      })
    },
  })
  return { ...deps, db }
}

/** The services of a run, with events during its calls to the provider. */
const during = (calls: Partial<typeof world.payments>): InstalmentDeps => ({
  ...deps,
  providers: [{ ...world.payments, ...calls }],
})

/** A booking whose balance waits for the customer, some days after it was due. */
async function unpaid(days: number): Promise<Booked> {
  const booked = await booksWithDeposit(world, { card: ASKING_CARD })
  await approves(world, booked)
  movesTo(world, new Date(DUE_AT.getTime() - 7 * DAY_MS))
  await runInstalmentJobs(world, deps)
  movesTo(world, DUE_AT)
  await chargeDueInstalments(deps)
  movesTo(world, new Date(DUE_AT.getTime() + days * DAY_MS))
  return booked
}

async function due(): Promise<Booked> {
  const booked = await booksWithDeposit(world)
  movesTo(world, new Date(DUE_AT.getTime() - 7 * DAY_MS))
  await runInstalmentJobs(world, deps)
  movesTo(world, DUE_AT)
  return booked
}

async function pays({ linkToken }: Booked): Promise<void> {
  const opened = await openInstalmentPayment(deps, linkToken)
  if (!opened.ok) throw new Error(opened.reason)
  await confirms(world, opened.clientSecret, GOOD_CARD)
  await reportPayment(world.deps, { clientSecret: opened.clientSecret })
}

async function replacesCard({ linkToken }: Booked): Promise<void> {
  const setup = await startCardSetup(deps, { linkToken, setupKey: newId() })
  if (!setup.ok) throw new Error(setup.reason)
  await confirms(world, setup.clientSecret, '4000002500003155')
  await keepCardOfSetup(deps, world.payments, setup.reference)
}

const toVendor = async () =>
  (await world.jobs.mails())
    .filter(({ messageId }) => /-unpaid-/.test(messageId))
    .map(({ subject }) => subject)

describe('an unpaid balance', () => {
  it('isn’t overdue if its vendor has given more time meanwhile', async () => {
    const booked = await unpaid(7)
    await processUnpaidInstalments(
      onceAfter(() =>
        world.db
          .updateTable('instalments')
          .set({ extended_at: world.clock.now() })
          .where('payment_id', '=', booked.paymentId)
          .where('number', '=', 2)
          .execute(),
      ),
    )
    await processUnpaidInstalments(deps)
    expect((await balanceOf(world, booked.paymentId)).state).toBe('needs_customer')
  })

  it('isn’t overdue if its customer has paid meanwhile', async () => {
    const booked = await unpaid(7)
    await processUnpaidInstalments(onceAfter(() => pays(booked)))
    expect(await balanceOf(world, booked.paymentId)).toMatchObject({ state: 'paid' })
  })

  it('reaches its vendor by one mail when two runs overlap', async () => {
    await unpaid(0)
    await processUnpaidInstalments(onceAfter(() => processUnpaidInstalments(deps)))
    expect(await toVendor()).toHaveLength(1)
  })
})

describe('a balance that is being charged', () => {
  it('stays with the process that has taken the claim over from a slow one', async () => {
    const { paymentId, reference } = await due()
    await world.payments.setNextAnswer(reference, 'insufficient_funds')
    const dying: InstalmentDeps = {
      ...deps,
      faultPoint(reached) {
        if (reached === 'instalment-claimed') throw new Error('died')
      },
    }
    const slow = during({
      async chargeSavedCard(input) {
        const answer = await world.payments.chargeSavedCard(input)
        world.clock.forward(CLAIM_LASTS_MS)
        await chargeDueInstalments(dying).catch(() => {})
        return answer
      },
    })
    await chargeDueInstalments(slow)
    expect(await balanceOf(world, paymentId)).toMatchObject({
      state: 'charging',
      claimed_at: world.clock.now(),
    })
    world.clock.forward(CLAIM_LASTS_MS)
    await chargeDueInstalments(deps)
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'failed', attempts: 1 })
  })

  it('stays paid if its customer has paid before a refusal is stored', async () => {
    const booked = await due()
    await world.payments.setNextAnswer(booked.reference, 'insufficient_funds')
    const slow = during({
      async chargeSavedCard(input) {
        const answer = await world.payments.chargeSavedCard(input)
        await pays(booked)
        return answer
      },
    })
    await chargeDueInstalments(slow)
    expect(await balanceOf(world, booked.paymentId)).toMatchObject({ state: 'paid', decline_code: null })
    expect(await chargesOf(world, booked.paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
    expect((await world.jobs.mails()).filter(({ subject }) => /refused/.test(subject))).toEqual([])
  })
})

describe('a card that its customer has replaced meanwhile', () => {
  const cardOf = ({ paymentId }: Booked) => findSavedCard(world.db, paymentId)

  it('isn’t overwritten by the card of the first payment', async () => {
    const booked = await booksWithDeposit(world)
    await world.db
      .updateTable('saved_cards')
      .set({ provider_method: null })
      .where('payment_id', '=', booked.paymentId)
      .execute()
    const slow = during({
      async savedCardOf(reference) {
        const found = await world.payments.savedCardOf(reference)
        await replacesCard(booked)
        return found
      },
    })
    await storeSavedCards(slow)
    expect(await cardOf(booked)).toMatchObject({ last_four: '3155' })
  })

  it('isn’t overwritten by news of the old one', async () => {
    const booked = await booksWithDeposit(world)
    const method = (await cardOf(booked))?.provider_method ?? ''
    const slow = during({
      async retrieveCard(asked) {
        const found = await world.payments.retrieveCard(asked)
        await replacesCard(booked)
        return found
      },
    })
    await receiveCardEvent(slow, world.payments, { card: { method } })
    expect(await cardOf(booked)).toMatchObject({ last_four: '3155' })
    expect((await cardOf(booked))?.provider_method).not.toBe(method)
  })

  it('isn’t forgotten when the old one has been detached', async () => {
    const booked = await due()
    await chargeDueInstalments(deps)
    const slow = during({
      async detachCard(method) {
        const detached = await world.payments.detachCard(method)
        await world.db
          .updateTable('saved_cards')
          .set({ provider_method: 'another' })
          .where('payment_id', '=', booked.paymentId)
          .execute()
        return detached
      },
    })
    await detachIdleCards(slow)
    expect(await cardOf(booked)).toMatchObject({ provider_method: 'another', detached_at: null })
  })
})
