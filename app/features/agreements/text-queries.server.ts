import { href } from 'react-router'
import {
  DOCUMENTS,
  type DocumentBlock,
  type DocumentVersion,
  FORMER_PRIVACY_POLICIES,
  FORMER_VENDOR_AGREEMENTS,
  isSample,
  PUBLISHED_DOCUMENTS,
  type PublishedDocument,
  readDocument,
  type SiteOperator,
} from './rules.ts'

/** The Markdown of every document and version, by its path in `legal/`. */
const TEXTS = import.meta.glob<string>('../../../legal/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const textOf = (file: string): string | undefined => TEXTS[`../../../legal/${file}.md`]

/** A document as a page shows it. */
export type DocumentPage = {
  title: string
  blocks: readonly DocumentBlock[]
  /** The document of which this is a version. */
  name: PublishedDocument
  /** Whether this is an earlier version. */
  isFormer: boolean
  isSample: boolean
  pdfPath: string
  /** The names of its earlier versions, newest first, with the day from which each applied. */
  formers: readonly { file: string; version: string }[]
}

const FORMERS: Partial<Record<PublishedDocument, readonly DocumentVersion[]>> = {
  'vendor-agreement': FORMER_VENDOR_AGREEMENTS,
  'privacy-policy': FORMER_PRIVACY_POLICIES,
}

/**
 * Finds a document by the name in its address.
 * @param file 'privacy-policy', or an earlier version such as 'privacy-policy-2026-11-26'
 */
export function findDocument(file: string, operator: SiteOperator): DocumentPage | null {
  const text = textOf(file)
  const name = PUBLISHED_DOCUMENTS.find((one) => file === one || file.startsWith(`${one}-`))
  if (text === undefined || !name) return null
  return {
    ...readDocument(text),
    name,
    isFormer: file !== name,
    isSample: isSample(text, operator),
    // A file of the build, beside the page.
    pdfPath: href('/legal/:document', { document: `${file}.pdf` }),
    formers: (FORMERS[name] ?? []).map(({ version }) => ({ file: `${name}-${version}`, version })),
  }
}

/** The vendor agreement in force, as a vendor reads and accepts it. */
export type VendorAgreement = {
  version: string
  pdfPath: string
  blocks: readonly DocumentBlock[]
  isSample: boolean
}

/** Returns the vendor agreement in force. */
export function vendorAgreement(operator: SiteOperator): VendorAgreement {
  const document = findDocument('vendor-agreement', operator)
  if (!document) throw new Error('legal/vendor-agreement.md is missing')
  const { pdfPath, blocks, isSample } = document
  return { version: DOCUMENTS.vendor_agreement.version, pdfPath, blocks, isSample }
}
