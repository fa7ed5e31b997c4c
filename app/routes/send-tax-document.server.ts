import { drawTaxDocument } from '../features/tax/document-pdf.server.ts'
import type { StoredDocument } from '../features/tax/queries.server.ts'

/** Sends a tax document: drawn, or its data as they were hashed. */
export async function sendTaxDocument(
  { content, text, sha256 }: StoredDocument,
  format: 'pdf' | 'json',
): Promise<Response> {
  const body = format === 'pdf' ? ((await drawTaxDocument(content, sha256)) as Uint8Array<ArrayBuffer>) : text
  return new Response(body, {
    headers: {
      'content-type': format === 'pdf' ? 'application/pdf' : 'application/json',
      'content-disposition': `inline; filename="${content.number}.${format}"`,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    },
  })
}
