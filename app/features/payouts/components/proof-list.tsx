import { href } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import type { SentProof } from '../proof-commands.server.ts'

/** The proofs of a vendor about a dispute, with their words and files. The vendor and operators read them. */
export function ProofList({
  disputeId,
  proofs,
  timeZone,
}: {
  disputeId: string
  proofs: readonly SentProof[]
  /** The zone of the times. */
  timeZone: string
}) {
  return (
    <ul className="mt-4 grid gap-6">
      {proofs.map(({ id, words, sentAt, files }) => (
        <li key={id} className="border-t border-line pt-4">
          <p className="text-sm text-quiet">{formatInstant(new Date(sentAt), timeZone)}</p>
          {words ? (
            <p className="mt-2 max-w-prose whitespace-pre-line [overflow-wrap:anywhere]">{words}</p>
          ) : null}
          {files.length > 0 ? (
            <ul className="mt-2">
              {files.map((file) => (
                <li key={file.id}>
                  <a
                    className="link inline-flex min-h-11 items-center [overflow-wrap:anywhere]"
                    href={href('/disputes/:id/files/:fileId', { id: disputeId, fileId: file.id })}
                  >
                    {file.name}
                  </a>
                </li>
              ))}
            </ul>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
