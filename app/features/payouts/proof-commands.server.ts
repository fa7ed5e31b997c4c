import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { FileStore, StoredFile } from '../../adapters/file-store/port.ts'
import type { DisputeStatus } from '../../adapters/payments/port.ts'
import { groupBy } from '../../shared/group-by.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import { accountQuota } from '../enquiries/commands.server.ts'
import {
  type FileKeepingDeps,
  type FileRefused,
  keepMessageFiles,
} from '../enquiries/file-commands.server.ts'
import { accountSender } from '../files/rules.ts'
import { saleJson } from '../sales/queries.server.ts'
import { spanText } from '../sales/rules.ts'
import { type Proof, proofDueAt, proofRefusal } from './proof-rules.ts'

/** The services of proofs. */
export type VendorProofDeps = FileKeepingDeps & {
  /** Whether an answer of ours to a dispute is under way or sent. Operators answer, which payouts can't know. */
  isDisputeAnswered: (
    db: Database | DatabaseTransaction,
    dispute: { id: string; status: DisputeStatus },
  ) => Promise<boolean>
}

/** One proof of a vendor about a dispute. Times are ISO 8601, UTC. */
export type SentProof = {
  id: string
  words: string
  sentAt: string
  files: { id: string; name: string; bytes: number }[]
}

/** A dispute as its vendor sees it. Times are ISO 8601, UTC. */
export type VendorDispute = {
  id: string
  businessName: string
  span: string
  /** The zone of the place, in which times are shown. */
  timeZone: string
  amountCents: Cents
  status: DisputeStatus
  /** Until when proof is taken; null where the bank names no time. */
  proofBy: string | null
  refusal: ReturnType<typeof proofRefusal>
  proofs: SentProof[]
}

type Owned = { disputeId: string; userId: string }

/** Selects a dispute of a vendor's booking: those of others aren't found. */
function selectOwn(db: Database | DatabaseTransaction, { disputeId, userId }: Owned) {
  return db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.payment_id')
    .innerJoin('sales', 'sales.id', 'payments.sale_id')
    .where('disputes.id', '=', disputeId)
    .where('sales.owner_user_id', '=', userId)
}

/** Finds a dispute of a vendor's booking with what they have sent. @returns null for none, and for another vendor's */
export async function findVendorDispute(
  { db, now, isDisputeAnswered }: Pick<VendorProofDeps, 'db' | 'now' | 'isDisputeAnswered'>,
  owned: Owned,
): Promise<VendorDispute | null> {
  const row = await selectOwn(db, owned)
    .select([
      'disputes.id',
      'disputes.status',
      'disputes.amount_cents',
      'disputes.evidence_due_at',
      'disputes.created_at',
      saleJson().as('sale'),
    ])
    .executeTakeFirst()
  if (!row) return null
  const proofs = (await listProofs(db, [row.id])).get(row.id) ?? []
  const { id, status, evidence_due_at: evidenceDueAt, created_at: learnedAt } = row
  const isAnswered = await isDisputeAnswered(db, { id, status })
  const dispute = { status, evidenceDueAt, learnedAt, isAnswered, proofs: proofs.length }
  return {
    id,
    businessName: row.sale.businessName,
    span: spanText(row.sale),
    timeZone: row.sale.timeZone,
    amountCents: Number(row.amount_cents),
    status,
    proofBy: proofDueAt(dispute)?.toISOString() ?? null,
    refusal: proofRefusal(dispute, now()),
    proofs,
  }
}

/** Lists what vendors have sent about disputes, oldest first, by dispute. */
export async function listProofs(
  db: Database | DatabaseTransaction,
  disputeIds: readonly string[],
): Promise<Map<string, SentProof[]>> {
  if (disputeIds.length === 0) return new Map()
  const proofs = await db
    .selectFrom('dispute_proofs')
    .select(['id', 'dispute_id', 'words', 'created_at'])
    .where('dispute_id', 'in', disputeIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const files = await db
    .selectFrom('dispute_proof_files')
    .select(['id', 'proof_id', 'name', 'bytes'])
    .where('proof_id', 'in', ['', ...proofs.map(({ id }) => id)])
    .orderBy('position')
    .execute()
  const filesOf = groupBy(files, ({ proof_id: proofId }) => proofId)
  const sent = proofs.map(({ id, dispute_id: disputeId, words, created_at: sentAt }) => ({
    disputeId,
    proof: {
      id,
      words,
      sentAt: sentAt.toISOString(),
      files: (filesOf.get(id) ?? []).map(({ id: fileId, name, bytes }) => ({ id: fileId, name, bytes })),
    },
  }))
  return new Map(
    [...groupBy(sent, ({ disputeId }) => disputeId)].map(([id, each]) => [
      id,
      each.map(({ proof }) => proof),
    ]),
  )
}

export type ProofRefused =
  | FileRefused
  | { ok: false; reason: 'not_found' | NonNullable<ReturnType<typeof proofRefusal>> }

/**
 * Stores a vendor's proof about a dispute of their booking. The files are checked by their content, as those of messages are.
 * @returns refuses with 'not_found' (none, or another vendor's), 'decided', 'replied', 'too_late', 'too_many', and 'file'
 */
export async function sendProof(
  deps: VendorProofDeps,
  { proof, ...owned }: Owned & { proof: Proof },
): Promise<{ ok: true } | ProofRefused> {
  // Before any file is read.
  const found = await findVendorDispute(deps, owned)
  if (!found) return refuse('not_found')
  // The same press again after a lost answer: its files are stored and counted already.
  if (await isSent(deps.db, owned, proof)) return { ok: true }
  if (found.refusal) return refuse(found.refusal)
  const { disputeId, userId } = owned
  const kept = await keepMessageFiles(deps, {
    sender: accountSender(userId),
    files: proof.files,
    quotas: [accountQuota(userId)],
    home: { folder: 'proofs', deletedBy: 'delete-proof-files' },
  })
  if (!kept.ok) return kept
  return deps.db.transaction().execute(async (tx): Promise<{ ok: true } | ProofRefused> => {
    const dispute = await selectOwn(tx, owned)
      .select(['disputes.status', 'disputes.evidence_due_at', 'disputes.created_at'])
      .forUpdate('disputes')
      .executeTakeFirst()
    if (!dispute) return refuse('not_found')
    // The same press, from a second tab.
    if (await isSent(tx, owned, proof)) return { ok: true }
    const proofs = (await listProofs(tx, [disputeId])).get(disputeId)?.length ?? 0
    const { status, evidence_due_at: evidenceDueAt, created_at: learnedAt } = dispute
    const isAnswered = await deps.isDisputeAnswered(tx, { id: disputeId, status })
    const refusal = proofRefusal({ status, evidenceDueAt, learnedAt, isAnswered, proofs }, deps.now())
    if (refusal) return refuse(refusal)
    const id = newId()
    await tx
      .insertInto('dispute_proofs')
      .values({
        id,
        dispute_id: disputeId,
        vendor_user_id: userId,
        submit_key: proof.submitKey,
        words: proof.words,
        created_at: deps.now(),
      })
      .execute()
    if (kept.files.length > 0)
      await tx
        .insertInto('dispute_proof_files')
        .values(
          kept.files.map(({ id: fileId, key, name, contentType, bytes }, position) => ({
            ...{ id: fileId, proof_id: id, position },
            ...{ key, name, content_type: contentType, bytes },
          })),
        )
        .execute()
    return { ok: true }
  })
}

async function isSent(
  db: Database | DatabaseTransaction,
  { disputeId, userId }: Owned,
  { submitKey }: Proof,
): Promise<boolean> {
  const sent = await db
    .selectFrom('dispute_proofs')
    .select('id')
    .where('dispute_id', '=', disputeId)
    .where('vendor_user_id', '=', userId)
    .where('submit_key', '=', submitKey)
    .executeTakeFirst()
  return sent !== undefined
}

/**
 * Reads a file of a vendor's proof.
 * @param by the vendor whose booking is disputed; null for an operator, whom the caller has checked
 */
export async function readProofFile(
  { db, files }: { db: Database; files: FileStore },
  { disputeId, fileId }: { disputeId: string; fileId: string },
  by: { userId: string } | null,
): Promise<(StoredFile & { name: string }) | null> {
  if (
    by &&
    !(await selectOwn(db, { disputeId, ...by })
      .select('disputes.id')
      .executeTakeFirst())
  )
    return null
  const row = await db
    .selectFrom('dispute_proof_files')
    .innerJoin('dispute_proofs', 'dispute_proofs.id', 'dispute_proof_files.proof_id')
    .select(['dispute_proof_files.key', 'dispute_proof_files.name'])
    .where('dispute_proof_files.id', '=', fileId)
    .where('dispute_proofs.dispute_id', '=', disputeId)
    .executeTakeFirst()
  const stored = row && (await files.read(row.key))
  return stored ? { ...stored, name: row.name } : null
}

/** Deletes those of the stored files that no proof has. */
export async function deleteUnusedProofFiles(
  { db, files }: { db: Database; files: FileStore },
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    const used = await db
      .selectFrom('dispute_proof_files')
      .select('id')
      .where('key', '=', key)
      .executeTakeFirst()
    if (!used) await files.delete(key)
  }
}
