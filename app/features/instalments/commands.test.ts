import { beforeEach, describe, expect, it } from 'vitest'
import { aBookingWorld } from '../../../tests/builders.ts'
import {
  ASKING_CARD,
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
  REFUSED_CARD,
  runInstalmentJobs,
  VENUE_ZONE,
} from '../../../tests/instalment-stage.ts'
import { OPERATOR, refundsAsOperator } from '../../../tests/payout-stage.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { decideBooking } from '../bookings/decisions/commands.server.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { reportPayment } from '../payments/settlement-commands.server.ts'
import { sweepPayments } from '../payments/sweep-commands.server.ts'
import { CLAIM_LASTS_MS } from '../sales/plan-rules.ts'
import { detachIdleCards, keepCardOfSetup, receiveCardEvent, startCardSetup } from './card-commands.server.ts'
import { chargeDueInstalments, openInstalmentPayment } from './charge-commands.server.ts'
import { extendInstalment } from './commands.server.ts'
import { findSavedCard } from './queries.server.ts'
import { remindOfInstalments } from './reminder-commands.server.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let deps: ReturnType<typeof instalmentDeps>
const REMINDER_AT = new Date(DUE_AT.getTime() - 7 * DAY_MS)

beforeEach(async () => {
  world = await aBookingWorld()
  deps = instalmentDeps(world)
  return () => world.close()
})

async function subjects() {
  const mails = await world.jobs.mails()
  return mails.map(({ subject }) => subject).filter((subject) => /\$6,960\.00/.test(subject))
}
const mailOf = async (subject: RegExp) =>
  (await world.jobs.mails()).find((mail) => subject.test(mail.subject))

/** Moves from one morning to the next and runs the jobs in each, until a day. */
async function passesDays(days: number) {
  for (let day = 0; day < days; day++) {
    world.clock.forward(DAY_MS)
    await runInstalmentJobs(world, deps)
  }
}

async function reminded(given: Parameters<typeof booksWithDeposit>[1] = {}) {
  const booked = await booksWithDeposit(world, given)
  movesTo(world, REMINDER_AT)
  await runInstalmentJobs(world, deps)
  return booked
}

async function decides(
  { bookingId, businessId }: { bookingId: string; businessId: string },
  decision: 'approved' | 'declined',
) {
  const { user_id: userId } = await world.db
    .selectFrom('businesses')
    .select('user_id')
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow()
  return decideBooking(world.deps, { userId, bookingId, decision, reason: 'The roof leaks.', isAtOnce: true })
}

async function changesCard(linkToken: string, card: string) {
  const setup = await startCardSetup(deps, { linkToken, setupKey: newId() })
  if (!setup.ok) throw new Error(setup.reason)
  await confirms(world, setup.clientSecret, card)
  return keepCardOfSetup(deps, world.payments, setup.reference)
}

describe('a booking with a deposit', () => {
  it('charges the deposit alone, and keeps card and consent', async () => {
    const { paymentId } = await booksWithDeposit(world)
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS])
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'scheduled', due_at: DUE_AT })
    const card = await findSavedCard(world.db, paymentId)
    expect(card).toMatchObject({ brand: 'visa', last_four: '4242', expires_year: 2030, expires_month: 12 })
    expect(card?.consent).toContain('charges it $6,960.00 on 11 February 2027')
  })

  it('sends its reminder 7 days before at 09:00, and charges the balance once when it is due', async () => {
    const { paymentId } = await booksWithDeposit(world)
    movesTo(world, new Date(REMINDER_AT.getTime() - 1_000))
    await runInstalmentJobs(world, deps)
    expect(await subjects()).toEqual([])
    movesTo(world, REMINDER_AT)
    await runInstalmentJobs(world, deps)
    await runInstalmentJobs(world, deps)
    expect(await subjects()).toEqual(['$6,960.00 on Thu 11 February: Harbour Light Pavilion'])
    const mail = await mailOf(/11 February/)
    expect(mail?.text).toContain('to your card ending 4242 on')
    expect(mail?.text).toMatch(/\/bookings\/[\w-]{20,}\/pay/)
    movesTo(world, new Date(DUE_AT.getTime() - 1_000))
    await runInstalmentJobs(world, deps)
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS])
    movesTo(world, DUE_AT)
    await runInstalmentJobs(world, deps)
    await runInstalmentJobs(world, deps)
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'paid', attempts: 1 })
    expect((await subjects()).slice(1)).toEqual(['Paid: $6,960.00 to Harbour Light Pavilion'])
  })

  it('never charges its balance without a reminder sent before', async () => {
    const { paymentId } = await booksWithDeposit(world)
    movesTo(world, new Date(DUE_AT.getTime() + 3_600_000))
    await chargeDueInstalments(deps)
    await world.db
      .updateTable('instalments')
      .set({ state: 'failed', try_at: DUE_AT })
      .where('payment_id', '=', paymentId)
      .where('number', '=', 2)
      .execute()
    await chargeDueInstalments(deps)
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS])
  })

  it('leaves a day after a reminder that the jobs were late with', async () => {
    const { paymentId } = await booksWithDeposit(world)
    movesTo(world, new Date(DUE_AT.getTime() + 3_600_000))
    await runInstalmentJobs(world, deps)
    const { try_at } = await balanceOf(world, paymentId)
    expect(wallTimeAt(try_at ?? DUE_AT, VENUE_ZONE)).toEqual({ date: '2027-02-13', time: '09:00' })
    expect((await mailOf(/on Sat 13 February/))?.text).toContain('13 February 2027')
    movesTo(world, try_at ?? DUE_AT)
    await runInstalmentJobs(world, deps)
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
  })

  it('says in the reminder that the card expires before the day, as the bank has it then', async () => {
    const { paymentId } = await reminded({ expiry: '01 / 27' })
    expect((await mailOf(/11 February/))?.text).toContain('Your card expires before that day.')
    movesTo(world, DUE_AT)
    await runInstalmentJobs(world, deps)
    expect(await balanceOf(world, paymentId)).toMatchObject({
      state: 'needs_customer',
      decline_code: 'expired_card',
    })
  })
})

describe('a refused card', () => {
  it('gets four tries, is told to both sides, and makes the balance overdue on day 7', async () => {
    const { paymentId, linkToken } = await booksWithDeposit(world)
    expect(await changesCard(linkToken, REFUSED_CARD)).toMatchObject({ ok: true, lastFour: '0341' })
    movesTo(world, REMINDER_AT)
    await runInstalmentJobs(world, deps)
    movesTo(world, DUE_AT)
    await runInstalmentJobs(world, deps)
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'failed', attempts: 1 })
    const tried: number[] = []
    for (let day = 1; day <= 6; day++) {
      await passesDays(1)
      tried.push((await balanceOf(world, paymentId)).attempts)
    }
    expect(tried).toEqual([2, 2, 3, 3, 4, 4])
    expect(await balanceOf(world, paymentId)).toMatchObject({
      state: 'needs_customer',
      decline_code: 'generic_decline',
    })
    world.clock.forward(DAY_MS - 1_000)
    await runInstalmentJobs(world, deps)
    expect((await balanceOf(world, paymentId)).state).toBe('needs_customer')
    world.clock.forward(1_000)
    await runInstalmentJobs(world, deps)
    expect((await balanceOf(world, paymentId)).state).toBe('overdue')
    await runInstalmentJobs(world, deps)
    expect((await subjects()).slice(1)).toEqual([
      'Pay $6,960.00 by Thu 18 February: your card was refused, Harbour Light Pavilion',
      'Not paid yet: $6,960.00 by Kim Lee',
      'Pay $6,960.00 by Thu 18 February: your card was refused, Harbour Light Pavilion',
      'Pay $6,960.00 by Thu 18 February: your card was refused, Harbour Light Pavilion',
      'Not paid yet: $6,960.00 by Kim Lee',
      'Pay $6,960.00 by Thu 18 February: your card was refused, Harbour Light Pavilion',
      'Not paid yet: $6,960.00 by Kim Lee',
    ])
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS])
  })

  it.each(['lost_card', 'stolen_card', 'expired_card', 'authentication_required'] as const)(
    'gets no second try after %s',
    async (answer) => {
      const { paymentId, reference } = await reminded()
      await world.payments.setNextAnswer(reference, answer)
      movesTo(world, DUE_AT)
      await runInstalmentJobs(world, deps)
      await passesDays(5)
      expect(await balanceOf(world, paymentId)).toMatchObject({
        state: 'needs_customer',
        attempts: 1,
        decline_code: answer,
      })
      expect((await subjects()).filter((subject) => /refused|^Approve/.test(subject))).toHaveLength(1)
    },
  )

  it('can be approved and paid by the link in the mail if its bank wants that', async () => {
    const { paymentId, linkToken } = await reminded({ card: ASKING_CARD })
    movesTo(world, DUE_AT)
    await runInstalmentJobs(world, deps)
    expect((await mailOf(/^Approve \$6,960\.00 by /))?.text).toContain(`/bookings/${linkToken}/pay`)
    const opened = await openInstalmentPayment(deps, linkToken)
    if (!opened.ok || !opened.method) throw new Error('The payment could not be opened.')
    const { clientSecret, method } = opened
    expect(await world.payments.confirmCard({ clientSecret, method })).toMatchObject({
      status: 'requires_action',
    })
    await world.payments.confirmCard({ clientSecret, method, challenge: 'approve' })
    expect(await reportPayment(world.deps, { clientSecret })).toMatchObject({ ok: true, state: 'paid' })
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'paid' })
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
  })

  it('leaves the provider when it is replaced after the day, and the new card is charged at once', async () => {
    const { paymentId, linkToken, reference } = await reminded()
    await world.payments.setNextAnswer(reference, 'lost_card')
    movesTo(world, DUE_AT)
    await runInstalmentJobs(world, deps)
    const before = await findSavedCard(world.db, paymentId)
    await changesCard(linkToken, GOOD_CARD)
    expect(await world.payments.retrieveCard(before?.provider_method ?? '')).toEqual({ ok: true, card: null })
    await runInstalmentJobs(world, deps)
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'paid', attempts: 2 })
  })

  it('leaves the vendor one extension, by 7 days', async () => {
    const { paymentId, reference } = await reminded()
    const extend = () => extendInstalment(deps, { firstPaymentId: paymentId })
    const offers = async () =>
      (await world.jobs.mails())
        .filter(({ subject }) => subject.startsWith('Not paid yet'))
        .map(({ text }) => text.includes('You can give them more time, once.'))
    expect(await extend()).toEqual({ ok: false, reason: 'not_extendable' })
    await world.payments.setNextAnswer(reference, 'lost_card')
    movesTo(world, DUE_AT)
    await runInstalmentJobs(world, deps)
    expect(await extend()).toMatchObject({ ok: true })
    expect(await extend()).toEqual({ ok: false, reason: 'not_extendable' })
    expect((await mailOf(/: more time from /))?.text).toContain('by Thursday 25 February 2027')
    expect(await offers()).toEqual([true])
    await passesDays(13)
    expect(await offers()).toEqual([true, false, false])
    expect((await balanceOf(world, paymentId)).state).toBe('needs_customer')
    await passesDays(1)
    expect((await balanceOf(world, paymentId)).state).toBe('overdue')
  })
})

describe('an instalment', () => {
  it('can be paid early by its customer, and isn’t charged again', async () => {
    const { paymentId, linkToken } = await booksWithDeposit(world)
    const opened = await openInstalmentPayment(deps, linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    expect(opened.amountCents).toBe(BALANCE_CENTS)
    await confirms(world, opened.clientSecret, GOOD_CARD)
    await reportPayment(world.deps, { clientSecret: opened.clientSecret })
    expect(await openInstalmentPayment(deps, linkToken)).toEqual({ ok: false, reason: 'nothing_due' })
    movesTo(world, REMINDER_AT)
    await runInstalmentJobs(world, deps)
    movesTo(world, DUE_AT)
    await runInstalmentJobs(world, deps)
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
    expect(await subjects()).toEqual(['Paid: $6,960.00 to Harbour Light Pavilion'])
  })

  it('takes one payment when its customer presses while the job charges', async () => {
    const { paymentId, linkToken } = await reminded()
    movesTo(world, DUE_AT)
    const opened = await openInstalmentPayment(deps, linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    const { clientSecret } = opened
    await Promise.all([
      chargeDueInstalments(deps),
      confirms(world, clientSecret, GOOD_CARD).then(() => reportPayment(world.deps, { clientSecret })),
      chargeDueInstalments(deps),
    ])
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
    expect((await balanceOf(world, paymentId)).state).toBe('paid')
    expect(await subjects()).toHaveLength(2)
  })

  it('takes one charge from several runs at the same time', async () => {
    const all = [await booksWithDeposit(world), await booksWithDeposit(world), await booksWithDeposit(world)]
    movesTo(world, REMINDER_AT)
    await Promise.all([remindOfInstalments(deps), remindOfInstalments(deps)])
    movesTo(world, DUE_AT)
    await Promise.all(Array.from({ length: 4 }, () => chargeDueInstalments(deps)))
    for (const { paymentId } of all) {
      expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
      expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'paid', attempts: 1 })
    }
    expect(await subjects()).toHaveLength(6)
  })

  it.each(['instalment-claimed', 'instalment-charged', 'payment-moved', 'instalment-settled'] as const)(
    'takes one charge when the process dies at %s',
    async (point) => {
      const { paymentId } = await reminded()
      movesTo(world, DUE_AT)
      const dying = {
        ...deps,
        faultPoint(reached: string) {
          if (reached === point) throw new Error(`died at ${point}`)
        },
      }
      await expect(chargeDueInstalments(dying)).rejects.toThrow()
      await chargeDueInstalments(deps)
      world.clock.forward(CLAIM_LASTS_MS)
      await chargeDueInstalments(deps)
      expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
      expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'paid', attempts: 1 })
      expect(await subjects()).toHaveLength(2)
    },
  )

  it('counts a refusal once whose answer was lost', async () => {
    const { paymentId, reference } = await reminded()
    await world.payments.setNextAnswer(reference, 'insufficient_funds')
    movesTo(world, DUE_AT)
    const dying = {
      ...deps,
      faultPoint(reached: string) {
        if (reached === 'instalment-refused-uncommitted') throw new Error('died')
      },
    }
    await expect(chargeDueInstalments(dying)).rejects.toThrow()
    world.clock.forward(CLAIM_LASTS_MS)
    await chargeDueInstalments(deps)
    expect(await balanceOf(world, paymentId)).toMatchObject({
      state: 'failed',
      attempts: 1,
      decline_code: 'insufficient_funds',
    })
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS])
  })

  it.each(['before', 'after'] as const)(
    'charges the new card if its customer replaces the card just %s the old one is refused',
    async (moment) => {
      const { paymentId, linkToken } = await booksWithDeposit(world)
      await changesCard(linkToken, REFUSED_CARD)
      movesTo(world, REMINDER_AT)
      await runInstalmentJobs(world, deps)
      movesTo(world, DUE_AT)
      let isReplaced = false
      const replaces = async () => {
        if (!isReplaced) await changesCard(linkToken, GOOD_CARD)
        isReplaced = true
      }
      const racing: typeof world.payments = {
        ...world.payments,
        async chargeSavedCard(input) {
          if (moment === 'before') await replaces()
          const answer = await world.payments.chargeSavedCard(input)
          await replaces()
          return answer
        },
      }
      await runInstalmentJobs(world, { ...deps, providers: [racing] })
      await runInstalmentJobs(world, deps)
      expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
      expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'paid', attempts: 2 })
      // Nobody is told of a card that is not used any more.
      expect((await subjects()).slice(1)).toEqual(['Paid: $6,960.00 to Harbour Light Pavilion'])
    },
  )

  it('charges the new card if the process died with the old one refused, and its customer replaced it', async () => {
    const { paymentId, linkToken } = await booksWithDeposit(world)
    await changesCard(linkToken, REFUSED_CARD)
    movesTo(world, REMINDER_AT)
    await runInstalmentJobs(world, deps)
    movesTo(world, DUE_AT)
    const dying = {
      ...deps,
      faultPoint(reached: string) {
        if (reached === 'instalment-charged') throw new Error('died')
      },
    }
    await expect(chargeDueInstalments(dying)).rejects.toThrow()
    await changesCard(linkToken, GOOD_CARD)
    world.clock.forward(CLAIM_LASTS_MS)
    await chargeDueInstalments(deps)
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
    expect((await subjects()).slice(1)).toEqual(['Paid: $6,960.00 to Harbour Light Pavilion'])
  })

  it('waits while the provider is away, and is charged afterwards', async () => {
    const { paymentId } = await reminded()
    movesTo(world, DUE_AT)
    const away = { ok: false, reason: 'unreachable', message: 'Away.' } as const
    const provider = { ...world.payments, chargeSavedCard: async () => away }
    await chargeDueInstalments({ ...deps, providers: [provider] })
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'charging', attempts: 1 })
    await chargeDueInstalments(deps)
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS])
    world.clock.forward(CLAIM_LASTS_MS)
    await chargeDueInstalments(deps)
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'paid', attempts: 1 })
  })

  it('reaches the operators by one mail while the provider refuses its payment, and is charged afterwards', async () => {
    const { paymentId } = await reminded()
    movesTo(world, DUE_AT)
    const refused = { ok: false, reason: 'refused', message: 'No such customer.' } as const
    const refusing: typeof deps = { ...deps, providers: [{ ...world.payments, create: async () => refused }] }
    for (let run = 0; run < 3; run++) {
      await chargeDueInstalments(refusing)
      world.clock.forward(CLAIM_LASTS_MS)
    }
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'charging', attempts: 1 })
    const told = (await world.jobs.mails()).filter(({ to }) => to === 'operator@example.com')
    expect(told.map(({ subject }) => subject)).toEqual(['A balance of $6,960.00 can’t be charged'])
    await chargeDueInstalments(deps)
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'paid', decline_code: null })
  })

  it('ends with its booking, is reopened with it, and is then charged by another payment', async () => {
    const booked = await booksWithDeposit(world)
    const { paymentId, linkToken } = booked
    const opened = await openInstalmentPayment(deps, linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    expect(await decides(booked, 'declined')).toMatchObject({ ok: true })
    expect((await balanceOf(world, paymentId)).state).toBe('ended')
    expect(await openInstalmentPayment(deps, linkToken)).toEqual({ ok: false, reason: 'nothing_due' })
    // The decline can still be taken back.
    await detachIdleCards(deps)
    expect((await findSavedCard(world.db, paymentId))?.provider_method).not.toBeNull()
    await sweepPayments(world.deps)
    expect(await confirms(world, opened.clientSecret, GOOD_CARD)).toMatchObject({ reason: 'ended' })
    expect(await decides(booked, 'approved')).toMatchObject({ ok: true })
    movesTo(world, REMINDER_AT)
    await runInstalmentJobs(world, deps)
    movesTo(world, DUE_AT)
    await runInstalmentJobs(world, deps)
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
  })

  it('starts its tries again when it is reopened with its booking', async () => {
    const booked = await booksWithDeposit(world)
    await decides(booked, 'approved')
    await changesCard(booked.linkToken, REFUSED_CARD)
    movesTo(world, REMINDER_AT)
    await runInstalmentJobs(world, deps)
    movesTo(world, DUE_AT)
    await runInstalmentJobs(world, deps)
    await passesDays(3)
    const { paymentId } = booked
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'failed', attempts: 3 })
    expect(await decides(booked, 'declined')).toMatchObject({ ok: true })
    expect(await decides(booked, 'approved')).toMatchObject({ ok: true })
    await runInstalmentJobs(world, deps)
    const { state, attempts, try_at } = await balanceOf(world, paymentId)
    expect({ state, attempts }).toEqual({ state: 'failed', attempts: 1 })
    // A day after its new first refusal, which is on the third day.
    expect(try_at).toEqual(new Date(DUE_AT.getTime() + 4 * DAY_MS))
    // Each try of its own has a mail of its own.
    const ids = (await world.jobs.mails()).map(({ messageId }) => messageId)
    expect(ids.filter((id) => /-refused-/.test(id))).toHaveLength(4)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('reopens for the morning that its late reminder named', async () => {
    const booked = await booksWithDeposit(world)
    const { paymentId } = booked
    await decides(booked, 'approved')
    movesTo(world, new Date(DUE_AT.getTime() + 3_600_000))
    await runInstalmentJobs(world, deps)
    const { try_at: named } = await balanceOf(world, paymentId)
    expect(named?.getTime()).toBeGreaterThan(DUE_AT.getTime())
    await decides(booked, 'declined')
    expect(await decides(booked, 'approved')).toMatchObject({ ok: true })
    expect((await balanceOf(world, paymentId)).try_at).toEqual(named)
    await runInstalmentJobs(world, deps)
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS])
    movesTo(world, named ?? DUE_AT)
    await runInstalmentJobs(world, deps)
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
  })

  it('goes back in full if it was charged although its booking had ended', async () => {
    const booked = await booksWithDeposit(world)
    const { paymentId, linkToken } = booked
    const opened = await openInstalmentPayment(deps, linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    await confirms(world, opened.clientSecret, GOOD_CARD)
    await decides(booked, 'declined')
    await reportPayment(world.deps, { clientSecret: opened.clientSecret })
    world.clock.forward(DAY_MS)
    await performDueRefunds(world.deps)
    const charged = await world.db
      .selectFrom('sandbox_payments')
      .select(['amount_cents', 'refunded_cents'])
      .where('transfer_group', '=', paymentId)
      .execute()
    expect(charged).toHaveLength(2)
    for (const row of charged) expect(Number(row.refunded_cents)).toBe(Number(row.amount_cents))
    await detachIdleCards(deps)
    expect((await findSavedCard(world.db, paymentId))?.provider_method).toBeNull()
  })
})

describe('a saved card', () => {
  it('leaves the provider once nothing is due, and only its last digits stay', async () => {
    const { paymentId } = await reminded()
    await detachIdleCards(deps)
    const method = (await findSavedCard(world.db, paymentId))?.provider_method ?? ''
    expect(await world.payments.retrieveCard(method)).toMatchObject({ card: { lastFour: '4242' } })
    movesTo(world, DUE_AT)
    await runInstalmentJobs(world, deps)
    await detachIdleCards(deps)
    expect(await world.payments.retrieveCard(method)).toEqual({ ok: true, card: null })
    expect(await findSavedCard(world.db, paymentId)).toMatchObject({
      provider_method: null,
      last_four: '4242',
      detached_at: world.clock.now(),
    })
  })

  it('changes only by a setup of its own customer, once that has succeeded', async () => {
    const { paymentId, linkToken } = await booksWithDeposit(world)
    const other = await booksWithDeposit(world)
    const setup = await startCardSetup(deps, { linkToken, setupKey: newId() })
    if (!setup.ok) throw new Error(setup.reason)
    expect(setup.consent).toContain('charges it $6,960.00 on Thursday 11 February 2027')
    const keep = (id?: string) => keepCardOfSetup(deps, world.payments, setup.reference, id)
    expect(await keep()).toEqual({ ok: false, reason: 'unknown_setup' })
    await confirms(world, setup.clientSecret, '4000002500003155')
    expect(await keep(other.paymentId)).toEqual({ ok: false, reason: 'unknown_setup' })
    expect((await findSavedCard(world.db, paymentId))?.last_four).toBe('4242')
    expect(await keep(paymentId)).toEqual({ ok: true, lastFour: '3155' })
    expect(await keep(paymentId)).toEqual({ ok: true, lastFour: '3155' })
    expect(await findSavedCard(world.db, paymentId)).toMatchObject({
      last_four: '3155',
      consent: setup.consent,
    })
    expect((await findSavedCard(world.db, other.paymentId))?.last_four).toBe('4242')
  })

  it('disappears from the provider once it is replaced, even if a try fails', async () => {
    const { paymentId, linkToken } = await booksWithDeposit(world)
    const old = (await findSavedCard(world.db, paymentId))?.provider_method ?? ''
    const away = { ok: false, reason: 'unreachable', message: 'No answer.' } as const
    const failing = { ...world.payments, detachCard: async () => away }
    const setup = await startCardSetup(deps, { linkToken, setupKey: newId() })
    if (!setup.ok) throw new Error(setup.reason)
    await confirms(world, setup.clientSecret, '4000002500003155')
    const failingDeps: typeof deps = { ...deps, providers: [failing] }
    expect(await keepCardOfSetup(failingDeps, failing, setup.reference)).toMatchObject({ ok: true })
    await detachIdleCards(failingDeps)
    expect(await world.payments.retrieveCard(old)).toMatchObject({ card: { lastFour: '4242' } })
    await detachIdleCards(deps)
    expect(await world.payments.retrieveCard(old)).toEqual({ ok: true, card: null })
    const card = await findSavedCard(world.db, paymentId)
    expect(card).toMatchObject({ last_four: '3155', unused_methods: [] })
    expect(await world.payments.retrieveCard(card?.provider_method ?? '')).toMatchObject({
      card: { lastFour: '3155' },
    })
  })

  it('arrives by the provider’s news alone, and a late one leaves no card behind', async () => {
    const { paymentId, linkToken } = await booksWithDeposit(world)
    const setup = await startCardSetup(deps, { linkToken, setupKey: newId() })
    const late = await startCardSetup(deps, { linkToken, setupKey: newId() })
    if (!setup.ok || !late.ok) throw new Error('No setup.')
    await confirms(world, setup.clientSecret, '4000002500003155')
    const news = (reference: string) => receiveCardEvent(deps, world.payments, { card: { setup: reference } })
    expect(await news(setup.reference)).toBe(true)
    expect((await findSavedCard(world.db, paymentId))?.last_four).toBe('3155')
    const opened = await openInstalmentPayment(deps, linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    await confirms(world, opened.clientSecret, GOOD_CARD)
    await reportPayment(world.deps, { clientSecret: opened.clientSecret })
    await confirms(world, late.clientSecret, GOOD_CARD)
    expect(await news(late.reference)).toBe(true)
    const kept = await world.payments.retrieveCardSetup(late.reference)
    expect(kept).toMatchObject({ setup: { card: null } })
    expect(await startCardSetup(deps, { linkToken, setupKey: newId() })).toEqual({
      ok: false,
      reason: 'nothing_due',
    })
  })

  it('gets its renewed expiry from the provider, whatever the event says', async () => {
    const { paymentId } = await booksWithDeposit(world)
    const method = (await findSavedCard(world.db, paymentId))?.provider_method ?? ''
    await world.db
      .updateTable('sandbox_methods')
      .set({ expires_year: 2033 })
      .where('id', '=', method)
      .execute()
    expect(await receiveCardEvent(deps, world.payments, { card: { method } })).toBe(true)
    expect(await receiveCardEvent(deps, world.payments, { card: { method: 'sbk_nothing' } })).toBe(true)
    expect(await findSavedCard(world.db, paymentId)).toMatchObject({ expires_year: 2033 })
  })
})

describe('a refund of a part while a balance is due', () => {
  const refunds = (paymentId: string, amountCents: number, borneBy: 'vendor' | 'operator' = 'vendor') =>
    refundsAsOperator(world.deps, {
      operator: OPERATOR,
      paymentId,
      amountCents,
      borneBy,
      reason: 'The heater failed.',
    })
  const backOf = async (paymentId: string) => {
    const rows = await world.db
      .selectFrom('sandbox_payments')
      .select('refunded_cents')
      .where('transfer_group', '=', paymentId)
      .where('state', '=', 'succeeded')
      .orderBy('created_at')
      .execute()
    return rows.map((row) => Number(row.refunded_cents))
  }

  it('comes off the balance, and the customer is told what is left', async () => {
    const { paymentId } = await booksWithDeposit(world)
    expect(await refunds(paymentId, 20_000)).toEqual({
      ok: true,
      isAsked: false,
      amountCents: 20_000,
      waits: false,
      reducedCents: 20_000,
    })
    expect(await balanceOf(world, paymentId)).toMatchObject({
      amount_cents: '676000',
      reduced_cents: '20000',
    })
    expect((await mailOf(/^\$200\.00 off what you owe/))?.text).toContain('$6,760.00 is left to pay')
    movesTo(world, REMINDER_AT)
    await runInstalmentJobs(world, deps)
    movesTo(world, DUE_AT)
    await runInstalmentJobs(world, deps)
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, 676_000])
    expect(await backOf(paymentId)).toEqual([0, 0])
  })

  it('takes the balance to nothing, never below, and the rest goes back', async () => {
    const { paymentId, linkToken } = await booksWithDeposit(world)
    expect(await refunds(paymentId, BALANCE_CENTS + 4_000)).toMatchObject({ reducedCents: BALANCE_CENTS })
    expect(await balanceOf(world, paymentId)).toMatchObject({ amount_cents: '0', state: 'ended' })
    expect((await mailOf(/off what you owe/))?.text).toContain('There’s nothing left to pay.')
    expect(await backOf(paymentId)).toEqual([4_000])
    expect(await openInstalmentPayment(deps, linkToken)).toEqual({ ok: false, reason: 'nothing_due' })
    expect(await refunds(paymentId, DEPOSIT_CENTS)).toEqual({
      ok: false,
      reason: 'exceeds',
      leftCents: DEPOSIT_CENTS - 4_000,
    })
  })

  it('leaves as much due as a card can be charged', async () => {
    const { paymentId } = await booksWithDeposit(world)
    await refunds(paymentId, BALANCE_CENTS - 20)
    expect(await balanceOf(world, paymentId)).toMatchObject({ amount_cents: '50', state: 'scheduled' })
    expect(await backOf(paymentId)).toEqual([30])
  })

  it('comes from the paid part and leaves the balance as it is if we bear it', async () => {
    const { paymentId } = await booksWithDeposit(world)
    expect(await refunds(paymentId, 20_000, 'operator')).toMatchObject({ reducedCents: 0 })
    expect(await balanceOf(world, paymentId)).toMatchObject({ amount_cents: '696000' })
    expect(await backOf(paymentId)).toEqual([20_000])
  })

  it('replaces a payment that its customer has opened', async () => {
    const { paymentId, linkToken } = await booksWithDeposit(world)
    const before = await openInstalmentPayment(deps, linkToken)
    await refunds(paymentId, 20_000)
    const after = await openInstalmentPayment(deps, linkToken)
    if (!before.ok || !after.ok) throw new Error('The payment could not be opened.')
    expect(after.amountCents).toBe(676_000)
    expect(await confirms(world, before.clientSecret, GOOD_CARD)).toMatchObject({ reason: 'ended' })
    await confirms(world, after.clientSecret, GOOD_CARD)
    await reportPayment(world.deps, { clientSecret: after.clientSecret })
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, 676_000])
  })

  it('replaces a payment that its customer has left open before the day, as one try', async () => {
    const { paymentId, linkToken } = await reminded()
    await openInstalmentPayment(deps, linkToken)
    await refunds(paymentId, 20_000)
    movesTo(world, DUE_AT)
    await runInstalmentJobs(world, deps)
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, 676_000])
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'paid', attempts: 1 })
  })

  it('goes back once when the balance was being charged', async () => {
    const { paymentId } = await reminded()
    movesTo(world, DUE_AT)
    const dying = {
      ...deps,
      faultPoint(reached: string) {
        if (reached === 'instalment-charged') throw new Error('died')
      },
    }
    await expect(chargeDueInstalments(dying)).rejects.toThrow()
    expect(await refunds(paymentId, 20_000)).toMatchObject({ ok: true })
    world.clock.forward(CLAIM_LASTS_MS)
    await chargeDueInstalments(deps)
    await performDueRefunds(world.deps)
    expect(await chargesOf(world, paymentId)).toEqual([DEPOSIT_CENTS, BALANCE_CENTS])
    expect(await backOf(paymentId)).toEqual([0, 20_000])
    expect(await balanceOf(world, paymentId)).toMatchObject({
      state: 'paid',
      amount_cents: '696000',
      reduced_cents: '0',
    })
  })
})
