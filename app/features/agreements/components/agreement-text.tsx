import { Icon } from '../../../ui/icon.tsx'
import { AGREEMENT_POINTS } from '../messages.ts'
import type { DocumentBlock } from '../rules.ts'
import { DocumentText } from './document-text.tsx'
import { SampleNote } from './sample-note.tsx'

/** The vendor agreement as a vendor reads it before accepting: in short, in full, and as a PDF. */
export function AgreementText({
  agreement: { blocks, pdfPath, isSample },
}: {
  agreement: { blocks: readonly DocumentBlock[]; pdfPath: string; isSample: boolean }
}) {
  return (
    <>
      {isSample ? <SampleNote /> : null}
      <ul className="grid list-disc gap-1.5 pl-5">
        {AGREEMENT_POINTS.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <details className="rounded-card border border-line bg-surface">
        <summary className="flex min-h-12 items-center justify-between px-4 font-medium">
          Read all of it
          <Icon name="chevron-down" className="size-5 text-quiet [details[open]>summary>&]:rotate-180" />
        </summary>
        <div className="prose px-4 pb-4 text-sm">
          <DocumentText blocks={blocks} heading="h4" />
        </div>
      </details>
      <p>
        <a
          className="link inline-flex min-h-11 items-center gap-2.5"
          href={pdfPath}
          target="_blank"
          rel="noreferrer"
        >
          <Icon name="file-text" className="size-5" />
          The agreement as a PDF
        </a>
      </p>
    </>
  )
}
