import { href, Link } from 'react-router'
import { formatDate } from '../../../shared/dates.ts'
import { Icon } from '../../../ui/icon.tsx'
import { DocumentText, SampleNote } from '../components/document-text.tsx'
import { DOCUMENT_LABELS, FORMER_TEXT, FORMER_VERSIONS_TITLE, operatorText } from '../messages.ts'
import { PUBLISHED_DOCUMENTS, type SiteOperator } from '../rules.ts'
import type { DocumentPage } from '../text-queries.server.ts'

/** A document as a page, with the others beside it. @param props.operator the business that runs the site */
export function DocumentScreen({
  document: { title, blocks, name, isFormer, isSample, pdfPath, formers },
  operator,
  brand,
}: {
  document: DocumentPage
  operator: SiteOperator
  brand: string
}) {
  return (
    <article className="page pt-8 pb-24 md:pt-12">
      <h1 className="max-w-3xl">{title}</h1>
      <div className="mt-5 grid gap-3">
        {isSample ? <SampleNote /> : null}
        {operator.name && operator.abn ? <p>{operatorText(brand, operator.name, operator.abn)}</p> : null}
        {isFormer ? (
          <p>
            {FORMER_TEXT}{' '}
            <Link className="link" to={href('/legal/:document', { document: name })}>
              Read the newest
            </Link>
          </p>
        ) : null}
      </div>
      <div className="mt-9 grid gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,42rem)_minmax(0,1fr)]">
        <div className="prose">
          <DocumentText blocks={blocks} heading="h2" />
        </div>
        <aside className="print:hidden" aria-labelledby="other-documents">
          <h2 id="other-documents" className="mb-3 text-lg">
            Our documents
          </h2>
          <ul>
            {PUBLISHED_DOCUMENTS.map((other) => (
              <li key={other}>
                <Link
                  className="link inline-block py-1.5"
                  to={href('/legal/:document', { document: other })}
                  aria-current={other === name && !isFormer ? 'page' : undefined}
                >
                  {DOCUMENT_LABELS[other]}
                </Link>
              </li>
            ))}
          </ul>
          {formers.length > 0 ? (
            <>
              <h2 className="mt-7 mb-3 text-lg">{FORMER_VERSIONS_TITLE}</h2>
              <ul>
                {formers.map(({ file, version }) => (
                  <li key={file}>
                    <Link
                      className="link inline-block py-1.5"
                      to={href('/legal/:document', { document: file })}
                    >
                      {formatDate(version)}
                    </Link>
                  </li>
                ))}
              </ul>
            </>
          ) : null}
          <p className="mt-4">
            <a className="link inline-flex min-h-11 items-center gap-2.5" href={pdfPath} download>
              <Icon name="file-text" className="size-5" />
              This document as a PDF
            </a>
          </p>
        </aside>
      </div>
    </article>
  )
}
