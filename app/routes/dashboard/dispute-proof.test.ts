import { RouterContextProvider } from 'react-router'
import { describe, expect, it } from 'vitest'
import {
  booked,
  business,
  CARDS,
  deps,
  event,
  receive,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { aUser } from '../../../tests/builders.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { PROOF_MISSING } from '../../features/payouts/proof-rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import { newId } from '../../shared/ids.ts'
import * as file from '../api/proof-file.ts'
import * as proof from './dispute-proof.tsx'

setBookingStage()

async function disputed(): Promise<string> {
  const { paymentId, reference } = await booked({}, CARDS.disputed)
  await receive(deps, event(reference, newId(), 'charge.dispute.created'))
  const row = await world.db
    .selectFrom('disputes')
    .select('id')
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow()
  return row.id
}

function argsOf(id: string, uid: string | null, body?: FormData) {
  const context = new RouterContextProvider()
  const user = uid ? { uid, email: 'somebody@example.com', emailVerified: true } : null
  context.set(servicesContext, {
    ...world.deps,
    config: {
      secret: deps.secret,
      brand: 'Jubilee',
      publicUrl: deps.publicUrl,
      operatorEmails: new Set(['operator@jubilee.example']),
    },
    rateLimits: createRateLimits(world.db, world.clock.now),
    accounts: { findSession: async () => (user ? { id: 's', user } : null) },
  } as unknown as Services)
  const url = new URL(`http://localhost:3000/dashboard/disputes/${id}`)
  const request = new Request(url, body ? { method: 'POST', body } : {})
  return { request, context, url, params: { id, fileId: 'none' } } as never
}

function formOf(words: string): FormData {
  const form = new FormData()
  form.set('words', words)
  form.set('submitKey', newId())
  return form
}
const proofs = () => world.db.selectFrom('dispute_proofs').select('words').execute()

describe('POST /dashboard/disputes/:id', () => {
  it('as nobody: redirects to login and stores nothing', async () => {
    const id = await disputed()
    for (const sent of [proof.action(argsOf(id, null, formOf('Ours.'))), proof.loader(argsOf(id, null))]) {
      const answer = await sent.catch((thrown: unknown) => thrown)
      expect((answer as Response).headers.get('location')).toContain('/login?next=')
    }
    expect((await file.loader(argsOf(id, null))).status).toBe(404)
    expect(await proofs()).toEqual([])
  })

  it('as another vendor: finds no such dispute', async () => {
    const id = await disputed()
    const other = (await aUser(world.db)).id
    expect(await proof.loader(argsOf(id, other))).toMatchObject({
      data: { dispute: null },
      init: { status: 404 },
    })
    expect(await proof.action(argsOf(id, other, formOf('Mine.')))).toMatchObject({ init: { status: 404 } })
    expect((await file.loader(argsOf(id, other))).status).toBe(404)
    expect(await proofs()).toEqual([])
  })

  it('as the vendor: keeps what was typed with an error, and stores it without', async () => {
    const id = await disputed()
    expect(await proof.action(argsOf(id, business.user_id, formOf(' ')))).toMatchObject({
      data: { errors: { words: PROOF_MISSING } },
      init: { status: 422 },
    })
    const long = 'x'.repeat(2_001)
    expect(await proof.action(argsOf(id, business.user_id, formOf(long)))).toMatchObject({
      data: { words: long },
      init: { status: 422 },
    })
    const sent = await proof.action(argsOf(id, business.user_id, formOf('They danced.')))
    expect(sent).toMatchObject({ data: { isDone: true, words: '' } })
    expect(await proofs()).toEqual([{ words: 'They danced.' }])
  })

  it('as the vendor, after our reply: keeps nothing, and hands the words back', async () => {
    const id = await disputed()
    await world.db.updateTable('disputes').set({ status: 'under_review' }).where('id', '=', id).execute()
    const before = await proofs()
    expect(await proof.action(argsOf(id, business.user_id, formOf('Too late.')))).toMatchObject({
      data: { refusal: 'Our reply to the bank has been sent.', words: 'Too late.' },
      init: { status: 409 },
    })
    expect(await proof.loader(argsOf(id, business.user_id))).toMatchObject({
      data: { dispute: { refusal: 'replied' } },
    })
    expect(await proofs()).toEqual(before)
  })
})
