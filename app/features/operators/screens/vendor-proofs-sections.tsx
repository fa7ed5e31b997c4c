import { ProofList } from '../../payouts/components/proof-list.tsx'
import type { SentProof } from '../../payouts/proof-commands.server.ts'
import { OPERATIONS_ZONE } from '../messages.ts'

/** The vendor's proofs about a dispute, for the operator who answers it. */
export function VendorProofs({ disputeId, proofs }: { disputeId: string; proofs: readonly SentProof[] }) {
  return (
    <section className="mt-10" aria-labelledby={`proof-${disputeId}`}>
      <h2 id={`proof-${disputeId}`} className="text-xl">
        The vendor’s proof
      </h2>
      {proofs.length === 0 ? (
        <p className="mt-4">The vendor has sent nothing yet.</p>
      ) : (
        <ProofList disputeId={disputeId} proofs={proofs} timeZone={OPERATIONS_ZONE} />
      )}
    </section>
  )
}
