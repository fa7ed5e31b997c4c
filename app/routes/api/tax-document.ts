import { findSaleDocument } from '../../features/tax/queries.server.ts'
import { readDocumentFile } from '../../features/tax/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { sendTaxDocument } from '../send-tax-document.server.ts'
import type { Route } from './+types/tax-document'
import { findPaperReader } from './paper-reader.server.ts'

/** A booking's invoice or note as a PDF or as JSON, for those who may read its papers. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext)
  const file = readDocumentFile(params.file)
  const reader = file && (await findPaperReader(params.linkToken, { request, context }))
  const document = reader && (await findSaleDocument(db, reader, file.number))
  if (!document || file.subject !== 'sale') return new Response('There is no such document.', { status: 404 })
  return sendTaxDocument(document, file.format)
}
