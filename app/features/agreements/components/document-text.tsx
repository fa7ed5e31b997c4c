import { Icon } from '../../../ui/icon.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { AGREEMENT_POINTS, SAMPLE_LABEL, SAMPLE_TEXT } from '../messages.ts'
import type { DocumentBlock } from '../rules.ts'

// One module, since each chunk adds its name to the list of routes that every page loads.

/** The text of a document, without its title. @param props.heading the level of its headings on this page */
export function DocumentText({
  blocks,
  heading: Heading,
}: {
  blocks: readonly DocumentBlock[]
  heading: 'h2' | 'h3' | 'h4'
}) {
  return blocks.map((block) => {
    if (block.kind === 'list')
      return (
        <ul key={block.items[0]}>
          {block.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )
    if (block.kind === 'paragraph') return <p key={block.text}>{block.text}</p>
    return (
      <Heading key={block.text} className={Heading === 'h2' ? 'text-xl' : 'mt-5 text-base font-semibold'}>
        {block.text}
      </Heading>
    )
  })
}

/** Says that a document is a sample. */
export function SampleNote() {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-quiet">
      <Tag>{SAMPLE_LABEL}</Tag>
      <span className="min-w-0">{SAMPLE_TEXT}</span>
    </p>
  )
}

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
