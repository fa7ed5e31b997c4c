import { afterAll, beforeAll, expect, it } from 'vitest'
import { aBusiness, aConversation, aMessage, anEnquiryWorld } from '../../../tests/builders.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { sendMessage, verifyConversation } from './commands.server.ts'
import { countContacts, findResponseTimes } from './response-queries.server.ts'

let world: Awaited<ReturnType<typeof anEnquiryWorld>>

beforeAll(async () => {
  world = await anEnquiryWorld()
})
afterAll(() => world.close())

it('response times are the median to the first answer and the share within a day, over 90 days', async () => {
  const { deps, db, clock } = world
  const business = await aBusiness(db)
  const times = () => findResponseTimes(db, { businessId: business.id, now: clock.now() })
  expect(await times()).toEqual({ conversations: 0, medianMs: null, answeredInADay: 0 })
  for (const hours of [1, 2, 30]) {
    const talk = await aConversation(world, { business })
    clock.forward(hours * HOUR_MS)
    await sendMessage(deps, { id: talk.id, by: talk.vendor, message: aMessage() })
    // Later answers don't count.
    clock.forward(50 * HOUR_MS)
    await sendMessage(deps, { id: talk.id, by: talk.vendor, message: aMessage() })
  }
  expect(await times()).toEqual({ conversations: 3, medianMs: 2 * HOUR_MS, answeredInADay: 2 / 3 })

  // A guest's counts from its confirmation. Unanswered, it counts after a day.
  const guest = await aConversation(world, {
    business,
    guest: { name: 'Kim Lee', email: 'kim@example.com' },
  })
  clock.forward(90 * HOUR_MS)
  expect((await times()).conversations).toBe(3)
  await verifyConversation(deps, { by: guest.link })
  clock.forward(DAY_MS - 1)
  expect((await times()).conversations).toBe(3)
  clock.forward(1)
  expect(await times()).toEqual({ conversations: 4, medianMs: 2 * HOUR_MS, answeredInADay: 0.5 })

  clock.forward(90 * DAY_MS)
  expect((await times()).conversations).toBe(0)
})

it('operators see how many conversations have contact details', async () => {
  const { deps, db, clock } = world
  const before = await countContacts(db, clock.now())
  const talk = await aConversation(world)
  await aConversation(world, { body: 'Write to kim@example.com.' })
  await sendMessage(deps, { id: talk.id, by: talk.vendor, message: aMessage('13/03/2027 is free.') })
  expect(await countContacts(db, clock.now())).toEqual({
    conversations: before.conversations + 2,
    withContacts: before.withContacts + 1,
  })
})
