/** The documents that people accept. Each text is a file of `legal/`, served as a PDF. */
export type AgreementDocument = 'vendor_agreement' | 'customer_terms'

/** One version of a document. */
export type DocumentVersion = {
  version: string
  /** SHA-256 of the file in `legal/`, in hex. It proves which text was accepted. */
  sha256: string
}

/**
 * The versions in force. A changed text needs a new version: a test compares each hash with its file.
 */
export const DOCUMENTS = {
  vendor_agreement: {
    version: '2026-11-24',
    sha256: 'da7bb3eeeb15f7ebc1d22a94c609c663a79f9d4d64b9b2daa2b4867ce68556c6',
  },
  customer_terms: {
    version: '2026-11-23',
    sha256: '3badb3b355d4ad915c5f2d624283b783e42f0629afcd280d52f7390fd4cfde55',
  },
} as const satisfies Record<AgreementDocument, DocumentVersion>

/** Earlier versions of the vendor agreement, newest first. Each text is kept as `legal/vendor-agreement-{version}.md`. */
export const FORMER_VENDOR_AGREEMENTS: readonly DocumentVersion[] = [
  { version: '2026-11-22', sha256: '3b1ff54bb4d35dd9e6a576f665626c4231e0b1198d336fefa624e698052e1e90' },
]

/** How long an accepted earlier version holds once its vendor was told of the new one. */
export const AGREEMENT_NOTICE_DAYS = 14

/** When a vendor has to have accepted the version in force, who has accepted an earlier one. @param toldAt null before they were told */
export function acceptBy(toldAt: Date | null): Date | null {
  return toldAt && new Date(toldAt.getTime() + AGREEMENT_NOTICE_DAYS * 86_400_000)
}

/** The vendor agreement's text. */
export const VENDOR_AGREEMENT_PATH = '/legal/vendor-agreement.pdf'
