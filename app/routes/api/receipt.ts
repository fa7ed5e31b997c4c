import { findReceipt } from '../../features/receipts/queries.server.ts'
import { drawReceipt } from '../../features/receipts/receipt-pdf.server.ts'
import { receiptNumberText } from '../../features/receipts/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Route } from './+types/receipt'
import { findPaperReader } from './paper-reader.server.ts'

/** A booking's receipt as a PDF, for those who may read its papers. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext)
  const reader = await findPaperReader(params.linkToken, { request, context })
  const receipt = reader && (await findReceipt(db, reader))
  if (!receipt) return new Response('There is no such receipt.', { status: 404 })
  const pdf = await drawReceipt(receipt, { brand: config.brand, host: config.publicUrl.host })
  return new Response(pdf as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="receipt-${receiptNumberText(receipt.number)}.pdf"`,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    },
  })
}
