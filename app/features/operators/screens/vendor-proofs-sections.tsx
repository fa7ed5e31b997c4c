import { formatInstant } from '../../../shared/dates.ts'
import { ProofList } from '../../payouts/components/proof-list.tsx'
import type { SentProof } from '../../payouts/proof-commands.server.ts'
import { OPERATIONS_ZONE } from '../messages.ts'

/** The vendor's proofs about a dispute, for the operator who answers it. */
export function VendorProofs({
  disputeId,
  proofs,
  until = null,
}: {
  disputeId: string
  proofs: readonly SentProof[]
  /** Until when the vendor may send more, ISO 8601; null once they can't, and where it isn't said. */
  until?: string | null
}) {
  return (
    <section className="mt-10" aria-labelledby={`proof-${disputeId}`}>
      <h2 id={`proof-${disputeId}`} className="text-xl">
        The vendor’s proof
      </h2>
      {until ? (
        <p className="mt-4">
          The vendor may send proof until {formatInstant(new Date(until), OPERATIONS_ZONE)}.
        </p>
      ) : null}
      {proofs.length === 0 ? (
        <p className="mt-4">The vendor has sent nothing yet.</p>
      ) : (
        <ProofList disputeId={disputeId} proofs={proofs} timeZone={OPERATIONS_ZONE} />
      )}
    </section>
  )
}
