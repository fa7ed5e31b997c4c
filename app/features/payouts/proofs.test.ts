import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  booked,
  deps as bookingDeps,
  business,
  CARDS,
  event,
  receive,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { aUser } from '../../../tests/builders.ts'
import { OPERATOR } from '../../../tests/payout-stage.ts'
import { aPdf, aScriptedPdf } from '../../../tests/pdf-files.ts'
import { createDiskFileStore } from '../../adapters/file-store/disk.server.ts'
import { createPdfReader } from '../../adapters/pdfs/pdfjs.server.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { MAX_MESSAGE_FILE_BYTES } from '../enquiries/rules.ts'
import { answerDispute, settleAnswer } from '../operators/dispute-answer-commands.server.ts'
import { findDispute } from '../operators/dispute-facts-queries.server.ts'
import { isDisputeAnswered } from '../operators/dispute-queries.server.ts'
import { bookingDisputedMail } from './mails.ts'
import {
  deleteUnusedProofFiles,
  findVendorDispute,
  readProofFile,
  sendProof,
  type VendorProofDeps,
} from './proof-commands.server.ts'
import { MAX_PROOF_WORDS, MAX_PROOFS, proofDueAt, proofSchema } from './proof-rules.ts'

setBookingStage()

let deps: VendorProofDeps
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jubilee-proofs-'))
  deps = {
    db: world.db,
    jobs: bookingDeps.jobs,
    files: createDiskFileStore(folder),
    pdfs: createPdfReader(),
    rateLimits: createRateLimits(world.db, world.clock.now),
    now: world.clock.now,
    isDisputeAnswered,
  }
})
afterAll(() => rm(folder, { recursive: true }))

/** A booking whose payment its customer's bank disputes. The bank takes evidence for ten days. */
async function disputed() {
  const { paymentId, reference } = await booked({}, CARDS.disputed)
  await receive(bookingDeps, event(reference, newId(), 'charge.dispute.created'))
  const { id } = await world.db
    .selectFrom('disputes')
    .select('id')
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow()
  return { disputeId: id, userId: business.user_id }
}

const aPicture = async () =>
  new Uint8Array(
    await sharp({ create: { width: 60, height: 40, channels: 3, background: '#2F5D50' } })
      .withExif({ IFD3: { GPSLatitude: '37/1 48/1 0/1' } })
      .jpeg()
      .toBuffer(),
  )
const aFile = (content: string | Uint8Array<ArrayBuffer>, name: string) => new File([content], name)
const aProof = (words = 'They danced until midnight.', files: File[] = []) => ({
  words,
  files,
  submitKey: newId(),
})
const factsOf = (disputeId: string) =>
  findDispute(world.db, {
    disputeId,
    now: world.clock.now(),
    brand: 'Jubilee',
    secondOperatorCents: 1_000_000,
  })

describe('a vendor’s proof', () => {
  it('reaches the operators with its files, and its words their evidence', async () => {
    const owned = await disputed()
    const files = [aFile(await aPicture(), 'dance.jpg'), aFile(aPdf(), 'contract.pdf')]
    expect(await sendProof(deps, { ...owned, proof: aProof(undefined, files) })).toEqual({ ok: true })
    const facts = await factsOf(owned.disputeId)
    expect(facts?.proofs).toMatchObject([
      { words: 'They danced until midnight.', files: [{ name: 'dance.webp' }, { name: 'contract.pdf' }] },
    ])
    expect(facts?.texts.statement).toContain('says: They danced until midnight.')
    const [picture] = facts?.proofs[0]?.files ?? []
    const read = await readProofFile(deps, { disputeId: owned.disputeId, fileId: picture?.id ?? '' }, null)
    const { exif, format } = await sharp(read?.bytes).metadata()
    expect({ exif, format }).toEqual({ exif: undefined, format: 'webp' })
  })

  it('belongs to the vendor of the booking, who alone sends and reads it', async () => {
    const owned = await disputed()
    const stranger = (await aUser(world.db)).id
    for (const userId of [stranger, '']) {
      const other = { ...owned, userId }
      expect(await findVendorDispute(deps, other)).toBeNull()
      expect(await sendProof(deps, { ...other, proof: aProof() })).toEqual({ ok: false, reason: 'not_found' })
    }
    expect(await sendProof(deps, { ...owned, disputeId: 'none', proof: aProof() })).toMatchObject({
      ok: false,
    })
    await sendProof(deps, { ...owned, proof: aProof('', [aFile(aPdf(), 'contract.pdf')]) })
    const [proof] = (await findVendorDispute(deps, owned))?.proofs ?? []
    const asked = { disputeId: owned.disputeId, fileId: proof?.files[0]?.id ?? '' }
    expect(await readProofFile(deps, asked, { userId: owned.userId })).toMatchObject({ name: 'contract.pdf' })
    for (const userId of [stranger, '']) expect(await readProofFile(deps, asked, { userId })).toBeNull()
    expect(await readProofFile(deps, { ...asked, disputeId: 'another' }, null)).toBeNull()
  })

  it('arrives in time until two days before the bank’s deadline', async () => {
    const owned = await disputed()
    const due = world.clock.now().getTime() + 8 * DAY_MS
    expect((await findVendorDispute(deps, owned))?.proofBy).toBe(new Date(due).toISOString())
    world.clock.forward(8 * DAY_MS - 1)
    expect(await sendProof(deps, { ...owned, proof: aProof() })).toEqual({ ok: true })
    world.clock.forward(1)
    expect(await sendProof(deps, { ...owned, proof: aProof() })).toEqual({ ok: false, reason: 'too_late' })
    expect(proofDueAt({ evidenceDueAt: null, learnedAt: world.clock.now() })).toBeNull()
  })

  it('is taken until the bank’s deadline if we learned of the dispute in the last two days', async () => {
    const owned = await disputed()
    const due = new Date(world.clock.now().getTime() + DAY_MS)
    await world.db
      .updateTable('disputes')
      .set({ evidence_due_at: due })
      .where('id', '=', owned.disputeId)
      .execute()
    expect(await findVendorDispute(deps, owned)).toMatchObject({
      proofBy: due.toISOString(),
      refusal: null,
      timeZone: 'Australia/Melbourne',
    })
    world.clock.forward(DAY_MS - 1)
    expect(await sendProof(deps, { ...owned, proof: aProof() })).toEqual({ ok: true })
    world.clock.forward(1)
    expect(await sendProof(deps, { ...owned, proof: aProof() })).toEqual({ ok: false, reason: 'too_late' })
  })

  it('isn’t taken while our reply is under way, nor once it is sent', async () => {
    const owned = await disputed()
    const replies = async (secondOperatorCents: number) => {
      const { version, texts } = (await factsOf(owned.disputeId)) ?? {}
      return answerDispute(
        { ...bookingDeps, secondOperatorCents },
        {
          ...{ operator: OPERATOR, disputeId: owned.disputeId, reason: 'The event took place.' },
          ...{ texts: texts ?? null, expectedVersion: version ?? '' },
        },
      )
    }
    const refused = { ok: false, reason: 'replied' }
    expect(await replies(1)).toEqual({ ok: true, outcome: 'waits' })
    expect(await sendProof(deps, { ...owned, proof: aProof() })).toEqual(refused)
    expect((await factsOf(owned.disputeId))?.proofUntil).toBeNull()
    const [answer] = (await factsOf(owned.disputeId))?.answers ?? []
    const dropped = { operator: OPERATOR, answerId: answer?.id ?? '', isConfirmed: false }
    expect(await settleAnswer({ ...bookingDeps, secondOperatorCents: 1 }, dropped)).toMatchObject({
      ok: true,
    })
    expect(await sendProof(deps, { ...owned, proof: aProof() })).toEqual({ ok: true })
    expect(await replies(1_000_000)).toEqual({ ok: true, outcome: 'sent' })
    expect(await sendProof(deps, { ...owned, proof: aProof() })).toEqual(refused)
    expect((await findVendorDispute(deps, owned))?.refusal).toBe('replied')
  })

  it('makes a form stale that an operator opened before it, and its last time is on their page', async () => {
    const owned = await disputed()
    const before = await factsOf(owned.disputeId)
    expect(before?.proofUntil).toBe((await findVendorDispute(deps, owned))?.proofBy)
    await sendProof(deps, { ...owned, proof: aProof() })
    const answer = {
      ...{ operator: OPERATOR, disputeId: owned.disputeId, reason: 'The event took place.' },
      ...{ texts: before?.texts ?? null, expectedVersion: before?.version ?? '' },
    }
    const using = { ...bookingDeps, secondOperatorCents: 1_000_000 }
    expect(await answerDispute(using, answer)).toEqual({ ok: false, reason: 'changed', by: null })
    world.clock.forward(8 * DAY_MS)
    expect((await factsOf(owned.disputeId))?.proofUntil).toBeNull()
  })

  it('stores and counts its files once if it is sent again after a lost answer', async () => {
    const owned = await disputed()
    const proof = aProof('Signed.', [aFile(aPdf(), 'contract.pdf')])
    await sendProof(deps, { ...owned, proof })
    const put = vi.spyOn(deps.files, 'put')
    expect(await sendProof(deps, { ...owned, proof })).toEqual({ ok: true })
    expect(put).not.toHaveBeenCalled()
    put.mockRestore()
  })

  it('isn’t taken once the bank has decided', async () => {
    const owned = await disputed()
    await world.db
      .updateTable('disputes')
      .set({ status: 'lost', closed_at: world.clock.now() })
      .where('id', '=', owned.disputeId)
      .execute()
    expect(await sendProof(deps, { ...owned, proof: aProof() })).toEqual({ ok: false, reason: 'decided' })
  })

  it('counts three times, and each press once, also from two tabs', async () => {
    const owned = await disputed()
    const proof = aProof()
    await Promise.all([sendProof(deps, { ...owned, proof }), sendProof(deps, { ...owned, proof })])
    expect((await findVendorDispute(deps, owned))?.proofs).toHaveLength(1)
    for (let sent = 1; sent < MAX_PROOFS; sent++)
      expect(await sendProof(deps, { ...owned, proof: aProof() })).toEqual({ ok: true })
    expect(await sendProof(deps, { ...owned, proof: aProof() })).toEqual({ ok: false, reason: 'too_many' })
    expect(await sendProof(deps, { ...owned, proof })).toEqual({ ok: true })
  })

  it('stores no file if one is too large, active or no picture', async () => {
    const owned = await disputed()
    const good = aFile(aPdf(), 'good.pdf')
    for (const [file, why] of [
      [aFile(new Uint8Array(MAX_MESSAGE_FILE_BYTES + 1), 'big.jpg'), 'too_large'],
      [aFile(aScriptedPdf(), 'script.pdf'), 'active_pdf'],
      [aFile('<svg onload="alert(1)"/>', 'picture.svg'), 'wrong_type'],
      [aFile('', 'empty.pdf'), 'empty'],
    ] as const)
      expect(await sendProof(deps, { ...owned, proof: aProof('', [good, file]) })).toMatchObject({
        reason: 'file',
        why,
      })
    expect((await findVendorDispute(deps, owned))?.proofs).toEqual([])
  })

  it('loses files that no proof has, and keeps the others', async () => {
    const owned = await disputed()
    await sendProof(deps, { ...owned, proof: aProof('', [aFile(aPdf(), 'contract.pdf')]) })
    const { key } = await world.db
      .selectFrom('dispute_proof_files')
      .select('key')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const unused = 'proofs/unused.pdf'
    await deps.files.put(unused, { bytes: new Uint8Array([1]), contentType: 'application/pdf' })
    await deleteUnusedProofFiles(deps, [key, unused])
    expect(await deps.files.read(key)).not.toBeNull()
    expect(await deps.files.read(unused)).toBeNull()
  })
})

describe('the form of a proof', () => {
  const isRead = (words: string, files: unknown[] = []) =>
    proofSchema.safeParse({ words, files, submitKey: newId() }).success

  it('needs words, which alone reach the bank, and has limits for them and for files', () => {
    expect(isRead('')).toBe(false)
    expect(isRead(' ', [aFile(aPdf(), 'a.pdf')])).toBe(false)
    expect(isRead('Signed.', [aFile(aPdf(), 'a.pdf')])).toBe(true)
    expect(isRead('x'.repeat(MAX_PROOF_WORDS))).toBe(true)
    expect(isRead('x'.repeat(MAX_PROOF_WORDS + 1))).toBe(false)
    const files = (count: number) => Array.from({ length: count }, () => aFile(aPdf(), 'a.pdf'))
    expect(isRead('Signed.', files(5))).toBe(true)
    expect(isRead('Signed.', files(6))).toBe(false)
  })
})

describe('the mail about a dispute', () => {
  const mailWith = (proof: { by: Date | null } | null) =>
    bookingDisputedMail(
      {
        ...{ key: 'd', id: 'd', amountCents: 45_500, proof, timeZone: 'Australia/Perth' },
        booking: { businessId: 'b', vendorName: 'Swan Hall', span: 'Saturday 14 March 2027' },
      },
      { name: 'Margot', email: 'margot@example.com' },
      { brand: 'Jubilee', publicUrl: new URL('https://jubilee.example') },
    )

  it('says the deadline on the clock of the place, and that the bank reads words', () => {
    const { subject, text } = mailWith({ by: new Date('2027-03-14T17:30:00Z') })
    expect(subject).toMatch(/^Send proof by Mon 15 March: /)
    expect(text).toContain('by Monday 15 March 2027, 1:30 am, Perth time.')
    expect(text).toContain('The bank reads your words')
  })

  it('asks for nothing that isn’t taken any more', () => {
    const { subject, text } = mailWith(null)
    expect(subject).toBe('Disputed: $455.00, Swan Hall')
    expect(text).not.toMatch(/proof|Tell us/)
  })
})
