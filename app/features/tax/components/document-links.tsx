import { href } from 'react-router'
import { buttonClass } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { documentTitle } from '../messages.ts'
import type { DocumentView } from '../queries.server.ts'

/** Opens the invoice and the notes of a booking, beside its receipt. Renders nothing before the vendor has approved. */
export function DocumentLinks({
  booking,
  documents,
}: {
  /** The token of the booking's link. */
  booking: string
  documents: readonly DocumentView[]
}) {
  return documents.map((document, index) => {
    const { number } = document
    // A booking has one invoice; of several notes the number tells them apart.
    const title = index === 0 ? documentTitle(document) : `${documentTitle(document)} ${number}`
    return (
      <a
        key={number}
        className={buttonClass({ variant: 'secondary' })}
        href={href('/bookings/:linkToken/documents/:file', { linkToken: booking, file: `${number}.pdf` })}
        target="_blank"
        rel="noreferrer"
      >
        <Icon name="file-text" />
        {title} (PDF)
      </a>
    )
  })
}
