/** Why a PDF can't be taken. */
export type PdfRefusal =
  /** It has a script, an action that starts or sends something, an attached file, media, an XFA form or a hidden layer. */
  | 'active'
  /** It is encrypted, whether or not it opens without a password. */
  | 'locked'
  /** It is signed with a certificate, which a copy can't be. */
  | 'signed'
  /** It is damaged, or too large to be examined. */
  | 'unreadable'

export type CleanPdf = { ok: true; bytes: Uint8Array<ArrayBuffer> } | { ok: false; reason: PdfRefusal }

/** Examines the PDFs that people attach. */
export interface PdfReader {
  /**
   * Writes a stranger's PDF again from the objects that its pages need, so that every program which opens it finds what was
   * examined here.
   */
  clean(bytes: Uint8Array): Promise<CleanPdf>
}
