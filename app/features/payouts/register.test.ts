import { beforeEach, describe, expect, it } from 'vitest'
import { aBookingWorld, registrationDepsOf } from '../../../tests/builders.ts'
import { aPaidVendor, books, payoutDepsOf } from '../../../tests/payout-stage.ts'
import { createSandboxRegister, type SandboxRow } from '../../adapters/business-register/sandbox.server.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { askDueRegistrations } from '../registrations/register-commands.server.ts'
import { sweepPayouts } from './settlement-commands.server.ts'

const ABN = '51824753556'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let rows: Map<string, SandboxRow>
beforeEach(async () => {
  world = await aBookingWorld()
  rows = new Map()
  return () => world.close()
})

async function asksRegister(): Promise<void> {
  const { db, jobs } = world.deps
  await askDueRegistrations({
    ...registrationDepsOf({ db, jobs, now: world.clock.now }),
    register: createSandboxRegister(rows),
    wait: async () => {},
  })
}

async function sweeps(bookingId: string) {
  await sweepPayouts(payoutDepsOf(world))
  const found = await world.db
    .selectFrom('transfers')
    .select(['state', 'held_reason'])
    .where('booking_id', '=', bookingId)
    .execute()
  return found.map((row) => [row.state, row.held_reason])
}

/** A booking whose share is due, of a vendor with or without the GST tick. */
async function aDueShare(isGstRegistered: boolean): Promise<string> {
  const { business } = await aPaidVendor(world)
  await world.db.updateTable('business_registrations').set({ gst_registered: isGstRegistered }).execute()
  const { bookingId } = await books(world, business)
  world.clock.forward(33 * DAY_MS)
  return bookingId
}

describe('a transfer', () => {
  it.each<[SandboxRow, boolean]>([
    [{ status: 'cancelled' }, false],
    ['unknown', false],
    [{ gstSince: null }, true],
  ])('waits while the register has %o, and leaves once that is right again', async (row, isGstRegistered) => {
    rows.set(ABN, row)
    const bookingId = await aDueShare(isGstRegistered)
    await asksRegister()
    expect(await sweeps(bookingId)).toEqual([['due', 'register']])
    expect((await world.jobs.mails()).filter(({ subject }) => /is waiting/.test(subject))).toHaveLength(1)
    world.clock.forward(DAY_MS)
    expect(await sweeps(bookingId)).toEqual([['due', 'register']])
    rows.delete(ABN)
    await asksRegister()
    // It is looked at at once, not ten minutes later.
    expect(await sweeps(bookingId)).toEqual([['made', null]])
  })

  it.each<[string, SandboxRow, boolean]>([
    ['nothing against it', {}, true],
    ['no answer', 'outage', true],
    ['no GST, which isn’t claimed', { gstSince: null }, false],
    ['another name', { entityName: 'SOMEBODY ELSE PTY LTD' }, false],
  ])('leaves while the register has %s', async (_what, row, isGstRegistered) => {
    rows.set(ABN, row)
    const bookingId = await aDueShare(isGstRegistered)
    await asksRegister()
    expect(await sweeps(bookingId)).toEqual([['made', null]])
  })

  it('leaves before the register has been asked', async () => {
    expect(await sweeps(await aDueShare(true))).toEqual([['made', null]])
  })

  it('waits for the answer before an outage', async () => {
    rows.set(ABN, 'unknown')
    const bookingId = await aDueShare(false)
    await asksRegister()
    world.clock.forward(DAY_MS)
    rows.set(ABN, 'outage')
    await asksRegister()
    expect(await sweeps(bookingId)).toEqual([['due', 'register']])
  })
})
