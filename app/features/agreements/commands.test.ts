import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { deps, setBookingStage, started, world } from '../../../tests/booking-stage.ts'
import { aClock, aUser } from '../../../tests/builders.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { TERMS_VERSION } from '../bookings/messages.ts'
import { acceptAgreement } from './commands.server.ts'
import { hasAccepted } from './queries.server.ts'
import { DOCUMENTS, FORMER_PRIVACY_POLICIES, FORMER_VENDOR_AGREEMENTS, PRIVACY_POLICY } from './rules.ts'

setBookingStage()

const { version } = DOCUMENTS.vendor_agreement

describe('the documents', () => {
  it.each([
    ['vendor_agreement', 'legal/vendor-agreement.md'],
    ['customer_terms', 'legal/terms-of-service.md'],
  ] as const)('%s has the hash of its text, so a changed text needs a new version', (document, path) => {
    expect(DOCUMENTS[document].sha256).toBe(createHash('sha256').update(readFileSync(path)).digest('hex'))
  })

  it('keep the texts of earlier vendor agreements and privacy policies', () => {
    const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
    for (const { version: former, sha256 } of FORMER_VENDOR_AGREEMENTS)
      expect(hashOf(`legal/vendor-agreement-${former}.md`)).toBe(sha256)
    for (const { version: former, sha256 } of FORMER_PRIVACY_POLICIES)
      expect(hashOf(`legal/privacy-policy-${former}.md`)).toBe(sha256)
    expect(hashOf('legal/privacy-policy.md')).toBe(PRIVACY_POLICY.sha256)
  })

  it('name the same terms as the payment', () => {
    expect(DOCUMENTS.customer_terms.version).toBe(TERMS_VERSION)
  })
})

describe('acceptAgreement', () => {
  it('stores version, hash and time once, for this vendor alone', async () => {
    const vendor = await aUser(world.db)
    const other = await aUser(world.db)
    expect(await hasAccepted(world.db, vendor.id)).toBe(false)
    const clock = aClock()
    const accept = () => acceptAgreement({ db: world.db, now: clock.now }, { userId: vendor.id, version })
    const at = clock.now()
    expect(await Promise.all([accept(), accept()])).toEqual([{ ok: true }, { ok: true }])
    clock.forward(DAY_MS)
    await accept()
    const rows = await world.db
      .selectFrom('acceptances')
      .selectAll()
      .where('user_id', '=', vendor.id)
      .execute()
    expect(rows).toMatchObject([
      { document: 'vendor_agreement', ...DOCUMENTS.vendor_agreement, payment_id: null, accepted_at: at },
    ])
    expect(await hasAccepted(world.db, vendor.id)).toBe(true)
    expect(await hasAccepted(world.db, vendor.id, '2027-01-01')).toBe(false)
    expect(await hasAccepted(world.db, other.id)).toBe(false)
  })

  it('refuses a version that is not in force', async () => {
    const vendor = await aUser(world.db)
    const accepted = await acceptAgreement(deps, { userId: vendor.id, version: '2020-01-01' })
    expect(accepted).toEqual({ ok: false, reason: 'other_version' })
    expect(await hasAccepted(world.db, vendor.id)).toBe(false)
  })
})

describe('a new payment', () => {
  it('stores the terms that its customer accepts, for guests too', async () => {
    const customer = await aUser(world.db)
    const ofAccount = await started({ customerUserId: customer.id })
    const ofGuest = await started()
    const rows = await world.db
      .selectFrom('acceptances')
      .select(['user_id', 'payment_id', 'document', 'version', 'sha256', 'accepted_at'])
      .where('payment_id', 'in', [ofAccount.paymentId, ofGuest.paymentId])
      .execute()
    const terms = {
      document: 'customer_terms',
      ...DOCUMENTS.customer_terms,
      accepted_at: world.clock.now(),
    }
    expect(rows).toHaveLength(2)
    expect(rows).toContainEqual({ user_id: customer.id, payment_id: ofAccount.paymentId, ...terms })
    expect(rows).toContainEqual({ user_id: null, payment_id: ofGuest.paymentId, ...terms })
  })
})
