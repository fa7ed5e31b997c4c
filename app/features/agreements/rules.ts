import { DAY_MS } from '../../shared/time-units.ts'

/** The documents that people accept. Each text is a file of `legal/`. */
export type AgreementDocument = 'vendor_agreement' | 'customer_terms'

/** One version of a document. */
export type DocumentVersion = {
  /** The day from which it applies, YYYY-MM-DD. */
  version: string
  /** SHA-256 of the file in `legal/`, in hex. It proves which text was accepted. */
  sha256: string
}

/**
 * The versions in force. A changed text needs a new version: a test compares each hash with its file.
 */
export const DOCUMENTS = {
  vendor_agreement: {
    version: '2026-11-28',
    sha256: 'efaa710def2966f93e6b85fb03cd9d7b1e52e4ab4f3df31ac596ae50c8875570',
  },
  customer_terms: {
    version: '2026-11-28',
    sha256: '3badb3b355d4ad915c5f2d624283b783e42f0629afcd280d52f7390fd4cfde55',
  },
} as const satisfies Record<AgreementDocument, DocumentVersion>

/** Earlier versions of the vendor agreement, newest first. Each text is kept as `legal/vendor-agreement-{version}.md`. */
export const FORMER_VENDOR_AGREEMENTS: readonly DocumentVersion[] = [
  { version: '2026-11-24', sha256: 'da7bb3eeeb15f7ebc1d22a94c609c663a79f9d4d64b9b2daa2b4867ce68556c6' },
  { version: '2026-11-22', sha256: '3b1ff54bb4d35dd9e6a576f665626c4231e0b1198d336fefa624e698052e1e90' },
]

/** The newest privacy policy. It isn't accepted: it applies to everyone from its date on. */
export const PRIVACY_POLICY = {
  version: '2026-12-10',
  sha256: '1736c8dda26b4d2c178d6db09c5528f6d38d429c54100596752e64cc25d0316b',
} as const satisfies DocumentVersion

/** Earlier versions of the privacy policy, newest first, kept as `legal/privacy-policy-{version}.md`. */
export const FORMER_PRIVACY_POLICIES: readonly DocumentVersion[] = [
  { version: '2026-11-26', sha256: '41235b9f216580302c63567a21bdf1a5f362e4e6a97f7954bd5904b73732e7c5' },
]

/** Whether the newest privacy policy is announced, but doesn't apply yet. @param today in Melbourne, whose law governs it */
export function isPolicyComing(today: string): boolean {
  return today < PRIVACY_POLICY.version
}

/** The file of a document that was accepted, in the version that was. Null for one whose text isn't kept. */
export function acceptedFileOf(document: AgreementDocument, version: string): string | null {
  const file = document === 'vendor_agreement' ? 'vendor-agreement' : 'terms-of-service'
  if (version === DOCUMENTS[document].version) return file
  const isKept =
    document === 'vendor_agreement' && FORMER_VENDOR_AGREEMENTS.some((former) => former.version === version)
  return isKept ? `${file}-${version}` : null
}

/** How long an accepted earlier version holds once its vendor was told of the new one. */
export const AGREEMENT_NOTICE_DAYS = 14

/** When a vendor has to have accepted the version in force, who has accepted an earlier one. @param toldAt null before they were told */
export function acceptBy(toldAt: Date | null): Date | null {
  return toldAt && new Date(toldAt.getTime() + AGREEMENT_NOTICE_DAYS * DAY_MS)
}

/** Whether a vendor has accepted the vendor agreement, and which version. */
export type AgreementStanding = {
  /** `changed`: they have accepted an earlier version, which still holds. */
  state: 'accepted' | 'changed' | 'missing'
  /** Until when an earlier version holds; null in the other states, and before they were told of the new one. */
  acceptBy: Date | null
}

/**
 * Whether a vendor has accepted the vendor agreement, by what is stored.
 * @param stored.hasAccepted the version in force
 * @param stored.hadAccepted any version
 * @param stored.toldAt when they were told of the version in force; null before
 */
export function agreementStanding(
  { hasAccepted, hadAccepted, toldAt }: { hasAccepted: boolean; hadAccepted: boolean; toldAt: Date | null },
  now: Date,
): AgreementStanding {
  if (hasAccepted) return { state: 'accepted', acceptBy: null }
  if (!hadAccepted) return { state: 'missing', acceptBy: null }
  const until = acceptBy(toldAt)
  return until && until <= now ? { state: 'missing', acceptBy: null } : { state: 'changed', acceptBy: until }
}

/** The documents with a page of their own, `/legal/{name}`. Each is a file of `legal/`. */
export const PUBLISHED_DOCUMENTS = [
  'terms-of-service',
  'privacy-policy',
  'vendor-agreement',
  'accessibility-statement',
] as const

export type PublishedDocument = (typeof PUBLISHED_DOCUMENTS)[number]

/** The business that runs the site, as its documents name it. Null where the settings don't say. */
export type SiteOperator = { name: string | null; abn: string | null }

/** Whether a document is a sample: the operator hasn't set their name and ABN, or its text still says so itself. */
export function isSample(text: string, operator: SiteOperator): boolean {
  return operator.name === null || operator.abn === null || /^Sample text\b/m.test(text)
}

/** A part of a document, without its Markdown. */
export type DocumentBlock =
  | { kind: 'heading' | 'paragraph'; text: string }
  | { kind: 'list'; items: readonly string[] }

/**
 * Reads a document's Markdown, for its page and its PDF. Documents use only headings, paragraphs and lists.
 * @returns its title, and its blocks without the title
 */
export function readDocument(markdown: string): { title: string; blocks: DocumentBlock[] } {
  const [first = '', ...others] = markdown.trim().split(/\n{2,}/)
  return {
    title: first.replace(/^# /, ''),
    blocks: others.map((block): DocumentBlock => {
      if (block.startsWith('## ')) return { kind: 'heading', text: block.slice(3) }
      if (!block.startsWith('- ')) return { kind: 'paragraph', text: block.replaceAll('\n', ' ') }
      return { kind: 'list', items: block.split('\n').map((line) => line.slice(2)) }
    }),
  }
}
